//! The messages of parent and interpreter over the pipe: messages of JSON, each behind its length.
//!
//! The parent says what to run, then answers calls. The interpreter says what it calls and prints, and at last how it
//! ended. It may be in the hands of the program: the parent takes every word of it for a claim.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::catalog::NamedServer;
use super::finding::CheckFinding;
use super::frame::StackFrame;
use super::withheld::WithheldName;

/// The bytes before each message, which say how long it is: little-endian.
const HEAD: usize = 4;

/// The first message: what to run, and within what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StartMessage {
    /// TypeScript.
    pub source: String,
    /// The servers that it can call.
    pub servers: Vec<NamedServer>,
    /// The servers that it does not get.
    #[serde(default)]
    pub withheld: Vec<WithheldName>,
    /// Within what.
    pub limits: StartLimits,
    /// Whether it is read and checked alone.
    pub is_check: bool,
}

/// The limits that the interpreter itself keeps. The parent and the kernel have their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartLimits {
    /// Time to compute, and to wait for anything but tools.
    pub time: Duration,
    /// Memory of the program, in bytes.
    pub memory: usize,
    /// Stack of the program, in bytes.
    pub stack: usize,
    /// How many calls may be out at once; others wait for their turn.
    pub concurrent_calls: u32,
    /// The longest message to the parent, in bytes.
    pub message: usize,
    /// How much may be printed, in bytes.
    pub output: usize,
}

/// The stream that something was printed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PrintedStream {
    /// `console.log` and its like.
    #[serde(rename = "out")]
    Out,
    /// `console.warn` and `console.error`.
    #[serde(rename = "err")]
    Err,
}

/// The layers that keep the interpreter from files, network and other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Isolation {
    /// Whether the kernel refuses all system calls but a few (seccomp).
    pub system_calls: bool,
    /// Whether the kernel refuses files, sockets and signals by name (Landlock).
    pub files: bool,
    /// Whether memory, processor time and the number of open files are limited.
    pub resources: bool,
}

/// A message of the interpreter.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InterpreterMessage {
    /// It has given up what the program must not have, and begins.
    Ready(Isolation),
    /// It could not, and does not begin.
    Refused(String),
    /// The program is no program: all that is wrong with it.
    Rejected(Vec<CheckFinding>),
    /// The program was read and checked, and runs now, unless it was to be checked alone.
    Compiled,
    /// The program calls a tool.
    Call {
        /// Names the call in the answer.
        id: u64,
        /// The number of the tool.
        tool: u32,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
    /// The program asks what is no call of a tool.
    Ask {
        /// Names the question in the answer.
        id: u64,
        /// The question.
        question: HostQuestion,
    },
    /// The program prints.
    Print {
        /// Where to.
        stream: PrintedStream,
        /// The text.
        text: String,
    },
    /// That many bytes were not printed, since there were too many.
    Unprinted(u64),
    /// The program has ended well.
    Done {
        /// Its result, if any.
        #[serde(default)]
        result: Option<Value>,
    },
    /// The program has failed.
    Failed(Thrown),
}

/// A question of a program that is no call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostQuestion {
    /// The result of an earlier program by the id of its run; `None`: of the last one of the session.
    Recall(Option<String>),
    /// The tools that match these words, and how many at most.
    Search(String, u32),
    /// The types of a tool or a server by its name.
    Describe(String),
}

/// An error as the interpreter describes it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Thrown {
    /// Why it ended: `thrown`, `unhandled`, `result`, `deadlock`, `time`, `memory`, `size`.
    pub kind: String,
    /// The class of the error.
    pub name: String,
    /// Its text.
    pub message: String,
    /// Its stack as the language has it, with lines of the JavaScript. It stays in the interpreter.
    #[serde(skip_serializing)]
    pub(super) stack: Option<String>,
    /// The lines of the program on its stack, the innermost first.
    pub frames: Vec<StackFrame>,
    /// The tool that failed.
    pub tool: Option<String>,
    /// Structured data that the tool returned beside its text.
    pub data: Option<Value>,
    /// The error that caused it.
    pub cause: Option<Box<Thrown>>,
    /// The errors that it is made of.
    pub errors: Vec<Thrown>,
}

/// An answer to a call, as a message without its length.
pub(crate) fn answer(id: u64, result: Result<&Value, (&str, Option<&Value>)>) -> String {
    match result {
        Ok(value) => format!("{{\"answer\":{{\"id\":{id},\"value\":{value}}}}}"),
        Err((message, data)) => {
            let mut error = Map::from_iter([("message".to_owned(), Value::from(message))]);
            error.extend(data.map(|data| ("data".to_owned(), data.clone())));
            format!("{{\"answer\":{{\"id\":{id},\"error\":{}}}}}", Value::from(error))
        }
    }
}

/// A message with its length before it; `None` where it is too long to have one.
pub fn framed(message: &str) -> Option<Vec<u8>> {
    let length = u32::try_from(message.len()).ok()?;
    Some([&length.to_le_bytes(), message.as_bytes()].concat())
}

/// Takes the first whole message off what has arrived; `None` where more must arrive first.
///
/// # Errors
/// When it is longer than that, or no text.
pub fn take(arrived: &mut Vec<u8>, longest: usize) -> Result<Option<String>, Malformed> {
    let Some((head, rest)) = arrived.split_first_chunk::<HEAD>() else { return Ok(None) };
    let length = usize::try_from(u32::from_le_bytes(*head)).map_err(|_| Malformed::TooLong)?;
    if length > longest {
        return Err(Malformed::TooLong);
    }
    let Some(message) = rest.get(..length) else { return Ok(None) };
    let message = std::str::from_utf8(message).map_err(|_| Malformed::NoMessage)?.to_owned();
    arrived.drain(..HEAD + length);
    Ok(Some(message))
}

/// A violation of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// A message that is longer than any may be.
    TooLong,
    /// Bytes that are no message.
    NoMessage,
}
