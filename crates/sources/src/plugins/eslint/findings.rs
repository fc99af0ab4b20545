//! The findings of eslint's report, in words and as facts.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::model::{Diagnostic, Findings, LintSummary, Location, Severity, one_line, visible};

/// The dialect of the report.
pub(super) const REPORT: &str = "eslint_json";

/// The most problems that are listed one by one, and the most fixed files: hosts cut long results.
const LISTED: usize = 50;

/// A complete report.
#[derive(Debug)]
pub(super) struct EslintReport<'a> {
    lint: &'a LintSummary,
    /// The first of its problems, errors before warnings, each kind in the order of the report.
    listed: Vec<&'a Diagnostic>,
}

impl<'a> EslintReport<'a> {
    /// `None` where there is no report, or not all of one.
    pub(super) fn of(findings: &'a Findings) -> Option<Self> {
        let lint = findings.lint.as_ref()?;
        // Findings of other dialects are not part of the report.
        let found = || findings.diagnostics.iter().filter(|found| found.dialect == REPORT);
        let errors = found().filter(|found| found.severity == Severity::Error);
        let others = found().filter(|found| found.severity != Severity::Error);
        Some(Self { lint, listed: errors.chain(others).take(LISTED).collect() })
    }

    /// Whether there are errors in it.
    pub(super) fn has_errors(&self) -> bool {
        self.lint.errors > 0
    }

    /// The counts: `2 errors and 1 warning in 2 files`; `None` for nothing.
    pub(super) fn count(&self) -> Option<String> {
        let many = |count: u64, noun: &str| match count {
            0 => None,
            1 => Some(format!("1 {noun}")),
            _ => Some(format!("{count} {noun}s")),
        };
        let LintSummary { errors, warnings, affected, .. } = self.lint;
        let kinds: Vec<String> =
            [many(*errors, "error"), many(*warnings, "warning")].into_iter().flatten().collect();
        let files = many(*affected, "file")?;
        Some(format!("{} in {files}", kinds.join(" and ")))
    }

    /// A line for each, and the count; complete by itself.
    pub(super) fn text(&self) -> String {
        let mut lines: Vec<String> = self.listed.iter().map(|found| line(found)).collect();
        let total = self.lint.errors + self.lint.warnings;
        lines.extend(more(self.left_out(), total, "problems"));
        lines.extend(self.fixed().map(|file| format!("fixed {file}")));
        let fixed = self.lint.fixed_total;
        lines.extend(more(fixed.saturating_sub(self.fixed().count() as u64), fixed, "fixed files"));
        lines.push(self.count().unwrap_or_else(|| match self.lint.files {
            0 => "no problems".into(),
            1 => "no problems in 1 file".into(),
            files => format!("no problems in {files} files"),
        }));
        lines.push(String::new());
        lines.join("\n")
    }

    /// The same as facts.
    pub(super) fn facts(&self) -> Map<String, Value> {
        let mut facts = Map::new();
        facts.insert("errors".into(), json!(self.lint.errors));
        facts.insert("warnings".into(), json!(self.lint.warnings));
        let listed: Vec<Value> = self.listed.iter().map(|found| fact(found)).collect();
        facts.insert("problems".into(), Value::Array(listed));
        if self.left_out() > 0 {
            facts.insert("problems_left_out".into(), json!(self.left_out()));
        }
        if self.lint.fixed_total > 0 {
            facts.insert("fixed".into(), self.fixed().collect());
        }
        facts
    }

    fn left_out(&self) -> u64 {
        (self.lint.errors + self.lint.warnings).saturating_sub(self.listed.len() as u64)
    }

    /// The first of the files that were changed.
    fn fixed(&self) -> impl Iterator<Item = String> {
        self.lint.fixed.iter().take(LISTED).map(|file| visible(file).into_owned())
    }
}

/// The note on those that are not listed.
fn more(rest: u64, count: u64, what: &str) -> Option<String> {
    (rest > 0).then(|| format!("[… {rest} of {count} {what} left out; the log of the run has them …]"))
}

/// `src/a.js:1:5 error no-undef 'x' is not defined.`
fn line(found: &Diagnostic) -> String {
    let place = found.place.as_ref().map_or_else(String::new, |place| {
        let file = visible(&place.file).into_owned();
        format!("{} ", Location { file, ..*place })
    });
    let rule = rule(found).map_or_else(String::new, |rule| format!("{rule} "));
    format!("{place}{} {rule}{}", found.severity.name(), message(found))
}

fn fact(found: &Diagnostic) -> Value {
    let mut fact = Map::new();
    fact.insert("severity".into(), json!(found.severity.name()));
    fact.insert("message".into(), json!(message(found)));
    fact.extend(rule(found).map(|rule| ("code".to_owned(), json!(rule))));
    if let Some(Location { file, line, column, .. }) = &found.place {
        fact.insert("file".into(), json!(visible(file)));
        fact.extend(line.map(|line| ("line".to_owned(), json!(line))));
        fact.extend(column.map(|column| ("column".to_owned(), json!(column))));
    }
    Value::Object(fact)
}

fn rule(found: &Diagnostic) -> Option<Cow<'_, str>> {
    found.code.as_deref().and_then(one_line)
}

/// Messages of some plugins have many lines; all of them are needed to understand it.
fn message(found: &Diagnostic) -> String {
    let words: Vec<&str> = found.message.split_whitespace().collect();
    one_line(&words.join(" ")).unwrap_or_else(|| "no message".into()).into_owned()
}
