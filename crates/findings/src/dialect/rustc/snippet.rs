//! The lines below the head of a message: the place, the source with its marks, notes and help.

use super::super::place;
use crate::model::Location;

/// How many lines of notes a message holds.
const MOST_NOTES: usize = 12;
/// The longest of them, in bytes.
const LONGEST_NOTE: usize = 400;

/// Reads them.
#[derive(Debug, Default)]
pub(super) struct Notes {
    taken: usize,
    labelled: bool,
    /// The last note may go on in the next line.
    noting: bool,
}

/// A line within a message.
#[derive(Debug, Default)]
pub(super) struct NoteLine {
    /// It belongs to the message.
    pub(super) belongs: bool,
    /// Its text for people.
    pub(super) text: Option<String>,
}

/// ` --> src/a.rs:3:5`.
pub(super) fn place(text: &str) -> Option<Location> {
    let place = place::whole(text.trim_start().strip_prefix("--> ")?)?;
    (text.starts_with(' ') && place.column.is_some()).then_some(place)
}

impl Notes {
    pub(super) fn read(&mut self, text: &str) -> NoteLine {
        let inner = text.trim_start();
        let noting = std::mem::take(&mut self.noting);
        if let Some(note) = inner.strip_prefix("= ").filter(|_| text.starts_with(' ')) {
            self.noting = true;
            return NoteLine { belongs: true, text: self.note(note) };
        }
        if let Some(marks) = inner.strip_prefix('|').filter(|_| text.starts_with(' ')) {
            return NoteLine { belongs: true, text: self.label(marks) };
        }
        if text.starts_with("help: ") || text.starts_with("note: ") {
            return NoteLine { belongs: true, text: self.note(text) };
        }
        let numbered = place::number(inner).is_some_and(|(_, rest)| {
            [" |", " ~", " +", " -", "~", "+", "-"].iter().any(|mark| rest.starts_with(mark))
        });
        let arrow = text.starts_with(' ') && (inner.starts_with("--> ") || inner.starts_with("::: "));
        if numbered || arrow || inner == "..." {
            return NoteLine { belongs: true, text: None };
        }
        // Types that differ stand one below the other.
        let text =
            if noting && text.starts_with("     ") { self.note(inner) } else { return NoteLine::default() };
        self.noting = true;
        NoteLine { belongs: true, text }
    }

    fn note(&mut self, text: &str) -> Option<String> {
        let said =
            text.strip_prefix("note: ").or_else(|| text.strip_prefix("help: ")).unwrap_or(text).trim_start();
        // The place where a lint is set, and the linker's command line, are no part of the error.
        let idle = [
            "\"",
            "some arguments are omitted",
            "`#[",
            "`-D ",
            "`-W ",
            "to override `",
            "this error originates in the macro",
            "see issue #",
            "for further information visit",
        ];
        if idle.iter().any(|begin| said.starts_with(begin)) || self.taken == MOST_NOTES {
            self.noting = false;
            return None;
        }
        self.taken += 1;
        Some(cut(text))
    }

    /// The label behind the mark of the place itself: `   ^^^ expected u32, found &str`.
    fn label(&mut self, marks: &str) -> Option<String> {
        if self.labelled {
            return None;
        }
        let label = marks.get(marks.rfind('^')? + 1..)?.trim();
        let inner = marks.trim_start_matches([' ', '|', '_', '-', '^']);
        if label.is_empty() || label.starts_with('-') || !inner.ends_with(label) {
            return None;
        }
        self.labelled = true;
        Some(cut(label))
    }
}

fn cut(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST_NOTE);
    let more = if end < text.len() { "…" } else { "" };
    format!("{}{more}", &text[..end])
}
