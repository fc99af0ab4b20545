//! The difference between two runs of one tool: new, fixed and remaining findings.

use std::collections::HashMap;

use super::moved;
use crate::model::{Diagnostic, Severity};

/// The difference between an earlier run and a later one.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Difference<'a> {
    /// In the later run alone.
    pub new: Vec<&'a Diagnostic>,
    /// In the earlier run alone.
    pub fixed: Vec<&'a Diagnostic>,
    /// In both, as the later run has them.
    pub still: Vec<&'a Diagnostic>,
}

/// Compares findings. A finding that moved to another line is the same: file, severity, code and message
/// identify it, and each occurrence counts. If no finding is more similar, places and durations within a
/// message are ignored. For one with a code at its old place, all numbers are ignored.
pub fn difference<'a>(earlier: &'a [Diagnostic], later: &'a [Diagnostic]) -> Difference<'a> {
    let [earlier, later] = [earlier, later].map(|all| all.iter().collect::<Vec<_>>());
    // `returns 404` must not be taken for `returns 500` where that is there as well.
    let (mut still, fixed, new) = pair(earlier, later, |found| key(found, str::to_owned));
    let (moved, fixed, new) = pair(fixed, new, |found| key(found, moved::without));
    let (measured, mut fixed, new) = pair(fixed, new, measured);
    still.extend(moved.into_iter().chain(measured));
    still.sort_by_key(|found| found.log);
    fixed.sort_by_key(|found| found.log);
    Difference { new, fixed, still }
}

type Diagnostics<'a> = Vec<&'a Diagnostic>;

/// The findings of both in the later version; the rest of the earlier; the rest of the later.
fn pair<'a>(
    earlier: Diagnostics<'a>,
    later: Diagnostics<'a>,
    key: impl Fn(&Diagnostic) -> FindingKey,
) -> (Diagnostics<'a>, Diagnostics<'a>, Diagnostics<'a>) {
    let mut before: HashMap<FindingKey, Diagnostics<'a>> = HashMap::new();
    for found in earlier {
        before.entry(key(found)).or_default().push(found);
    }
    let (both, rest) = later.into_iter().partition(|found| {
        let same = before.get_mut(&key(found)).filter(|same| !same.is_empty());
        same.map(|same| same.remove(nearest(same, found))).is_some()
    });
    (both, before.into_values().flatten().collect(), rest)
}

/// The one with the nearest line, of those that are alike.
fn nearest(same: &[&Diagnostic], found: &Diagnostic) -> usize {
    let line = |found: &Diagnostic| found.place.as_ref().and_then(|place| place.line).unwrap_or_default();
    let distance = |at: &usize| line(same[*at]).abs_diff(line(found));
    (0..same.len()).min_by_key(distance).unwrap_or_default()
}

/// The common properties of two findings that are the same.
#[derive(PartialEq, Eq, Hash)]
struct FindingKey {
    severity: Severity,
    file: Option<String>,
    place: Option<(Option<usize>, Option<usize>)>,
    code: Option<String>,
    message: String,
}

fn key(found: &Diagnostic, words: fn(&str) -> String) -> FindingKey {
    let file = found.place.as_ref().map(|place| place.file.clone());
    // The note on left out lines names lines of this log.
    let lines: Vec<&str> = found.message.lines().filter(|line| !line.starts_with('…')).collect();
    let message = words(&lines.join("\n"));
    // One format of a tool ends its messages with a full stop, another does not.
    let message = message.strip_suffix('.').map_or(message.clone(), str::to_owned);
    FindingKey { severity: found.severity, file, place: None, code: found.code.clone(), message }
}

/// The key that ignores measures such as `complexity of 12`, for findings with a code. Place and code
/// identify such a finding, whatever the number is.
fn measured(found: &Diagnostic) -> FindingKey {
    let words = if found.code.is_some() && found.place.as_ref().is_some_and(|place| place.line.is_some()) {
        but_for_numbers
    } else {
        str::to_owned
    };
    let place = found.place.as_ref().map(|place| (place.line, place.column));
    FindingKey { place, ..key(found, words) }
}

/// A text with 0 for each number.
fn but_for_numbers(text: &str) -> String {
    let mut message = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_ascii_digit() {
            message.push(c);
        } else if !message.ends_with('0') {
            message.push('0');
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Location, LogRange};

    fn found(file: &str, line: usize, message: &str) -> Diagnostic {
        Diagnostic::new(Severity::Error, message, LogRange::default(), "tsc").at(Location::at(file, line, 1))
    }

    #[test]
    fn a_moved_finding_is_the_same() {
        let earlier = [found("a", 3, "x"), found("a", 9, "x"), found("b", 1, "y took 9 ms")];
        let later = [found("a", 11, "x"), found("b", 2, "y took 13 ms"), found("c", 1, "x")];
        let changed = difference(&earlier, &later);
        assert_eq!(changed.new, [&later[2]]);
        assert_eq!(changed.fixed, [&earlier[0]]);
        assert_eq!(changed.still, [&later[0], &later[1]]);
    }

    #[test]
    fn a_last_full_stop_is_no_difference() {
        let (script, tool) = ([found("a", 3, "'x' is never used")], [found("a", 3, "'x' is never used.")]);
        for (earlier, later) in [(&script, &tool), (&tool, &script)] {
            let changed = difference(earlier, later);
            assert_eq!((changed.new, changed.fixed, changed.still), (vec![], vec![], vec![&later[0]]));
        }
    }

    #[test]
    fn a_fixed_finding_is_not_matched_with_a_remaining_one() {
        let earlier = [found("a", 3, "returns 404"), found("a", 3, "returns 500")];
        let changed = difference(&earlier, &earlier[1..]);
        assert_eq!(
            (changed.new, changed.fixed, changed.still),
            (vec![], vec![&earlier[0]], vec![&earlier[1]])
        );
    }

    #[test]
    fn other_values_are_another_error() {
        let earlier = [found("a", 3, "expected 3 to be 4"), found("a", 30, "declared at line 7")];
        let later = [found("a", 9, "expected 5 to be 6"), found("a", 36, "declared at line 13")];
        let changed = difference(&earlier, &later);
        assert_eq!((changed.new, changed.fixed), (vec![&later[0]], vec![&earlier[0]]));
        assert_eq!(changed.still, [&later[1]]);
    }

    #[test]
    fn values_in_a_failed_assertion_count() {
        let failed = |line, got: &str| {
            let message = format!(
                "shows the price\nAssertionError: expected '{got}' to be '7 EUR'\ncaused by x (a.js:{line}:2)\n… 3 more lines, log lines {line}..70"
            );
            found("a.test.ts", line, &message)
        };
        let (earlier, later) = ([failed(3, "1.5 EUR")], [failed(9, "1.06 EUR")]);
        let changed = difference(&earlier, &later);
        assert_eq!((changed.new, changed.fixed, changed.still), (vec![&later[0]], vec![&earlier[0]], vec![]));
        assert_eq!(difference(&earlier, &[failed(9, "1.5 EUR")]).new, [] as [&Diagnostic; 0]);
    }

    #[test]
    fn a_measure_of_a_rule_may_grow_at_its_place() {
        let at = |line, lines| found("a", line, &format!("Too many lines ({lines})")).coded("max-lines");
        let (earlier, later) = ([at(3, 61), at(90, 70)], [at(3, 62), at(95, 71)]);
        let changed = difference(&earlier, &later);
        assert_eq!(
            (changed.still, changed.new, changed.fixed),
            (vec![&later[0]], vec![&later[1]], vec![&earlier[1]])
        );
    }

    #[test]
    fn one_more_of_the_same_is_new() {
        let (once, twice) = ([found("a", 3, "x")], [found("a", 3, "x"), found("a", 4, "x")]);
        let changed = difference(&once, &twice);
        assert_eq!((changed.new, changed.fixed.len()), (vec![&twice[1]], 0));
        assert_eq!(difference(&twice, &once).fixed, [&twice[1]]);
    }
}
