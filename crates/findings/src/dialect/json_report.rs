//! Reports of linters and of runners of tests as JSON, a format each: data, with one reader for all.
//!
//! A report begins with a key that no other text has. Each object with a message and a rule is a finding, and so is each test that
//! failed; the objects within it say more, as where it is. Its file may stand in an object around it. Every complete finding counts,
//! wherever the report is cut.

use super::failure::TestFailure;
use super::json::{Token, Tokens};
use super::{Dialect, Format, Line, LinePart, Next, PendingFindings, frame, plain};
use crate::model::{Diagnostic, Location, LogRange, Severity, severity};

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
    first: 1,
    tests: None,
    listed: None,
};
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
    ($($report:ident for $programs:expr),* $(,)?) => {
        pub(super) const REPORTS: &[Format] = &[$(Format {
            id: $report.id,
            triggers: $report.begins,
            programs: $programs,
            reader: || Box::new(ReportReader::of(&$report)),
        }),*];
    };
}

reports! {
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
        Self { report, tokens, open, begun: false, key, at_value: false }
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
        let report = self.report;
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
            part.severity = own.map(|(_, severity)| *severity).or_else(|| severity(&word));
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
        let is_complete = part.has_findings && (part.file.is_some() || self.report.tests.is_none());
        let mut findings: Vec<Diagnostic> = part.waiting.drain(..).chain(finding).collect();
        if let Some(file) = &part.file {
            let nowhere = findings.iter_mut().filter(|found| found.place.is_none());
            nowhere.for_each(|found| found.place = Some(Location::file(file.clone())));
        }
        let Some(around) = self.open.last_mut() else {
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
        let severity = part.severity.unwrap_or(self.report.severities.0);
        let detail = part.detail.as_ref().map_or_else(String::new, |detail| format!(" [{detail}]"));
        let message = format!("{}{detail}", part.message.as_ref()?);
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
    let Some(path) = text.strip_prefix("file://") else { return text.to_owned() };
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, behind @ ..] = rest {
        let escaped = behind.get(..2).filter(|_| *first == b'%');
        let escaped = escaped.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::dialect::trial::findings_of;

    /// As biome 2 prints it.
    #[test]
    fn biome() {
        let log = r#"The `json` and `json-pretty` reporters are experimental and may change in patch releases.
{"summary":{"changed":0,"errors":1},"diagnostics":[{"severity":"error","message":"Using == may be unsafe.","category":"lint/suspicious/noDoubleEquals","location":{"path":"bio/a b.ts","start":{"line":2,"column":7},"end":{"line":2,"column":9}},"advices":[]}],"command":"lint"}
"#;
        assert_eq!(
            findings_of("biome_json", log),
            ["error bio/a b.ts:2:7 lint/suspicious/noDoubleEquals Using == may be unsafe. [2-2]"]
        );
    }

    /// As ruff 0.17 prints it.
    #[test]
    fn rdjson() {
        let log = r#"{
  "diagnostics": [
    {
      "code": {
        "url": "https://docs.astral.sh/ruff/rules/unused-import",
        "value": "F401"
      },
      "location": { "path": "/w/a.py", "range": { "end": { "column": 10, "line": 1 }, "start": { "column": 8, "line": 1 } } },
      "message": "`os` imported but unused",
      "suggestions": [ { "range": { "end": { "column": 1, "line": 2 } }, "text": "" } ]
    }
  ],
  "severity": "WARNING",
  "source": { "name": "ruff", "url": "https://docs.astral.sh/ruff" }
}
"#;
        assert_eq!(findings_of("rdjson", log), ["error /w/a.py:1:8 F401 `os` imported but unused [3-11]"]);
    }

    /// As biome 2 prints it.
    #[test]
    fn a_message_before_the_key_that_begins_a_report() {
        let finding = r#"  {
    "description": "Using == may be \"unsafe\".",
    "check_name": "lint/suspicious/noDoubleEquals",
    "fingerprint": "13674275212190183729",
    "severity": "critical",
    "location": { "path": "bio/a.ts", "lines": { "begin": 2 } }
  }"#;
        let other = finding.replace("==", "!=");
        let expected = [
            "error bio/a.ts:2 lint/suspicious/noDoubleEquals Using == may be \"unsafe\". [4-8]",
            "error bio/a.ts:2 lint/suspicious/noDoubleEquals Using != may be \"unsafe\". [9-15]",
        ];
        assert_eq!(findings_of("gitlab", &format!("[\n{finding},\n{other}\n]\n")), expected);
    }

    #[test]
    fn ruff() {
        let finding = r#"{"cell": null, "code": "F401", "end_location": {"column": 9, "row": 2}, "filename": "/p/a b.py",
            "fix": {"edits": [{"content": "", "location": {"row": 7, "column": 7}}], "message": "Remove import", "applicability": "safe"},
            "location": {"column": 8, "row": 1}, "message": "`os` imported but unused", "noqa_row": 1, "severity": "error"}"#;
        let syntax = r#"{"cell":null,"code":null,"filename":"/p/c.py","location":{"column":1,"row":3},"message":"SyntaxError: x"}"#;
        let log = format!("warning: x\n[\n  {finding},\n  {syntax}\n]\nFound 2 errors.\n");
        assert_eq!(
            findings_of("ruff_json", &log),
            [
                "error /p/a b.py:1:8 F401 `os` imported but unused [3-5]",
                "error /p/c.py:3:1 SyntaxError: x [6-6]"
            ]
        );
        // A finding in each line, and one that is cut.
        let lines = format!("{syntax}\n{syntax}\n{}\nKilled\n", &syntax[..60]).replacen("c.py", "d.py", 1);
        assert_eq!(
            findings_of("ruff_json", &lines),
            ["error /p/d.py:3:1 SyntaxError: x [1-1]", "error /p/c.py:3:1 SyntaxError: x [2-2]"]
        );
    }

    #[test]
    fn files_with_their_findings() {
        let log = r#"{"metadata":{"rubocop_version":"1.39.0"},"files":[{"path":"lib/a.rb","offenses":[{"severity":"fatal","message":"unexpected token","cop_name":"Lint/Syntax","location":{"start_line":2,"start_column":1,"line":2,"column":1}}]},{"path":"b.rb","offenses":[]},{"path":"c.rb","offenses":[{"severity":"convention","message":"m","cop_name":"Style/X","location":{"line":1,"column":3}}]}],"summary":{"offense_count":2}}"#;
        assert_eq!(
            findings_of("rubocop_json", log),
            ["error lib/a.rb:2:1 Lint/Syntax unexpected token [1-1]", "warning c.rb:1:3 Style/X m [1-1]"]
        );
        let log = r#"{"totals":{"errors":1,"warnings":1,"fixable":0},"files":{"\/p\/a.php":{"errors":1,"warnings":0,"messages":[{"message":"No \"x\"","source":"PSR12.X","severity":5,"fixable":true,"type":"ERROR","line":1,"column":2}]},"\/p\/b.php":{"errors":0,"warnings":1,"messages":[{"message":"Long","source":"Line","severity":5,"fixable":false,"type":"WARNING","line":4,"column":130}]}}}"#;
        assert_eq!(
            findings_of("phpcs_json", log),
            ["error /p/a.php:1:2 PSR12.X No \"x\" [1-1]", "warning /p/b.php:4:130 Line Long [1-1]"]
        );
    }

    #[test]
    fn lists_of_findings() {
        let log = r#"[{"file":"b c.sh","line":3,"endLine":3,"column":6,"endColumn":6,"level":"error","code":1073,"message":"Couldn't parse.","fix":null},{"file":"a.sh","line":2,"endLine":2,"column":6,"level":"style","code":2086,"message":"Quote.","fix":{"replacements":[{"column":9,"line":9}]}}]"#;
        assert_eq!(
            findings_of("shellcheck_json", log),
            ["error b c.sh:3:6 1073 Couldn't parse. [1-1]", "info a.sh:2:6 2086 Quote. [1-1]"]
        );
        let log = "{\n  \"messages\": [\n    {\n      \"type\": \"error\",\n      \"symbol\": \"syntax-error\",\n      \"message\": \"Parsing failed\",\n      \
                   \"line\": 1,\n      \"column\": 0,\n      \"path\": \"a.py\"\n    },\n    {\n      \"type\": \"convention\",\n      \"symbol\": \"x\",\n      \
                   \"message\": \"m\",\n      \"line\": 2,\n      \"path\": \"a.py\"\n    }\n  ]\n}\nbye\n";
        assert_eq!(
            findings_of("pylint_json", log),
            ["error a.py:1 syntax-error Parsing failed [4-10]", "warning a.py:2 x m [11-17]"]
        );
        let log = r#"[{"check_name":"F401","description":"unused","severity":"major","fingerprint":"7","location":{"path":"a.py","positions":{"begin":{"line":1,"column":8},"end":{"line":2,"column":9}}}}]"#;
        assert_eq!(findings_of("gitlab", log), ["error a.py:1:8 F401 unused [1-1]"]);
    }

    #[test]
    fn sarif() {
        let log = r#"{"$schema":"x","runs":[{"results":[{"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///p/mit%20leer/a.py"},"region":{"endLine":1,"startColumn":2,"startLine":1}}}],"message":{"text":"Missing notice"},"ruleId":"CPY001"},{"message":{"text":"No place"},"ruleId":"X"}],"tool":{"driver":{"name":"ruff","rules":[{"id":"CPY001","shortDescription":{"text":"no"}}]}}}],"version":"2.1.0"}"#;
        assert_eq!(
            findings_of("sarif", log),
            ["error /p/mit leer/a.py:1:2 CPY001 Missing notice [1-1]", "warning X No place [1-1]"]
        );
    }

    /// As markdownlint-cli 0.45, pyright 1.1.414, bandit 1.9.4, and oxlint 1 print them.
    #[test]
    fn other_keys() {
        let log = r#"[
  { "fileName": "docs/a b.md", "lineNumber": 1, "ruleNames": ["MD034", "no-bare-urls"], "ruleDescription": "Bare URL used",
    "errorDetail": null, "errorRange": [6, 18], "fixInfo": { "lineNumber": 3 }, "severity": "error" },
  { "fileName": "b.md", "lineNumber": 2, "ruleNames": ["MD022"], "ruleDescription": "Blank lines",
    "errorDetail": "Expected: 1; Actual: 0", "errorRange": null, "fixInfo": null, "severity": "error" }
]
"#;
        assert_eq!(
            findings_of("markdownlint_json", log),
            [
                "error docs/a b.md:1:6 MD034 Bare URL used [2-3]",
                "error b.md:2 MD022 Blank lines [Expected: 1; Actual: 0] [4-5]"
            ]
        );
        let log = r#"{"version": "1", "generalDiagnostics": [
  {"file": "/p/a.py", "severity": "error", "message": "\"x\" is not defined",
   "range": {"start": {"line": 0, "character": 39}, "end": {"line": 0, "character": 45}}, "rule": "reportUndefinedVariable"},
  {"file": "/p/a.py", "severity": "error", "message": "Expected expression", "range": {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}}
], "summary": {"errorCount": 2}}
"#;
        assert_eq!(
            findings_of("pyright_json", log),
            [
                "error /p/a.py:1:40 reportUndefinedVariable \"x\" is not defined [2-3]",
                "error /p/a.py:3:1 Expected expression [4-4]"
            ]
        );
        let log = r#"{"errors": [], "generated_at": "2026-11-28T00:59:32Z", "metrics": {"_totals": {"loc": 77}}, "results": [
{"code": "1 import x", "col_offset": 0, "filename": "src/m.py", "issue_cwe": {"id": 78}, "issue_severity": "LOW",
 "issue_text": "Possible hardcoded password", "line_number": 18, "line_range": [18, 19], "test_id": "B105", "test_name": "blacklist"}
]}
"#;
        assert_eq!(
            findings_of("bandit_json", log),
            ["error src/m.py:18 B105 Possible hardcoded password [2-3]"]
        );
        let log = r#"{ "diagnostics": [{"message": "Unreachable code.","code": "eslint(no-unreachable)","severity": "warning","filename": "a b.mjs","labels": [{"span": {"offset": 158,"length": 6,"line": 4,"column": 38}}]},
{"message": "Unexpected token","severity": "error","filename": "c.mjs","labels": [{"span": {"offset": 1,"line": 4,"column": 1}}]}],
"number_of_files": 9 }
"#;
        assert_eq!(
            findings_of("oxlint_json", log),
            [
                "warning a b.mjs:4:38 eslint(no-unreachable) Unreachable code. [1-1]",
                "error c.mjs:4:1 Unexpected token [2-2]"
            ]
        );
    }

    /// As knip 5 prints it.
    #[test]
    fn lists_of_names() {
        let issues = r#""issues":[{"file":"package.json","owners":[{"name":"@team"}],"dependencies":[{"name":"lodash"}],"unlisted":[]},{"file":"a b.ts","dependencies":[],"exports":[{"name":"unused","line":2,"col":14,"pos":33}]}]}"#;
        let expected = [
            "error dead.ts Unused file [1-1]",
            "error package.json dependencies lodash [1-1]",
            "error a b.ts:2:14 exports unused [1-1]",
        ];
        assert_eq!(findings_of("knip_json", &format!("{{\"files\":[\"dead.ts\"],{issues}\n")), expected);
        assert_eq!(findings_of("knip_json", &format!("{{{issues}\n")), expected[1..]);
        assert_eq!(findings_of("knip_json", "{\"files\":[\"a.ts\"],\"include\":[{\"name\":3}]}\n"), [""; 0]);
    }

    /// As vitest 3, jest 29, mocha 11 and rspec 3.12 print them.
    #[test]
    fn tests_that_failed() {
        let failed = r#"{"ancestorTitles":["calc"],"fullName":"calc halves","status":"failed","title":"halves","failureMessages":["AssertionError: expected 2 to be 3\n    at /p/calc.test.ts:7:30\n    at file:///p/node_modules/a.js:1:2"],"meta":{}}"#;
        let nowhere = failed.replace("\\n    at /p/calc.test.ts:7:30", "").replace("halves", "fails");
        let passed = failed.replace("\"failed\"", "\"passed\"");
        let log = format!(
            r#"{{"numTotalTestSuites":3,"numFailedTestSuites":2,"testResults":[{{"assertionResults":[{failed},{nowhere},{passed}],"status":"failed","message":"x","name":"/p/calc.test.ts"}},{{"assertionResults":[],"message":"  ● Test suite failed to run\n\n    Cannot find module './gone'\n\n      at Object.<anonymous> (b.test.js:1:15)","name":"/p/b.test.js","status":"failed"}}]}}"#
        );
        assert_eq!(
            findings_of("jest_json", &log),
            [
                "error /p/calc.test.ts:7:30 calc halves\nAssertionError: expected 2 to be 3 [1-1]",
                "error /p/calc.test.ts calc fails\nAssertionError: expected 2 to be 3 [1-1]",
                "error b.test.js:1:15 /p/b.test.js\nCannot find module './gone' [1-1]"
            ]
        );
        let cut = format!(
            "{{\"numFailedTestSuites\":2,\"testResults\":[{{\"assertionResults\":[{nowhere},\nKilled\n"
        );
        assert_eq!(
            findings_of("jest_json", &cut),
            ["error calc fails\nAssertionError: expected 2 to be 3 [1-1]"]
        );
        let test = r#"{"title":"is x","fullTitle":"it is x","file":"/p/a.spec.js","err":{"message":"x","stack":"Error: x\n    at Context.<anonymous> (a.spec.js:7:28)","name":"Error"}}"#;
        let log = format!(
            "{{\n  \"stats\": {{ \"failures\": 1 }},\n  \"tests\": [{test}], \"failures\": [{test}],\n  \"passes\": [{}]\n}}",
            test.replace("\"message\"", "\"x\"")
        );
        assert_eq!(findings_of("mocha_json", &log), ["error a.spec.js:7:28 it is x\nError: x [3-3]"]);
        let log = r#"{"version":"3.12.0","examples":[{"id":"./a_spec.rb[1:2]","description":"reads","full_description":"Calc reads","status":"failed","file_path":"./a_spec.rb","line_number":17,"exception":{"class":"Errno::ENOENT","message":"No such file","backtrace":["/p/calc.rb:5:in `read'"]}},{"full_description":"Calc prints","status":"passed","file_path":"./a_spec.rb","line_number":20,"pending_message":null}],"summary_line":"2 examples, 1 failure"}"#;
        assert_eq!(findings_of("rspec_json", log), ["error ./a_spec.rb:17 Calc reads\nNo such file [1-1]"]);
    }

    #[test]
    fn the_largest_number_is_no_line() {
        let log = r#"{"generalDiagnostics": [{"file": "/p/a.py", "severity": "error", "message": "m", "range": {"start": {"line": 18446744073709551615, "character": 99999999999999999999}}}]}"#;
        assert_eq!(findings_of("pyright_json", log), ["error /p/a.py m [1-1]"]);
        let log = log.replace("18446744073709551615", "0").replace("99999999999999999999", "-1");
        assert_eq!(findings_of("pyright_json", &log), ["error /p/a.py:1 m [1-1]"]);
    }

    #[test]
    fn other_json_is_none() {
        for log in [
            r#"{"type": "error", "message": "nothing here is a rule", "line": 3}"#,
            "\"runs\": 3 of 4\n[{\"file\":",
            "\"cell\":\n\n\nall is well\n",
        ] {
            for id in ["ruff_json", "shellcheck_json", "pylint_json", "sarif", "knip_json", "jest_json"] {
                assert_eq!(findings_of(id, log), [""; 0], "{log}");
            }
        }
    }
}
