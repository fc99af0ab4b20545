//! The way of a run's output: secrets are taken out, then it is recorded, read, kept for the report, and
//! shown.

use std::ops::ControlFlow;

use crate::diagnostics::{Reader, Reading};
use crate::execution::{KeySignals, Sink};
use crate::model::{Capture, Chunk, Findings, Group, Stream};
use crate::redact::{Redactor, Secrets};
use crate::store::Recording;

/// The way of a run's output.
pub(crate) struct OutputPipeline<'a> {
    sink: &'a mut dyn Sink,
    out: Redactor,
    err: Redactor,
    /// The two ends of what was printed, for the report.
    pub(crate) capture: Capture,
    /// Where all of it goes; `None` where nothing can be recorded.
    pub(crate) recording: Option<Recording>,
    /// The findings so far.
    reading: Reading,
    /// Standard output is a report, which nobody is shown before it was read.
    withholds: bool,
}

impl<'a> OutputPipeline<'a> {
    pub(crate) fn new(
        sink: &'a mut dyn Sink,
        secrets: &Secrets,
        recording: Option<Recording>,
        reader: Reader,
    ) -> Self {
        let (out, err) = (secrets.redactor(), secrets.redactor());
        Self {
            sink,
            out,
            err,
            capture: Capture::default(),
            recording,
            reading: Reading::new(reader),
            withholds: false,
        }
    }

    /// From now on standard output is a report: nobody is shown it before it was read.
    pub(crate) fn withhold(&mut self) {
        self.withholds = true;
    }

    /// Shows what was made of the report: these words, or where there are none the two ends of what was printed.
    pub(crate) fn show(&mut self, words: Option<&str>) {
        if self.withholds {
            let printed = || self.capture.stream(Stream::Out).text;
            let words = words.map_or_else(printed, str::to_owned);
            // A sink that has gone no longer matters: the run has ended.
            let _ = self.sink.write(Stream::Out, words.as_bytes());
        }
    }

    /// The run has ended: what was held back as the beginning of a secret was none. Comes back with what was found.
    pub(crate) fn finish(&mut self) -> Findings {
        let is_interactive = self.is_interactive();
        let out = if is_interactive || self.is_one_place() { Stream::Both } else { Stream::Out };
        for (stream, held) in [(out, self.out.finish()), (Stream::Err, self.err.finish())] {
            if is_interactive {
                self.keep(stream, &held);
            } else {
                let _ = self.pass(stream, &held);
            }
        }
        self.reading.finish()
    }

    fn pass(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        if bytes.is_empty() {
            return ControlFlow::Continue(());
        }
        self.keep(stream, bytes);
        if self.withholds && stream == Stream::Out {
            return ControlFlow::Continue(());
        }
        self.sink.write(stream, bytes)
    }

    /// Records, reads and keeps what no secret is in any more.
    fn keep(&mut self, stream: Stream, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let chunk = Chunk::new(stream, bytes);
        if let Some(recording) = &mut self.recording {
            recording.push(chunk);
        }
        self.reading.push(chunk);
        self.capture.push(chunk);
    }
}

impl Sink for OutputPipeline<'_> {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        let redactor = match stream {
            Stream::Out | Stream::Both => &mut self.out,
            Stream::Err => &mut self.err,
        };
        let shown = redactor.push(bytes);
        if self.is_interactive() {
            // Held back for the sake of secrets, a prompt would come after its answer. The terminal is the person's own.
            self.keep(stream, &shown);
            return self.sink.write(stream, bytes);
        }
        self.pass(stream, &shown)
    }

    fn started(&mut self, group: Group) {
        if let Some(recording) = &mut self.recording {
            recording.started(group);
        }
        self.sink.started(group);
    }

    fn is_one_place(&self) -> bool {
        // Nothing may stand between the parts of a report.
        !self.withholds && self.sink.is_one_place()
    }

    fn is_interactive(&self) -> bool {
        !self.withholds && self.sink.is_interactive()
    }

    fn passes_input(&self) -> bool {
        self.sink.passes_input()
    }

    fn keys(&self) -> KeySignals {
        self.sink.keys()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sink that keeps all that it was shown.
    #[derive(Default)]
    struct Watcher(Vec<(Stream, Vec<u8>)>);

    impl Sink for Watcher {
        fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
            self.0.push((stream, bytes.to_vec()));
            ControlFlow::Continue(())
        }
    }

    fn seen(chunks: &[&[u8]], words: Option<&str>) -> Vec<(Stream, Vec<u8>)> {
        let mut watcher = Watcher::default();
        let secrets = Secrets::new([("TOKEN", "hush-hush")]);
        let mut pipeline = OutputPipeline::new(&mut watcher, &secrets, None, Reader::of(&[]));
        pipeline.withhold();
        for chunk in chunks {
            let _ = pipeline.write(Stream::Out, chunk);
            let _ = pipeline.write(Stream::Err, b"note\n");
        }
        pipeline.finish();
        pipeline.show(words);
        watcher.0.into_iter().filter(|(stream, _)| *stream == Stream::Out).collect()
    }

    #[test]
    fn a_report_is_shown_once_and_as_its_reader_words_it() {
        let out = |text: &str| vec![(Stream::Out, text.as_bytes().to_vec())];
        let report: &[&[u8]] = &[b"{\"a\": \"hush-", b"hush\"}"];
        assert_eq!(seen(report, Some("one a\n")), out("one a\n"));
        assert_eq!(seen(report, None), out("{\"a\": \"[redacted:TOKEN]\"}"));
        let long = vec![b'x'; 1 << 20];
        let shown = seen(&[&long, &long, b"end"], None);
        assert!(shown.len() == 1 && shown[0].1.ends_with(b"end") && shown[0].1.len() < 64 * 1024);
    }
}
