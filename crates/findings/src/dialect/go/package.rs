//! The test output of one package, up to the line with its result.

use super::super::{Line, PendingFindings, place};
use super::goroutine::{Progress, Trace};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// The id of the format that reads packages.
pub(super) const ID: &str = "go_test";

/// The most tests that are held until their package is named, and the most without a result.
const MOST_HELD: usize = 64;
/// How many lines a test is listened to.
const LONGEST: usize = 10_000;
/// The most lines of one test that a message contains.
const MOST_TOLD: usize = 12;
/// The file of Go's own that says of a test that it has raced, which is none of the package.
const OWN: &str = "testing.go";

/// The tests of a package.
#[derive(Debug, Default)]
pub(super) struct GoPackage {
    /// Tests that logged lines before they failed, as with `-v`.
    early: Vec<GoTestLog>,
    /// The test whose lines follow, as with `-v`.
    current: Option<String>,
    /// Failed tests and their subtests; more of their lines may follow.
    open: Vec<GoTestLog>,
    /// Those that are complete.
    held: Vec<Diagnostic>,
    panic: Option<Trace>,
    /// Some were found to fail before.
    failed: bool,
    /// Lines since the last result of a test.
    lines: usize,
}

/// A test, and its log lines.
#[derive(Debug, Default)]
struct GoTestLog {
    name: String,
    /// How far in its head stands.
    indent: usize,
    log: Option<LogRange>,
    place: Option<Location>,
    said: Vec<String>,
    /// The indent of its last logged line.
    speaks: Option<usize>,
    /// Its head says that it failed.
    failed: bool,
    /// One within it failed.
    within: bool,
}

impl GoPackage {
    /// Whether the next line matters with any content.
    pub(super) fn listens(&self) -> bool {
        let speaks = self.early.last().is_some_and(|test| test.speaks.is_some());
        self.panic.is_some() || !self.open.is_empty() || speaks
    }

    /// Sets the test whose lines follow.
    pub(super) fn current(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.current = Some(name.to_owned());
        }
    }

    pub(super) fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        self.lines += 1;
        if line.text.starts_with("ok  \t") {
            *self = Self::default();
            return;
        }
        if let Some(panic) = &mut self.panic {
            match panic.read(line) {
                Progress::More => return,
                Progress::Done => self.panicked(),
                Progress::Never => self.panic = None,
            }
        }
        if self.lines > LONGEST {
            self.close(0);
        }
        let inner = line.text.trim_start_matches(' ');
        let indent = line.text.len() - inner.len();
        if let Some(name) = line.text.strip_prefix("=== ") {
            self.close(0);
            self.current = name.split_once(' ').map(|(_, name)| name.trim().to_owned());
        } else if let Some((how, name)) = ended(inner) {
            self.ended(line, indent, how, name);
        } else if let Some(rest) = line.text.strip_prefix("FAIL\t") {
            self.sum_up(line, rest, found);
        } else if let Some(panic) = Trace::begin(line, ID) {
            self.panic = Some(panic);
        } else {
            self.said(line, indent, inner);
        }
        self.overflow(found);
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, found: &mut PendingFindings) {
        if self.panic.as_ref().is_some_and(Trace::is_one) {
            self.panicked();
        }
        self.close(0);
        found.diagnostics.append(&mut self.held);
    }

    /// `--- FAIL: TestHigh (0.00s)`, and how others ended.
    fn ended(&mut self, line: &Line<'_>, indent: usize, how: &str, name: &str) {
        self.close(indent);
        self.lines = 0;
        let early = self.early.iter().position(|test| test.name == name).map(|at| self.early.remove(at));
        let mut test = early.unwrap_or_default();
        test.failed = how == "FAIL";
        if test.failed && test.name.is_empty() {
            name.clone_into(&mut test.name);
        }
        test.indent = indent;
        test.speaks = None;
        test.log = Some(test.log.map_or(line.log, |log| log.to(line.log)));
        if let Some(around) = self.open.last_mut() {
            around.within |= test.failed;
        }
        self.open.push(test);
    }

    /// Closes the tests at this depth and further in.
    fn close(&mut self, indent: usize) {
        while let Some(test) = self.open.pop_if(|test| test.indent >= indent) {
            self.held.extend(test.finding());
        }
    }

    /// A line that a test says: `    tide_test.go:7: High() = 3, want 4`, or more of it, further in.
    fn said(&mut self, line: &Line<'_>, indent: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let logged = (indent >= 4).then(|| place::with_colons(text)).flatten().filter(|(place, _)| {
            place::ends_in(&place.file, "go") && place.column.is_none() && is_name(&place.file)
        });
        if self.open.is_empty() {
            let Some(name) = self.current.clone() else { return };
            let at = self.early.iter().position(|test| test.name == name);
            match (at, logged) {
                (Some(at), logged) => {
                    // The last one is the test that is logging.
                    let mut speaker = self.early.remove(at);
                    speaker.hear(line, indent, text, logged);
                    self.early.push(speaker);
                }
                (None, Some(logged)) => {
                    if self.early.len() == MOST_HELD {
                        self.early.remove(0);
                    }
                    let mut speaker = GoTestLog { name, ..GoTestLog::default() };
                    speaker.hear(line, indent, text, Some(logged));
                    self.early.push(speaker);
                }
                (None, None) => {}
            }
            return;
        }
        if logged.is_some() {
            self.close(indent);
        }
        if let Some(test) = self.open.last_mut() {
            let example = test.name.starts_with("Example") && test.indent == 0 && line.text != "FAIL";
            if example && logged.is_none() {
                test.tell(line, text);
            } else {
                test.hear(line, indent, text, logged);
            }
        }
    }

    /// The panic belongs to the test that failed by it; where none is named, to those that ran.
    fn panicked(&mut self) {
        let Some(panic) = self.panic.take() else { return };
        let running = panic.tests.last().cloned().or_else(|| self.current.take());
        if let Some(test) = self.open.last_mut().filter(|test| test.failed) {
            test.said.push(panic.found.message);
            test.place = panic.found.place.or(test.place.take());
            test.log = Some(test.log.map_or(panic.found.log, |log| log.to(panic.found.log)));
            // Those around failed because of it.
            let inner = self.open.pop();
            self.held.extend(inner.and_then(GoTestLog::finding));
        } else if let Some(name) = running {
            let message = format!("{name}\n{}", panic.found.message);
            self.held.push(Diagnostic { message, ..panic.found });
        } else {
            self.held.push(panic.found);
        }
    }

    /// `FAIL⇥example.org/tides⇥0.007s`: the files of its tests lie in the folder of the package.
    fn sum_up(&mut self, line: &Line<'_>, rest: &str, found: &mut PendingFindings) {
        self.close(0);
        let package = rest.split(['\t', ' ']).next().unwrap_or_default();
        let folder = folder(package);
        for mut test in self.held.drain(..) {
            if let Some(place) = test.place.as_mut().filter(|place| !place.file.contains('/')) {
                place.file = format!("{folder}{}", place.file);
            }
            self.failed = true;
            found.diagnostics.push(test);
        }
        // The compiler reports a package that did not build.
        let built = !rest.ends_with(" failed]");
        if built && !self.failed && !package.is_empty() {
            let mut failure = Diagnostic::new(Severity::Error, package, line.log, ID);
            let before = line.before();
            if !before.is_empty() && !matches!(&*before, "FAIL" | "PASS") && !before.starts_with('{') {
                failure.extend(before.trim(), line.log);
            }
            found.diagnostics.push(failure);
        }
        *self = Self::default();
    }

    fn overflow(&mut self, found: &mut PendingFindings) {
        if self.held.len() > MOST_HELD {
            self.failed = true;
            found.diagnostics.append(&mut self.held);
        }
    }
}

impl GoTestLog {
    /// A line that the test logged, or that goes on from one.
    fn hear(&mut self, line: &Line<'_>, indent: usize, text: &str, logged: Option<(Location, &str)>) {
        if let Some((place, text)) = logged {
            self.speaks = Some(indent);
            if place.file == OWN {
                self.tell(line, text);
            } else if self.place.is_none() {
                self.place = Some(place);
                self.tell(line, text);
            } else {
                // Ordinary logs look like failures here. So the message contains all of them, with their
                // places.
                self.tell(line, &format!("{place}: {text}"));
            }
        } else if self.speaks.is_some_and(|speaks| indent >= speaks + 4 || text.starts_with('\t')) {
            self.tell(line, text.trim());
        } else {
            self.speaks = None;
        }
    }

    fn tell(&mut self, line: &Line<'_>, text: &str) {
        self.log = Some(self.log.map_or(line.log, |log| log.to(line.log)));
        if self.said.len() < MOST_TOLD && !text.is_empty() {
            self.said.push(text.to_owned());
        }
    }

    /// The finding, where it failed itself and not because of one within it.
    fn finding(self) -> Option<Diagnostic> {
        if !self.failed || (self.within && self.said.is_empty()) {
            return None;
        }
        let mut found = Diagnostic::new(Severity::Error, self.name, self.log?, ID);
        for text in &self.said {
            found.extend(text, found.log);
        }
        Some(Diagnostic { place: self.place, ..found })
    }
}

/// Whether a text is a file's name and no sentence: with blanks, only one in a folder.
fn is_name(file: &str) -> bool {
    file.contains('/') || !file.contains(char::is_whitespace)
}

/// `--- FAIL: TestHigh (0.00s)`: how it ended, and the name.
fn ended(text: &str) -> Option<(&str, &str)> {
    let (how, rest) = text.strip_prefix("--- ")?.split_once(": ")?;
    let (name, time) = rest.rsplit_once(" (")?;
    let timed = time.strip_suffix("s)").is_some_and(|time| time.starts_with(|c: char| c.is_ascii_digit()));
    let named = !name.is_empty() && !name.contains(' ');
    (timed && named && matches!(how, "FAIL" | "PASS" | "SKIP")).then_some((how, name))
}

/// The folder of a package within its module. A module's name is mostly its host, owner and name,
/// `github.com/a/b`, or its host and name.
fn folder(package: &str) -> String {
    let parts: Vec<&str> = package.split('/').collect();
    let host = parts.first().copied().unwrap_or_default();
    let owned = host.starts_with("git") || matches!(host, "bitbucket.org" | "codeberg.org" | "golang.org");
    let mut module = if owned { 3 } else { 1 + usize::from(host.contains('.')) };
    let is_version =
        |part: &&&str| part.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok());
    module += usize::from(parts.get(module).as_ref().is_some_and(is_version));
    let inner = parts.get(module..).unwrap_or_default().join("/");
    if inner.is_empty() { inner } else { inner + "/" }
}
