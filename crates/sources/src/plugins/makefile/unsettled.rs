//! The open questions about a Makefile's targets: a line for each file, however many there are.

use super::targets::{Doubt, Makefile};
use crate::model::{Problem, bounded, visible};

/// How many lines a message names before it counts the rest.
const MOST_LINES: usize = 3;

/// The first thing that reading left open, be it of one target only, and how much more there is; `None`: nothing.
pub(super) fn summary(makefile: &Makefile) -> Option<String> {
    let conditions = makefile.targets.iter().filter_map(|target| target.only_if.as_deref());
    let mut open: Vec<&Doubt> = makefile.doubts.iter().chain(conditions).collect();
    // Many targets stand under one condition.
    open.dedup();
    let (first, rest) = open.split_first()?;
    let more = first.others.len() + rest.iter().map(|doubt| 1 + doubt.others.len()).sum::<usize>();
    Some(if more == 0 { first.to_string() } else { format!("{first}; and {more} more") })
}

/// Adds the open questions of each file to the problems; `remedy` settles them.
pub(super) fn report(makefile: &Makefile, remedy: &str, problems: &mut Vec<Problem>) {
    bounded(makefile.doubts.iter().map(problem).collect(), problems);
    // The same help fits all, so it comes once.
    if let Some(last) = problems.last_mut().filter(|_| !makefile.doubts.is_empty()) {
        last.help = Some(format!("{remedy}, or name targets under `targets` to offer them all the same"));
    }
}

/// The places of a file whose targets reading cannot know.
fn problem(doubt: &Doubt) -> Problem {
    let Doubt { at, what, others } = doubt;
    let lines: Vec<String> = others.iter().take(MOST_LINES).map(ToString::to_string).collect();
    let elsewhere = match (others.len(), others.len().saturating_sub(MOST_LINES)) {
        (0, _) => String::new(),
        (1, _) => format!(" and in line {}", lines.concat()),
        (_, 0) => format!(" and in lines {}", lines.join(", ")),
        (_, more) => format!(" and in lines {} and {more} more", lines.join(", ")),
    };
    let message = format!("{what}; targets may be missing here{elsewhere}, the others are offered");
    Problem::warning(visible(&message)).at(at.clone())
}
