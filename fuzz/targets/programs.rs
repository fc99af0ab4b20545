//! Programs of any text: they are read and checked, or refused with lines of their own, on a stack as the interpreter's
//! process has it. Nothing of them runs.
#![no_main]

use std::cell::RefCell;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use cuff::sandbox::interpreter::{Parent, Received, run};
use cuff::sandbox::{CheckFinding, Isolation, StartLimits};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// As the process of an interpreter has it.
const STACK: usize = 60 << 20;

/// No text of the length that is tried takes longer to read.
const PATIENCE: Duration = Duration::from_secs(4);

struct Fake {
    start: RefCell<Option<String>>,
    said: RefCell<Vec<Value>>,
}

impl Parent for Fake {
    fn receive(&self, _: Option<Duration>) -> Received {
        self.start.take().map_or(Received::Gone, Received::Message)
    }

    fn send(&self, message: &str) {
        self.said.borrow_mut().push(serde_json::from_str(message).expect("a message is JSON"));
    }

    fn is_gone(&self) -> bool {
        false
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }

    fn lock_down(&self, _: &StartLimits) -> Result<Isolation, String> {
        Ok(Isolation::default())
    }
}

fuzz_target!(|input: &[u8]| {
    let source = String::from_utf8_lossy(input).into_owned();
    let begun = Instant::now();
    let read = thread::Builder::new().stack_size(STACK).spawn(move || checked(&source));
    read.expect("a thread").join().expect("no panic");
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
});

fn checked(source: &str) {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let start = json!({
        "source": source,
        "servers": [{"name": "git-hub", "identifier": "gitHub", "tools": [
            {"name": "create_issue", "function": "createIssue", "number": 0, "input": schema},
        ]}],
        "limits": {
            "time": {"secs": 1, "nanos": 0}, "memory": 1 << 25, "stack": 1 << 20, "concurrent_calls": 1,
            "message": 1 << 20, "output": 1000,
        },
        "is_check": true,
    });
    let fake = Rc::new(Fake { start: RefCell::new(Some(start.to_string())), said: RefCell::default() });
    let parent: Rc<dyn Parent> = Rc::clone(&fake) as _;
    run(&parent);
    let said = fake.said.take();
    let [_, last] = &said[..] else { panic!("it is ready, and read or not: {said:?}") };
    if *last == json!("compiled") {
        return;
    }
    let findings: Vec<CheckFinding> =
        serde_json::from_value(last["rejected"].clone()).expect("it is refused with findings");
    assert!(!findings.is_empty() && findings.len() <= 20);
    for finding in findings {
        let shown = finding.render(source);
        assert!(!shown.contains("the parser failed"), "{shown}");
        assert!(shown.len() < 20_000 && !shown.contains(['\u{1b}', '\u{202e}', '\0']), "{shown}");
    }
}
