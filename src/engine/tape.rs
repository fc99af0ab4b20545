//! What a run prints, on its way: secrets are taken out, then it is recorded, read, kept for the report, and shown.

use std::ops::ControlFlow;

use crate::diagnostics::Reader;
use crate::execution::Sink;
use crate::model::{Capture, Findings, Group, Stream, Written};
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
    /// What is wrong, as far as it was printed.
    reader: Reader,
    /// Standard output that is a report to be read first.
    unread: Option<Unread>,
}

/// Standard output that a plugin reads before anybody is shown it.
#[derive(Default)]
struct Unread {
    bytes: Vec<u8>,
    too_long: bool,
}

/// The most bytes of a report that are kept in memory.
const MOST_UNREAD: usize = 8 << 20;

impl<'a> Tape<'a> {
    pub(super) fn new(
        sink: &'a mut dyn Sink,
        secrets: &Secrets,
        recording: Option<Recording>,
        reader: Reader,
    ) -> Self {
        let (out, err) = (secrets.redactor(), secrets.redactor());
        Self { sink, out, err, capture: Capture::default(), recording, reader, unread: None }
    }

    /// From now on standard output is a report: it is kept, and nobody is shown it before it was read.
    pub(super) fn keep_report(&mut self) {
        self.unread = Some(Unread::default());
    }

    /// The report as far as it was kept; `None` where standard output is none.
    pub(super) fn report(&self) -> Option<Written<'_>> {
        let Unread { bytes, too_long } = self.unread.as_ref()?;
        Some(if *too_long { Written::TooLong } else { Written::Whole(bytes) })
    }

    /// Shows what was made of the report: these words, or where there are none the report itself.
    pub(super) fn show(&mut self, words: Option<&str>) {
        let Some(Unread { bytes, too_long }) = self.unread.take() else { return };
        let bytes = match words {
            Some(words) => words.as_bytes().to_vec(),
            None if too_long => self.capture.stream(Stream::Out).text.into_bytes(),
            None => bytes,
        };
        // Who left no longer matters: the run has ended.
        let _ = self.sink.write(Stream::Out, &bytes);
    }

    /// The run has ended: what was held back as the beginning of a secret was none. Comes back with what was found.
    pub(super) fn finish(&mut self) -> Findings {
        for (stream, held) in [(Stream::Out, self.out.finish()), (Stream::Err, self.err.finish())] {
            let _ = self.pass(stream, &held);
        }
        self.reader.finish()
    }

    fn pass(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        if bytes.is_empty() {
            return ControlFlow::Continue(());
        }
        if let Some(recording) = &mut self.recording {
            recording.push(stream, bytes);
        }
        self.reader.push(stream, bytes);
        self.capture.push(stream, bytes);
        if let (Stream::Out, Some(unread)) = (stream, &mut self.unread) {
            unread.keep(bytes);
            return ControlFlow::Continue(());
        }
        self.sink.write(stream, bytes)
    }
}

impl Unread {
    fn keep(&mut self, bytes: &[u8]) {
        self.too_long |= self.bytes.len() + bytes.len() > MOST_UNREAD;
        if self.too_long {
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What somebody who watches has seen.
    #[derive(Default)]
    struct Watcher(Vec<(Stream, Vec<u8>)>);

    impl Sink for Watcher {
        fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
            self.0.push((stream, bytes.to_vec()));
            ControlFlow::Continue(())
        }
    }

    fn seen(chunks: &[&[u8]], words: Option<&str>) -> (bool, Vec<(Stream, Vec<u8>)>) {
        let mut watcher = Watcher::default();
        let secrets = Secrets::new([("TOKEN", "hush-hush")]);
        let mut tape = Tape::new(&mut watcher, &secrets, None, Reader::of(&[]));
        tape.keep_report();
        for chunk in chunks {
            let _ = tape.write(Stream::Out, chunk);
            let _ = tape.write(Stream::Err, b"note\n");
        }
        tape.finish();
        let whole = matches!(tape.report(), Some(Written::Whole(_)));
        tape.show(words);
        (whole, watcher.0.into_iter().filter(|(stream, _)| *stream == Stream::Out).collect())
    }

    #[test]
    fn a_report_is_shown_once_and_as_its_reader_words_it() {
        let out = |text: &str| vec![(Stream::Out, text.as_bytes().to_vec())];
        let report: &[&[u8]] = &[b"{\"a\": \"hush-", b"hush\"}"];
        assert_eq!(seen(report, Some("one a\n")), (true, out("one a\n")));
        assert_eq!(seen(report, None), (true, out("{\"a\": \"[redacted:TOKEN]\"}")));
        let long = vec![b'x'; MOST_UNREAD / 2 + 1];
        let (whole, shown) = seen(&[&long, &long, b"end"], None);
        assert!(!whole && shown.len() == 1 && shown[0].1.ends_with(b"end") && shown[0].1.len() < 64 * 1024);
    }
}
