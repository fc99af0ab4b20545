//! The reason why a named target is not offered.

use super::found::Found;
use super::names::tool_name;
use super::selection::{Selection, Verdict, made_by};
use super::targets::Target;
use crate::model::{Absence, Fault, Location, Problem, Values, shown};

/// Explains why the target of this name is not offered. A name without a rule is simply unknown.
pub(super) fn because(found: &Found, config: &Values, name: &str) -> Absence {
    let makefile = &found.makefile;
    let called = |target: &&Target| target.name == name || tool_name(&target.name) == name;
    if let Some(target) = makefile.targets.iter().find(called) {
        return left_out(target, &Selection::new(config));
    }
    if let Some(target) = found.absent.iter().find(called) {
        return not_there(target);
    }
    made_by(name, makefile).map_or(Absence::Unknown, |pattern| {
        let what = format!("Target is not offered by itself: {}", shown(name));
        let help = format!(
            "the rule for `{}` could make it; whoever writes the settings can name it under `targets`",
            shown(&pattern.name)
        );
        answer(what, help, &pattern.source)
    })
}

fn left_out(target: &Target, selection: &Selection) -> Absence {
    let (what, help) = match selection.judge(target) {
        Verdict::Offered => return Absence::Unknown,
        Verdict::Excluded => {
            ("Target is excluded", "`exclude_targets` in the settings leaves it out".to_owned())
        }
        Verdict::NotNamed => (
            "Target not in allowed patterns",
            "whoever writes the settings can add it to `targets`".to_owned(),
        ),
        Verdict::Needed => (
            "Target is not offered by itself",
            "only other targets need it; whoever writes the settings can name it under `targets`".to_owned(),
        ),
        Verdict::Empty => (
            "Target is not offered by itself",
            "its rule has nothing to do; whoever writes the settings can name it under `targets`".to_owned(),
        ),
        Verdict::Conditional(doubt) => (
            "Target is there only under a condition",
            format!("{doubt}; whoever writes the settings can name it under `targets`"),
        ),
        Verdict::Unsafe(why) => ("Target cannot be called safely", format!("{why}; rename it")),
    };
    answer(format!("{what}: {}", shown(&target.name)), help, &target.source)
}

/// A target that make did not find: the condition that it stands under does not hold here.
fn not_there(target: &Target) -> Absence {
    let what = format!("Target is there only under a condition that does not hold: {}", shown(&target.name));
    let condition = target.only_if.as_ref().map_or_else(String::new, |doubt| format!("{doubt}; "));
    let help = format!("{condition}`environment` and `make_command` in the settings can change what holds");
    answer(what, help, &target.source)
}

fn answer(what: String, help: String, at: &Location) -> Absence {
    Absence::Because(Box::new(Problem::error(Fault::NotFound, what).at(at.clone()).help(help)))
}
