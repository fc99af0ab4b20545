//! The open questions about a Makefile's targets, in one or two lines, however many there are.

use super::selection::{Selection, Verdict};
use super::targets::{Doubt, Makefile, Target};
use crate::model::{Problem, shown, visible};

/// How many places a message names before it counts the rest.
const MOST_PLACES: usize = 3;

/// The most places that are named in detail.
const MOST_NOTES: usize = 50;

/// How many targets a message names for each condition.
const MOST_NAMES: usize = 3;

/// The first thing that reading left open, be it of one target only, and how much more there is; `None`: nothing.
pub(super) fn summary(makefile: &Makefile) -> Option<String> {
    let conditions = makefile.targets.iter().filter_map(|target| target.only_if.as_deref());
    let mut open: Vec<&Doubt> = Vec::new();
    for doubt in makefile.doubts.iter().chain(conditions) {
        // Many targets stand under one condition.
        if open.last() != Some(&doubt) {
            open.push(doubt);
        }
    }
    let (first, rest) = open.split_first()?;
    Some(match rest.len() {
        0 => first.to_string(),
        more => format!("{first}; and {more} more"),
    })
}

/// The open questions; `remedy` settles them.
pub(super) fn problems(makefile: &Makefile, selection: &Selection, remedy: &str) -> Vec<Problem> {
    let open = [doubtful(&makefile.doubts), conditional(makefile, selection)];
    let mut problems: Vec<Problem> = open.into_iter().flatten().collect();
    // The same help fits both, so it comes once.
    if let Some(last) = problems.last_mut() {
        last.help = Some(format!("{remedy}, or name targets under `targets` to offer them all the same"));
    }
    problems
}

/// Each place that the first message of [`problems`] only counts.
pub(super) fn notes(makefile: &Makefile) -> Vec<String> {
    let rest = makefile.doubts.get(1..).unwrap_or_default();
    let mut notes: Vec<String> = rest.iter().take(MOST_NOTES).map(ToString::to_string).collect();
    if let more @ 1.. = rest.len().saturating_sub(MOST_NOTES) {
        notes.push(format!("{more} more places leave targets open"));
    }
    notes
}

/// The places whose targets reading cannot know.
fn doubtful(doubts: &[Doubt]) -> Option<Problem> {
    let (first, rest) = doubts.split_first()?;
    let places: Vec<String> = rest.iter().take(MOST_PLACES).map(|doubt| doubt.at.to_string()).collect();
    let elsewhere = match (rest.len(), rest.len().saturating_sub(MOST_PLACES)) {
        (0, _) => String::new(),
        (_, 0) => format!(" and at {}", places.join(", ")),
        (_, more) => format!(" and at {} and {more} more places (`--verbose` names them)", places.join(", ")),
    };
    let what = &first.what;
    let message = format!("{what}; targets may be missing here{elsewhere}, the others are offered");
    Some(Problem::warning(visible(&message)).at(first.at.clone()))
}

/// The targets that are held back since reading does not know whether they exist.
fn conditional(makefile: &Makefile, selection: &Selection) -> Option<Problem> {
    let mut groups: Vec<(&Doubt, Vec<&Target>)> = Vec::new();
    for target in makefile.targets.iter().filter(|target| target.only_if.is_some()) {
        let Verdict::Conditional(doubt) = selection.judge(target) else { continue };
        match groups.last_mut().filter(|(known, _)| *known == doubt) {
            Some((_, targets)) => targets.push(target),
            None => groups.push((doubt, vec![target])),
        }
    }
    let count: usize = groups.iter().map(|(_, targets)| targets.len()).sum();
    let mut parts: Vec<String> =
        groups.iter().take(MOST_PLACES).map(|(doubt, of)| group(doubt, of)).collect();
    let more: usize = groups.iter().skip(MOST_PLACES).map(|(_, targets)| targets.len()).sum();
    if more > 0 {
        parts.push(format!("and {more} more"));
    }
    let subject = match count {
        0 => return None,
        1 => "a target is there only under a condition, and is not offered".to_owned(),
        count => format!("{count} targets are there only under conditions, and are not offered"),
    };
    // Their places may be in several files, so the message itself has them.
    Some(Problem::warning(format!("{subject}: {}", parts.join("; "))))
}

/// `ci-setup, ci-test and 2 more (Makefile:5: ifdef CI)`.
fn group(doubt: &Doubt, targets: &[&Target]) -> String {
    let names: Vec<String> = targets.iter().take(MOST_NAMES).map(|target| shown(&target.name)).collect();
    let more = match targets.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more} ({doubt})", names.join(", "))
}
