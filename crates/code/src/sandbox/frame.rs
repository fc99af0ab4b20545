//! Lines of a stack, as lines of the user's own program.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::code_frame::{self, NAME, TextPosition};
use super::program::PreparedProgram;

/// How many frames of a stack are kept.
pub(super) const MOST_FRAMES: usize = 10;

/// The longest name of a function, in characters.
const LONGEST_NAME: usize = 80;

/// The signs around a place in the JavaScript, in what a program prints.
const MARKS: (char, char) = ('\u{e000}', '\u{e001}');

/// A line of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackFrame {
    /// The function; nothing for the program itself.
    pub function: Option<String>,
    /// Where, as a byte of the source.
    pub offset: usize,
}

impl StackFrame {
    /// The same as far as a reader gets: an interpreter that a program has taken over could say anything.
    pub(super) fn cut(self) -> Self {
        Self { function: self.function.map(|name| name.chars().take(LONGEST_NAME).collect()), ..self }
    }

    /// Where, as people say it.
    pub fn place(&self, source: &str) -> TextPosition {
        code_frame::place(source, self.offset)
    }
}

/// The frames that are lines of the program: `at f (script.js:3:7)`.
pub(super) fn frames(stack: &str, program: &PreparedProgram) -> Vec<StackFrame> {
    let found = stack.lines().filter_map(|line| {
        let (before, place) = line.split_once("script.js:")?;
        let mut numbers = place.split(|c: char| !c.is_ascii_digit()).map(str::parse::<usize>);
        let (line, column) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        let offset = program.origin(line, column)?;
        let function = before.trim().strip_prefix("at ").map(|name| name.trim_end_matches(['(', ' ']));
        let function = function.filter(|name| !matches!(*name, "" | "default" | "<anonymous>"));
        Some(StackFrame { function: function.map(|name| name.chars().take(LONGEST_NAME).collect()), offset })
    });
    let mut frames: Vec<StackFrame> = found.take(MOST_FRAMES * 10).collect();
    frames.dedup();
    frames.truncate(MOST_FRAMES);
    frames
}

/// The output of a program, with lines of its own source where the prelude marked lines of the JavaScript.
pub(super) fn with_own_lines(text: &str, program: &PreparedProgram) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, marked)) = rest.split_once(MARKS.0) {
        out.push_str(before);
        let place = marked.split_once(MARKS.1).and_then(|(place, after)| {
            let (line, column) = place.split_once(':')?;
            Some((program.origin(line.parse().ok()?, column.parse().ok()?), after))
        });
        let Some((place, after)) = place else {
            out.push(MARKS.0);
            rest = marked;
            continue;
        };
        out.push_str(NAME);
        if let Some(offset) = place {
            let TextPosition { line, column } = code_frame::place(&program.source, offset);
            // Writing to a string does not fail.
            let _ = write!(out, ":{line}:{column}");
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
