//! The parent's side of an execution: it says what to run, makes the calls, and believes nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::catalog::Catalog;
use super::finding::CheckFinding;
use super::host::{CallFailure, SandboxHost, ToolCall};
use super::journal::{CallEnd, CallRecord};
use super::limits::ExecutionLimits;
use super::protocol::{
    HostQuestion, InterpreterMessage, Isolation, Malformed, PrintedStream, StartMessage, Thrown, answer,
    framed, take,
};
use super::stopwatch::Stopwatch;
use crate::model::size;

/// How much later than the interpreter the parent gives up: the interpreter can say where the program was.
const GRACE: Duration = Duration::from_millis(500);

/// How much a message may be longer than what it carries.
const ENVELOPE: usize = 64 << 10;

/// How an interpreter ended what was said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ended {
    /// With a result.
    Done(Option<Value>),
    /// With an error of the program.
    Failed(Thrown),
    /// The program is none.
    Rejected(Vec<CheckFinding>),
    /// The program was read and checked, and nothing else was wanted.
    Checked,
    /// It could not give up what a program must not have.
    Refused(String),
    /// It did not end in time.
    TimeOver,
    /// It said what no interpreter says.
    Broken(&'static str),
    /// It went away without a word.
    Gone,
}

/// The end of an execution, and its journal.
#[derive(Debug)]
pub(super) struct ExecutionEnd {
    pub(super) ended: Ended,
    pub(super) journal: Vec<CallRecord>,
    pub(super) isolation: Option<Isolation>,
    /// Whether the program was read and checked.
    pub(super) is_compiled: bool,
    pub(super) unprinted: u64,
}

/// An execution under way.
pub(super) struct SandboxSession<'s, H> {
    catalog: &'s Catalog,
    limits: &'s ExecutionLimits,
    host: Arc<H>,
    calls: JoinSet<Result<Value, CallFailure>>,
    /// The calls that are out, by their tasks.
    out: HashMap<Id, (u64, Option<usize>, Instant)>,
    begun: Instant,
    /// The parent's own measure of the program's time: it stands while a call is out.
    watch: Stopwatch,
    outgoing: VecDeque<Vec<u8>>,
    printed: usize,
    /// Whether the program is checked alone.
    is_check: bool,
    conversation: ExecutionEnd,
}

impl<'s, H: SandboxHost> SandboxSession<'s, H> {
    /// An execution of a program, which may be checked alone.
    pub(super) fn new(
        catalog: &'s Catalog,
        host: Arc<H>,
        limits: &'s ExecutionLimits,
        is_check: bool,
    ) -> Self {
        let watch = Stopwatch::default();
        watch.start(limits.time + GRACE, Duration::ZERO);
        Self {
            catalog,
            limits,
            host,
            calls: JoinSet::new(),
            out: HashMap::new(),
            begun: Instant::now(),
            watch,
            outgoing: VecDeque::new(),
            printed: 0,
            is_check,
            conversation: ExecutionEnd {
                ended: Ended::Gone,
                journal: Vec::new(),
                isolation: None,
                is_compiled: false,
                unprinted: 0,
            },
        }
    }

    /// Speaks with an interpreter until it has said its last word. Calls that are out then are cancelled.
    pub(super) async fn converse(
        mut self,
        source: &str,
        mut input: impl AsyncRead + Unpin,
        mut output: impl AsyncWrite + Unpin,
    ) -> ExecutionEnd {
        self.begin(source);
        let mut arrived = Vec::new();
        let mut written = 0;
        let ended = loop {
            let over = self.watch.over().map(|over| self.begun + over);
            tokio::select! {
                read = input.read_buf(&mut arrived) => {
                    if read.unwrap_or(0) == 0 {
                        break Ended::Gone;
                    }
                    if let Some(ended) = self.hear_all(&mut arrived) {
                        break ended;
                    }
                }
                Some(ended) = self.calls.join_next_with_id() => self.ended(ended),
                wrote = output.write(rest(&self.outgoing, written)), if !self.outgoing.is_empty() => {
                    // Nobody who reads is left: the end of what is read says so as well.
                    written += wrote.unwrap_or(usize::MAX / 2);
                    if self.outgoing.front().is_some_and(|message| written >= message.len()) {
                        self.outgoing.pop_front();
                        written = 0;
                    }
                }
                () = until(over), if over.is_some() => break Ended::TimeOver,
            }
        };
        ExecutionEnd { ended, ..self.conversation }
    }

    fn begin(&mut self, source: &str) {
        let start = StartMessage {
            source: source.to_owned(),
            servers: self.catalog.start_servers(source),
            withheld: self.catalog.withheld().to_vec(),
            limits: self.limits.start(),
            is_check: self.is_check,
        };
        // Plain values become JSON in any case.
        self.outgoing.extend(serde_json::to_string(&start).ok().and_then(|start| framed(&start)));
    }

    fn hear_all(&mut self, arrived: &mut Vec<u8>) -> Option<Ended> {
        loop {
            match take(arrived, self.limits.message + ENVELOPE) {
                Ok(None) => return None,
                Ok(Some(message)) => match serde_json::from_str(&message) {
                    Ok(said) => {
                        if let Some(ended) = self.hear(said) {
                            return Some(ended);
                        }
                    }
                    Err(_) => return Some(Ended::Broken("it sent a message that is none")),
                },
                Err(Malformed::TooLong) => return Some(Ended::Broken("it sent a message that is too long")),
                Err(Malformed::NoMessage) => return Some(Ended::Broken("it sent bytes that are no message")),
            }
        }
    }

    /// Handles a message of the interpreter. A message out of turn ends the session: no interpreter of ours
    /// sends one.
    fn hear(&mut self, said: InterpreterMessage) -> Option<Ended> {
        let is_ready = self.conversation.isolation.is_some();
        let runs = self.conversation.is_compiled && !self.is_check;
        match said {
            InterpreterMessage::Ready(isolation) if !is_ready => {
                self.conversation.isolation = Some(isolation);
            }
            InterpreterMessage::Refused(reason) if !is_ready => return Some(Ended::Refused(reason)),
            InterpreterMessage::Rejected(findings) if is_ready && !self.conversation.is_compiled => {
                return Some(Ended::Rejected(findings));
            }
            InterpreterMessage::Compiled if is_ready && !self.conversation.is_compiled => {
                self.conversation.is_compiled = true;
                return self.is_check.then_some(Ended::Checked);
            }
            InterpreterMessage::Print { stream, text } if runs => self.print(stream, &text),
            InterpreterMessage::Unprinted(bytes) if runs => self.unprinted(bytes),
            InterpreterMessage::Done { result } if runs => return Some(Ended::Done(result)),
            InterpreterMessage::Failed(thrown) if runs => return Some(Ended::Failed(thrown)),
            InterpreterMessage::Call { id, tool, arguments } if runs => {
                return self.call(id, tool, arguments);
            }
            InterpreterMessage::Ask { id, question } if runs => return self.ask(id, question),
            _ => return Some(Ended::Broken("it spoke out of turn")),
        }
        None
    }

    fn print(&mut self, stream: PrintedStream, text: &str) {
        let room = text.floor_char_boundary(self.limits.output - self.printed);
        self.unprinted((text.len() - room) as u64);
        self.printed += room;
        if room > 0 {
            self.host.print(stream, &text[..room]);
        }
    }

    fn unprinted(&mut self, bytes: u64) {
        self.conversation.unprinted = self.conversation.unprinted.saturating_add(bytes);
    }

    fn call(&mut self, id: u64, tool: u32, arguments: Map<String, Value>) -> Option<Ended> {
        let Some((server, tool)) = self.catalog.tool(tool) else {
            return Some(Ended::Broken("it called a tool that there is not"));
        };
        if let Some(broken) = self.crowded() {
            return Some(broken);
        }
        let call = ToolCall { server: server.name.clone(), tool: tool.described.name.clone(), arguments };
        let limit = usize::try_from(self.limits.calls).unwrap_or(usize::MAX);
        if self.conversation.journal.len() >= limit {
            let message = format!("a program may make {limit} calls, and this one has made them");
            self.outgoing.extend(framed(&answer(id, Err((&message, None)))));
            return None;
        }
        let at = self.conversation.journal.len();
        self.conversation.journal.push(CallRecord::begun(call.label(), &call.arguments));
        self.watch.pause(self.begun.elapsed());
        let host = Arc::clone(&self.host);
        let task = self.calls.spawn(async move { host.call(call).await });
        self.out.insert(task.id(), (id, Some(at), Instant::now()));
        None
    }

    /// A question is no call of a tool: the journal does not have it.
    fn ask(&mut self, id: u64, question: HostQuestion) -> Option<Ended> {
        if let Some(broken) = self.crowded() {
            return Some(broken);
        }
        self.watch.pause(self.begun.elapsed());
        let host = Arc::clone(&self.host);
        let task = self.calls.spawn(async move { host.ask(question).await });
        self.out.insert(task.id(), (id, None, Instant::now()));
        None
    }

    /// An interpreter that keeps to the protocol never has more calls out.
    fn crowded(&self) -> Option<Ended> {
        let most = usize::try_from(self.limits.concurrent_calls).unwrap_or(usize::MAX);
        let is_crowded = self.calls.len() + self.outgoing.len() >= most;
        is_crowded.then_some(Ended::Broken("it made more calls at once than it may"))
    }

    /// A call is over. One that cuff itself failed at has an answer as well: a program would wait for ever.
    fn ended(&mut self, ended: Result<(Id, Result<Value, CallFailure>), JoinError>) {
        let (task, result) = ended.unwrap_or_else(|error| {
            let message = "cuff failed at this call: report it as a bug".to_owned();
            (error.id(), Err(CallFailure { message, data: None }))
        });
        if let Some((id, at, began)) = self.out.remove(&task) {
            self.answered(id, at, began, result);
        }
    }

    fn answered(&mut self, id: u64, at: Option<usize>, began: Instant, result: Result<Value, CallFailure>) {
        if self.calls.is_empty() {
            self.watch.go_on(self.begun.elapsed());
        }
        let too_long = |message: &String| message.len() > self.limits.answer;
        let message = match &result {
            Ok(value) => {
                let message = answer(id, Ok(value));
                if too_long(&message) {
                    let text = format!(
                        "the answer is {} long, and a program takes at most {}; ask the tool for less",
                        size(message.len() as u64),
                        size(self.limits.answer as u64)
                    );
                    answer(id, Err((&text, None)))
                } else {
                    message
                }
            }
            Err(failure) => {
                let message = answer(id, Err((&failure.message, failure.data.as_ref())));
                if too_long(&message) {
                    answer(id, Err(("the tool failed at great length", None)))
                } else {
                    message
                }
            }
        };
        self.outgoing.extend(framed(&message));
        if let Some(record) = at.and_then(|at| self.conversation.journal.get_mut(at)) {
            record.took = Some(began.elapsed());
            record.ended = match result {
                Ok(_) => CallEnd::Succeeded,
                Err(failure) => CallEnd::Failed(failure.message),
            };
        }
    }
}

/// The unsent rest of the first message.
fn rest(outgoing: &VecDeque<Vec<u8>>, written: usize) -> &[u8] {
    outgoing.front().and_then(|message| message.get(written..)).unwrap_or_default()
}

async fn until(over: Option<Instant>) {
    match over {
        Some(over) => sleep_until(over).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
