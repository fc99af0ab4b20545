//! The causes of an error: a line of the message each, `caused by TypeError: no tide (a.js:3:5)`.

use std::fmt::Write as _;

use super::frame::Frame;
use super::{place, thrown};
use crate::model::Location;

/// The most causes of one error that a message contains.
const MOST: usize = 10;
/// The longest word of one, in bytes.
const LONGEST: usize = 300;
/// The beginning of a line of a message that names a cause.
const CAUSED: &str = "caused by ";

/// The causes of one error, the nearest first.
#[derive(Debug, Default)]
pub(super) struct CauseChain {
    all: Vec<Cause>,
    state: CauseState,
}

#[derive(Debug)]
struct Cause {
    what: String,
    place: Option<Location>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum CauseState {
    #[default]
    Outside,
    /// The next line names the cause.
    Next,
    /// Errors follow that are all of one.
    Listing,
    /// Frames of a cause that is left out.
    Beyond,
}

impl CauseChain {
    /// Reads a line that a JavaScript runtime prints behind a stack. Returns whether it begins a cause:
    /// `[cause]: Error: inner`, the lines of `[errors]: [`, vitest's `Caused by: …`, jest's `Cause:`.
    pub(super) fn read(&mut self, text: &str) -> bool {
        let text = text.trim();
        if text.is_empty() {
            return false;
        }
        if let Some(what) = ["[cause]: ", "Caused by: "].iter().find_map(|word| text.strip_prefix(word)) {
            self.add(what);
            return true;
        }
        match text {
            "[errors]: [" | "Errors contained in AggregateError:" => self.state = CauseState::Listing,
            "Cause:" => self.state = CauseState::Next,
            "]" => self.state = CauseState::Outside,
            _ if self.state == CauseState::Next => {
                self.state = CauseState::Outside;
                self.add(text);
                return true;
            }
            _ if self.state == CauseState::Listing && thrown::is_error(text) => {
                self.add(text);
                self.state = CauseState::Listing;
                return true;
            }
            _ => {}
        }
        false
    }

    /// Whether a line that node prints of an error's fields begins its causes.
    pub(super) fn is_head(text: &str) -> bool {
        let text = text.trim_start();
        text.starts_with("[cause]: ") || text.starts_with("[errors]: [")
    }

    fn add(&mut self, what: &str) {
        let what = what.strip_suffix(" {").unwrap_or(what).trim_end();
        let says = !matches!(what, "" | "{" | "[" | "undefined" | "null");
        if !says || self.all.len() == MOST {
            self.state = CauseState::Beyond;
            return;
        }
        let what = match what.get(..what.floor_char_boundary(LONGEST)) {
            Some(begin) if begin.len() < what.len() => format!("{begin}…"),
            _ => what.to_owned(),
        };
        self.all.push(Cause { what, place: None });
        self.state = CauseState::Outside;
    }

    /// One that is nearer than all others, whose words may be several lines.
    pub(super) fn nearest(&mut self, what: &str, place: Option<Location>) {
        let before = std::mem::take(&mut self.all);
        self.add(what.lines().next().unwrap_or_default());
        if let Some(nearest) = self.all.last_mut() {
            nearest.place = place;
        }
        let room = MOST - self.all.len();
        self.all.extend(before.into_iter().take(room));
    }

    /// A line of the stack of the last one, and whether it says where that was: the first place that is the user's own.
    pub(super) fn frame(&mut self, frame: Frame) -> bool {
        let last = self.all.last_mut().filter(|_| self.state != CauseState::Beyond);
        let Some(cause) = last.filter(|cause| cause.place.is_none()) else { return false };
        cause.place = frame.own();
        cause.place.is_some()
    }

    /// Whether none has begun.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The first place of one.
    pub(super) fn place(&self) -> Option<&Location> {
        self.all.iter().find_map(|cause| cause.place.as_ref())
    }

    /// Returns a line for each cause, each behind a line feed. Leaves out causes that the reason already
    /// contains.
    pub(super) fn render(&self, reason: &str) -> String {
        let mut text = String::new();
        for Cause { what, place } in self.all.iter().filter(|cause| !reason.contains(&cause.what)) {
            text.extend(["\n", CAUSED, what]);
            if let Some(place) = place {
                let _ = write!(text, " ({place})");
            }
        }
        text
    }
}

/// A message whose causes name their files in another way.
pub fn with_causes(message: &str, name: impl Fn(&str) -> String) -> Option<String> {
    if !message.lines().skip(1).any(|line| line.starts_with(CAUSED)) {
        return None;
    }
    let renamed = |line: &str| {
        let (what, inner) = line.strip_suffix(')').filter(|_| line.starts_with(CAUSED))?.rsplit_once(" (")?;
        let place = place::whole(inner)?;
        let place = Location { file: name(&place.file), ..place };
        Some(format!("{what} ({place})"))
    };
    let lines: Vec<String> =
        message.lines().map(|line| renamed(line).unwrap_or_else(|| line.to_owned())).collect();
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_name_files_as_findings_do() {
        let name = |file: &str| file.trim_start_matches("/srv/").to_owned();
        let message =
            "cannot start\nsee (/srv/b.js:1)\ncaused by Error: no (/srv/a b.js:3:5)\ncaused by x (y)";
        assert_eq!(
            with_causes(message, name).as_deref(),
            Some("cannot start\nsee (/srv/b.js:1)\ncaused by Error: no (a b.js:3:5)\ncaused by x (y)")
        );
        assert_eq!(with_causes("caused by nothing (a.js:1)", name), None);
    }

    #[test]
    fn no_more_than_a_few() {
        let mut causes = CauseChain::default();
        for n in 0..20 {
            assert!(causes.read(&format!("  [cause]: Error: {n}é{}", "x".repeat(400))));
            causes.frame(Frame::Own(Location::at("a.js", n, 1)));
        }
        let text = causes.render("");
        assert_eq!((text.lines().count(), text.matches('…').count()), (MOST + 1, MOST), "{text}");
        assert!(text.ends_with("x… (a.js:9:1)"), "{text}");
        for nothing in ["[cause]: undefined", "[cause]: {", "Error: no"] {
            let mut causes = CauseChain::default();
            causes.read(nothing);
            assert!(causes.is_empty(), "{nothing}");
        }
    }
}
