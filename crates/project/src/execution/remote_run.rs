//! A run whose tool is on a runner: what its client prints, and the end of the tool, which is not that of the client.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::returned_files::ReturnedFilesReader;
use super::runner_client::ClientHost;
use super::tool_marks::ToolMarks;
use super::watch::Process;
use super::{runner, runner_client};
use crate::model::{Ending, NotStarted, Outcome, Runner, RunnerFiles, Stream};
use crate::sys::ReturnedFiles;
use crate::sys::process::{RunEvent, Running};

/// How long a tool has to end after `TERM`.
const GRACE: Duration = Duration::from_secs(2);
/// How long the words that send a signal may take.
const SIGNALLING: Duration = Duration::from_secs(4);
/// How long a client may go on after its tool has ended.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// The client of a runner, and the tool that it has started there.
pub(super) struct RemoteRun<'h> {
    client: Running,
    tool: RemoteTool<'h>,
    marks: ToolMarks,
    /// Reads the files that come back, where the tool has a copy of them.
    returned: Option<ReturnedFilesReader>,
    /// The bytes of the last event.
    bytes: Vec<u8>,
    /// The words that end the tool, while they are carried out.
    ending: Option<Pin<Box<dyn Future<Output = ()> + Send + 'h>>>,
    /// When a client whose tool has ended is stopped.
    limit: Option<Instant>,
    was_stopped: bool,
    /// Whether cuff ended the client, which then has an end of its own.
    is_client_stopped: bool,
}

/// A tool on a runner.
#[derive(Clone, Copy)]
pub(super) struct RemoteTool<'h> {
    pub(super) host: ClientHost<'h>,
    pub(super) runner: &'h Runner,
    pub(super) id: &'h str,
    /// Whether it was killed.
    pub(super) was_killed: &'h AtomicBool,
}

impl RemoteTool<'_> {
    /// Sends it a signal; whether the runner's words for that succeeded.
    async fn signal(self, signal: &str) -> bool {
        let words = runner::stop(self.runner, self.id, self.host.root, signal);
        timeout(SIGNALLING, runner_client::run_client(self.host, &words)).await.is_ok_and(|sent| sent.is_ok())
    }

    async fn end(self) {
        let begun = Instant::now();
        self.signal("TERM").await;
        sleep_until(begun + GRACE).await;
        self.kill().await;
    }

    async fn kill(self) {
        if self.signal("KILL").await {
            self.was_killed.store(true, Ordering::Relaxed);
        }
        // It has ended now, and its client hears so.
        sleep(AFTERWARDS / 2).await;
    }
}

impl<'h> RemoteRun<'h> {
    pub(super) fn new(client: Running, tool: RemoteTool<'h>) -> Self {
        let marks = ToolMarks::new(tool.id);
        let is_copied = matches!(tool.runner.files, RunnerFiles::Copied { .. });
        let returned = is_copied.then(|| ReturnedFilesReader::new(tool.id));
        Self {
            client,
            tool,
            marks,
            returned,
            bytes: Vec::new(),
            ending: None,
            limit: None,
            was_stopped: false,
            is_client_stopped: false,
        }
    }

    /// The exit code that the mark names, if the tool's end and that of its client agree with it. A tool can print the mark itself:
    /// then it goes on, or its client does not end as after a success.
    fn believed_code(&self, client: &Ending) -> Option<i32> {
        let code = self.marks.code()?;
        let ends_well = matches!(client, Ending::Exited(0) | Ending::Cancelled | Ending::TimedOut(_));
        let is_at_odds = code == 0 && !ends_well && !self.is_client_stopped;
        (!is_at_odds && !self.tool.was_killed.load(Ordering::Relaxed)).then_some(code)
    }

    /// Whether the tool has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.marks.has_begun()
    }

    /// The outcome of the tool, from that of its client, and the archive of files that came back.
    pub(super) async fn settle(self, outcome: Outcome) -> (Outcome, Option<Result<ReturnedFiles, String>>) {
        let believed = self.believed_code(&outcome.ending);
        let Self { client, tool, mut marks, returned, ending, was_stopped, .. } = self;
        drop(client);
        let name = &tool.runner.name;
        if let Some(why) = marks.refused() {
            let why = NotStarted::Other(format!("the runner `{name}` did not start it: {why}"));
            return (Outcome { ending: Ending::NotStarted(why), ..outcome }, None);
        }
        let (contained, denials) = marks.containment();
        let lost = if marks.code().is_some() {
            "reported an end of the tool that cuff does not believe"
        } else {
            "lost the tool"
        };
        let ending = match (outcome.ending, believed) {
            (Ending::Exited(_) | Ending::Signalled(_) | Ending::Lost, Some(code)) => Ending::Exited(code),
            (ending @ (Ending::Exited(_) | Ending::Signalled(_)), None)
                if !marks.has_begun() && !was_stopped =>
            {
                let client = &tool.runner.via[0];
                let how = if let Ending::Exited(code) = ending {
                    format!("exit code {code}")
                } else {
                    "a signal".into()
                };
                let why =
                    format!("the runner `{name}` failed before the tool began: {client} ended with {how}");
                Ending::NotStarted(NotStarted::Other(why))
            }
            // An engine that is busy or does not answer: what did not begin has no end.
            (ended @ (Ending::Cancelled | Ending::TimedOut(_)), None) if !marks.has_begun() => {
                if let Some(ending) = ending {
                    ending.await;
                }
                ended
            }
            (ended, None) if !matches!(ended, Ending::NotStarted(_)) => {
                match ending {
                    Some(ending) => ending.await,
                    None if tool.was_killed.load(Ordering::Relaxed) => {}
                    None => tool.kill().await,
                }
                let is_ended = tool.was_killed.load(Ordering::Relaxed);
                match ended {
                    ended @ (Ending::Cancelled | Ending::TimedOut(_)) if is_ended => ended,
                    _ if is_ended => Ending::Disconnected(format!(
                        "The runner `{name}` {lost}, and cuff has ended it there: its exit code is unknown"
                    )),
                    _ => Ending::Disconnected(format!(
                        "The runner `{name}` {lost}: its exit code is unknown, and it may still run there as {}",
                        tool.id
                    )),
                }
            }
            (ending, _) => ending,
        };
        (
            Outcome { ending, contained, denials, ..outcome },
            returned.and_then(ReturnedFilesReader::into_archive),
        )
    }
}

/// The next event of a client, its output apart.
enum ClientEvent {
    Output(Stream),
    Other(RunEvent<'static>),
}

impl Process for RemoteRun<'_> {
    async fn next(&mut self) -> Option<RunEvent<'_>> {
        let event = loop {
            let Self { client, marks, returned, bytes, ending, limit, .. } = self;
            let event = tokio::select! {
                event = client.next() => match event {
                    Some(RunEvent::Output(stream, printed)) => {
                        bytes.clear();
                        match returned {
                            Some(returned) if stream == Stream::Out => returned.take(printed, bytes),
                            _ => marks.take(stream, printed, bytes),
                        }
                        Some(ClientEvent::Output(stream))
                    }
                    None => {
                        bytes.clear();
                        let stream = match (marks.finish(bytes), returned) {
                            (None, Some(returned)) => returned.finish(bytes).then_some(Stream::Out),
                            (stream, _) => stream,
                        };
                        stream.map(ClientEvent::Output)
                    }
                    Some(other) => other.without_output().map(ClientEvent::Other),
                },
                () = async { if let Some(ending) = ending { ending.await } }, if ending.is_some() => {
                    self.ending = None;
                    self.is_client_stopped = true;
                    self.client.stop();
                    continue;
                }
                () = sleep_until(limit.unwrap_or_else(Instant::now)), if limit.is_some() => {
                    self.limit = None;
                    // A tool may print the mark itself and go on: then the signal reaches it.
                    self.ending.get_or_insert_with(|| Box::pin(self.tool.kill()));
                    continue;
                }
            };
            if self.limit.is_none() && self.marks.has_just_ended() {
                self.limit = Some(Instant::now() + AFTERWARDS);
            }
            match event {
                Some(ClientEvent::Output(_)) if self.bytes.is_empty() => {}
                other => break other,
            }
        };
        Some(match event? {
            ClientEvent::Output(stream) => RunEvent::Output(stream, &self.bytes),
            ClientEvent::Other(event) => event,
        })
    }

    fn stop(&mut self) {
        self.was_stopped = true;
        self.ending.get_or_insert_with(|| Box::pin(self.tool.end()));
    }

    fn interrupt(&mut self) {
        self.stop();
    }

    fn kill(&mut self) {
        self.was_stopped = true;
        self.ending = Some(Box::pin(self.tool.kill()));
    }

    fn abandon(&mut self) {
        self.client.abandon();
    }

    fn suspend(&mut self) {
        self.client.suspend();
    }
}
