//! A trial of the sandbox: can programs run here?

use std::sync::Arc;

use serde_json::Value;

use super::script::{PendingScript, WaitingInterpreter};
use crate::sandbox::{
    CallFailure, Catalog, ExecutionLimits, Isolation, Outcome, PrintedStream, SandboxHost, ToolCall,
};
use crate::sys::process::Supervisor;

/// A host without tools.
struct Nothing;

impl SandboxHost for Nothing {
    async fn call(&self, call: ToolCall) -> Result<Value, CallFailure> {
        Err(CallFailure { message: format!("there is no tool {}", call.label()), data: None })
    }

    fn print(&self, _: PrintedStream, _: &str) {}
}

/// Runs the smallest program, within a tokio runtime; returns the layers that kept it in.
///
/// # Errors
/// Says why no program runs here.
pub async fn trial(cuff: &Supervisor) -> Result<Isolation, String> {
    let interpreter = WaitingInterpreter::start(cuff).map_err(|error| error.to_string())?;
    let script = PendingScript::new("return 1", Arc::new(Catalog::default()));
    let execution = script.run(interpreter, &Arc::new(Nothing), &ExecutionLimits::default()).await;
    match (execution.outcome, execution.isolation) {
        (Outcome::Returned(_), Some(isolation)) => Ok(isolation),
        (Outcome::Failed(failure), _) => Err(failure.message),
        _ => Err("the interpreter did not run the smallest program".to_owned()),
    }
}
