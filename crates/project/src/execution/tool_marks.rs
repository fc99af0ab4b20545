//! The marks by which a tool on a runner says that it begins, how it is contained and how it ended, out of what the client prints.

use memchr::memchr;

use crate::model::{Contained, Denial, DeniedAct, Stream};

/// The first byte of a mark: a record separator, which hardly any tool prints.
pub(super) const FIRST: u8 = 0x1e;
/// The longest mark behind the id, in bytes.
pub(super) const LONGEST: usize = 2048;
/// How many refusals of one run are kept.
const MOST_DENIALS: usize = 64;

/// The words behind the id of a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MarkWords {
    /// The tool begins.
    Began,
    /// The tool does not begin, for this reason.
    Refused(String),
    /// The kernel there holds so much of its containment.
    Contained(Contained),
    /// Something that it was refused.
    Denied(Denial),
    /// The tool ended with this code.
    Ended(i32),
}

impl MarkWords {
    /// The words as one line, cut to a length that is read.
    pub(super) fn line(&self) -> String {
        let line = match self {
            Self::Began => "began".to_owned(),
            Self::Refused(why) => format!("refused {}", plain(why)),
            Self::Contained(contained) => {
                let missing = contained.missing().iter().map(|lack| plain(lack));
                [contained.word().to_owned()].into_iter().chain(missing).fold(
                    "contained".to_owned(),
                    |line, word| {
                        let between = if line == "contained" { ' ' } else { '\t' };
                        format!("{line}{between}{word}")
                    },
                )
            }
            Self::Denied(Denial { act, subject }) => format!("denied {} {}", *act as u8, plain(subject)),
            Self::Ended(code) => format!("ended {code}"),
        };
        line.chars().take(LONGEST / 8).collect()
    }

    /// The words of a line; `None`: they are no mark's.
    fn of(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(match word {
            "began" if rest.is_empty() => Self::Began,
            "refused" => Self::Refused(plain(rest)),
            "contained" => {
                let mut parts = rest.split('\t');
                let word = parts.next()?;
                let missing: Vec<String> = parts.map(plain).collect();
                Self::Contained(match word {
                    "yes" if missing.is_empty() => Contained::Yes,
                    "partly" => Contained::Partly(missing),
                    "no" => Contained::No(missing.join("; ")),
                    _ => return None,
                })
            }
            "denied" => {
                let (act, subject) = rest.split_once(' ')?;
                Self::Denied(Denial { act: DeniedAct::numbered(act.parse().ok()?)?, subject: plain(subject) })
            }
            "ended" => Self::Ended(rest.parse().ok()?),
            _ => return None,
        })
    }
}

/// A text without control characters.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

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
    refused: Option<String>,
    contained: Option<Contained>,
    denials: Vec<Denial>,
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
            refused: None,
            contained: None,
            denials: Vec::new(),
        }
    }

    /// Whether the tool has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun || self.contained.is_some() || self.code.is_some() && self.refused.is_none()
    }

    /// The reason why the tool did not begin, if that was said and nothing else.
    pub(super) fn refused(&self) -> Option<&str> {
        self.refused.as_deref().filter(|_| !self.has_begun())
    }

    /// How far the kernel holds the containment of the tool, and what the tool was refused.
    pub(super) fn containment(&mut self) -> (Option<Contained>, Vec<Denial>) {
        (self.contained.take(), std::mem::take(&mut self.denials))
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
        match str::from_utf8(&behind[..end]).ok().and_then(MarkWords::of) {
            Some(MarkWords::Began) => self.has_begun = true,
            Some(MarkWords::Ended(code)) => (self.code, self.has_just_ended) = (Some(code), true),
            Some(MarkWords::Refused(why)) => self.refused = Some(why),
            // A tool that the kernel does not hold as a whole may say that it does. What is true was said before the tool began.
            Some(MarkWords::Contained(contained)) => {
                let is_better = |known: &Contained| rank(known) >= rank(&contained);
                if !self.contained.as_ref().is_some_and(is_better) {
                    self.contained = Some(contained);
                }
            }
            Some(MarkWords::Denied(denial)) if self.denials.len() < MOST_DENIALS => self.denials.push(denial),
            Some(MarkWords::Denied(_)) => {}
            None => return Mark::None,
        }
        Mark::Whole(self.front.len() + end + 1)
    }
}

/// The less is held, the more.
fn rank(contained: &Contained) -> u8 {
    match contained {
        Contained::Yes => 0,
        Contained::Partly(_) => 1,
        Contained::No(_) => 2,
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
    fn the_least_that_is_said_of_containment_counts_and_a_tool_that_began_was_not_refused() {
        let denial = Denial { act: DeniedAct::ReachPort, subject: "127.0.0.1:1".into() };
        let partly = Contained::Partly(vec!["a; b".into(), "c".into()]);
        let said = [
            MarkWords::Contained(Contained::Yes),
            MarkWords::Contained(partly.clone()),
            MarkWords::Refused("no".into()),
            MarkWords::Began,
            MarkWords::Denied(denial.clone()),
            MarkWords::Contained(Contained::Yes),
            MarkWords::Contained(Contained::Partly(vec!["other".into()])),
            MarkWords::Ended(3),
        ];
        for words in &said {
            assert_eq!(MarkWords::of(&words.line()).as_ref(), Some(words));
        }
        for line in ["began x", "ended", "ended x", "contained", "contained maybe", "denied 99 x", "x", ""] {
            assert_eq!(MarkWords::of(line), None, "{line}");
        }
        let printed = said.each_ref().map(|words| format!("\x1ecuff 7 {}\n", words.line())).concat();
        let (mut marks, mut bytes) = (ToolMarks::new("7"), Vec::new());
        marks.take(Stream::Err, printed.as_bytes(), &mut bytes);
        assert_eq!((bytes.len(), marks.has_begun(), marks.refused(), marks.code()), (0, true, None, Some(3)));
        assert_eq!(marks.containment(), (Some(partly), vec![denial]));
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
