//! The trusted side of a program: it makes the calls, and takes what is printed.

use serde_json::{Map, Value};

use super::protocol::{HostQuestion, PrintedStream};

/// A call that a program makes.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The server, as settings call it.
    pub server: String,
    /// The tool, as its source calls it.
    pub tool: String,
    /// The arguments. A program can put anything into them.
    pub arguments: Map<String, Value>,
}

impl ToolCall {
    /// `server.tool`.
    pub fn label(&self) -> String {
        format!("{}.{}", self.server, self.tool)
    }
}

/// A call that did not succeed, as the program hears of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallFailure {
    /// Why, as the tool or the policy says it.
    pub message: String,
    /// Structured data that the tool returned beside that.
    pub data: Option<Value>,
}

/// Makes the calls of a program.
pub trait SandboxHost: Send + Sync + 'static {
    /// Makes a call. Dropping the future cancels it: nobody waits for the answer any more.
    fn call(&self, call: ToolCall) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Answers a question that is no call of a tool.
    fn ask(&self, question: HostQuestion) -> impl Future<Output = Result<Value, CallFailure>> + Send {
        let message = match question {
            HostQuestion::Recall(run) => {
                let which = run.map_or_else(|| "an earlier run".to_owned(), |run| format!("the run `{run}`"));
                format!("there is no result of {which} in this session")
            }
            HostQuestion::Search(..) | HostQuestion::Describe(_) => {
                "nothing is known of other tools".to_owned()
            }
        };
        std::future::ready(Err(CallFailure { message, data: None }))
    }

    /// Takes what the program prints, as it comes.
    fn print(&self, stream: PrintedStream, text: &str);
}
