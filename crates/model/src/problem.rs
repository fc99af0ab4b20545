//! Something wrong with the project's own files or settings that did not stop discovery.

use std::fmt;

use super::{ErrorCode, shown};

/// How much a problem, or a finding in a log, matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Something is odd; everything is offered.
    Warning,
    /// Something is not offered because of it.
    Error,
}

impl Severity {
    /// Its word in messages and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place in a file; line and column count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file, as the user would name it.
    pub file: String,
    /// The line, where it is known.
    pub line: Option<usize>,
    /// The column, where it is known.
    pub column: Option<usize>,
}

impl Location {
    /// A whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, column: None }
    }

    /// A line of a file, where it is known.
    pub fn line(file: impl Into<String>, line: impl Into<Option<usize>>) -> Self {
        Self { line: line.into(), ..Self::file(file) }
    }

    /// A line and column of a file, as far as they are known.
    pub fn at(
        file: impl Into<String>,
        line: impl Into<Option<usize>>,
        column: impl Into<Option<usize>>,
    ) -> Self {
        Self { column: column.into(), ..Self::line(file, line) }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(out, ":{line}")?;
            if let Some(column) = self.column {
                write!(out, ":{column}")?;
            }
        }
        Ok(())
    }
}

/// A finding about the project's own files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How much it matters.
    pub severity: Severity,
    /// Its number, where it has one.
    pub fault: Option<ErrorCode>,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// Its place.
    pub location: Option<Location>,
    /// The way to solve it.
    pub help: Option<String>,
    /// The names that are not offered because of it: the original name, and the name that its tool would
    /// have.
    pub withheld: Vec<String>,
}

impl Problem {
    /// Place, problem and help.
    pub fn in_one_line(&self) -> String {
        let place = self.location.as_ref().map_or_else(String::new, |place| format!("{place}: "));
        let help = self.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
        format!("{place}{}{help}", self.message)
    }

    /// Something odd that took nothing away.
    pub fn warning(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            fault: None,
            message: message.into(),
            location: None,
            help: None,
            withheld: Vec::new(),
        }
    }

    /// An intended omission, not a fault.
    pub fn note(message: impl Into<String>) -> Self {
        Self { severity: Severity::Info, ..Self::warning(message) }
    }

    /// The same note as an error, if the settings name the omitted item.
    #[must_use]
    pub fn wanted(self, is_named: bool) -> Self {
        Self { severity: if is_named { Severity::Error } else { self.severity }, ..self }
    }

    /// Something that is not offered because of this.
    pub fn error(fault: ErrorCode, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, fault: Some(fault), ..Self::warning(message) }
    }

    /// Whether nothing is wrong.
    pub fn is_note(&self) -> bool {
        self.severity == Severity::Info
    }

    /// Whether a pattern of the settings has no effect.
    pub fn is_of_pattern(&self) -> bool {
        self.fault == Some(ErrorCode::InvalidPattern)
    }

    /// All of it in one sentence, with the help at the end.
    pub fn sentence(&self) -> String {
        self.help.as_ref().map_or_else(|| self.to_string(), |help| format!("{self} ({help})"))
    }

    /// The same problem, with its number.
    #[must_use]
    pub fn numbered(mut self, fault: ErrorCode) -> Self {
        self.fault = Some(fault);
        self
    }

    /// The same problem, with its place.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// The same problem, with a name that is not offered because of it.
    #[must_use]
    pub fn withholding(mut self, name: impl Into<String>) -> Self {
        self.withheld.push(name.into());
        self
    }

    /// The same problem, with the way to solve it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(out, "{location}: ")?;
        }
        out.write_str(&self.message)
    }
}

/// The notes among problems in one sentence: the text of the first, and the names that the others leave out.
pub fn gathered<'a>(problems: impl IntoIterator<Item = &'a Problem>) -> Option<String> {
    /// How many of the others are named.
    const NAMED: usize = 5;
    let mut notes = problems.into_iter().filter(|problem| problem.severity == Severity::Info);
    let first = notes.next()?;
    let mut others: Vec<String> =
        notes.filter_map(|note| note.withheld.first()).map(|name| format!("\"{}\"", shown(name))).collect();
    let verb = if others.len() == 1 { "is" } else { "are" };
    let more = if others.len() > NAMED { " and more" } else { "" };
    others.truncate(NAMED);
    let others = match others.as_slice() {
        [] => String::new(),
        some => format!("; nor {verb} {}{more}", some.join(", ")),
    };
    let help = first.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
    Some(format!("{first}{others}{help}"))
}

/// Adds the first problems of a kind, and one that counts the rest: a hostile file must not flood the reader.
pub fn bounded(mut found: Vec<Problem>, problems: &mut Vec<Problem>) {
    /// The most problems of one kind that are listed one by one.
    const LISTED: usize = 20;
    let rest = found.len().saturating_sub(LISTED);
    let withheld = found.drain(found.len() - rest..).flat_map(|problem| problem.withheld).collect();
    let last = found.last().cloned();
    problems.append(&mut found);
    if let (1.., Some(last)) = (rest, last) {
        let location = last.location.map(|at| Location::file(at.file));
        let message = format!("{rest} more like the one before");
        problems.push(Problem { message, location, withheld, ..last });
    }
}
