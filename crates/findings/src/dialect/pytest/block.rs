//! pytest's output about one failed test, or about one file that it could not read.

use super::explanation::Explanation;
use super::shapes::ruled;
use crate::dialect::cause::CauseChain;
use crate::dialect::traceback::{self, Traceback};
use crate::dialect::{Line, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// The longest block, in lines; the short summary has the rest.
const LONGEST: usize = 20_000;
/// The longest reason of one line, in bytes.
const LONGEST_REASON: usize = 1000;

/// A block while it is read.
#[derive(Debug)]
pub(super) struct PytestBlock {
    /// The test; empty where only its reason is printed.
    name: String,
    /// The file that could not be read.
    file: Option<String>,
    reason: Explanation,
    /// The first line of a block without a reason, or the last one if only reasons are printed.
    first: Option<String>,
    /// The deepest frame in the user's own code.
    place: Option<Location>,
    /// The earlier exceptions that the last one names as causes.
    causes: CauseChain,
    /// A native traceback within.
    native: Traceback,
    /// The reason is below the place of a syntax error.
    syntax: bool,
    /// The next lines are output of the test.
    captured: bool,
    log: LogRange,
    last: LogRange,
    lines: usize,
}

impl PytestBlock {
    /// A block below this title.
    pub(super) fn new(title: &str, log: LogRange) -> Self {
        let file = title.strip_prefix("ERROR collecting ").map(str::to_owned);
        let name = if let Some(name) = title.strip_prefix("ERROR at teardown of ") {
            // The test itself may have failed as well.
            format!("{name} (teardown)")
        } else {
            file.as_deref().or(title.strip_prefix("ERROR at setup of ")).unwrap_or(title).to_owned()
        };
        Self {
            name,
            file,
            reason: Explanation::default(),
            first: None,
            place: None,
            causes: CauseChain::default(),
            native: Traceback::default(),
            syntax: false,
            captured: false,
            log,
            last: log,
            lines: 0,
        }
    }

    /// Whether a file could not be read.
    pub(super) fn is_broken(&self) -> bool {
        self.file.is_some()
    }

    /// Whether only its reason is printed.
    pub(super) fn is_nameless(&self) -> bool {
        self.name.is_empty()
    }

    /// Reads a line, and says whether the block may go on.
    pub(super) fn read(&mut self, line: &Line<'_>) -> bool {
        self.last = line.log;
        self.lines += 1;
        if line.begins() && !self.captured {
            if ruled(line.text, '-').is_some() {
                self.captured = true;
            } else if self.tell(line.text, line.log.start_line) {
                self.log = self.log.to(line.log);
            }
        }
        self.lines < LONGEST
    }

    /// `/a.py:3: reason`: the last line where only reasons are printed.
    pub(super) fn ends_with(&mut self, line: &Line<'_>) -> bool {
        let Some((place, rest)) = place::with_colons(line.text).filter(|_| line.begins()) else {
            return false;
        };
        let absolute = place.file.starts_with('/') || place.file.get(1..3) == Some(":\\");
        let known = self.reason.first();
        let fits = known.map_or(!self.captured, |known| !rest.is_empty() && rest.starts_with(known));
        if !absolute || !fits {
            return false;
        }
        if self.reason.is_empty() {
            self.first = Some(cut(rest));
        }
        self.place = Some(place).filter(|place| traceback::is_own(&place.file));
        self.log = self.log.to(line.log);
        true
    }

    /// Whether its reason has been read.
    pub(super) fn has_reason(&self) -> bool {
        !self.reason.is_empty()
    }

    /// Reads a line of pytest itself. Returns whether it adds something.
    fn tell(&mut self, text: &str, at: u64) -> bool {
        if traceback::is_chain(text) {
            if self.native.raised().is_some() {
                self.native.read(text);
            } else if let Some(reason) = std::mem::take(&mut self.reason).first() {
                self.causes.nearest(reason, self.place.take());
            }
            (self.place, self.first) = (None, None);
        } else if self.native.read(text) {
            self.reason = Explanation::default();
            let raised = self.native.raised().unwrap_or_default();
            raised.lines().for_each(|line| self.reason.say(line, at));
        } else if let Some(said) =
            text.strip_prefix('E').filter(|said| said.is_empty() || said.starts_with(' '))
        {
            self.said(said, at);
        } else if self.native.raised().is_some() {
            self.reason.say(text, at);
            return false;
        } else if let Some(place) = passed_by(text) {
            if traceback::is_own(&place.file) && !self.is_nameless() {
                self.place = Some(place);
            }
        } else {
            let is_text = !text.trim().is_empty() && !text.starts_with(' ') && !text.starts_with("[gw");
            if !is_text || self.has_reason() || self.first.is_some() {
                return false;
            }
            self.first = Some(cut(text));
        }
        true
    }

    /// `E   ValueError: no tide`.
    fn said(&mut self, said: &str, at: u64) {
        if let Some(place) = traceback::frame(said).filter(|_| !self.has_reason()) {
            (self.place, self.syntax) = (Some(place), true);
            return;
        }
        if self.syntax {
            let is_error = traceback::raised(said.trim()).is_some_and(|raised| raised.contains("Error"));
            if !is_error {
                return;
            }
            self.syntax = false;
        }
        self.reason.say(said, at);
    }

    /// The finding; `whole` where the block was read to its end.
    pub(super) fn finish(self, whole: bool, dialect: &str) -> Diagnostic {
        let log = if whole { self.log.to(self.last) } else { self.log };
        let mut found = Diagnostic::new(Severity::Error, self.name, log, dialect);
        // Below a native traceback nothing says where its reason ends.
        let raised = self.native.raised().filter(|_| !whole);
        match raised.or(self.first.as_deref().filter(|_| self.reason.is_empty())) {
            Some(first) => found.extend(first.trim_end(), log),
            None => found.message.push_str(&self.reason.render()),
        }
        found.message.push_str(&self.native.causes().render(""));
        found.message.push_str(&self.causes.render(""));
        found.place =
            self.place.or_else(|| self.native.place().cloned()).or_else(|| self.file.map(Location::file));
        found
    }
}

/// `a.py:3: ValueError`, `a.py:3: in f`, `a.py:3: `, `/a.py:3`: where the failure came by.
fn passed_by(text: &str) -> Option<Location> {
    if text.starts_with([' ', '>', '<']) {
        return None;
    }
    let Some((place, rest)) = place::with_colons(text) else {
        return place::whole(text).filter(|place| place.column.is_none() && place.file.starts_with('/'));
    };
    let is_name = rest.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    (place.column.is_none() && (is_name || rest.starts_with("in "))).then_some(place)
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(LONGEST_REASON)].trim_end().to_owned()
}
