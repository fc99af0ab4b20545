//! node's output when a program dies of an exception: the place, the source, the error and its stack, its
//! version.

use super::cause::CauseChain;
use super::epilogue::is_epilogue;
use super::frame::{self, Frame};
use super::{Line, LinePart, place};
use crate::model::{Diagnostic, LONGEST_MESSAGE, Location, LogRange, Severity};

/// The most lines of source above its marks.
const SOURCE: usize = 8;
/// The most lines of message, stack and fields.
const LONGEST: usize = 1000;
/// The most files that are kept of a stack.
const FILES: usize = 16;

/// node's name for source outside of files, such as JSON.
const NAMELESS: &str = "<anonymous_script>";

/// Puts together one crash.
#[derive(Debug, Default)]
pub(super) struct Crash {
    state: CrashState,
    lines: usize,
    log: LogRange,
    /// The place of the `throw`.
    head: Option<Location>,
    message: String,
    /// The stack has begun, so that the message is over.
    stacked: bool,
    /// The first place of the stack that is the user's own.
    place: Option<Location>,
    causes: CauseChain,
    code: String,
    files: Vec<String>,
    /// The lines up to the last one of the stack, and what stands behind it is no runner's word about a failure.
    stack: LogRange,
    has_more: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum CrashState {
    #[default]
    None,
    /// The lines of source between `file:line` and the marks below them.
    Source,
    /// The lines after the marks.
    Body,
}

/// A crash.
#[derive(Debug)]
pub(super) struct Crashed {
    /// The error, without a dialect.
    pub(super) found: Diagnostic,
    /// The user's own files that it mentions.
    pub(super) files: Vec<String>,
}

/// The endings of files that node runs: one of them, or `node:`, is in the line that a crash begins with.
const TRIGGERS: [&str; 8] = [".js:", ".mjs:", ".cjs:", ".ts:", ".mts:", ".cts:", ".jsx:", ".tsx:"];

/// A format's own triggers and those of crashes.
pub(super) const fn triggers<const OWN: usize, const ALL: usize>(
    own: [&'static str; OWN],
) -> [&'static str; ALL] {
    assert!(ALL == OWN + TRIGGERS.len(), "all triggers, and no more");
    let mut all = [""; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < OWN { own[at] } else { TRIGGERS[at - OWN] };
        at += 1;
    }
    all
}

impl Crashed {
    /// Whether it mentions this file, which may be named from another folder.
    pub(super) fn names(&self, file: &str) -> bool {
        self.files.iter().any(|one| {
            one.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
        })
    }

    /// The failure of the test that it was.
    pub(super) fn of_test(self, name: &str, log: LogRange, dialect: &str) -> Diagnostic {
        let found = Diagnostic::new(Severity::Error, name, self.found.log, dialect);
        let mut found = Diagnostic { place: self.found.place, ..found };
        found.extend(&self.found.message, log);
        found
    }
}

impl Crash {
    /// One has begun, or may have.
    pub(super) fn is_open(&self) -> bool {
        self.state != CrashState::None
    }

    /// Reads a line of which only this text counts. Returns the crash that it completes.
    pub(super) fn read(&mut self, line: &Line<'_>, text: &str) -> Option<Crashed> {
        if !line.begins() || self.message.is_empty() && self.begin(line, text) {
            return None;
        }
        self.lines += 1;
        self.log = self.log.to(line.log);
        let longest = if self.state == CrashState::Source { SOURCE } else { LONGEST };
        match self.state {
            CrashState::Source if is_marks(line, text) || (self.is_nameless() && text.is_empty()) => {
                (self.state, self.lines) = (CrashState::Body, 0);
            }
            CrashState::Body if is_version(text) => return self.end(),
            _ if self.lines > longest => *self = Self::default(),
            CrashState::Body => {
                self.body(text);
                self.follow(text);
            }
            CrashState::None | CrashState::Source => {}
        }
        None
    }

    /// Whether the crash begins with this text: `/folder/file.js:2`.
    pub(super) fn begin(&mut self, line: &Line<'_>, text: &str) -> bool {
        let Some(head) = head(text) else { return false };
        // Those that the runtime threw itself may say below where that was.
        let kept =
            self.head.take().filter(|head| frame::is_own(&head.file) && self.state == CrashState::Body);
        let log = if self.state == CrashState::Body { self.log } else { line.log };
        let files = Vec::from_iter(
            Some(&head).filter(|head| frame::is_own(&head.file)).map(|head| head.file.clone()),
        );
        *self = Self { state: CrashState::Source, log, head: kept.or(Some(head)), files, ..Self::default() };
        true
    }

    /// A crash begins with its error, or with where it was.
    pub(super) fn error(&mut self, line: &Line<'_>, text: &str) {
        *self = Self::default();
        if !self.begin(line, text) {
            *self =
                Self { state: CrashState::Body, log: line.log, message: text.to_owned(), ..Self::default() };
        }
    }

    /// Its stack has begun.
    pub(super) fn is_stacked(&self) -> bool {
        self.stacked
    }

    /// Nothing of it follows: the crash, where there was one.
    pub(super) fn end(&mut self) -> Option<Crashed> {
        let Self { state, log, head, message, place, causes, code, mut files, .. } = std::mem::take(self);
        if state != CrashState::Body {
            return None;
        }
        let message = message.trim_end();
        let message = message.strip_suffix(" {").unwrap_or(message);
        let head = head.filter(|head| frame::is_own(&head.file));
        // The place of a syntax error is its own line, not the call that loaded the file.
        let place = place.filter(|_| message.lines().next().and_then(unparsed).is_none());
        let place = if message.starts_with("SyntaxError") { head.or(place) } else { place.or(head) };
        let importer = importer(message);
        files.extend(importer.iter().map(|importer| importer.file.clone()));
        let place = place.or(importer).or_else(|| causes.place().cloned());
        let message = if message.is_empty() { "Uncaught exception" } else { message };
        let message = message.to_owned() + &causes.render(message);
        let found = Diagnostic::new(Severity::Error, message, log, "").coded(&code);
        Some(Crashed { found: Diagnostic { place, ..found }, files })
    }

    /// Notes where the stack ends, and whether the program lived on.
    fn follow(&mut self, text: &str) {
        if self.stacked && (frame::at(text).is_some() || text.starts_with(' ') || text == "}") {
            self.stack = self.log;
            self.has_more = false;
        } else if self.stacked && !text.trim().is_empty() && !is_epilogue(text) && !is_of_runner(text) {
            self.has_more = true;
        }
    }

    /// Nothing follows of a program that said no version, as node did before version 17.
    pub(super) fn end_without_version(&mut self) -> Option<Diagnostic> {
        let (is_last, log) = (self.stacked && !self.has_more, self.stack);
        self.end().filter(|_| is_last).map(|crashed| Diagnostic { log, ..crashed.found })
    }

    /// Whether it is code that a program evaluated, which has no marks.
    fn is_nameless(&self) -> bool {
        self.head.as_ref().is_some_and(|head| head.file == NAMELESS)
    }

    fn body(&mut self, text: &str) {
        self.stacked |= CauseChain::is_head(text);
        if let Some(frame) = frame::at(text) {
            self.stacked = true;
            if !self.causes.is_empty() {
                self.causes.frame(frame);
            } else if let Frame::Own(place) = frame {
                if self.files.len() < FILES && !self.files.contains(&place.file) {
                    self.files.push(place.file.clone());
                }
                self.place.get_or_insert(place);
            }
        } else if self.stacked {
            if self.causes.read(text) {
            } else if let Some(code) = text.strip_prefix("  code: '").and_then(|rest| rest.split_once('\'')) {
                code.0.clone_into(&mut self.code);
            }
        } else if text == "Thrown at:" || text.starts_with("(Use `node --trace-uncaught") {
            self.stacked = true;
        } else if self.message.len() < LONGEST_MESSAGE && !(self.message.is_empty() && text.is_empty()) {
            if !self.message.is_empty() {
                self.message.push('\n');
            }
            self.message.push_str(text);
        }
    }
}

/// `/folder/file.js:2`, `file:///folder/file.mjs:2`, `node:events:502`, `[eval]:1`.
fn head(text: &str) -> Option<Location> {
    const ENDS: [&str; 10] =
        [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", "eval]", "[stdin]"];
    let found = place::whole(text).filter(|found| found.column.is_none() && !text.starts_with(' '))?;
    let file = if text.starts_with("file://") { frame::path(&found.file) } else { found.file };
    let fits = file.starts_with("node:") || file == NAMELESS || ENDS.iter().any(|end| file.ends_with(end));
    fits.then_some(Location { file, ..found })
}

/// `    ^^^`: below the error; below a line that is longer than any, its beginning.
fn is_marks(line: &Line<'_>, text: &str) -> bool {
    let marks = text.trim();
    let begun = line.part == LinePart::Beginning && marks.is_empty();
    begun || (!marks.is_empty() && marks.bytes().all(|byte| byte == b'^'))
}

/// `Node.js v24.9.0`: the last line of a crash.
fn is_version(text: &str) -> bool {
    let version = text.strip_prefix("Node.js v").unwrap_or_default();
    version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ')
}

/// Whether the runner of a script says that it failed.
fn is_of_runner(text: &str) -> bool {
    const BEGINNINGS: [&str; 7] = [
        "npm ERR!",
        "npm error",
        "error Command failed",
        "info Visit https://yarnpkg.com",
        "error: script \"",
        "[ELIFECYCLE]",
        "make: *** [",
    ];
    let text = text.trim_start();
    text.starts_with("ELIFECYCLE ") || BEGINNINGS.iter().any(|begins| text.starts_with(begins))
}

/// The file of JSON that node could not parse.
fn unparsed(first: &str) -> Option<&str> {
    let (file, reason) = first.strip_prefix("SyntaxError: ")?.split_once(".json: ")?;
    reason.contains(" JSON").then(|| &first["SyntaxError: ".len()..][..file.len() + ".json".len()])
}

/// The file that asked for the missing module, or that could not be parsed.
fn importer(message: &str) -> Option<Location> {
    let first = message.lines().next()?;
    let file = match first.rsplit_once(" imported from ") {
        Some((_, file)) => file.trim_matches('\''),
        None => match message.split_once("\nRequire stack:\n- ") {
            Some((_, stack)) => stack.lines().next()?,
            None => unparsed(first)?,
        },
    };
    let file = if file.starts_with("file://") { frame::path(file) } else { place::file(file)? };
    (frame::is_own(&file) && file.contains(['/', '\\'])).then_some(Location::file(file))
}
