//! Reports of linters and of runners of tests as JSON, a format each: data, with one reader for all.
//!
//! A report begins with a key that no other text has. Each object with a message and a rule is a finding, and so is each test that
//! failed; the objects within it say more, as where it is. Its file may stand in an object around it. Every complete finding counts,
//! wherever the report is cut.

#[cfg(test)]
mod tests;

use super::failure::TestFailure;
use super::json::{Token, Tokens};
use super::{Dialect, Format, Line, LinePart, Next, PendingFindings, frame, plain};
use crate::model::{Diagnostic, LintSummary, Location, LogRange, Severity, severity};

/// How deep objects and lists may lie within one another.
const DEEPEST: usize = 64;

/// A format as data.
#[derive(Debug)]
pub(super) struct JsonReport {
    /// The name: `ruff_json`.
    id: &'static str,
    /// The beginning of a report, or of each of its findings; the key at its end has its value behind it.
    begins: &'static [&'static str],
    file: ReportFile,
    message: &'static str,
    /// The key of what stands in brackets behind the message.
    detail: &'static str,
    rule: &'static str,
    line: &'static str,
    /// The key of the line in reports that name no column.
    first_line: &'static str,
    column: &'static str,
    severity: &'static str,
    /// The severity of a finding that names none, and the tool's own words for severities.
    severities: (Severity, &'static [(&'static str, Severity)]),
    /// The keys of objects that say nothing of a finding: where it ends, how it would be mended.
    passed_over: &'static [&'static str],
    /// Whether a message with a severity is a finding without a rule.
    is_ruleless: bool,
    /// Whether it names all files that were looked at and what was changed in them, and each severity in its own words.
    counts_files: bool,
    /// The first line and the first column, as the tool counts them.
    first: usize,
    /// The keys of a report of tests.
    tests: Option<TestKeys>,
    /// The key of a list of files that are findings themselves, the message, and the key that follows.
    listed: Option<[&'static str; 3]>,
}

/// The keys of a report of tests, in which a severity is the end of a test.
#[derive(Debug)]
struct TestKeys {
    /// That of its name.
    name: &'static str,
    /// That of a reason where there is no better one.
    reason: &'static str,
}

/// Where the file of a finding stands.
#[derive(Debug, Clone, Copy)]
enum ReportFile {
    /// Behind this key, in the finding or around it.
    Behind(&'static str),
    /// The key of an object around the finding is the file.
    IsKey,
}

/// ruff's own, as one list or a finding in each line.
const RUFF: JsonReport = JsonReport {
    id: "ruff_json",
    begins: &["\"cell\":"],
    file: ReportFile::Behind("filename"),
    message: "message",
    detail: "",
    rule: "code",
    line: "row",
    first_line: "",
    column: "column",
    severity: "severity",
    severities: (Severity::Error, &[]),
    passed_over: &["end_location", "fix"],
    is_ruleless: false,
    counts_files: false,
    first: 1,
    tests: None,
    listed: None,
};
/// eslint's, of all versions; with metadata around the results, too.
const ESLINT: JsonReport = JsonReport {
    id: "eslint_json",
    begins: &["\"filePath\":"],
    file: ReportFile::Behind("filePath"),
    rule: "ruleId",
    line: "line",
    severities: (Severity::Error, &[("2", Severity::Error), ("1", Severity::Warning)]),
    passed_over: &["suppressedMessages", "suggestions", "fix"],
    counts_files: true,
    ..RUFF
};
const STYLELINT: JsonReport = JsonReport {
    id: "stylelint_json",
    begins: &["{\"source\":"],
    file: ReportFile::Behind("source"),
    message: "text",
    rule: "rule",
    severities: (Severity::Error, &[("error", Severity::Error), ("warning", Severity::Warning)]),
    ..ESLINT
};
/// Of no file. Many programs print that, so it is no trigger: a reader that expects a report sees every line.
const EMPTY: &str = "[]";
const SHELLCHECK: JsonReport = JsonReport {
    id: "shellcheck_json",
    begins: &["[{\"file\":", "[{\"code\":"],
    file: ReportFile::Behind("file"),
    line: "line",
    severity: "level",
    severities: (Severity::Error, &[("style", Severity::Info)]),
    passed_over: &["fix"],
    ..RUFF
};
/// Both of pylint's.
const PYLINT: JsonReport = JsonReport {
    id: "pylint_json",
    begins: &[
        "\"type\": \"convention\"",
        "\"type\": \"refactor\"",
        "\"type\": \"warning\"",
        "\"type\": \"error\"",
    ],
    file: ReportFile::Behind("path"),
    rule: "symbol",
    line: "line",
    severity: "type",
    severities: (Severity::Error, &[("convention", Severity::Warning), ("refactor", Severity::Warning)]),
    passed_over: &[],
    ..RUFF
};
const RUBOCOP: JsonReport = JsonReport {
    id: "rubocop_json",
    begins: &["\"rubocop_version\":"],
    rule: "cop_name",
    severity: "severity",
    ..PYLINT
};
const PHPCS: JsonReport = JsonReport {
    id: "phpcs_json",
    begins: &["{\"totals\":{\"errors\":"],
    file: ReportFile::IsKey,
    rule: "source",
    ..PYLINT
};
/// GitLab's and Code Climate's, which many linters write.
const GITLAB: JsonReport = JsonReport {
    id: "gitlab",
    begins: &["\"check_name\":"],
    file: ReportFile::Behind("path"),
    message: "description",
    rule: "check_name",
    line: "line",
    first_line: "begin",
    severities: (
        Severity::Error,
        &[
            ("blocker", Severity::Error),
            ("critical", Severity::Error),
            ("major", Severity::Error),
            ("minor", Severity::Warning),
        ],
    ),
    passed_over: &["end"],
    ..RUFF
};
const BIOME: JsonReport = JsonReport {
    id: "biome_json",
    begins: &["\"diagnostics\":"],
    file: ReportFile::Behind("path"),
    rule: "category",
    line: "line",
    passed_over: &["end", "advices"],
    ..RUFF
};
/// The format of reviewdog, which many linters write.
const RDJSON: JsonReport =
    JsonReport { id: "rdjson", rule: "value", passed_over: &["end", "suggestions"], ..BIOME };
/// The standard of static analysis, version 2.1.0 of OASIS.
const SARIF: JsonReport = JsonReport {
    id: "sarif",
    begins: &["\"runs\":"],
    file: ReportFile::Behind("uri"),
    message: "text",
    rule: "ruleId",
    line: "startLine",
    first_line: "",
    column: "startColumn",
    severity: "level",
    severities: (Severity::Warning, &[]),
    passed_over: &["fixes", "relatedLocations", "codeFlows", "tool", "artifacts"],
    ..RUFF
};
const MARKDOWNLINT: JsonReport = JsonReport {
    id: "markdownlint_json",
    begins: &["\"fileName\":"],
    file: ReportFile::Behind("fileName"),
    message: "ruleDescription",
    detail: "errorDetail",
    rule: "ruleNames",
    line: "lineNumber",
    column: "errorRange",
    passed_over: &["fixInfo"],
    ..RUFF
};
const PYRIGHT: JsonReport = JsonReport {
    id: "pyright_json",
    begins: &["\"generalDiagnostics\":"],
    file: ReportFile::Behind("file"),
    rule: "rule",
    line: "line",
    column: "character",
    passed_over: &["end"],
    is_ruleless: true,
    first: 0,
    ..RUFF
};
const BANDIT: JsonReport = JsonReport {
    id: "bandit_json",
    begins: &["\"generated_at\":"],
    message: "issue_text",
    rule: "test_id",
    line: "line_number",
    column: "",
    severity: "",
    passed_over: &["metrics", "issue_cwe"],
    ..RUFF
};
const OXLINT: JsonReport = JsonReport {
    id: "oxlint_json",
    begins: &["\"diagnostics\": [{\"message\":"],
    line: "line",
    passed_over: &["related"],
    is_ruleless: true,
    ..RUFF
};
/// Knip's, in which the key of a list says of which kind its names are.
const KNIP: JsonReport = JsonReport {
    id: "knip_json",
    begins: &["{\"files\":", "{\"issues\":[{\"file\":"],
    file: ReportFile::Behind("file"),
    message: "name",
    rule: "",
    line: "line",
    column: "col",
    severity: "",
    passed_over: &["owners"],
    listed: Some(["files", "Unused file", "issues"]),
    ..RUFF
};
/// Jest's and Vitest's; a file without a test that failed has a reason of its own.
const JEST: JsonReport = JsonReport {
    id: "jest_json",
    begins: &["\"numFailedTestSuites\":"],
    file: ReportFile::Behind("name"),
    message: "failureMessages",
    rule: "",
    line: "",
    column: "",
    severity: "status",
    severities: (Severity::Error, &[("failed", Severity::Error)]),
    passed_over: &["failureDetails", "snapshot", "console", "coverageMap", "openHandles", "meta"],
    tests: Some(TestKeys { name: "fullName", reason: "message" }),
    ..RUFF
};
const MOCHA: JsonReport = JsonReport {
    id: "mocha_json",
    begins: &["\"stats\":"],
    file: ReportFile::Behind("file"),
    message: "stack",
    severity: "",
    passed_over: &["tests", "passes", "pending"],
    tests: Some(TestKeys { name: "fullTitle", reason: "message" }),
    ..JEST
};
const RSPEC: JsonReport = JsonReport {
    id: "rspec_json",
    begins: &["\"examples\":"],
    file: ReportFile::Behind("file_path"),
    message: "message",
    line: "line_number",
    passed_over: &["backtrace"],
    tests: Some(TestKeys { name: "full_description", reason: "" }),
    ..JEST
};

/// The formats of reports.
macro_rules! reports {
    ($list:ident: $($report:ident for $programs:expr),* $(,)?) => {
        pub(super) const $list: &[Format] = &[$(Format {
            id: $report.id,
            triggers: $report.begins,
            programs: $programs,
            reader: || Box::new(ReportReader::of(&$report)),
        }),*];
    };
}

// Those that count files.
reports! { LINTERS:
    ESLINT for &["eslint", "eslint_d"],
    STYLELINT for &["stylelint"],
}

reports! { REPORTS:
    RUFF for &["ruff"],
    SHELLCHECK for &["shellcheck", "hadolint"],
    PYLINT for &["pylint"],
    RUBOCOP for &["rubocop"],
    PHPCS for &["phpcs"],
    GITLAB for &[],
    BIOME for &["biome"],
    RDJSON for &[],
    SARIF for &[],
    MARKDOWNLINT for &["markdownlint"],
    PYRIGHT for &["pyright", "basedpyright"],
    BANDIT for &["bandit"],
    OXLINT for &["oxlint"],
    KNIP for &["knip"],
    JEST for &["jest", "vitest"],
    MOCHA for &["mocha"],
    RSPEC for &["rspec"],
}

/// Reads one report after another.
#[derive(Debug)]
struct ReportReader {
    report: &'static JsonReport,
    tokens: Tokens,
    /// The objects and lists that are open since the report began; none between reports.
    open: Vec<ReportPart>,
    begun: bool,
    /// The last key.
    key: String,
    /// The value of that key is next.
    at_value: bool,
    /// The counts of files so far.
    lint: LintSummary,
}

/// An object or list while it is read.
#[derive(Debug, Default)]
struct ReportPart {
    /// The key that it is the value of.
    of: String,
    /// How many texts and words were read in it, where it is a list.
    elements: Option<usize>,
    is_passed_over: bool,
    /// The name of a test.
    name: Option<String>,
    has_findings: bool,
    /// Findings whose file may follow, or that count if a certain key follows.
    waiting: Vec<Diagnostic>,
    begins: Option<LogRange>,
    file: Option<String>,
    message: Option<String>,
    detail: Option<String>,
    rule: Option<String>,
    severity: Option<Severity>,
    line: Option<usize>,
    column: Option<usize>,
}

impl Dialect for ReportReader {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let was_begun = self.begun;
        if self.report.counts_files && !was_begun && line.part == LinePart::Whole && line.text.trim() == EMPTY
        {
            found.lints.push(LintSummary::default());
            return Next::Trigger;
        }
        let next = self.follow(line.text, line.log, found);
        if !was_begun && let Some(first) = self.open.last_mut().filter(|part| part.message.is_none()) {
            first.message = told_before(self.report.message, &line.before());
        }
        if matches!(line.part, LinePart::Whole | LinePart::End) {
            self.follow("\n", line.log, found)
        } else {
            next
        }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.give_up(found);
    }
}

/// The message of a finding, where it stands in the line before the one that tells it from other text: `"description": "…",`
fn told_before(key: &str, before: &str) -> Option<String> {
    let value = before.trim().strip_prefix('"')?.strip_prefix(key)?.strip_prefix("\":")?;
    serde_json::from_str(value.trim_end_matches(',').trim()).ok()
}

impl ReportReader {
    fn of(report: &'static JsonReport) -> Self {
        let (tokens, open, key) = (Tokens::default(), Vec::new(), String::new());
        Self { report, tokens, open, begun: false, key, at_value: false, lint: LintSummary::default() }
    }

    fn follow(&mut self, mut text: &str, log: LogRange, found: &mut PendingFindings) -> Next {
        loop {
            if !self.begun {
                let mut begins = self.report.begins.iter();
                let Some((begins, behind)) =
                    begins.find_map(|begins| Some((begins, text.split_once(begins)?.1)))
                else {
                    return Next::Trigger;
                };
                // The value that belongs to the first key may be a part of the beginning.
                let words: Vec<&str> = begins.split('"').collect();
                let (key, value) = (words.get(words.len().saturating_sub(2)), words.get(3));
                let first = ReportPart { begins: Some(log), ..ReportPart::default() };
                *self = Self { begun: true, open: vec![first], ..Self::of(self.report) };
                text = behind;
                if begins.ends_with(':') {
                    self.key = key.map_or_else(String::new, |key| (*key).to_owned());
                    self.at_value = true;
                } else if let (Some(key), Some(value)) = (words.get(1), value) {
                    self.key = (*key).to_owned();
                    self.value((*value).to_owned());
                }
            }
            match self.tokens.next(&mut text) {
                Some(token) => {
                    self.begun = self.take(token, log, found).is_some();
                    if !self.begun {
                        self.give_up(found);
                    }
                }
                None => return Next::Line,
            }
        }
    }

    /// Nothing follows that would say where the tests are.
    fn give_up(&mut self, found: &mut PendingFindings) {
        if self.report.tests.is_some() {
            found.diagnostics.extend(self.open.drain(..).flat_map(|part| part.waiting));
        }
    }

    /// `None` where the report is over, or broken off.
    fn take(&mut self, token: Token, log: LogRange, found: &mut PendingFindings) -> Option<()> {
        match token {
            Token::Open(open) => {
                let of = if self.at_value { std::mem::take(&mut self.key) } else { String::new() };
                let is_passed_over = self.open.last().is_some_and(|part| part.is_passed_over)
                    || self.report.passed_over.contains(&of.as_str());
                if self.report.listed.is_some_and(|[.., follows]| follows == of) {
                    found.diagnostics.extend(self.open.iter_mut().flat_map(|part| part.waiting.drain(..)));
                }
                let begins = Some(log);
                self.open.push(ReportPart {
                    of,
                    elements: (open == '[').then_some(0),
                    is_passed_over,
                    begins,
                    ..ReportPart::default()
                });
                self.at_value = false;
                (self.open.len() < DEEPEST).then_some(())?;
            }
            Token::Close(close) if self.open.is_empty() && self.report.counts_files => {
                found.lints.extend((close == ']').then(|| std::mem::take(&mut self.lint)));
                return None;
            }
            Token::Close(_) => {
                self.at_value = false;
                // The objects around the first key close as well.
                if let Some(part) = self.open.pop() {
                    self.close(part, log, found);
                }
            }
            Token::Comma => self.at_value = false,
            Token::Colon => self.at_value = true,
            Token::Text(text) | Token::Word(text) if self.at_value => self.value(text),
            Token::Text(text) | Token::Word(text)
                if self.open.last().is_some_and(|part| part.elements.is_some()) =>
            {
                self.element(text, log);
            }
            Token::Text(text) => self.key = text,
            Token::Word(_) | Token::Broken => return None,
        }
        Some(())
    }

    /// The first element of a list is the value of its key.
    fn element(&mut self, text: String, log: LogRange) {
        let Some(part) = self.open.last_mut() else { return };
        let elements = part.elements.get_or_insert_default();
        *elements += 1;
        match self.report.listed {
            Some([listed, message, _]) if listed == part.of => {
                let found = Diagnostic::new(Severity::Error, message, log, self.report.id);
                part.waiting.push(found.at(Location::file(text)));
            }
            _ if *elements > 1 => {}
            _ => {
                self.key.clone_from(&part.of);
                self.value(text);
            }
        }
    }

    fn value(&mut self, text: String) {
        let (report, is_outermost) = (self.report, self.open.len() == 1);
        let Some(part) = self.open.last_mut().filter(|part| !part.is_passed_over) else { return };
        // An unknown line or column is written as 0.
        let number = || {
            let number = text.parse::<usize>().ok()?.checked_add(1)?.checked_sub(report.first);
            number.filter(|number| *number > 0)
        };
        let key = self.key.as_str();
        if key.is_empty() {
        } else if let Some(keys) =
            report.tests.as_ref().filter(|keys| [keys.name, keys.reason].contains(&key))
        {
            if key == keys.name {
                part.name = Some(text);
            } else {
                part.message.get_or_insert(text);
            }
        } else if matches!(report.file, ReportFile::Behind(known) if known == key) {
            part.file = Some(file_of(&text));
        } else if key == report.message {
            part.message = Some(text);
        } else if key == report.detail {
            part.detail = Some(text).filter(|text| text != "null");
        } else if key == report.rule {
            part.rule = Some(if text == "null" { String::new() } else { text });
        } else if key == report.line || key == report.first_line && !text.is_empty() {
            part.line = number();
        } else if key == report.column {
            part.column = number();
        } else if key == report.severity {
            let word = text.to_ascii_lowercase();
            let own = report.severities.1.iter().find(|(known, _)| *known == word);
            let general = || severity(&word).filter(|_| !report.counts_files);
            part.severity = own.map(|(_, severity)| *severity).or_else(general);
        } else if report.counts_files && key == "fatal" {
            // Early versions of 8 have no rule in their message about an ignored file.
            part.rule.get_or_insert_default();
        } else if report.counts_files
            && key == "output"
            && let (Some(file), true) = (&part.file, is_outermost)
        {
            self.lint.fixes(file.clone());
        }
    }

    fn close(&mut self, mut part: ReportPart, log: LogRange, found: &mut PendingFindings) {
        if part.is_passed_over {
            return;
        }
        let at = part.begins.map_or(log, |begins| begins.to(log));
        let finding =
            if self.report.tests.is_some() { self.failed(&part, at) } else { self.linted(&part, at) };
        part.has_findings |= finding.is_some();
        match finding.as_ref().map(|finding| finding.severity) {
            Some(Severity::Error) => self.lint.errors += 1,
            Some(_) => self.lint.warnings += 1,
            None => {}
        }
        let is_complete = part.has_findings && (part.file.is_some() || self.report.tests.is_none());
        let mut findings: Vec<Diagnostic> = part.waiting.drain(..).chain(finding).collect();
        if let Some(file) = &part.file {
            let nowhere = findings.iter_mut().filter(|found| found.place.is_none());
            nowhere.for_each(|found| found.place = Some(Location::file(file.clone())));
        }
        let Some(around) = self.open.last_mut() else {
            self.lint.files += 1;
            self.lint.affected += u64::from(part.has_findings);
            found.diagnostics.extend(findings.into_iter().filter(|_| part.has_findings));
            return;
        };
        let list = if is_complete { &mut found.diagnostics } else { &mut around.waiting };
        list.append(&mut findings);
        around.has_findings |= part.has_findings;
        if !part.has_findings && part.name.is_none() {
            let ReportPart { of, file, message, rule, line, column, .. } = part;
            // So RDJSON names the rule and its page.
            around.rule = around.rule.take().or(rule.filter(|_| of == "code" || of == self.report.rule));
            around.file = around.file.take().or(file);
            around.message = around.message.take().or(message);
            (around.line, around.column) = (around.line.or(line), around.column.or(column));
        }
    }

    /// The finding of a linter.
    fn linted(&self, part: &ReportPart, at: LogRange) -> Option<Diagnostic> {
        let is_told = self.report.is_ruleless && part.severity.is_some();
        let of_list = || self.open.iter().rev().map(|part| &part.of).find(|of| !of.is_empty());
        let rule = match &part.rule {
            None if self.report.rule.is_empty() => of_list(),
            rule => rule.as_ref(),
        };
        let rule = rule.map(String::as_str).or_else(|| is_told.then_some(""))?;
        let usual = Some(self.report.severities.0).filter(|_| !self.report.counts_files);
        let severity = part.severity.or(usual)?;
        let detail = part.detail.as_ref().map_or_else(String::new, |detail| format!(" [{detail}]"));
        let mut message = format!("{}{detail}", part.message.as_ref()?);
        // stylelint says its rule once more at the end of its message.
        if let Some(shorter) =
            message.strip_suffix(&format!(" ({rule})")).filter(|_| self.report.counts_files)
        {
            message.truncate(shorter.len());
        }
        let found = Diagnostic::new(severity, message, at, self.report.id).coded(rule);
        let file = part.file.clone().or_else(|| self.file_around());
        (file.is_some() || self.report.listed.is_none()).then_some(())?;
        Some(match file {
            Some(file) => found.at(Location::at(file, part.line, part.column)),
            None => found,
        })
    }

    /// The failure of a test, or of a file of tests.
    fn failed(&self, part: &ReportPart, at: LogRange) -> Option<Diagnostic> {
        let names_end = !self.report.severity.is_empty();
        let message = part.message.as_ref().filter(|message| !message.trim().is_empty())?;
        let is_file = part.name.is_none() && names_end && !part.has_findings;
        let name = part.name.as_ref().or_else(|| part.file.as_ref().filter(|_| is_file))?;
        (part.severity.is_some() || !names_end).then_some(())?;
        let line = Line::new("", at, LinePart::Whole, &[]);
        let home = part.file.clone().map(|file| Location::at(file, part.line, None));
        let mut failure = TestFailure::new(name, &line).of(home);
        for text in message.lines().map(|text| plain(text.as_bytes())) {
            match frame::at(&text) {
                Some(frame) => failure.frame(frame, &line),
                None if is_file && text.trim_start().starts_with("● ") => {}
                None => failure.reason(if is_file { text.trim() } else { &text }, &line),
            }
        }
        Some(failure.finish(self.report.id))
    }

    /// The nearest file of the parts that are open.
    fn file_around(&self) -> Option<String> {
        let mut around = self.open.iter().rev();
        match self.report.file {
            ReportFile::Behind(_) => around.find_map(|part| part.file.clone()),
            ReportFile::IsKey => {
                around.map(|part| &part.of).find(|key| key.contains(['.', '/', '\\'])).cloned()
            }
        }
    }
}

/// The file that a text names: by its path, or as a URI with characters that are escaped.
fn file_of(text: &str) -> String {
    text.strip_prefix("file://").map_or_else(|| text.to_owned(), frame::unescaped)
}
