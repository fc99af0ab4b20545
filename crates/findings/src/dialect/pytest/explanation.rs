//! pytest's explanation of a failed test: the exception, and the differences of compared values.

use crate::dialect::reason::Reason;

/// The exception, and the explanation below it.
#[derive(Debug, Default)]
pub(super) struct Explanation {
    reason: Reason,
    /// How far its first line is indented.
    indent: usize,
    part: ExplanationPart,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ExplanationPart {
    /// The words of the exception itself.
    #[default]
    Words,
    /// Two values were compared. The differences may be listed, and both values may follow line by line.
    Compared,
    /// A list of differences.
    Different,
    /// A list of equal parts.
    Alike,
}

impl Explanation {
    /// Adds this line of the log.
    pub(super) fn say(&mut self, text: &str, at: u64) {
        let words = text.trim();
        let indent = text.len() - text.trim_start().len();
        if self.is_empty() {
            self.indent = indent;
        }
        let text = text.get(indent.min(self.indent)..).unwrap_or_default();
        let is_assert = words.starts_with("assert ") || self.is_empty() && words.contains(": assert ");
        let begun = if is_assert { Some(ExplanationPart::Compared) } else { begun_by(words) };
        let begun = begun.filter(|_| is_assert || self.part != ExplanationPart::Words);
        self.part = begun.unwrap_or(self.part);
        match self.part {
            ExplanationPart::Alike => {}
            ExplanationPart::Words => self.reason.say(text, at),
            _ if is_hint(words) => {}
            ExplanationPart::Different => self.reason.keep(text, at),
            ExplanationPart::Compared if begun.is_some() => self.reason.keep(text, at),
            ExplanationPart::Compared => self.reason.say(text, at),
        }
    }

    /// Whether it has no line.
    pub(super) fn is_empty(&self) -> bool {
        self.reason.is_empty()
    }

    /// The exception's line.
    pub(super) fn first(&self) -> Option<&str> {
        self.reason.lines().next()
    }

    /// Its kept lines, each behind a line feed.
    pub(super) fn render(self) -> String {
        self.reason.render()
    }
}

/// The part that begins with this line.
fn begun_by(words: &str) -> Option<ExplanationPart> {
    const DIFFERENT: [&str; 7] = [
        "Differing items:",
        "Differing attributes:",
        "Drill down into differing attribute ",
        "Left contains ",
        "Right contains ",
        "Extra items in the ",
        "At index ",
    ];
    const PARTS: [(ExplanationPart, &[&str]); 3] = [
        (ExplanationPart::Different, &DIFFERENT),
        (ExplanationPart::Alike, &["Common items:", "Matching attributes:"]),
        (ExplanationPart::Compared, &["Full diff:", "...Full output truncated"]),
    ];
    PARTS
        .into_iter()
        .find(|(_, begins)| begins.iter().any(|begin| words.starts_with(begin)))
        .map(|(part, _)| part)
}

/// Whether a line is pytest's hint on how to get more output about differences.
fn is_hint(words: &str) -> bool {
    let identical = words.starts_with("Omitting ") && words.ends_with(", use -vv to show");
    identical || words == "..." || words.starts_with("Use -v to get ")
}
