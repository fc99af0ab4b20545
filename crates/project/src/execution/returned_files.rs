//! The archive of files that a runner gives back, out of the standard output of its client.

use memchr::memchr;

use super::tool_marks::{FIRST, LONGEST, front};
use crate::sys::ReturnedFiles;

/// The reader of a standard output in which an archive follows a mark.
#[derive(Debug)]
pub(super) struct ReturnedFilesReader {
    /// The front of the mark.
    front: Vec<u8>,
    /// The end of what was printed, where a mark may begin.
    held: Vec<u8>,
    /// The last archive, or the reason why it was not taken.
    archive: Option<Result<ReturnedFiles, String>>,
}

impl ReturnedFilesReader {
    /// The reader for the run of this id.
    pub(super) fn new(id: &str) -> Self {
        let front = [&front(id)[..], b"results "].concat();
        Self { front, held: Vec::new(), archive: None }
    }

    /// The archive; `None`: none came.
    pub(super) fn into_archive(self) -> Option<Result<ReturnedFiles, String>> {
        self.archive
    }

    /// Takes the next bytes, and adds those to `bytes` that are neither a mark nor the archive's.
    pub(super) fn take(&mut self, printed: &[u8], bytes: &mut Vec<u8>) {
        let joined = [&std::mem::take(&mut self.held), printed].concat();
        let mut rest = &joined[..];
        loop {
            if let Some(Ok(archive)) = &mut self.archive
                && !archive.is_whole()
            {
                match archive.take(rest) {
                    Ok(taken) => rest = &rest[taken..],
                    Err(error) => self.archive = Some(Err(error.to_string())),
                }
            }
            let Some(at) = memchr(FIRST, rest) else { return bytes.extend_from_slice(rest) };
            bytes.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            let Some(behind) = rest.strip_prefix(&*self.front) else {
                if self.front.starts_with(rest) {
                    self.held = rest.to_vec();
                    return;
                }
                bytes.push(FIRST);
                rest = &rest[1..];
                continue;
            };
            let end = memchr(b'\n', &behind[..behind.len().min(LONGEST)]);
            if end.is_none() && behind.len() < LONGEST {
                self.held = rest.to_vec();
                return;
            }
            let length = end.and_then(|end| str::from_utf8(&behind[..end]).ok()?.parse().ok());
            if let (Some(end), Some(length)) = (end, length) {
                self.archive = Some(ReturnedFiles::of(length).map_err(|error| error.to_string()));
                rest = &behind[end + 1..];
            } else {
                bytes.push(FIRST);
                rest = &rest[1..];
            }
        }
    }

    /// Adds the bytes that were held back and are no mark; whether there are some.
    pub(super) fn finish(&mut self, bytes: &mut Vec<u8>) -> bool {
        bytes.append(&mut self.held);
        !bytes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_taken_out_wherever_the_stream_is_cut() {
        let printed = b"a\x1eb\n\x1ecuff 7 results x\n\x1ecuff 7 results 5\n\x1e1234end\x1ecuff 7";
        for size in 1..=printed.len() {
            let (mut reader, mut bytes) = (ReturnedFilesReader::new("7"), Vec::new());
            for piece in printed.chunks(size) {
                reader.take(piece, &mut bytes);
            }
            reader.finish(&mut bytes);
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(text, "a\x1eb\n\x1ecuff 7 results x\nend\x1ecuff 7", "{size}");
            assert!(reader.into_archive().unwrap().unwrap().is_whole());
        }
    }

    #[test]
    fn an_archive_that_is_cut_off_or_too_large_is_none() {
        let (mut reader, mut bytes) = (ReturnedFilesReader::new("7"), Vec::new());
        reader.take(b"\x1ecuff 7 results 5\n12", &mut bytes);
        assert!(!reader.into_archive().unwrap().unwrap().is_whole());
        let mut reader = ReturnedFilesReader::new("7");
        reader.take(b"\x1ecuff 7 results 99999999999999\nmore", &mut bytes);
        assert!(reader.into_archive().unwrap().is_err());
        assert_eq!(bytes, b"more");
    }
}
