//! eslint's JSON report: what was found, and where.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::model::{Location, one_line, visible};

/// The most problems that are listed one by one, and the most fixed files: hosts cut long results.
const LISTED: usize = 50;

/// What a report says.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// How many files were looked at, those without a finding included; with `--quiet` eslint leaves these out.
    files: usize,
    /// Files with findings.
    affected: usize,
    errors: usize,
    warnings: usize,
    /// Files that eslint changed.
    fixed: Vec<String>,
    /// Errors first, each kind in the order of the report.
    found: Vec<Finding>,
}

#[derive(Debug)]
struct Finding {
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    is_error: bool,
    rule: Option<String>,
    message: String,
}

/// A file in the report.
#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(rename = "filePath")]
    file: String,
    messages: Vec<Message>,
    /// Its new content, where it was fixed.
    output: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
struct Message {
    #[serde(rename = "ruleId")]
    rule: Option<String>,
    severity: u8,
    #[serde(rename = "message")]
    text: String,
    // Rules of plugins have been seen to say null here.
    line: Option<Value>,
    column: Option<Value>,
}

impl Findings {
    /// Reads a report; `None` when this is none.
    pub(super) fn read(report: &[u8], root: &Path) -> Option<Self> {
        let entries: Vec<Entry> = serde_json::from_slice(report).ok()?;
        let mut findings = Self { files: entries.len(), ..Self::default() };
        for Entry { file, messages, output } in entries {
            let path = Path::new(&file);
            let file = path.strip_prefix(root).unwrap_or(path).display().to_string();
            findings.affected += usize::from(!messages.is_empty());
            findings.fixed.extend(output.map(|_| file.clone()));
            findings.found.extend(messages.into_iter().map(|message| finding(&file, message)));
        }
        findings.found.sort_by_key(|finding| !finding.is_error);
        findings.errors = findings.found.iter().filter(|finding| finding.is_error).count();
        findings.warnings = findings.found.len() - findings.errors;
        Some(findings)
    }

    /// Whether there are errors among them.
    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many, of what: `2 errors and 1 warning in 2 files`; `None` for nothing.
    pub(super) fn count(&self) -> Option<String> {
        let many = |count: usize, noun: &str| match count {
            0 => None,
            1 => Some(format!("1 {noun}")),
            _ => Some(format!("{count} {noun}s")),
        };
        let kinds: Vec<String> =
            [many(self.errors, "error"), many(self.warnings, "warning")].into_iter().flatten().collect();
        let files = many(self.affected, "file")?;
        Some(format!("{} in {files}", kinds.join(" and ")))
    }

    /// A line for each, and the count; complete by itself.
    pub(super) fn text(&self) -> String {
        let mut lines: Vec<String> = self.found.iter().take(LISTED).map(Finding::line).collect();
        lines.extend(more(self.found.len(), "problems"));
        lines.extend(self.fixed.iter().take(LISTED).map(|file| format!("fixed {}", visible(file))));
        lines.extend(more(self.fixed.len(), "fixed files"));
        lines.push(self.count().unwrap_or_else(|| match self.files {
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
        facts.insert("errors".into(), json!(self.errors));
        facts.insert("warnings".into(), json!(self.warnings));
        let listed: Vec<Value> = self.found.iter().take(LISTED).map(Finding::fact).collect();
        facts.insert("problems".into(), Value::Array(listed));
        if self.found.len() > LISTED {
            facts.insert("problems_left_out".into(), json!(self.found.len() - LISTED));
        }
        if !self.fixed.is_empty() {
            let listed: Vec<_> = self.fixed.iter().take(LISTED).map(|file| visible(file)).collect();
            facts.insert("fixed".into(), json!(listed));
        }
        facts
    }
}

/// What is said of those that are not listed.
fn more(count: usize, what: &str) -> Option<String> {
    let rest = count.checked_sub(LISTED).filter(|rest| *rest > 0)?;
    Some(format!("[… {rest} of {count} {what} left out; the log of the run has them …]"))
}

fn finding(file: &str, message: Message) -> Finding {
    // Messages of some plugins have many lines; all of them are needed to understand it.
    let words: Vec<&str> = message.text.split_whitespace().collect();
    let number = |value: Option<Value>| usize::try_from(value?.as_u64()?).ok();
    Finding {
        file: file.to_owned(),
        line: number(message.line),
        column: number(message.column),
        is_error: message.severity >= 2,
        rule: message.rule,
        message: one_line(&words.join(" ")).unwrap_or_else(|| "no message".into()),
    }
}

impl Finding {
    fn severity(&self) -> &'static str {
        if self.is_error { "error" } else { "warning" }
    }

    /// `src/a.js:1:5 error no-undef 'x' is not defined.`
    fn line(&self) -> String {
        let file = visible(&self.file).into_owned();
        let place = Location { file, line: self.line, column: self.column };
        let rule =
            self.rule.as_deref().and_then(one_line).map_or_else(String::new, |rule| format!("{rule} "));
        format!("{place} {} {rule}{}", self.severity(), self.message)
    }

    fn fact(&self) -> Value {
        let mut fact = Map::new();
        fact.insert("severity".into(), json!(self.severity()));
        fact.insert("message".into(), json!(self.message));
        let rule = self.rule.as_deref().and_then(one_line);
        fact.extend(rule.map(|rule| ("code".to_owned(), json!(rule))));
        fact.insert("file".into(), json!(visible(&self.file)));
        fact.extend(self.line.map(|line| ("line".to_owned(), json!(line))));
        fact.extend(self.column.map(|column| ("column".to_owned(), json!(column))));
        Value::Object(fact)
    }
}
