//! Why a program failed, for a reader who must fix it.

use std::fmt::Write as _;

use serde_json::Value;

use super::absences::instead_of;
use super::code_frame::{self, NAME, TextPosition};
use super::elision::elided;
use super::frame::{MOST_FRAMES, StackFrame};
use super::limits::ExecutionLimits;
use super::protocol::Thrown;
use crate::model::{size, visible_lines};

/// The longest message that is shown, and the longest of what a tool said beside it, in characters and bytes.
const LONGEST_MESSAGE: usize = 4000;
const LONGEST_DATA: usize = 2000;

/// A program that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// In which way.
    pub kind: FailureKind,
    /// The class of the error: `TypeError`; empty where there is none.
    pub name: String,
    /// The mistake or failure. A stranger's text where the program or a tool made it.
    pub message: String,
    /// The next step.
    pub help: Option<String>,
    /// Where it was, the innermost first: lines of the user's own program.
    pub frames: Vec<StackFrame>,
    /// The tool that failed: `server.tool`.
    pub tool: Option<String>,
    /// Structured data that the tool returned beside its message.
    pub data: Option<Value>,
    /// The causes, each with name and message.
    pub causes: Vec<String>,
}

/// The ways to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The program threw an error, and nothing caught it.
    Thrown,
    /// A promise was rejected, and nobody looked at it.
    Unhandled,
    /// It waits for a promise that nothing can resolve.
    Deadlock,
    /// Its time was over.
    Time,
    /// It took more memory than it may.
    Memory,
    /// Its result is none, or too large.
    Result,
    /// The interpreter itself failed: it crashed, or did not keep to the protocol.
    Interpreter,
    /// This machine cannot keep a program from the outside.
    Isolation,
    /// It was ended from outside.
    Cancelled,
}

impl Failure {
    /// A failure without an error of the program's.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            name: String::new(),
            message: message.into(),
            help: None,
            frames: Vec::new(),
            tool: None,
            data: None,
            causes: Vec::new(),
        }
    }

    /// With what to do about it.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// A failure that the interpreter reports.
    pub(super) fn reported(thrown: Thrown, limits: &ExecutionLimits) -> Self {
        let frames = thrown.frames.into_iter().take(MOST_FRAMES).map(StackFrame::cut).collect();
        let is_out_of_memory = thrown.name == "InternalError" && thrown.message.contains("out of memory");
        let failure = match thrown.kind.as_str() {
            "time" => time_over(limits),
            "deadlock" => {
                Self::new(FailureKind::Deadlock, "the program waits for a promise that nothing can resolve")
                    .help("every `new Promise` needs a path that calls `resolve` or `reject`")
            }
            "size" => Self::new(FailureKind::Result, cut(&thrown.message))
                .help("return a part of it, or a summary; print nothing large"),
            "result" => Self::new(
                FailureKind::Result,
                format!("the result cannot be returned: {}", cut(&thrown.message)),
            )
            .help("return plain values: objects, lists, texts and numbers"),
            "memory" => memory_over(limits),
            _ if is_out_of_memory => memory_over(limits),
            kind => {
                let kind = if kind == "unhandled" { FailureKind::Unhandled } else { FailureKind::Thrown };
                let mut failure = Self::new(kind, cut(&thrown.message));
                failure.help = help(&thrown.name, &thrown.message, kind);
                failure.name = cut(&thrown.name);
                failure.data = thrown.data.map(|data| elided(data, LONGEST_DATA).value);
                failure
            }
        };
        let causes = causes(thrown.cause.as_deref(), &thrown.errors);
        Self { frames, tool: thrown.tool.map(|tool| cut(&tool)), causes, ..failure }
    }

    /// The failure as people read it: what, where in their own program, and what to do.
    pub fn render(&self, source: &str) -> String {
        self.render_as(NAME, source)
    }

    /// The same, of a program that has a name.
    pub fn render_as(&self, file: &str, source: &str) -> String {
        let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        let tool = self.tool.as_ref().map_or_else(String::new, |tool| format!("{tool}: "));
        let mut text = format!("error: {name}{tool}{}", self.message);
        if let Some(first) = self.frames.first() {
            let start = source.floor_char_boundary(first.offset);
            let end = start + word(&source[start..]);
            let _ = write!(text, "\n{}", code_frame::frame(file, source, &(start..end)));
        }
        for frame in self.frames.iter().skip(1) {
            let TextPosition { line, column } = frame.place(source);
            let place = format!("{file}:{line}:{column}");
            let _ = match &frame.function {
                Some(function) => write!(text, "\n    at {function} ({place})"),
                None => write!(text, "\n    at {place}"),
            };
        }
        for cause in &self.causes {
            let _ = write!(text, "\ncaused by: {cause}");
        }
        if let Some(data) = &self.data {
            let _ = write!(text, "\ndata: {data}");
        }
        if let Some(help) = &self.help {
            let _ = write!(text, "\nhelp: {help}");
        }
        visible_lines(&text).into_owned()
    }
}

/// The failure of a program that ran out of time, whether it or its parent noticed.
pub(super) fn time_over(limits: &ExecutionLimits) -> Failure {
    let message =
        format!("the program took longer than {} s, not counting the time of its tools", seconds(limits));
    Failure::new(FailureKind::Time, message).help("do less in one program, or allow more with `--timeout`")
}

/// A program that took too much memory.
fn memory_over(limits: &ExecutionLimits) -> Failure {
    let message = format!("the program took more memory than {}", size(limits.memory as u64));
    Failure::new(FailureKind::Memory, message).help("keep less at once, or allow more with `--memory`")
}

fn seconds(limits: &ExecutionLimits) -> f64 {
    (limits.time.as_secs_f64() * 10.0).round() / 10.0
}

/// The help for errors of the language that have one reason here.
fn help(name: &str, message: &str, kind: FailureKind) -> Option<String> {
    if name == "ReferenceError"
        && let Some(missing) = message.strip_suffix(" is not defined")
        && let Some(instead) = instead_of(missing.trim_matches('\''))
    {
        return Some(instead.to_owned());
    }
    if name == "RangeError" && message == "Maximum call stack size exceeded" {
        return Some("a function calls itself without end, or too deep: use a loop".to_owned());
    }
    if name.is_empty() && message == "null" {
        let instead = "where no memory is left for an error, `null` is thrown: keep less at once, or allow more with `--memory`";
        return Some(instead.to_owned());
    }
    let nobody =
        "a promise was rejected and nothing waited for it: put `await` before the call that makes it";
    (kind == FailureKind::Unhandled).then(|| nobody.to_owned())
}

fn causes(cause: Option<&Thrown>, errors: &[Thrown]) -> Vec<String> {
    let one = |thrown: &Thrown| match thrown.name.as_str() {
        "" => cut(&thrown.message),
        name => format!("{}: {}", cut(name), cut(&thrown.message)),
    };
    let mut causes: Vec<String> = errors.iter().map(one).collect();
    let mut next = cause;
    while let Some(cause) = next {
        causes.push(one(cause));
        next = cause.cause.as_deref();
    }
    causes.truncate(MOST_FRAMES);
    causes
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST_MESSAGE).collect()
}

/// The length of the word that a text begins with, which is at least one character.
fn word(text: &str) -> usize {
    let word =
        text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.')).unwrap_or(text.len());
    if word > 0 { word } else { text.chars().next().map_or(0, char::len_utf8) }
}
