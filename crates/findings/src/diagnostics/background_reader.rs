//! Reads a log that gets long on a thread of its own, so that recording it waits for no reader.

use std::panic;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::reader::Reader;
use crate::model::{Chunk, Findings, Stream};

/// How much is read on the spot, in bytes: most logs are shorter, and worth no thread.
const ON_THE_SPOT: usize = 1024 * 1024;
/// The number of pieces of a log that may wait to be read, each as large as one read of a pipe. A caller with
/// one more waits too.
const WAITING: usize = 16;

/// A reader, and the thread that brings the log to it.
#[derive(Debug)]
pub struct Reading {
    reader: Arc<Mutex<Reader>>,
    /// How much is still read on the spot, in bytes.
    left: usize,
    background: Option<BackgroundReader>,
}

/// A thread that reads the pieces it receives.
#[derive(Debug)]
struct BackgroundReader {
    pieces: SyncSender<(Stream, Vec<u8>)>,
    thread: JoinHandle<()>,
}

impl Reading {
    /// Nothing has been printed yet.
    pub fn new(reader: Reader) -> Self {
        Self { reader: Arc::new(Mutex::new(reader)), left: ON_THE_SPOT, background: None }
    }

    /// Reads the next piece of the log.
    pub fn push(&mut self, chunk: Chunk<'_>) {
        if let Some(background) = &self.background {
            // Sending fails only if reading has panicked, which the end brings to light.
            let _ = background.pieces.send((chunk.stream(), chunk.bytes().to_vec()));
            return;
        }
        self.reader().push(chunk);
        if self.left > 0 {
            self.left = self.left.saturating_sub(chunk.bytes().len());
            if self.left == 0 {
                self.background = BackgroundReader::start(&self.reader);
            }
        }
    }

    /// Ends the log. Returns its findings.
    pub fn finish(&mut self) -> Findings {
        if let Some(BackgroundReader { pieces, thread }) = self.background.take() {
            drop(pieces);
            thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked));
        }
        self.reader().finish()
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BackgroundReader {
    /// `None` where no thread can be had: then all is read on the spot.
    fn start(reader: &Arc<Mutex<Reader>>) -> Option<Self> {
        let (pieces, arriving) = sync_channel::<(Stream, Vec<u8>)>(WAITING);
        let reader = Arc::clone(reader);
        let work = move || {
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            for (stream, bytes) in arriving {
                reader.push(Chunk::new(stream, &bytes));
            }
        };
        let thread = Builder::new().name("diagnostics".into()).spawn(work).ok()?;
        Some(Self { pieces, thread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::ALL;
    use crate::model::Stream;

    /// The findings of a log, of which so many bytes are read by the caller itself.
    fn found(log: &[(Stream, Vec<u8>)], left: usize) -> Findings {
        let mut reading = Reading { left, ..Reading::new(Reader::of(&ALL)) };
        for (stream, bytes) in log {
            reading.push(Chunk::new(*stream, bytes));
        }
        reading.finish()
    }

    #[test]
    fn a_reading_thread_finds_the_same_as_the_caller_itself() {
        let error =
            b"src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n".to_vec();
        let mut log: Vec<_> = (0..200).map(|_| (Stream::Out, b"all is well\n".repeat(1000))).collect();
        log[7].1.extend_from_slice(&error);
        log.push((Stream::Err, error[..30].to_vec()));
        log.push((Stream::Out, b"between\n".to_vec()));
        log.push((Stream::Err, error[30..].to_vec()));
        let spot = found(&log, usize::MAX);
        assert_eq!(spot.errors, 1, "the same error twice is one");
        for left in [1, 50_000, ON_THE_SPOT] {
            assert_eq!(found(&log, left), spot);
        }
    }

    #[test]
    fn a_reading_dropped_in_the_middle_leaves_no_thread() {
        let mut reading = Reading { left: 1, ..Reading::new(Reader::of(&ALL)) };
        reading.push(Chunk::new(Stream::Out, b"one\n"));
        reading.push(Chunk::new(Stream::Out, b"two\n"));
        let reader = Arc::downgrade(&reading.reader);
        let background = reading.background.take().unwrap();
        drop((background.pieces, reading));
        background.thread.join().unwrap();
        assert!(reader.upgrade().is_none());
    }
}
