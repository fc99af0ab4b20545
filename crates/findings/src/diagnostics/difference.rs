//! The difference between two runs of one tool: new, fixed and remaining findings.

use std::collections::HashMap;

use super::moved;
use crate::model::{Diagnostic, Severity, one_of_equal};

/// The difference between an earlier run and a later one. Of equal findings each says how many of them it stands for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// In the later run alone.
    pub new: Vec<Diagnostic>,
    /// In the earlier run alone.
    pub fixed: Vec<Diagnostic>,
    /// In both, as the later run has them.
    pub still: Vec<Diagnostic>,
}

/// Compares findings. A finding that moved to another line is the same: file, severity, code and message
/// identify it, and each occurrence counts. If no finding is more similar, places and durations within a
/// message are ignored. For one with a code at its old place, all numbers are ignored.
pub fn difference(earlier: &[Diagnostic], later: &[Diagnostic]) -> Difference {
    let [earlier, later] = [earlier, later].map(|all| all.iter().map(|found| (found, found.times)).collect());
    // `returns 404` must not be taken for `returns 500` where that is there as well.
    let (mut still, fixed, new) = pair(earlier, later, |found| key(found, str::to_owned));
    let (moved, fixed, new) = pair(fixed, new, |found| key(found, moved::without));
    let (measured, fixed, new) = pair(fixed, new, measured);
    still.extend(moved.into_iter().chain(measured));
    let [new, fixed, still] = [new, fixed, still].map(in_order);
    Difference { new, fixed, still }
}

/// Findings, and how many of those that each stands for are meant.
type Counted<'a> = Vec<(&'a Diagnostic, u64)>;

/// The findings of both in the later version; the rest of the earlier; the rest of the later.
fn pair<'a>(
    earlier: Counted<'a>,
    later: Counted<'a>,
    key: impl Fn(&Diagnostic) -> FindingKey,
) -> (Counted<'a>, Counted<'a>, Counted<'a>) {
    let mut before: HashMap<FindingKey, Counted<'a>> = HashMap::new();
    for found in earlier {
        before.entry(key(found.0)).or_default().push(found);
    }
    let (mut both, mut rest) = (Vec::new(), Vec::new());
    for (found, times) in later {
        let mut left = times;
        let mut same = before.get_mut(&key(found));
        while let Some(same) = same.as_mut().filter(|same| left > 0 && !same.is_empty()) {
            let at = nearest(same, found);
            let paired = left.min(same[at].1);
            (left, same[at].1) = (left - paired, same[at].1 - paired);
            if same[at].1 == 0 {
                same.remove(at);
            }
        }
        both.extend((left < times).then_some((found, times - left)));
        rest.extend((left > 0).then_some((found, left)));
    }
    (both, before.into_values().flatten().collect(), rest)
}

/// The findings in the order of their log.
fn in_order(found: Counted<'_>) -> Vec<Diagnostic> {
    let found = found.into_iter().map(|(found, times)| Diagnostic { times, ..found.clone() });
    let mut found = one_of_equal(found.collect());
    found.sort_by_key(|found| found.log);
    found
}

/// The one with the nearest line, of those that are alike.
fn nearest(same: &[(&Diagnostic, u64)], found: &Diagnostic) -> usize {
    let line = |found: &Diagnostic| found.place.as_ref().and_then(|place| place.line).unwrap_or_default();
    let distance = |at: &usize| line(same[*at].0).abs_diff(line(found));
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
        assert_eq!(changed.new, later[2..]);
        assert_eq!(changed.fixed, earlier[..1]);
        assert_eq!(changed.still, later[..2]);
    }

    #[test]
    fn a_last_full_stop_is_no_difference() {
        let (script, tool) = ([found("a", 3, "'x' is never used")], [found("a", 3, "'x' is never used.")]);
        for (earlier, later) in [(&script, &tool), (&tool, &script)] {
            let changed = difference(earlier, later);
            assert_eq!((changed.new, changed.fixed, changed.still), (vec![], vec![], vec![later[0].clone()]));
        }
    }

    #[test]
    fn a_fixed_finding_is_not_matched_with_a_remaining_one() {
        let earlier = [found("a", 3, "returns 404"), found("a", 3, "returns 500")];
        let changed = difference(&earlier, &earlier[1..]);
        assert_eq!(
            (changed.new, changed.fixed, changed.still),
            (vec![], vec![earlier[0].clone()], vec![earlier[1].clone()])
        );
    }

    #[test]
    fn other_values_are_another_error() {
        let earlier = [found("a", 3, "expected 3 to be 4"), found("a", 30, "declared at line 7")];
        let later = [found("a", 9, "expected 5 to be 6"), found("a", 36, "declared at line 13")];
        let changed = difference(&earlier, &later);
        assert_eq!((changed.new, changed.fixed), (vec![later[0].clone()], vec![earlier[0].clone()]));
        assert_eq!(changed.still, later[1..]);
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
        assert_eq!(
            (changed.new, changed.fixed, changed.still),
            (vec![later[0].clone()], vec![earlier[0].clone()], vec![])
        );
        assert_eq!(difference(&earlier, &[failed(9, "1.5 EUR")]).new, []);
    }

    #[test]
    fn a_measure_of_a_rule_may_grow_at_its_place() {
        let at = |line, lines| found("a", line, &format!("Too many lines ({lines})")).coded("max-lines");
        let (earlier, later) = ([at(3, 61), at(90, 70)], [at(3, 62), at(95, 71)]);
        let changed = difference(&earlier, &later);
        assert_eq!(
            (changed.still, changed.new, changed.fixed),
            (vec![later[0].clone()], vec![later[1].clone()], vec![earlier[1].clone()])
        );
    }

    #[test]
    fn one_more_of_the_same_is_new() {
        let (once, twice) = ([found("a", 3, "x")], [found("a", 3, "x"), found("a", 4, "x")]);
        let changed = difference(&once, &twice);
        assert_eq!((changed.new, changed.fixed.len()), (vec![twice[1].clone()], 0));
        assert_eq!(difference(&twice, &once).fixed, twice[1..]);
    }
    #[test]
    fn of_equal_findings_those_that_came_are_new() {
        let of = |times| [Diagnostic { times, ..found("a", 3, "x") }];
        let changed = difference(&of(131), &of(132));
        assert_eq!((changed.new, changed.fixed, changed.still), (of(1).into(), vec![], of(131).into()));
        let changed = difference(&[of(1), of(2)].concat(), &of(u64::MAX));
        assert_eq!((changed.new, changed.still), (of(u64::MAX - 3).into(), of(3).into()));
    }
}
