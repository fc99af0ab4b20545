//! Server-sent events: bytes in, the names and data of whole events out.
//!
//! The crate `sse-stream` is not used: a line without a colon, an unknown field, a second `id` or text that is no UTF-8 ends its stream, where the
//! standard has clients go on, and no event is too large for it.

use std::time::Duration;

/// The largest event and the largest body that are read, in bytes.
pub(super) const LARGEST: usize = 16 * 1024 * 1024;

/// The mark that some programs begin a text with.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A stream of events that is being read, over one connection or several.
#[derive(Debug, Default)]
pub(super) struct EventStream {
    /// Whether its first line was read.
    has_begun: bool,
    /// Whether the last byte was a carriage return.
    has_returned: bool,
    line: Vec<u8>,
    name: Vec<u8>,
    data: Vec<u8>,
    id: Option<String>,
    last_id: Option<String>,
    retry: Option<Duration>,
}

impl EventStream {
    /// Takes bytes, and hands out the name and the data of each event that they end. Most events have no name.
    ///
    /// # Errors
    /// When an event is larger than [`LARGEST`].
    pub(super) fn push(
        &mut self,
        mut bytes: &[u8],
        mut take: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), String> {
        while let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) {
            // A line feed behind a carriage return ends no other line.
            let is_rest_of_end = self.has_returned && end == 0 && bytes[0] == b'\n';
            self.has_returned = bytes[end] == b'\r';
            self.line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            if is_rest_of_end {
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = if self.has_begun { &line } else { line.strip_prefix(BOM).unwrap_or(&line) };
            self.has_begun = true;
            if line.is_empty() {
                // An event without data counts as well: it says where to go on.
                self.last_id = self.id.take().or(self.last_id.take());
                let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
                if !data.is_empty() {
                    take(&name, &data);
                }
            } else {
                self.field(line);
            }
        }
        self.has_returned &= bytes.is_empty();
        self.line.extend_from_slice(bytes);
        if self.line.len() + self.data.len() > LARGEST {
            return Err(format!("it sent an event of more than {} MiB", LARGEST / 1024 / 1024));
        }
        Ok(())
    }

    /// The id of the last whole event that had one.
    pub(super) fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// How long the server wants a client to wait before it connects again.
    pub(super) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Forgets what came of an unfinished event: the stream goes on over another connection.
    pub(super) fn begin_again(&mut self) {
        let (last_id, retry) = (self.last_id.take(), self.retry);
        *self = Self { last_id, retry, ..Self::default() };
    }

    fn field(&mut self, line: &[u8]) {
        let value = |rest: &[u8]| rest.strip_prefix(b" ").unwrap_or(rest).to_vec();
        if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
        } else if let Some(name) = line.strip_prefix(b"event:") {
            self.name = name.trim_ascii().to_vec();
        } else if let Some(id) = line.strip_prefix(b"id:") {
            // Text that no header can carry back is no id.
            let id = String::from_utf8(value(id)).ok();
            self.id = id.filter(|id| !id.chars().any(char::is_control));
        } else if let Some(retry) = line.strip_prefix(b"retry:") {
            let milliseconds = String::from_utf8(value(retry)).ok().and_then(|retry| retry.parse().ok());
            self.retry = milliseconds.map(Duration::from_millis).or(self.retry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_whole_wherever_the_bytes_are_cut() {
        let text =
            b": hi\nid: 1\nevent: message\ndata: {\"a\":\ndata: 1}\r\n\r\n\ndata:x\n\ndata: unfinished";
        for cut in 0..text.len() {
            let (mut events, mut taken) = (EventStream::default(), Vec::new());
            for part in [&text[..cut], &text[cut..]] {
                events.push(part, |name, data| taken.push((name.to_vec(), data.to_vec()))).unwrap();
            }
            let expected = [(b"message".to_vec(), b"{\"a\":\n1}".to_vec()), (Vec::new(), b"x".to_vec())];
            assert_eq!(taken, expected, "{cut}");
            assert_eq!(events.last_id(), Some("1"), "{cut}");
        }
    }

    #[test]
    fn lines_end_as_the_standard_says_and_a_mark_at_the_beginning_is_none_of_them() {
        let text = b"\xef\xbb\xbfdata: 1\n\ndata:2\r\rdata: 3\r\ndata:  4\r\n\r\ndata: 5\n\r\n";
        for cut in 0..text.len() {
            let (mut events, mut taken) = (EventStream::default(), Vec::new());
            for part in [&text[..cut], &text[cut..]] {
                events.push(part, |_, data| taken.push(String::from_utf8_lossy(data).into_owned())).unwrap();
            }
            assert_eq!(taken, ["1", "2", "3\n 4", "5"], "{cut}");
        }
    }

    #[test]
    fn a_stream_says_where_and_when_it_goes_on() {
        let mut events = EventStream::default();
        let mut push = |text: &str| {
            let mut taken = Vec::new();
            events
                .push(text.as_bytes(), |_, data| taken.push(String::from_utf8_lossy(data).into_owned()))
                .unwrap();
            (taken, events.last_id().map(str::to_owned), events.retry())
        };
        let after = Some(Duration::from_millis(500));
        assert_eq!(push("id: a\nretry: 500\ndata: \n\n"), (vec![], Some("a".to_owned()), after));
        assert_eq!(push("id: b\ndata: half"), (vec![], Some("a".to_owned()), after));
        events.begin_again();
        let mut push = |text: &str| {
            let mut taken = Vec::new();
            events
                .push(text.as_bytes(), |_, data| taken.push(String::from_utf8_lossy(data).into_owned()))
                .unwrap();
            (taken, events.last_id().map(str::to_owned), events.retry())
        };
        let whole = (vec!["whole".to_owned()], Some("a".to_owned()), after);
        assert_eq!(push("retry: soon\ndata: whole\n\n"), whole);
        assert_eq!(push("id:\u{1}\ndata: x\n\n").1, Some("a".to_owned()));
    }

    #[test]
    fn an_event_without_end_is_an_error() {
        let (mut events, chunk) = (EventStream::default(), vec![b'x'; 2 * 1024 * 1024]);
        let pushed: Vec<_> = (0..9).map(|_| events.push(&chunk, |_, _| ()).is_ok()).collect();
        assert_eq!(pushed.iter().filter(|is_taken| **is_taken).count(), 8);
    }
}
