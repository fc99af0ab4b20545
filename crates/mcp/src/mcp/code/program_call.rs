//! A program that runs for a client, with the questions that it has for the client's person meanwhile.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::DropGuard;

use crate::calls::{ClientEnd, ClientLine, ClientQuestion, Ongoing, ServerSays, ServersClient, Wanted};
use crate::code::{Collected, Executed, ExecutionAudience, Program, execute};
use crate::project::Project;

/// A program that runs. Dropped, it is cancelled, and its record says so.
pub(in crate::mcp) struct ProgramCall {
    source: String,
    task: JoinHandle<io::Result<Executed>>,
    printed: Collected,
    heard: ClientEnd,
    began: Instant,
    _guard: DropGuard,
}

/// The next event of a program.
pub(super) enum ProgramEvent {
    /// The program is over, or no interpreter can be started.
    Ended(io::Result<Box<Executed>>),
    /// One of its calls requires a person's yes, and waits.
    Asks(ClientQuestion),
    /// A server that it calls says something.
    Server(ServerSays),
}

impl ProgramCall {
    /// Starts a program; within a tokio runtime. With `can_ask`, the client is asked what requires a person's yes.
    pub(super) fn begin(
        project: Arc<Project>,
        program: Program,
        ongoing: Ongoing,
        (can_ask, client): (bool, ServersClient),
    ) -> Self {
        let (client, heard) = ClientLine::to(can_ask, client);
        let (printed, source) = (Collected::default(), program.source.clone());
        let (kept, cancel) = (printed.clone(), ongoing.cancel.clone());
        let guard = cancel.clone().drop_guard();
        let task = tokio::spawn(async move {
            let _ongoing = ongoing;
            let printed = Box::new(move |stream, text: &str| kept.push(stream, text));
            execute(&project, &program, ExecutionAudience { printed, client, cancel }).await
        });
        Self { source, task, printed, heard, began: Instant::now(), _guard: guard }
    }

    /// Waits for the next event; nothing more comes after the end. Safe to cancel.
    pub(super) async fn next(&mut self) -> ProgramEvent {
        tokio::select! {
            biased;
            wanted = self.heard.next() => match wanted {
                Wanted::Yes(asked) => ProgramEvent::Asks(asked),
                Wanted::Server(says) => ProgramEvent::Server(says),
            },
            ended = &mut self.task => {
                let ended = ended.unwrap_or_else(|error| Err(io::Error::other(error)));
                ProgramEvent::Ended(ended.map(Box::new))
            }
        }
    }

    /// The program as it came.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// The text that it printed until now.
    pub(super) fn printed(&self) -> &Collected {
        &self.printed
    }

    /// How long it has gone on.
    pub(super) fn duration(&self) -> Duration {
        self.began.elapsed()
    }
}
