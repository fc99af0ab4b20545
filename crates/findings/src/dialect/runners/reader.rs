//! Reads the report of any runner by its row.

use regex::{Captures, Regex};

use super::counts::RunnerCounts;
use super::shape::Shape;
use crate::dialect::failure::TestFailure;
use crate::dialect::frame::{self, Frame};
use crate::dialect::{Dialect, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity};

/// The longest text that an expression is tried on, in bytes.
const LONGEST: usize = 4096;
/// The most lines of one failure, or between a list's beginning and its first failure.
const MOST_LINES: usize = 400;
/// How many failing tests are remembered by their names.
const MOST_NAMES: usize = 1000;

/// Reads the report of one stream.
#[derive(Debug)]
pub(super) struct Tests {
    shape: &'static Shape,
    counts: RunnerCounts,
    /// In a list of failures.
    listing: bool,
    /// The failure that is read.
    open: Option<Open>,
    /// A head was read, and its title is due.
    titled: bool,
    /// Lines since the last head.
    lines: usize,
    /// The tests that a list names and whose details have not come.
    listed: Vec<Diagnostic>,
    /// The names of failures that were reported.
    reported: Vec<String>,
}

/// A failure while its lines come.
#[derive(Debug)]
struct Open {
    failure: TestFailure,
    /// The folder of its Java package.
    folder: String,
    /// The place of the test itself.
    home: Option<Location>,
    has_place: bool,
    is_proven: bool,
}

impl Tests {
    pub(super) fn of(shape: &'static Shape) -> Self {
        Self {
            shape,
            counts: RunnerCounts::default(),
            listing: false,
            open: None,
            titled: false,
            lines: 0,
            listed: Vec::new(),
            reported: Vec::new(),
        }
    }

    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = &line.text[..line.text.floor_char_boundary(LONGEST)];
        let shape = self.shape;
        let (is_count, tests) = self.counts.read(shape, text);
        if is_count {
            // A suite that failed has its count instead of a reason.
            self.open = self.open.take().filter(|open| open.failure.has_reason() || open.has_place);
            self.close(found);
            self.listing = false;
            found.tests.extend(tests);
            return;
        }
        self.counts.result(shape, text);
        if let Some(groups) = captures(shape.listed.as_ref(), text) {
            self.list(line, &groups);
            return;
        }
        if matches(shape.begins.as_ref(), text) {
            self.close(found);
            (self.listing, self.lines) = (true, 0);
        }
        if self.is_head(line, text, found) {
            return;
        }
        self.lines += 1;
        if matches(shape.ends.as_ref(), text) || self.lines > MOST_LINES {
            self.close(found);
            self.listing = false;
        } else if let Some(open) = &mut self.open {
            open.line(shape, line, text);
        }
    }

    /// Begins a failure where the line is the head of one, or its title.
    fn is_head(&mut self, line: &Line<'_>, text: &str, found: &mut PendingFindings) -> bool {
        let shape = self.shape;
        if std::mem::take(&mut self.titled)
            && let Some(groups) = captures(shape.title.as_ref(), text)
        {
            self.begin(Open::of(&groups, line, shape));
            return true;
        }
        let listed_as =
            |fits: &dyn Fn(&str) -> bool| self.listed.iter().position(|listed| fits(&listed.message));
        let name = text.trim();
        // AVA lists a test with the message of its assertion, and titles it behind a blank line.
        let begins = |listed: &str| listed.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
        let listed = listed_as(&|listed| listed == name)
            .or_else(|| line.before().trim().is_empty().then(|| listed_as(&begins)).flatten());
        if let Some(at) = listed {
            self.close(found);
            let name = self.listed.remove(at).message;
            self.begin(Open::named(&name, line, shape));
            return true;
        }
        if !self.listing && shape.begins.is_some() {
            return false;
        }
        let Some(groups) = captures(shape.head.as_ref(), text) else { return false };
        self.close(found);
        if groups.name("name").is_some() {
            self.begin(Open::of(&groups, line, shape));
        } else {
            (self.titled, self.lines) = (true, 0);
        }
        true
    }

    fn begin(&mut self, open: Open) {
        (self.open, self.lines) = (Some(open), 0);
    }

    /// Remembers a test that failed until its details come.
    fn list(&mut self, line: &Line<'_>, groups: &Captures<'_>) {
        let name = groups.name("name").map_or("", |name| name.as_str().trim());
        let is_known = |named: &String| named == name;
        if self.listed.len() < MOST_NAMES && !name.is_empty() && !self.reported.iter().any(is_known) {
            let failed = Diagnostic::new(Severity::Error, name, line.log, self.shape.runner.id);
            self.listed.push(match place_of(groups) {
                Some(place) => failed.at(place),
                None => failed,
            });
        }
    }

    /// The failure is complete.
    fn close(&mut self, found: &mut PendingFindings) {
        let Some(open) = self.open.take().filter(|open| open.is_proven) else { return };
        let name = open.failure.name().to_owned();
        self.listed.retain(|listed| listed.message != name);
        if self.reported.len() < MOST_NAMES {
            self.reported.push(name);
        }
        found.diagnostics.push(open.failure.of(open.home).finish(self.shape.runner.id));
    }
}

impl Dialect for Tests {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.line(line, found);
        }
        let is_open = self.open.is_some() || self.titled || self.listing || self.counts.is_open();
        if is_open || !self.listed.is_empty() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
        found.diagnostics.append(&mut self.listed);
        found.tests.extend(self.counts.end());
    }
}

impl Open {
    fn named(name: &str, line: &Line<'_>, shape: &Shape) -> Self {
        Self {
            failure: TestFailure::new(name, line),
            folder: String::new(),
            home: None,
            has_place: false,
            is_proven: shape.proof.is_none(),
        }
    }

    fn of(groups: &Captures<'_>, line: &Line<'_>, shape: &Shape) -> Self {
        let group = |name: &str| groups.name(name).map_or("", |group| group.as_str().trim());
        let open = Self::named(group("name"), line, shape);
        let folder = match group("package") {
            "" => String::new(),
            package => format!("{}/", package.replace('.', "/")),
        };
        let mut failure = open.failure;
        failure.reason(group("reason"), line);
        Self { failure, folder, home: place_of(groups), ..open }
    }

    /// A line below the head.
    fn line(&mut self, shape: &Shape, line: &Line<'_>, text: &str) {
        self.is_proven |= matches(shape.proof.as_ref(), text);
        if matches(shape.idle.as_ref(), text) {
            return;
        }
        let Some(groups) = captures(shape.place.as_ref(), text) else {
            self.failure.reason(text.trim(), line);
            return;
        };
        if let Some(reason) = groups.name("reason") {
            self.failure.reason(reason.as_str().trim(), line);
        }
        if let Some(home) = groups.name("home") {
            self.home = place::whole(home.as_str());
            return;
        }
        let own = place_of(&groups).filter(|place| !self.has_place && frame::is_own(&place.file));
        if let Some(place) = own {
            let is_bare = !place.file.contains('/');
            let file = if is_bare { format!("{}{}", self.folder, place.file) } else { place.file };
            self.failure.frame(Frame::Own(Location { file, ..place }), line);
            self.has_place = true;
        }
    }
}

/// The place that the groups `file`, `line` and `column` name.
fn place_of(groups: &Captures<'_>) -> Option<Location> {
    let number = |name: &str| groups.name(name)?.as_str().parse::<usize>().ok();
    let file = groups.name("file")?;
    let before = groups.get(0).map_or("", |all| &all.as_str()[..file.start() - all.start()]);
    let file = match file.as_str().trim() {
        file if before.ends_with("file://") => frame::path(file),
        file => file.to_owned(),
    };
    (!file.is_empty()).then(|| Location::at(file, number("line"), number("column")))
}

fn captures<'t>(expression: Option<&Regex>, text: &'t str) -> Option<Captures<'t>> {
    expression?.captures(text)
}

fn matches(expression: Option<&Regex>, text: &str) -> bool {
    expression.is_some_and(|expression| expression.is_match(text))
}
