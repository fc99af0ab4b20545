//! A problem of a file, with the lines of the file that it is about.

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use serde_json::Value;

use crate::model::Problem;
use crate::wire;

/// A problem of a file.
#[derive(Debug, Clone)]
pub struct Complaint {
    /// The instance that it belongs to, if it is of one alone.
    pub instance: Option<String>,
    /// The number of its code.
    pub code: Option<String>,
    /// The problem in words.
    pub problem: Problem,
    /// The lines that it is about.
    pub lines: Arc<dyn Diagnostic + Send + Sync>,
}

impl Complaint {
    /// The problem as JSON.
    pub fn to_json(&self) -> Value {
        wire::problem(self.instance.as_deref(), self.code.clone(), &self.problem)
    }

    /// The lines that it is about, drawn so wide; empty where it is about none.
    pub(super) fn frame(&self, theme: GraphicalTheme, width: usize) -> String {
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme).with_width(width);
        let has_none = self.lines.labels().is_none();
        if has_none || handler.render_report(&mut text, &ComplaintFrame(&*self.lines)).is_err() {
            return String::new();
        }
        // Its first line is the mark of a message that is not there.
        text.trim().lines().skip(1).collect::<Vec<_>>().join("\n")
    }
}

/// A problem without its words, which are above it.
#[derive(Debug)]
struct ComplaintFrame<'a>(&'a dyn Diagnostic);

impl Display for ComplaintFrame<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Error for ComplaintFrame<'_> {}

impl Diagnostic for ComplaintFrame<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}
