//! The outputs of a run, read as they come. Of two pipes, a line that one of them has begun is read to its end first.

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;

use crate::model::Stream;

/// The bytes of each pipe that are held at a time.
const BUFFER: usize = 64 * 1024;

/// The most bytes that a process may print ahead of the reader. With less, writer and reader wait for each
/// other, on a busy machine for a scheduler's turn each time. With more, the order of the two outputs is less
/// certain.
#[cfg(target_os = "linux")]
const AHEAD: i32 = 256 * 1024;

/// The number of reads from an output in the middle of a line before the other one has its turn. So an output
/// that never ends a line does not block the other.
const MOST_READS: u8 = 16;

/// Standard output and standard error of one process; where both are on one pipe, that is the first.
#[derive(Debug)]
pub(super) struct Outputs {
    out: OutputPipe,
    err: OutputPipe,
    /// The output that is in the middle of a line, and the number of its reads since the other one was read.
    begun: Option<(Stream, u8)>,
    /// The one that is looked at first where neither does.
    turn: Stream,
}

impl Outputs {
    pub(super) fn new(out: Option<Receiver>, err: Option<Receiver>) -> Self {
        Self { out: OutputPipe::new(out), err: OutputPipe::new(err), begun: None, turn: Stream::Out }
    }

    /// Whether there is one for both.
    pub(super) fn are_one(&self) -> bool {
        self.out.is_open() && !self.err.is_open()
    }

    pub(super) fn are_open(&self) -> bool {
        self.out.is_open() || self.err.is_open()
    }

    /// Which of them printed next, and how many [`bytes`](Self::bytes); `None` where one of them has ended. Safe to
    /// cancel.
    pub(super) async fn next(&mut self) -> Option<(Stream, usize)> {
        let Self { out, err, begun, turn } = self;
        *turn = other(*turn);
        let first = begun.map_or(*turn, |(stream, _)| stream);
        let (stream, read) = match first {
            Stream::Out | Stream::Both => tokio::select! {
                biased;
                read = out.read(), if out.is_open() => (Stream::Out, read),
                read = err.read(), if err.is_open() => (Stream::Err, read),
                else => return None,
            },
            Stream::Err => tokio::select! {
                biased;
                read = err.read(), if err.is_open() => (Stream::Err, read),
                read = out.read(), if out.is_open() => (Stream::Out, read),
                else => return None,
            },
        };
        let length = read?;
        let reads = begun.filter(|(begun, _)| *begun == stream).map_or(0, |(_, reads)| reads + 1);
        let is_begun = !self.bytes(stream, length).ends_with(b"\n") && reads < MOST_READS;
        self.begun = is_begun.then_some((stream, reads));
        Some((stream, length))
    }

    /// The first bytes of the last read of one of them.
    pub(super) fn bytes(&self, stream: Stream, length: usize) -> &[u8] {
        let buffer = match stream {
            Stream::Out | Stream::Both => &self.out.buffer,
            Stream::Err => &self.err.buffer,
        };
        buffer.get(..length).unwrap_or_default()
    }
}

fn other(stream: Stream) -> Stream {
    match stream {
        Stream::Out => Stream::Err,
        Stream::Err | Stream::Both => Stream::Out,
    }
}

/// One output of the run.
#[derive(Debug)]
struct OutputPipe {
    source: Option<Receiver>,
    /// The bytes of the last read. Room is made when the first one is due, and none of it is written to before.
    buffer: Vec<u8>,
}

impl OutputPipe {
    fn new(source: Option<Receiver>) -> Self {
        #[cfg(target_os = "linux")]
        if let Some(source) = &source {
            // A user whose pipes hold too much already gets the usual size.
            let _ = nix::fcntl::fcntl(source, nix::fcntl::FcntlArg::F_SETPIPE_SZ(AHEAD));
        }
        Self { source, buffer: Vec::new() }
    }

    fn is_open(&self) -> bool {
        self.source.is_some()
    }

    /// How many bytes came; `None` at the end.
    async fn read(&mut self) -> Option<usize> {
        let source = self.source.as_mut()?;
        self.buffer.clear();
        self.buffer.reserve_exact(BUFFER);
        let length = source.read_buf(&mut self.buffer).await.unwrap_or(0);
        if length == 0 {
            self.source = None;
            return None;
        }
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::unix::pipe::pipe;

    use super::*;

    async fn next(outputs: &mut Outputs) -> (Stream, String) {
        let (stream, length) = outputs.next().await.unwrap();
        (stream, String::from_utf8(outputs.bytes(stream, length).to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_line_that_was_begun_is_read_before_what_came_on_the_other_output() {
        for begun in [Stream::Out, Stream::Err].into_iter().cycle().take(40) {
            let ((mut out, ours), (mut err, theirs)) = (pipe().unwrap(), pipe().unwrap());
            let mut outputs = Outputs::new(Some(ours), Some(theirs));
            let (mine, others) = match begun {
                Stream::Out => (&mut out, &mut err),
                _ => (&mut err, &mut out),
            };
            mine.write_all(b"seed").await.unwrap();
            assert_eq!(next(&mut outputs).await, (begun, "seed".to_owned()));
            others.write_all(b"trace\n").await.unwrap();
            mine.write_all(b" []\n").await.unwrap();
            assert_eq!(next(&mut outputs).await, (begun, " []\n".to_owned()));
            assert_eq!(next(&mut outputs).await, (other(begun), "trace\n".to_owned()));
        }
    }

    #[tokio::test]
    async fn an_endless_line_does_not_block_the_other_output() {
        let ((mut out, ours), (mut err, theirs)) = (pipe().unwrap(), pipe().unwrap());
        let mut outputs = Outputs::new(Some(ours), Some(theirs));
        err.write_all(b"heard\n").await.unwrap();
        let mut reads = 0;
        loop {
            out.write_all(b"...").await.unwrap();
            if next(&mut outputs).await.0 == Stream::Err {
                break;
            }
            reads += 1;
            assert!(reads < 100, "it is never read");
        }
        drop(out);
        assert_eq!(next(&mut outputs).await.0, Stream::Out);
        assert_eq!(outputs.next().await, None);
        assert!(outputs.are_open());
        drop(err);
        assert_eq!(outputs.next().await, None);
        assert!(!outputs.are_open());
    }
}
