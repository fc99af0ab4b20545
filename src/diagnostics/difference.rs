//! What changed between two runs of one tool: new, fixed and still there.

use std::collections::HashMap;

use crate::model::Diagnostic;

/// What changed from an earlier run to a later one.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Difference<'a> {
    /// In the later run alone.
    pub new: Vec<&'a Diagnostic>,
    /// In the earlier run alone.
    pub fixed: Vec<&'a Diagnostic>,
    /// In both, as the later run has them.
    pub still: Vec<&'a Diagnostic>,
}

/// Compares findings. One that moved to another line is the same: it is known by file, severity, code and message, and
/// as often as it occurs. Those whose messages differ in numbers alone are the same where nothing is more alike.
pub fn difference<'a>(earlier: &'a [Diagnostic], later: &'a [Diagnostic]) -> Difference<'a> {
    let [earlier, later] = [earlier, later].map(|all| all.iter().collect::<Vec<_>>());
    // `returns 404` must not be taken for `returns 500` where that is there as well.
    let (mut still, fixed, new) = pair(earlier, later, |found| key(found, str::to_owned));
    let (moved, mut fixed, new) = pair(fixed, new, |found| key(found, but_for_numbers));
    still.extend(moved);
    still.sort_by_key(|found| found.log);
    fixed.sort_by_key(|found| found.log);
    Difference { new, fixed, still }
}

type Found<'a> = Vec<&'a Diagnostic>;

/// What is in both, as the later has it; the rest of the earlier; the rest of the later.
fn pair<'a>(
    earlier: Found<'a>,
    later: Found<'a>,
    key: impl Fn(&Diagnostic) -> Key,
) -> (Found<'a>, Found<'a>, Found<'a>) {
    let mut before: HashMap<Key, Found<'a>> = HashMap::new();
    for found in earlier {
        before.entry(key(found)).or_default().push(found);
    }
    let (both, rest) = later.into_iter().partition(|found| {
        let same = before.get_mut(&key(found)).filter(|same| !same.is_empty());
        same.map(|same| same.remove(nearest(same, found))).is_some()
    });
    (both, before.into_values().flatten().collect(), rest)
}

/// Of those that are alike, the one whose line is nearest.
fn nearest(same: &[&Diagnostic], found: &Diagnostic) -> usize {
    let line = |found: &Diagnostic| found.place.as_ref().and_then(|place| place.line).unwrap_or_default();
    let distance = |at: &usize| line(same[*at]).abs_diff(line(found));
    (0..same.len()).min_by_key(distance).unwrap_or_default()
}

type Key = (crate::model::Severity, Option<String>, Option<String>, String);

fn key(found: &Diagnostic, words: fn(&str) -> String) -> Key {
    let file = found.place.as_ref().map(|place| place.file.clone());
    let first = found.message.lines().next().unwrap_or_default();
    (found.severity, file, found.code.clone(), words(first))
}

/// Lines, columns, durations and counts within a message move with edits that change nothing else.
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
    use crate::model::{Location, LogRange, Severity};

    fn found(file: &str, line: usize, message: &str) -> Diagnostic {
        Diagnostic::new(Severity::Error, message, LogRange::default(), "tsc").at(Location::at(file, line, 1))
    }

    #[test]
    fn what_moved_is_the_same() {
        let earlier = [found("a", 3, "x"), found("a", 9, "x"), found("b", 1, "y took 9 ms")];
        let later = [found("a", 11, "x"), found("b", 2, "y took 13 ms"), found("c", 1, "x")];
        let changed = difference(&earlier, &later);
        assert_eq!(changed.new, [&later[2]]);
        assert_eq!(changed.fixed, [&earlier[0]]);
        assert_eq!(changed.still, [&later[0], &later[1]]);
    }

    #[test]
    fn what_was_fixed_is_not_what_still_fails() {
        let earlier = [found("a", 3, "returns 404"), found("a", 3, "returns 500")];
        let changed = difference(&earlier, &earlier[1..]);
        assert_eq!(
            (changed.new, changed.fixed, changed.still),
            (vec![], vec![&earlier[0]], vec![&earlier[1]])
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
