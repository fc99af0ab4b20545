//! Server-sent events: bytes in, the names and data of whole events out.

/// The largest event and the largest body that are read, in bytes.
pub(super) const LARGEST: usize = 16 * 1024 * 1024;

/// A stream of events that is being read.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    name: Vec<u8>,
    data: Vec<u8>,
}

impl Events {
    /// Takes bytes, and hands out the name and the data of each event that they end. Most events have no name.
    ///
    /// # Errors
    /// When an event is larger than [`LARGEST`].
    pub(super) fn push(
        &mut self,
        mut bytes: &[u8],
        mut take: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), String> {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            let line = line.strip_suffix(b"\r").unwrap_or(&line);
            if line.is_empty() {
                let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
                if !data.is_empty() {
                    take(&name, &data);
                }
            } else if let Some(data) = line.strip_prefix(b"data:") {
                if !self.data.is_empty() {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
            } else if let Some(name) = line.strip_prefix(b"event:") {
                self.name = name.trim_ascii().to_vec();
            }
        }
        self.line.extend_from_slice(bytes);
        if self.line.len() + self.data.len() > LARGEST {
            return Err(format!("it sent an event of more than {} MiB", LARGEST / 1024 / 1024));
        }
        Ok(())
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
            let (mut events, mut taken) = (Events::default(), Vec::new());
            for part in [&text[..cut], &text[cut..]] {
                events.push(part, |name, data| taken.push((name.to_vec(), data.to_vec()))).unwrap();
            }
            let expected = [(b"message".to_vec(), b"{\"a\":\n1}".to_vec()), (Vec::new(), b"x".to_vec())];
            assert_eq!(taken, expected, "{cut}");
        }
    }

    #[test]
    fn an_event_without_end_is_an_error() {
        let (mut events, chunk) = (Events::default(), vec![b'x'; 2 * 1024 * 1024]);
        let pushed: Vec<_> = (0..9).map(|_| events.push(&chunk, |_, _| ()).is_ok()).collect();
        assert_eq!(pushed.iter().filter(|is_taken| **is_taken).count(), 8);
    }
}
