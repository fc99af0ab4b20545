//! The output of a run, shown as it comes.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::calls::WatchedRun;
use crate::execution::{KeySignals, Sink};
use crate::model::{RunId, Stream};
use crate::sys::terminal;
use crate::terminal::StopReason;

/// Shows what a run prints as it comes.
#[derive(Debug)]
pub(super) struct Terminal {
    /// Whether the output is part of a JSON document, and so not shown.
    pub(super) silent: bool,
    /// Whether the run has the person's terminal.
    pub(super) is_interactive: bool,
    pub(super) reason: StopReason,
    pub(super) keys: KeySignals,
    /// The run, as others see it while it goes on.
    pub(super) watched: Arc<WatchedRun>,
    /// Whether it is to go on without this terminal, so that what it prints is watched, and it reads nothing.
    pub(super) is_watched: bool,
    /// Why nothing more could be shown.
    pub(super) failure: Option<io::Error>,
}

impl Sink for Terminal {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        if self.is_watched {
            self.watched.push(stream, bytes);
        }
        if self.silent {
            return ControlFlow::Continue(());
        }
        let written = match stream {
            Stream::Out | Stream::Both => show(&mut io::stdout().lock(), bytes),
            Stream::Err => show(&mut io::stderr().lock(), bytes),
        };
        let Err(error) = written else { return ControlFlow::Continue(()) };
        if error.kind() == io::ErrorKind::BrokenPipe {
            self.reason.broken_pipe();
        } else {
            self.failure = Some(error);
        }
        ControlFlow::Break(())
    }

    fn recorded(&mut self, id: RunId) {
        self.watched.recorded(id);
    }

    fn is_one_place(&self) -> bool {
        !self.silent && terminal::outputs_are_one()
    }

    fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    fn passes_input(&self) -> bool {
        !self.is_watched
    }

    fn keys(&self) -> KeySignals {
        self.keys.clone()
    }
}

fn show(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}
