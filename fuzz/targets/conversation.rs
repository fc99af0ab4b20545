//! An interpreter that says anything: the parent reads it to its end, makes the calls that it may make, and shows what
//! came of it. Any bytes, and any messages in any order.
#![no_main]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use cuff::sandbox::{
    CallFailure, Catalog, ExecutionLimits, ExecutionTask, Outcome, PrintedStream, ResultShape,
    SandboxHost, ToolCall, ToolDescription, ToolServer, execute, framed, summary, take,
};
use cuff::sys::isolation::Exit;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

/// The program that failures are shown with.
const SOURCE: &str = "const é = 1;\nawait tools.s.echo({ é })\n";
const CALLS: u32 = 5;
const PRINTED: usize = 100;

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("a runtime"));

#[derive(Default)]
struct Echo {
    calls: AtomicUsize,
    printed: AtomicUsize,
}

impl SandboxHost for Echo {
    async fn call(&self, call: ToolCall) -> Result<Value, CallFailure> {
        assert_eq!((call.server.as_str(), call.tool.as_str()), ("s", "echo"));
        self.calls.fetch_add(1, Ordering::Relaxed);
        Ok(Value::Object(call.arguments))
    }

    fn print(&self, _: PrintedStream, text: &str) {
        self.printed.fetch_add(text.len(), Ordering::Relaxed);
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((choice, input)) = input.split_first() else { return };
    // Bytes as they are, or each line as a message after those that begin a program.
    let bytes = if choice % 4 == 0 { input.to_vec() } else { messages(*choice, input) };
    taken(&bytes);
    let tool = ToolDescription {
        name: "echo".into(),
        description: None,
        input: json!({"type": "object"}),
        output: ResultShape::Unknown,
    };
    let catalog =
        Catalog::new(vec![ToolServer { name: "s".into(), tools: vec![tool], ..ToolServer::default() }]);
    let limits = ExecutionLimits {
        time: Duration::from_millis(50),
        calls: CALLS,
        concurrent_calls: 3,
        message: 1 << 16,
        answer: 1 << 16,
        output: PRINTED,
        ..ExecutionLimits::default()
    };
    let host = Arc::new(Echo::default());
    let task = if choice & 128 == 0 { ExecutionTask::Run } else { ExecutionTask::Check };
    let pipes = (bytes.as_slice(), tokio::io::sink());
    let execution = execute((task, SOURCE, &catalog), &host, &limits, pipes, async || Ok(Exit::GaveUp));
    let execution = RUNTIME.block_on(execution);
    let calls = host.calls.load(Ordering::Relaxed);
    assert!(calls <= execution.journal.len() && execution.journal.len() <= CALLS as usize);
    assert!(host.printed.load(Ordering::Relaxed) <= PRINTED);
    let shown = match &execution.outcome {
        Outcome::Failed(failure) => failure.render(SOURCE),
        Outcome::Rejected(findings) => findings.iter().map(|finding| finding.render(SOURCE)).collect(),
        Outcome::Returned(result) => {
            assert!(result.is_none() || task == ExecutionTask::Run);
            String::new()
        }
    };
    assert!(shown.len() < 200_000, "{} bytes are shown", shown.len());
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\0']), "{shown:?}");
    assert!(!summary(&execution.journal).contains(['\u{1b}', '\u{202e}', '\0']));
});

fn messages(choice: u8, input: &[u8]) -> Vec<u8> {
    let begin = [r#"{"ready":{"system_calls":true,"files":true,"resources":true}}"#, r#""compiled""#];
    let text = String::from_utf8_lossy(input);
    let said = begin.into_iter().take(usize::from(choice % 4 - 1)).chain(text.lines());
    said.filter_map(framed).flatten().collect()
}

/// The same messages are taken off the bytes, in pieces of any size.
fn taken(bytes: &[u8]) {
    let all = |size: usize| {
        let (mut arrived, mut found) = (Vec::new(), Vec::new());
        for piece in bytes.chunks(size.max(1)) {
            arrived.extend_from_slice(piece);
            loop {
                match take(&mut arrived, 1 << 16) {
                    Ok(Some(message)) => found.push(message),
                    Ok(None) => break,
                    Err(malformed) => return (found, Some(malformed)),
                }
            }
        }
        (found, None)
    };
    assert_eq!(all(1), all(bytes.len()));
}
