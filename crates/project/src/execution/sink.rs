//! The place where a run's output goes, and the keys that are typed there.

use std::ops::ControlFlow;

use tokio_util::sync::CancellationToken;

use crate::model::{Group, RunId, Stream};

/// The destination of a run's output.
pub trait Sink: Send {
    /// Takes the next bytes, in order of arrival. [`ControlFlow::Break`] ends the run, since nothing is read
    /// any more.
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()>;

    /// The run is recorded under this id, and about to start.
    fn recorded(&mut self, _id: RunId) {}

    /// The process runs, as the leader of this group.
    fn started(&mut self, _group: Group) {}

    /// Whether both outputs are seen in one place. Then they are one stream in its own order, without names.
    fn is_one_place(&self) -> bool {
        false
    }

    /// Whether the run has the terminal of the person at the face: keys, prompts and colours. Then outputs that are at the
    /// terminal both are one stream, and [`write`](Self::write) gets the very bytes.
    fn is_interactive(&self) -> bool {
        false
    }

    /// Whether the run reads the face's own standard input, where that is no terminal.
    fn passes_input(&self) -> bool {
        false
    }

    /// The keys of the person at the face that end the run, if there is a person.
    fn keys(&self) -> KeySignals {
        KeySignals::default()
    }
}

/// Ctrl-C, which a run receives in addition to its cancel, and Ctrl-Z.
#[derive(Debug, Clone, Default)]
pub struct KeySignals {
    /// It was typed: the run that is cancelled now ends as a shell would end it.
    pub interrupted: CancellationToken,
    /// It was typed again: no caller waits for the tool any more.
    pub again: CancellationToken,
    /// Whether Ctrl-Z stops the tool as well, and not cuff alone.
    pub suspend: bool,
}
