//! The marks by which a tool on a runner says that it begins and how it ended, out of what the client prints.

use memchr::memchr;

use crate::model::Stream;

/// The first byte of a mark: a record separator, which hardly any tool prints.
pub(super) const FIRST: u8 = 0x1e;
/// The longest mark behind the id, in bytes.
pub(super) const LONGEST: usize = 32;

/// The front of each mark of the run of this id.
pub(super) fn front(id: &str) -> Vec<u8> {
    [&[FIRST], "cuff ".as_bytes(), id.as_bytes(), b" "].concat()
}

/// The marks of one run, and what they say.
#[derive(Debug)]
pub(super) struct ToolMarks {
    /// The front of each mark.
    front: Vec<u8>,
    /// The end of what was printed, where a mark may begin.
    held: Vec<u8>,
    /// The stream of the marks: standard error, or the one of both.
    stream: Stream,
    has_begun: bool,
    code: Option<i32>,
    has_just_ended: bool,
}

impl ToolMarks {
    pub(super) fn new(id: &str) -> Self {
        Self {
            front: front(id),
            held: Vec::new(),
            stream: Stream::Err,
            has_begun: false,
            code: None,
            has_just_ended: false,
        }
    }

    /// Whether the tool has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun || self.code.is_some()
    }

    /// The exit code of the tool, once it has ended.
    pub(super) fn code(&self) -> Option<i32> {
        self.code
    }

    /// Whether it has ended since this was asked last.
    pub(super) fn has_just_ended(&mut self) -> bool {
        std::mem::take(&mut self.has_just_ended)
    }

    /// Takes the next bytes of a stream, and adds those to `bytes` that are no mark.
    pub(super) fn take(&mut self, stream: Stream, printed: &[u8], bytes: &mut Vec<u8>) {
        if stream == Stream::Out {
            return bytes.extend_from_slice(printed);
        }
        self.stream = stream;
        let held = std::mem::take(&mut self.held);
        let joined;
        let mut rest = if held.is_empty() {
            printed
        } else {
            joined = [&held, printed].concat();
            &joined
        };
        while let Some(at) = memchr(FIRST, rest) {
            bytes.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            match self.mark(rest) {
                Mark::None => {
                    bytes.push(FIRST);
                    rest = &rest[1..];
                }
                Mark::Partly => {
                    self.held = rest.to_vec();
                    return;
                }
                Mark::Whole(length) => rest = &rest[length..],
            }
        }
        bytes.extend_from_slice(rest);
    }

    /// The bytes that were held back and are no mark, and their stream.
    pub(super) fn finish(&mut self, bytes: &mut Vec<u8>) -> Option<Stream> {
        bytes.append(&mut self.held);
        (!bytes.is_empty()).then_some(self.stream)
    }

    /// The kind of a text that begins with a mark's first byte.
    fn mark(&mut self, text: &[u8]) -> Mark {
        let Some(behind) = text.strip_prefix(&*self.front) else {
            return if self.front.starts_with(text) { Mark::Partly } else { Mark::None };
        };
        let Some(end) = memchr(b'\n', &behind[..behind.len().min(LONGEST)]) else {
            return if behind.len() < LONGEST { Mark::Partly } else { Mark::None };
        };
        match str::from_utf8(&behind[..end]).ok().and_then(|word| word.strip_prefix("ended ").or(Some(word)))
        {
            Some("began") => self.has_begun = true,
            Some(code) => match code.trim().parse() {
                Ok(code) => (self.code, self.has_just_ended) = (Some(code), true),
                Err(_) => return Mark::None,
            },
            None => return Mark::None,
        }
        Mark::Whole(self.front.len() + end + 1)
    }
}

enum Mark {
    None,
    /// The beginning of one, and more may come.
    Partly,
    /// So many bytes.
    Whole(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_out_wherever_the_stream_is_cut() {
        let printed =
            b"a\x1e\x1ecuff 7 began\n\x1ecuff 8 began\nerror\x1ecuff 7 ended 255\nb\x1ecuff 7 x\n\x1ecuff";
        for size in 1..=printed.len() {
            let (mut marks, mut bytes) = (ToolMarks::new("7"), Vec::new());
            for piece in printed.chunks(size) {
                marks.take(Stream::Err, piece, &mut bytes);
            }
            marks.finish(&mut bytes);
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(text, "a\x1e\x1ecuff 8 began\nerrorb\x1ecuff 7 x\n\x1ecuff", "{size}");
            assert_eq!((marks.has_begun(), marks.code()), (true, Some(255)));
        }
    }

    #[test]
    fn standard_output_has_no_marks_and_what_has_no_end_is_not_held_for_ever() {
        let (mut marks, mut bytes) = (ToolMarks::new("7"), Vec::new());
        marks.take(Stream::Out, b"\x1ecuff 7 ended 0\n", &mut bytes);
        marks.take(Stream::Both, b"\x1ecuff 7 ", &mut bytes);
        marks.take(Stream::Both, &[b'x'; LONGEST], &mut bytes);
        assert_eq!(bytes.len(), 16 + 8 + LONGEST);
        assert_eq!(
            (marks.has_begun(), marks.code(), marks.finish(&mut bytes)),
            (false, None, Some(Stream::Both))
        );
    }
}
