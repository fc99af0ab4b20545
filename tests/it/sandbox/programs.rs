//! Programs in the real interpreter, with a host that the tests can look into.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cuff::code::{PendingScript, WaitingInterpreter};
use cuff::sandbox::{
    CallFailure, Catalog, Execution, ExecutionLimits, Failure, Outcome, PrintedStream, ResultShape,
    SandboxHost, ToolCall, ToolDescription, ToolServer,
};
use cuff::sys::process::Supervisor;
use serde_json::{Value, json};

/// Answers calls by the name of the tool.
#[derive(Default)]
pub(super) struct Tools {
    printed: Mutex<Vec<(PrintedStream, String)>>,
    pub(super) calls: Mutex<Vec<ToolCall>>,
}

impl SandboxHost for Tools {
    async fn call(&self, call: ToolCall) -> Result<Value, CallFailure> {
        self.calls.lock().expect("no test fails here").push(call.clone());
        let arguments = Value::from(call.arguments);
        match call.tool.as_str() {
            "echo" => Ok(arguments),
            "sleep" => {
                let time = Duration::from_millis(arguments["ms"].as_u64().expect("a time"));
                tokio::time::sleep(time).await;
                Ok(arguments)
            }
            "large" => {
                let count = arguments["count"].as_u64().expect("a count");
                let issue = |at| json!({"id": at, "title": format!("Issue {at}"), "open": at % 3 == 0});
                Ok(json!({"issues": (0..count).map(issue).collect::<Vec<_>>()}))
            }
            _ => Err(CallFailure { message: "no such issue".into(), data: Some(json!({"status": 404})) }),
        }
    }

    fn print(&self, stream: PrintedStream, text: &str) {
        self.printed.lock().expect("no test fails here").push((stream, text.to_owned()));
    }
}

impl Tools {
    /// All that was printed to a stream.
    pub(super) fn text(&self, stream: PrintedStream) -> String {
        let printed = self.printed.lock().expect("no test fails here");
        printed.iter().filter(|(of, _)| *of == stream).map(|(_, text)| text.as_str()).collect()
    }

    /// The words that were printed, to either stream, in their order.
    pub(super) fn printed_words(&self) -> Vec<String> {
        let printed = self.printed.lock().expect("no test fails here");
        printed.iter().flat_map(|(_, text)| text.split_whitespace()).map(str::to_owned).collect()
    }
}

pub(super) fn catalog() -> Arc<Catalog> {
    let tool = |name: &str| ToolDescription {
        name: name.into(),
        description: None,
        input: json!({"type": "object"}),
        output: ResultShape::Unknown,
    };
    let tools = ["echo", "sleep", "large", "fail"].map(tool).into();
    Arc::new(Catalog::new(vec![ToolServer { name: "git-hub".into(), tools, ..ToolServer::default() }]))
}

/// For programs that end by themselves, however busy the machine is.
pub(super) fn limits() -> ExecutionLimits {
    ExecutionLimits { time: Duration::from_mins(2), ..ExecutionLimits::default() }
}

pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// An interpreter that has no program yet; within a runtime.
pub(super) fn interpreter() -> WaitingInterpreter {
    WaitingInterpreter::start(&Supervisor::at(env!("CARGO_BIN_EXE_cuff"))).expect("an interpreter")
}

/// The end of a program, and the calls that its host saw.
pub(super) fn run_within(source: &str, limits: &ExecutionLimits) -> (Execution, Arc<Tools>) {
    let tools = Arc::new(Tools::default());
    let script = PendingScript::new(source, catalog());
    let execution = runtime().block_on(async { script.run(interpreter(), &tools, limits).await });
    (execution, tools)
}

/// The value that a program returns.
#[track_caller]
pub(super) fn result(source: &str) -> Value {
    match run_within(source, &limits()).0.outcome {
        Outcome::Returned(result) => result.unwrap_or(Value::Null),
        Outcome::Failed(failure) => panic!("{}", failure.render(source)),
        Outcome::Rejected(findings) => panic!("{source}: {findings:?}"),
    }
}

/// How a program fails.
#[track_caller]
pub(super) fn failure(source: &str, limits: &ExecutionLimits) -> Failure {
    match run_within(source, limits).0.outcome {
        Outcome::Failed(failure) => failure,
        other => panic!("{source}: {other:?}"),
    }
}
