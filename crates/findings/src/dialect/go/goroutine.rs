//! Go's output when a program panics: the reason, and the calls of each goroutine.

use super::super::{Line, place};
use crate::model::{Diagnostic, Location, Severity};

/// How many lines may stand between the reason and the first goroutine.
const LONGEST_REASON: usize = 40;
/// The most lines of the reason that a message contains.
const MOST_TOLD: usize = 6;
/// How many lines of calls are looked through.
const MOST_CALLS: usize = 400;

/// The first parts of names of packages that come with Go.
const STANDARD: [&str; 49] = [
    "archive",
    "bufio",
    "bytes",
    "cmp",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "debug",
    "embed",
    "encoding",
    "errors",
    "expvar",
    "flag",
    "fmt",
    "go",
    "hash",
    "html",
    "image",
    "index",
    "internal",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "plugin",
    "reflect",
    "regexp",
    "runtime",
    "slices",
    "sort",
    "strconv",
    "strings",
    "sync",
    "syscall",
    "testing",
    "text",
    "time",
    "unicode",
    "unique",
    "unsafe",
    "vendor",
    "weak",
];

/// A panic while it is read.
#[derive(Debug)]
pub(super) struct Trace {
    /// The finding so far.
    pub(super) found: Diagnostic,
    /// The tests that ran when time was over.
    pub(super) tests: Vec<String>,
    lines: usize,
    calling: bool,
    /// The function whose place comes on the next line.
    function: String,
    listing: bool,
}

/// How far it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// It goes on.
    More,
    /// It is complete; the line belongs to it where it is a call.
    Done,
    /// It was none.
    Never,
}

impl Trace {
    /// `panic: …`, or `fatal error: …`, which may begin one.
    pub(super) fn begin(line: &Line<'_>, dialect: &str) -> Option<Self> {
        let fatal = line.text.strip_prefix("fatal error: ").map(|_| line.text);
        let text = line.text.strip_prefix("panic: ").map(|_| line.text).or(fatal)?;
        let text = text.split_once(" [recovered").map_or(text, |(text, _)| text);
        let found = Diagnostic::new(Severity::Error, text, line.log, dialect);
        Some(Self {
            found,
            tests: Vec::new(),
            lines: 0,
            calling: false,
            function: String::new(),
            listing: false,
        })
    }

    /// Whether calls came: anybody can print the word.
    pub(super) fn is_one(&self) -> bool {
        self.calling
    }

    /// Reads the next line.
    pub(super) fn read(&mut self, line: &Line<'_>) -> Progress {
        self.lines += 1;
        let text = line.text;
        if text.starts_with("goroutine ") && text.ends_with("]:") {
            (self.calling, self.lines) = (true, 0);
            return Progress::More;
        }
        if !self.calling {
            return self.reason(line);
        }
        if let Some(place) = text.strip_prefix('\t') {
            if let Some(place) = call(&self.function, place) {
                self.found.place = Some(place);
                self.found.log = self.found.log.to(line.log);
                return Progress::Done;
            }
        } else if text.starts_with("exit status ") || text.starts_with("FAIL\t") || self.lines > MOST_CALLS {
            return Progress::Done;
        } else {
            text.clone_into(&mut self.function);
        }
        Progress::More
    }

    fn reason(&mut self, line: &Line<'_>) -> Progress {
        if self.lines > LONGEST_REASON {
            return Progress::Never;
        }
        let text = line.text;
        if text == "running tests:" {
            self.listing = true;
        } else if self.listing && text.starts_with('\t') {
            let name = text.trim().rsplit_once(" (").map_or(text.trim(), |(name, _)| name);
            self.tests.push(name.to_owned());
        } else if !text.is_empty() && !text.starts_with('\t') && self.lines <= MOST_TOLD {
            self.found.extend(text, line.log);
        }
        Progress::More
    }
}

/// The place of a call in the user's own code: `/x/moon.go:3 +0x1d`.
fn call(function: &str, text: &str) -> Option<Location> {
    let text = text.split_once(" +0x").map_or(text, |(text, _)| text);
    let place = place::whole(text).filter(|place| place.column.is_none())?;
    let borrowed = ["/pkg/mod/", "/vendor/"].iter().any(|folder| place.file.contains(folder));
    let own = !borrowed && place::ends_in(&place.file, "go") && place.file != "_testmain.go";
    (own && !of_go(function, &place.file)).then_some(place)
}

/// Whether a function comes with Go.
fn of_go(function: &str, file: &str) -> bool {
    let function = function.strip_prefix("created by ").unwrap_or(function);
    let from = function.rfind('/').unwrap_or(0);
    let rest = function.get(from..).unwrap_or_default();
    let package = &function[..from + rest.find(['.', '(']).unwrap_or(rest.len())];
    let first = package.split('/').next().unwrap_or_default();
    function.starts_with("panic(") || STANDARD.contains(&first) && file.contains("/src/")
}
