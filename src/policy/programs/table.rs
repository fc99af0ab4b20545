//! The options that load code, start programs or write elsewhere, as the manuals of the programs name them.

use super::options::Style::Exact;
use super::options::{Others, Rule, Style};

mod javascript;
mod languages;
mod systems;

const LOADS: &str = "loads code or configuration that the tool does not, or writes elsewhere";
const UNLISTED: &str = "is no option that a call may pass to it";

const fn rule(
    programs: &'static [&'static str],
    style: Style,
    long: &'static str,
    (short, stops): (&'static str, &'static str),
    why: &'static str,
) -> Rule {
    Rule { programs, style, long, short, stops, only: None, others: Others::Any, why }
}

/// The same for a program that runs or loads the files that it is given.
const fn inside(
    programs: &'static [&'static str],
    style: Style,
    long: &'static str,
    letters: (&'static str, &'static str),
) -> Rule {
    Rule { others: Others::Inside, ..rule(programs, style, long, letters, LOADS) }
}

/// A program that takes listed options alone.
const fn only(programs: &'static [&'static str], options: &'static str, others: Others) -> Rule {
    Rule { only: Some(options), others, ..rule(programs, Exact, "", ("", ""), UNLISTED) }
}

/// The rules. Several may be for one program.
pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    [systems::RULES, javascript::RULES, languages::RULES].into_iter().flatten()
}
