//! Python's tracebacks: `  File "a.py", line 3, in f` above the exception, with the files that are the user's
//! own.

use super::cause::CauseChain;
use super::place;
use crate::model::Location;

/// The lines between a traceback and the next. The last traceback is the uncaught one.
const CHAINS: [&str; 2] = [
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
];
/// The most exceptions of a group that are named.
const MOST_OF_GROUP: usize = 10;

/// A traceback, or several that lead to each other, read line by line.
#[derive(Debug, Default)]
pub(super) struct Traceback {
    /// The deepest frame in the user's own code.
    own: Option<Location>,
    /// The deepest frame.
    deepest: Option<Location>,
    /// The exception; of a group, its parts below.
    raised: Option<String>,
    /// The earlier exceptions that this one names as causes.
    causes: CauseChain,
    /// The next one is about the same.
    chained: bool,
    state: TracebackState,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum TracebackState {
    /// Between tracebacks.
    #[default]
    Outside,
    /// Below a head: frames, then the exception.
    Frames,
    /// Frames of a group of exceptions, within a margin.
    Group,
    /// The exceptions of a group.
    Parts(usize),
}

impl Traceback {
    /// Reads a line, and says whether it belongs to a traceback.
    pub(super) fn read(&mut self, text: &str) -> bool {
        if let Some(state) = head(text) {
            let mut causes = CauseChain::default();
            if let Some(raised) = self.raised.take().filter(|_| self.chained) {
                causes = std::mem::take(&mut self.causes);
                causes.nearest(&raised, self.place().cloned());
            }
            *self = Self { causes, state, ..Self::default() };
            return true;
        }
        self.chained |= is_chain(text);
        match self.state {
            TracebackState::Outside => false,
            TracebackState::Frames => self.frames(text),
            TracebackState::Group => margin(text, true).is_some_and(|inner| self.frames(inner)),
            TracebackState::Parts(count) => {
                let inner = margin(text, false);
                if let Some(part) = inner.and_then(raised)
                    && count < MOST_OF_GROUP
                    && let Some(raised) = &mut self.raised
                {
                    raised.push_str("\n  ");
                    raised.push_str(part);
                    self.state = TracebackState::Parts(count + 1);
                }
                if inner.is_none() {
                    self.state = TracebackState::Outside;
                }
                inner.is_some()
            }
        }
    }

    fn frames(&mut self, text: &str) -> bool {
        if let Some(frame) = frame(text) {
            self.own = Some(frame.clone()).filter(|frame| is_own(&frame.file)).or(self.own.take());
            self.deepest = Some(frame);
        } else if !text.starts_with("  ") {
            // Printed source is indented.
            if let Some(what) = raised(text).filter(|_| self.deepest.is_some()) {
                self.raised = Some(what.to_owned());
                self.state = if self.state == TracebackState::Group {
                    TracebackState::Parts(0)
                } else {
                    TracebackState::Outside
                };
                return true;
            }
            *self = Self::default();
            return false;
        }
        true
    }

    /// Whether its end has not been read yet.
    pub(super) fn is_open(&self) -> bool {
        self.state != TracebackState::Outside
    }

    /// The last exception.
    pub(super) fn raised(&self) -> Option<&str> {
        self.raised.as_deref()
    }

    /// The causes of that exception.
    pub(super) fn causes(&self) -> &CauseChain {
        &self.causes
    }

    /// Its place: in the user's own code if possible, else anywhere.
    pub(super) fn place(&self) -> Option<&Location> {
        self.own.as_ref().or_else(|| self.deepest.as_ref().filter(|place| !place.file.starts_with('<')))
    }
}

/// The first line of a traceback.
fn head(text: &str) -> Option<TracebackState> {
    let text = text.trim_end();
    if text == "Traceback (most recent call last):" {
        return Some(TracebackState::Frames);
    }
    (text == "  + Exception Group Traceback (most recent call last):").then_some(TracebackState::Group)
}

/// Whether another traceback follows that is about the same.
pub(super) fn is_chain(text: &str) -> bool {
    CHAINS.contains(&text.trim())
}

/// A line of a group without the margin; of the outermost group alone, or of all of them.
fn margin(text: &str, outermost: bool) -> Option<&str> {
    let inner = text.trim_start_matches(' ');
    if let Some(inner) = inner.strip_prefix('|') {
        let deeper = outermost && !text.starts_with("  |");
        return Some(inner.strip_prefix(' ').unwrap_or(inner)).filter(|_| !deeper);
    }
    inner.starts_with('+').then_some("")
}

/// `File "a.py", line 3`, or with a function behind it.
pub(super) fn frame(text: &str) -> Option<Location> {
    let (file, rest) = text.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let (line, rest) = place::number(rest)?;
    let ends = rest.trim_end().is_empty() || rest.starts_with(", in ");
    let file = place::file(file).filter(|_| ends)?;
    Some(Location::line(file, line))
}

/// The exception of a line: `ValueError: no tide` or `package.Trouble`.
pub(super) fn raised(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let name = text.split_once(':').map_or(text, |(name, rest)| if fits(rest) { name } else { "" });
    let is_name = |part: &str| {
        part == "<locals>"
            || (part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_'))
    };
    name.split('.').all(is_name).then_some(text)
}

/// Whether a text fits behind the colon of an exception.
fn fits(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(' ')
}

/// Whether a file is the user's own: neither Python's, nor of an installed package, nor of pytest's insides.
pub(super) fn is_own(file: &str) -> bool {
    let mut before = "";
    for part in file.split(['/', '\\']) {
        let installed = matches!(part, "site-packages" | "dist-packages" | "_pytest" | "pluggy");
        let library = matches!(before, "lib" | "lib64" | "Lib")
            && (part.starts_with("python") || part.starts_with("pypy"));
        let windows = part == "Lib" && file.contains('\\');
        if installed || library || windows {
            return false;
        }
        before = part;
    }
    !file.starts_with('<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files() {
        for (file, own) in [
            ("/srv/app/tide.py", true),
            ("tests/lib/test_a.py", true),
            ("/usr/lib/python3.12/json/decoder.py", false),
            ("/home/a/.venv/lib64/python3.12/site-packages/x.py", false),
            (r"C:\Python312\Lib\unittest\case.py", false),
            (r"C:\work\tide.py", true),
            ("../../x/_pytest/python.py", false),
            ("<frozen importlib._bootstrap>", false),
            ("<string>", false),
        ] {
            assert_eq!(is_own(file), own, "{file}");
        }
    }

    #[test]
    fn lines_of_exceptions_are_recognised() {
        for (text, is) in [
            ("ValueError: no tide", true),
            ("KeyError", true),
            ("a.b.c_d.Trouble: x", true),
            ("__main__.f.<locals>.Own: x", true),
            ("make: *** [all] Error 1", true),
            ("not an exception", false),
            ("http://x.y", false),
            ("3.4: x", false),
            ("", false),
        ] {
            assert_eq!(raised(text).is_some(), is, "{text}");
        }
    }

    #[test]
    fn the_last_of_a_chain() {
        let mut traceback = Traceback::default();
        for line in [
            "Traceback (most recent call last):",
            "  File \"/a/first.py\", line 1, in f",
            "    x",
            "KeyError: 1",
            "",
            "During handling of the above exception, another exception occurred:",
            "",
            "Traceback (most recent call last):",
            "  File \"/a b/own.py\", line 2, in g",
            "    y",
            "  File \"/usr/lib/python3.12/json/decoder.py\", line 353, in raw_decode",
            "ValueError: two: parts",
        ] {
            traceback.read(line);
        }
        assert_eq!(traceback.raised(), Some("ValueError: two: parts"));
        assert_eq!(traceback.place().unwrap().to_string(), "/a b/own.py:2");
        assert!(!traceback.is_open());
    }
}
