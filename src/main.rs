//! The `cuff` binary.

use std::process::ExitCode;

use cuff::sys::supervisor;

fn main() -> ExitCode {
    // Before anything else: a supervisor starts with every run and must be cheap.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == supervisor::ARGUMENT) {
        return supervisor::main();
    }
    ExitCode::SUCCESS
}
