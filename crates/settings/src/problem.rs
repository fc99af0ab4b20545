//! A problem of a settings file, with the place where it shows.

use std::fmt;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::model::{ErrorCode, Location, Problem, Severity, shown};

/// The longest line in bytes that an excerpt shows; a file in one line of a megabyte is no excerpt.
const LONGEST_EXCERPT_LINE: usize = 400;

/// Something wrong with a settings file: an error, or a warning when nothing is lost by it.
///
/// It renders with an excerpt of the file (miette), or as a [`Problem`] in one line.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct SettingsProblem {
    /// An error takes the instance out, or the whole file when there is no instance.
    pub severity: Severity,
    /// The instance that it belongs to; `None` when it concerns the whole file.
    pub instance: Option<String>,
    /// The number of its code.
    pub(crate) fault: ErrorCode,
    /// `CUFF_201`, or with the prefix of the instance's plugin; `None` for warnings.
    pub code: Option<String>,
    /// One sentence without a full stop that says what is wrong.
    pub message: String,
    /// The next step for a person.
    pub help: Option<String>,
    /// The file, the line and the column, both from 1 and in characters.
    pub location: Location,
    label: String,
    excerpt: Option<ProblemExcerpt>,
}

/// The part of a file that a problem points at.
#[derive(Debug, Clone)]
struct ProblemExcerpt {
    source: Arc<NamedSource<String>>,
    offset: usize,
    length: usize,
}

/// A problem before its place in the text is known.
#[derive(Debug)]
pub(super) struct ProblemDraft {
    pub(super) severity: Severity,
    pub(super) instance: Option<String>,
    pub(super) prefix: &'static str,
    pub(super) fault: ErrorCode,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) label: String,
}

/// The text that problems point into, shared by all of them.
#[derive(Debug, Clone)]
pub(super) struct ProblemText {
    name: String,
    text: Arc<NamedSource<String>>,
}

impl SettingsProblem {
    /// The same without anything that stands in the file: for agents, of a file outside of their project.
    #[must_use]
    pub fn without_content(self) -> Self {
        let file = &self.location.file;
        let message = "this file is outside of the project, so that programs and agents hear no more of it";
        let help = format!("a person sees what is wrong with `cuff list --config {file}`");
        Self { message: message.to_owned(), help: Some(help), label: String::new(), excerpt: None, ..self }
    }
}

impl ProblemDraft {
    /// An error of the whole file, with the code of cuff itself.
    pub(super) fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            instance: None,
            prefix: "CUFF",
            fault: ErrorCode::InvalidConfig,
            message: message.into(),
            help: None,
            label: String::new(),
        }
    }

    pub(super) fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(super) fn label(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    pub(super) fn of(self, instance: &str) -> Self {
        Self { instance: Some(shown(instance)), ..self }
    }

    /// The problem at this offset in bytes, or of the whole file.
    pub(super) fn at(self, source: &ProblemText, offset: Option<usize>) -> SettingsProblem {
        let location = offset.map_or_else(|| Location::file(&source.name), |offset| source.location(offset));
        let excerpt = offset.and_then(|offset| source.excerpt(offset));
        let code = (self.severity == Severity::Error).then(|| self.fault.code(self.prefix));
        let Self { severity, instance, fault, message, help, label, .. } = self;
        SettingsProblem { severity, instance, fault, code, message, help, location, label, excerpt }
    }
}

impl ProblemText {
    pub(super) fn new(name: &str, text: &str) -> Self {
        let text = NamedSource::new(name, text.to_owned()).with_language("yaml");
        Self { name: name.to_owned(), text: Arc::new(text) }
    }

    pub(super) fn text(&self) -> &str {
        self.text.inner()
    }

    fn location(&self, offset: usize) -> Location {
        let before = &self.text()[..offset];
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Location::at(&self.name, line, column)
    }

    /// Nothing where the lines around are too long to be shown.
    fn excerpt(&self, offset: usize) -> Option<ProblemExcerpt> {
        let (before, after) = self.text().split_at(offset);
        let shown = before.rsplit('\n').take(2).chain(after.split('\n').take(2));
        let fits = shown.map(str::len).all(|length| length <= LONGEST_EXCERPT_LINE);
        fits.then(|| ProblemExcerpt { source: Arc::clone(&self.text), offset, length: token_length(after) })
    }
}

/// The length in bytes of the key or plain value that the text starts with; an approximation for underlining.
fn token_length(text: &str) -> usize {
    let line = text.lines().next().unwrap_or_default();
    match line.chars().next() {
        Some(quote @ ('"' | '\'')) => line[1..].find(quote).map_or(line.len(), |end| end + 2),
        Some('[' | '{') => 1,
        None => 0,
        Some(_) => {
            let ends = [": ", " #", ",", "]", "}"].iter().filter_map(|end| line.find(end));
            let end = ends.min().unwrap_or(line.len());
            line[..end].trim_end().trim_end_matches(':').len().max(1)
        }
    }
}

impl Diagnostic for SettingsProblem {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as _)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Info => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_deref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| &excerpt.source as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let label = Some(self.label.clone()).filter(|label| !label.is_empty());
        Some(Box::new(std::iter::once(LabeledSpan::new(label, excerpt.offset, excerpt.length))))
    }
}

impl From<&SettingsProblem> for Problem {
    fn from(problem: &SettingsProblem) -> Self {
        Self {
            severity: problem.severity,
            fault: (problem.severity == Severity::Error).then_some(problem.fault),
            message: problem.message.clone(),
            location: Some(problem.location.clone()),
            help: problem.help.clone(),
            withheld: Vec::new(),
        }
    }
}
