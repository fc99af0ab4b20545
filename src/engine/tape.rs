//! What a run prints, on its way: secrets are taken out, then it is recorded, kept for the report, and shown.

use std::ops::ControlFlow;

use crate::execution::Sink;
use crate::model::{Capture, Group, Stream};
use crate::redact::{Redactor, Secrets};
use crate::store::Recording;

/// The way of a run's output.
pub(super) struct Tape<'a> {
    sink: &'a mut dyn Sink,
    out: Redactor,
    err: Redactor,
    /// The two ends of what was printed, for the report.
    pub(super) capture: Capture,
    /// Where all of it goes; `None` where nothing can be recorded.
    pub(super) recording: Option<Recording>,
}

impl<'a> Tape<'a> {
    pub(super) fn new(sink: &'a mut dyn Sink, secrets: &Secrets, recording: Option<Recording>) -> Self {
        let (out, err) = (secrets.redactor(), secrets.redactor());
        Self { sink, out, err, capture: Capture::default(), recording }
    }

    /// The run has ended: what was held back as the beginning of a secret was none.
    pub(super) fn finish(&mut self) {
        for (stream, held) in [(Stream::Out, self.out.finish()), (Stream::Err, self.err.finish())] {
            let _ = self.pass(stream, &held);
        }
    }

    fn pass(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        if bytes.is_empty() {
            return ControlFlow::Continue(());
        }
        if let Some(recording) = &mut self.recording {
            recording.push(stream, bytes);
        }
        self.capture.push(stream, bytes);
        self.sink.write(stream, bytes)
    }
}

impl Sink for Tape<'_> {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        let redactor = match stream {
            Stream::Out => &mut self.out,
            Stream::Err => &mut self.err,
        };
        let shown = redactor.push(bytes).into_owned();
        self.pass(stream, &shown)
    }

    fn started(&mut self, group: Group) {
        if let Some(recording) = &mut self.recording {
            recording.started(group);
        }
        self.sink.started(group);
    }
}
