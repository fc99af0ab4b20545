//! A failing test of a run: its line, and the lines indented below it.

use serde_json::Value;

use crate::dialect::Line;
use crate::dialect::failure::TestFailure;
use crate::dialect::frame::{self, Frame};
use crate::dialect::place;
use crate::model::{Diagnostic, Location, Severity, severity};

/// The most lines below one failing test: they contain the compared values.
const LONGEST: usize = 20_000;

/// The id of the format.
pub(super) const ID: &str = "tap";
/// The most findings of a linter in one file.
const MOST_LISTED: usize = 1000;

/// One that is not ok.
#[derive(Debug)]
pub(super) struct TapFailure {
    pub(super) failure: TestFailure,
    pub(super) indent: usize,
    lines: usize,
    /// A quoted value goes on, whose lines may have any indent.
    pub(super) is_quoted: bool,
    /// Why it is one.
    pub(super) proof: TapProof,
    /// It failed because others did that are here already.
    pub(super) by_others: bool,
    yaml: Option<TapKey>,
    /// How far its keys are indented; tape does it deeper than others.
    keys: usize,
    /// The first line of the reason.
    first: String,
    /// The class of the error.
    class: String,
    expected: String,
    actual: String,
    /// The keys are those of an error that was compared, which node indents no further.
    compared: bool,
    at: Option<Location>,
    /// The last key of its description: a linter's rule.
    rule: String,
    /// A linter's findings in the file that has failed.
    pub(super) listed: Vec<Diagnostic>,
}

/// Why a line is one of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TapProof {
    /// Nothing but its name is known.
    Name,
    /// Lines are indented below it, in a form that is no coincidence.
    Lines,
    /// Perl's comments tell of it, which are its only lines.
    Comment,
}

/// The key that indented lines belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TapKey {
    Error,
    Stack,
    /// The place, in parts or folded over several lines.
    At,
    Other,
}

impl TapFailure {
    pub(super) fn new(failure: TestFailure, indent: usize, by_others: bool) -> Self {
        let (first, class, expected, actual) = Default::default();
        Self {
            failure,
            indent,
            lines: 0,
            is_quoted: false,
            proof: TapProof::Name,
            by_others,
            yaml: None,
            keys: 0,
            first,
            class,
            expected,
            actual,
            compared: false,
            at: None,
            rule: String::new(),
            listed: Vec::new(),
        }
    }

    /// Nothing is known but its name.
    pub(super) fn is_bare(&self) -> bool {
        self.yaml.is_none() && self.proof != TapProof::Lines
    }

    /// Whether a line belongs to it.
    pub(super) fn read(&mut self, line: &Line<'_>, text: &str, indent: usize) -> bool {
        if self.is_quoted {
            self.is_quoted = !text.trim_end().ends_with('"');
            self.lines += 1;
            return self.lines <= LONGEST;
        }
        if text.trim_end().is_empty() {
            return self.lines > 0 || self.yaml.is_some();
        }
        self.lines += 1;
        if indent <= self.indent || self.lines > LONGEST {
            return false;
        }
        let own = line.text.get(self.indent + 2..).unwrap_or(text);
        let is_json = self.yaml.is_some() && self.keys == 0 && text.starts_with("{\"");
        if is_json && self.json(text, line) {
            return true;
        }
        match self.yaml {
            None if self.proof == TapProof::Comment => return false,
            None if text == "---" => (self.yaml, self.proof) = (Some(TapKey::Other), TapProof::Lines),
            None => self.prose(own, line),
            // A compared value may contain such a line as well.
            Some(_) if text == "..." && (self.keys == 0 || indent <= self.keys) => {
                self.failure.within(line);
                return false;
            }
            Some(_) if self.keys == 0 || indent <= self.keys => {
                self.keys = indent;
                self.key(text, line);
            }
            // Vitest names the parts of an error.
            Some(TapKey::Error) if text.starts_with("name: \"") => self.class = scalar(&text[5..]),
            Some(TapKey::Error) if text.starts_with("message: \"") => {
                self.is_quoted = goes_on(&text[8..]);
                self.error(scalar(&text[8..]).trim_start_matches('"'), line);
            }
            Some(TapKey::Error) => self.error(line.text.get(self.keys + 2..).unwrap_or(text), line),
            Some(TapKey::Stack) => {
                if let Some(frame) = frame::at(text).or_else(|| frame::bare(text)) {
                    self.failure.frame(frame, line);
                }
            }
            Some(TapKey::At) => self.place(text),
            Some(TapKey::Other) => self.list(text, line),
        }
        true
    }

    /// A comment below a test that has no description: a place, or a line of the reason.
    pub(super) fn comment(&mut self, text: &str, line: &Line<'_>) {
        match told_place(text) {
            Some(place) => {
                self.failure.within(line);
                self.at.get_or_insert(place);
            }
            None => self.failure.reason(text, line),
        }
    }

    /// `fileName: a.js`, `lineNumber: 4`, `columnNumber: 25`, or a frame of the stack.
    fn place(&mut self, text: &str) {
        let (key, value) = text.split_once(": ").unwrap_or((text, ""));
        match (key, &mut self.at) {
            ("fileName", _) => {
                self.at = Some(Location::file(scalar(value))).filter(|at| frame::is_own(&at.file));
            }
            ("lineNumber", Some(at)) => at.line = value.trim().parse().ok(),
            ("columnNumber", Some(at)) => at.column = value.trim().parse().ok(),
            (_, at @ None) => *at = frame::bare(text).and_then(Frame::own),
            _ => {}
        }
    }

    /// `- message: "Empty block (block-no-empty)"`, and its severity, line and column below.
    fn list(&mut self, text: &str, line: &Line<'_>) {
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        let value = scalar(value);
        if key == "- message" && self.listed.len() < MOST_LISTED {
            let message = value.strip_suffix(&*format!(" ({})", self.rule)).unwrap_or(&value);
            let found = Diagnostic::new(Severity::Error, message.replace("\\\"", "\""), line.log, ID);
            // Eslint names the rule below.
            let rule = if self.rule == "messages" { "" } else { &self.rule };
            self.listed.push(found.coded(rule).at(Location::file(self.failure.name())));
        }
        let Some(Diagnostic { severity: known, code, place: Some(place), log, message, .. }) =
            self.listed.last_mut()
        else {
            return;
        };
        match key {
            // A block of several lines.
            _ if message.is_empty() && key != "- message" => text.clone_into(message),
            "severity" => *known = severity(&value).unwrap_or(*known),
            "line" => place.line = value.parse().ok(),
            "column" => place.column = value.parse().ok(),
            "ruleId" => *code = Some(value).filter(|rule| !rule.is_empty()),
            _ => return,
        }
        *log = log.to(line.log);
    }

    /// All of a description in JSON, as deno writes it: the message has the stack, and above that a line of source.
    fn json(&mut self, text: &str, line: &Line<'_>) -> bool {
        let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
        let message: Vec<&str> = value["message"].as_str().unwrap_or_default().lines().collect();
        let marks = message.iter().position(|part| part.trim_start().starts_with('^'));
        for (at, part) in message.iter().enumerate() {
            if let Some(frame) = frame::at(part) {
                self.failure.frame(frame, line);
            } else if marks.is_none_or(|marks| at + 1 < marks) {
                self.failure.reason(part, line);
            }
        }
        let at = &value["at"];
        let number = at["line"].as_u64().and_then(|number| usize::try_from(number).ok());
        self.at = at["file"].as_str().map(|file| Location::at(file, number, None));
        true
    }

    /// Mocha writes the message and then the stack, which begins with the message.
    fn prose(&mut self, text: &str, line: &Line<'_>) {
        self.proof = TapProof::Lines;
        if let Some(frame) = frame::at(text) {
            self.failure.frame(frame, line);
        } else if self.first.is_empty() {
            self.error(text, line);
        } else if text.ends_with(&self.first) && !text.starts_with(&self.first) {
            self.failure.stop();
        } else {
            self.failure.reason(text, line);
        }
    }

    fn error(&mut self, text: &str, line: &Line<'_>) {
        if self.first.is_empty() {
            text.trim_end().clone_into(&mut self.first);
        }
        self.failure.reason(text, line);
    }

    /// `error: 'no tide'`, or the beginning of a block.
    fn key(&mut self, text: &str, line: &Line<'_>) {
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        let value = scalar(value);
        // A second error is the one that was expected, or that came.
        self.compared = key != "operator" && (self.compared || key == "error" && !self.first.is_empty());
        self.yaml = Some(match key {
            _ if self.compared => TapKey::Other,
            "error" | "message" => TapKey::Error,
            "stack" => TapKey::Stack,
            "at" if value.is_empty() => TapKey::At,
            _ => TapKey::Other,
        });
        self.is_quoted = goes_on(text.split_once(':').unwrap_or_default().1);
        key.clone_into(&mut self.rule);
        match key {
            _ if self.compared => {}
            "error" | "message" if !value.is_empty() => self.error(&value, line),
            "failureType" => self.by_others = value == "subtestsFailed",
            "name" => self.class = value,
            // The first of eslint's findings stands alone.
            "severity" if !self.first.is_empty() && self.listed.is_empty() => {
                let first = severity(&value).map(|known| {
                    Diagnostic::new(known, &*self.first, line.log, ID).at(Location::file(self.failure.name()))
                });
                self.listed.extend(first);
            }
            "expected" => self.expected = value,
            "actual" => self.actual = value,
            "location" | "at" => self.at = frame::bare(&value).and_then(Frame::own),
            _ => {}
        }
    }

    pub(super) fn finish(mut self) -> TestFailure {
        // Node prints the class of every error, and `AssertionError` adds nothing.
        if !self.class.is_empty() && self.class != "AssertionError" {
            self.failure.lead(&self.class);
        }
        if !self.expected.is_empty() && !self.actual.is_empty() {
            self.failure.say(&format!("expected: {}", self.expected));
            self.failure.say(&format!("actual: {}", self.actual));
        }
        // Vitest begins the names with the file.
        let file = self.failure.name().split_once(" > ").map(|(file, _)| file);
        let file = file.filter(|file| place::is_script(file)).map(Location::file);
        self.failure.of(self.at.or(file))
    }
}

/// `(in test file a.bats, line 5)`, `at t/a.t line 2.`
fn told_place(text: &str) -> Option<Location> {
    let text = text.trim();
    let (file, number) = match text.strip_suffix(')') {
        Some(text) => text.rsplit_once("in test file ")?.1.rsplit_once(", line ")?,
        None => text.strip_prefix("at ")?.strip_suffix('.')?.rsplit_once(" line ")?,
    };
    Some(Location::at(file, number.parse::<usize>().ok(), None))
}

/// Whether a quoted value has not ended.
fn goes_on(value: &str) -> bool {
    let inner = value.trim().strip_prefix('"');
    inner.is_some_and(|inner| !inner.ends_with('"'))
}

/// A value of one line; empty where it is a block.
fn scalar(text: &str) -> String {
    let text = text.trim();
    let quoted = ['\'', '"']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote).and_then(|text| text.strip_suffix(*quote)));
    match quoted {
        Some(text) => text.replace("\\\\", "\\").replace("''", "'"),
        None if text.starts_with(['|', '>', '~']) => String::new(),
        None => text.to_owned(),
    }
}
