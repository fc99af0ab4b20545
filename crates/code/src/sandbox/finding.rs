//! Mistakes in a program, found before it runs.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::code_frame::{self, TextPosition};
use crate::model::visible_lines;

/// The longest message, and the longest help, in characters.
const LONGEST: usize = 1000;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckFinding {
    /// The bytes of the source that it is about.
    pub span: Range<usize>,
    /// The mistake or failure.
    pub message: String,
    /// The next step.
    pub help: Option<String>,
}

impl CheckFinding {
    /// Something wrong at these bytes.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    /// The same at another place.
    pub(super) fn at(self, span: Range<usize>) -> Self {
        Self { span, ..self }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Where it begins, as people say it.
    pub fn place(&self, source: &str) -> TextPosition {
        code_frame::place(source, self.span.start)
    }

    /// The same as far as a reader gets: an interpreter that a program has taken over could say anything.
    pub(super) fn cut(self) -> Self {
        let cut = |text: String| text.chars().take(LONGEST).collect();
        Self { message: cut(self.message), help: self.help.map(cut), ..self }
    }

    /// The finding as people read it: a sentence, the lines of the source that it is about, and what to do.
    pub fn render(&self, source: &str) -> String {
        self.render_as(code_frame::NAME, source)
    }

    /// The same, of a program that has a name.
    pub fn render_as(&self, file: &str, source: &str) -> String {
        let help = self.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let text = format!("error: {}\n{}{help}", self.message, code_frame::frame(file, source, &self.span));
        visible_lines(&text).into_owned()
    }
}
