//! The shapes of pytest's lines: headings, titles of failures, the summary.

use crate::model::TestSummary;

/// The id of the format.
pub(super) const ID: &str = "pytest";

/// `=== FAILURES ===`: the text in the middle of a rule of this character.
pub(super) fn ruled(text: &str, rule: char) -> Option<&str> {
    let inner = text.trim_end().trim_start_matches(rule);
    let title = inner.trim_end_matches(rule);
    let is_ruled = inner.len() < text.trim_end().len() && title.len() < inner.len();
    let title = title.strip_prefix(' ')?.strip_suffix(' ')?;
    (is_ruled && !title.is_empty()).then_some(title)
}

/// How wide a line is.
pub(super) fn width(text: &str) -> usize {
    text.trim_end().chars().count()
}

/// `____ test_high ____` as wide as this, or with the least of a rule about a name that is wider.
pub(super) fn title(text: &str, wide: usize) -> Option<&str> {
    let title = ruled(text, '_')?;
    let own = width(text);
    // `_ _ _ _` is between the frames of one failure.
    if title.chars().all(|c| matches!(c, '_' | ' ')) {
        return None;
    }
    let least = text.strip_prefix("_ ").is_some() && own > wide;
    (least || (own <= wide && own + 1 >= wide)).then_some(title)
}

/// A line of the short summary.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Short<'a> {
    /// It did not fail by itself: one of its fixtures failed, or it could not be read.
    pub(super) is_error: bool,
    pub(super) file: &'a str,
    /// The test in its file, as titles say it; empty for the whole file.
    pub(super) name: String,
    /// The error, cut at the terminal's width.
    pub(super) reason: &'a str,
}

/// `FAILED a.py::Class::test[x] - reason`, `ERROR a.py`.
pub(super) fn short(text: &str) -> Option<Short<'_>> {
    let text = text.trim_end();
    let (is_error, part, rest) = if let Some(rest) = text.strip_prefix("FAILED ") {
        (false, "", rest)
    } else if let Some(rest) = text.strip_prefix("ERROR ") {
        (true, "", rest)
    } else {
        // `SUBFAILED[message] (i=1) a.py::test`
        let rest = text.strip_prefix("SUBFAILED").or_else(|| text.strip_prefix("SUBFAIL"))?;
        let file = rest.split_once("::").map_or(rest, |(file, _)| file);
        let (part, _) = file.rsplit_once([')', ']'])?;
        let (part, rest) = rest.split_at(part.len() + 1);
        (false, part, rest.strip_prefix(' ')?)
    };
    let (node, reason) = rest
        .match_indices(" - ")
        .map(|(at, between)| (&rest[..at], &rest[at + between.len()..]))
        .find(|(node, _)| !node.contains('[') || node.ends_with(']'))
        .unwrap_or((rest, ""));
    let (file, name) = node.split_once("::").unwrap_or((node, ""));
    if !is_file(file, name.is_empty()) {
        return None;
    }
    let (name, parameters) = name.split_at(name.find('[').unwrap_or(name.len()));
    let between = if part.is_empty() || part.starts_with(' ') { "" } else { " " };
    let name = format!("{}{parameters}{between}{part}", name.replace("::", "."));
    Some(Short { is_error, file, name, reason: reason.strip_suffix("...").unwrap_or(reason) })
}

/// pytest's counts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) errors: u64,
    pub(super) skipped: u64,
    /// Expected to fail, whether they did or not.
    pub(super) expected: u64,
}

impl Counts {
    /// The same in everybody's words; so many files could not be read.
    pub(super) fn summary(self, broken: u64) -> TestSummary {
        let failed = self.failed + self.errors.saturating_sub(broken);
        let total = self.passed + failed + self.skipped + self.expected;
        let (passed, skipped) = (self.passed, self.skipped);
        TestSummary { passed, failed, skipped, total, broken: broken.min(self.errors) }
    }
}

/// `1 failed, 2 passed in 0.12s`, with or without a rule about it.
pub(super) fn counts(text: &str) -> Option<Counts> {
    let text = ruled(text, '=').unwrap_or(text.trim_end());
    let (counted, time) = text.rsplit_once(" in ")?;
    let seconds = time.split_once(" (").map_or(time, |(seconds, _)| seconds).strip_suffix('s')?;
    let (whole, parts) = seconds.split_once('.')?;
    if !is_number(whole) || !is_number(parts) {
        return None;
    }
    let mut counts = Counts::default();
    if counted == "no tests ran" {
        return Some(counts);
    }
    for part in counted.split(", ") {
        let (count, what) = part.split_once(' ')?;
        let is_word = !what.is_empty() && what.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
        let count: u64 = count.parse().ok().filter(|_| is_word && is_number(count))?;
        match what {
            "passed" => counts.passed = count,
            "failed" => counts.failed = count,
            "error" | "errors" => counts.errors = count,
            "skipped" => counts.skipped = count,
            "xfailed" | "xpassed" => counts.expected += count,
            _ => {}
        }
    }
    Some(counts)
}

/// Whether tests are kept in such a file: other tools begin lines with `ERROR`, too.
fn is_file(file: &str, alone: bool) -> bool {
    let Some((stem, extension)) = file.rsplit_once('.') else {
        // A folder of tests.
        return alone && !file.is_empty() && file.chars().all(|c| c.is_alphanumeric() || "/\\_-".contains(c));
    };
    let known = ["py", "txt", "rst", "md", "ipynb", "yaml", "yml", "json", "feature", "robot", "toml", "cfg"];
    !stem.is_empty() && known.contains(&extension)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let read_counts = |text| counts(text).map(|c| (c.failed, c.passed, c.errors, c.skipped, c.expected));
        for (text, expected) in [
            ("=== 1 failed, 2 passed, 1 skipped in 0.1s ===", Some((1, 2, 0, 1, 0))),
            ("1 passed in 61.10s (0:01:01)", Some((0, 1, 0, 0, 0))),
            (
                "= 21 failed, 3 passed, 1 xfailed, 1 xpassed, 1 warning, 7 errors in 0.65s =",
                Some((21, 3, 7, 0, 2)),
            ),
            ("1 failed, 15 deselected, 1 error, 1 subtests passed in 0.02s", Some((1, 0, 1, 0, 0))),
            ("=== no tests ran in 0.00s ===", Some((0, 0, 0, 0, 0))),
            ("12 passed", None),
            ("all passed in 3.2s", None),
            ("3 passed in time", None),
            ("1 failed, Ends in 2.0s", None),
            ("built 3 modules in 2.0s", None),
        ] {
            assert_eq!(read_counts(text), expected, "{text}");
        }
    }

    #[test]
    fn short_lines() {
        let read_short =
            |text| short(text).map(|s| format!("{}|{}|{}|{}", s.is_error, s.file, s.name, s.reason));
        for (text, expected) in [
            (
                "FAILED a b/test_c.py::T::test_d - assert 1 == ...",
                Some("false|a b/test_c.py|T.test_d|assert 1 == "),
            ),
            ("FAILED a.py::test_d[x - y::z] - E: r", Some("false|a.py|test_d[x - y::z]|E: r")),
            ("FAILED a.py::test_d[[1]]", Some("false|a.py|test_d[[1]]|")),
            ("ERROR a b.py", Some("true|a b.py||")),
            ("ERROR a.py::test_d - OSError: x - y", Some("true|a.py|test_d|OSError: x - y")),
            ("SUBFAILED(i=0) a.py::T::test_d - r", Some("false|a.py|T.test_d (i=0)|r")),
            ("SUBFAILED[a b] (i=0) a.py::test_d[1]", Some("false|a.py|test_d[1] [a b] (i=0)|")),
            ("ERROR tests/unit", Some("true|tests/unit||")),
            ("SKIPPED [1] a.py:3: later", None),
            ("ERROR Could not find a version", None),
            ("ERROR in ./src/index.js", None),
            ("ERROR std::bad_alloc", None),
            ("FAILED Suite::test", None),
        ] {
            assert_eq!(read_short(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn titles() {
        assert_eq!(title("____ test a ____", 16), Some("test a"));
        assert_eq!(title("____ test a ____", 80), None);
        assert_eq!(title("_ test_a[much too long] _", 16), Some("test_a[much too long]"));
        assert_eq!(title("_ _ _ _ _ ", 10), None);
        assert_eq!(ruled("== FAILURES ==", '='), Some("FAILURES"));
        assert_eq!(ruled("==FAILURES==", '='), None);
    }
}
