//! The reason why a named target is not offered.

use std::sync::Arc;

use super::found::FoundMakefile;
use super::names::tool_name;
use super::selection::{Selection, TargetVerdict, made_by, objection};
use super::targets::MakeTarget;
use super::tools::runnable;
use crate::model::{Absence, ErrorCode, Location, Problem, Values, shown};

/// Explains why the target of this name is not offered. A name without a rule is simply unknown. A person gets every
/// target that make has and `exclude_targets` and `targets` do not keep back.
pub(super) fn because(found: &Arc<FoundMakefile>, config: &Values, name: &str) -> Absence {
    let makefile = &found.makefile;
    let called = |target: &&MakeTarget| target.name == name || tool_name(&target.name) == name;
    if let Some(target) = makefile.targets.iter().find(called) {
        return left_out(found, config, target);
    }
    if let Some(target) = found.absent.iter().find(called) {
        return not_there(target);
    }
    let selection = Selection::new(config);
    let made = made_by(name, makefile).filter(|_| objection(name).is_none());
    made.map_or(Absence::Unknown, |pattern| {
        if !selection.is_open_to(name) {
            return answer(
                format!("Target is excluded: {}", shown(name)),
                EXCLUDED.to_owned(),
                &pattern.source,
            );
        }
        let what = format!("Target is not offered by itself: {}", shown(name));
        let help = format!(
            "the rule for `{}` could make it; add it to `targets` in settings.yml",
            shown(&pattern.name)
        );
        Absence::ByName(
            Box::new(runnable(found, config, &MakeTarget::made_by(name, pattern))),
            problem(what, help, &pattern.source),
        )
    })
}

/// The help for a target that the settings leave out.
const EXCLUDED: &str = "`exclude_targets` in the settings leaves it out";

fn left_out(found: &Arc<FoundMakefile>, config: &Values, target: &MakeTarget) -> Absence {
    let by_name = "add it to `targets` in settings.yml";
    let (what, help, is_free) = match Selection::new(config).judge(target) {
        TargetVerdict::Offered => return Absence::Unknown,
        TargetVerdict::Excluded => ("Target is excluded", EXCLUDED.to_owned(), false),
        TargetVerdict::NotNamed => ("Target not in allowed patterns", by_name.to_owned(), false),
        TargetVerdict::Needed => {
            ("Target is not offered by itself", format!("only other targets need it; {by_name}"), true)
        }
        TargetVerdict::Unnamed(why) => ("Target is not offered by itself", format!("{why}; {by_name}"), true),
        TargetVerdict::Empty => {
            ("Target is not offered by itself", format!("its rule has nothing to do; {by_name}"), true)
        }
        TargetVerdict::Unsafe(why) => ("Target cannot be called safely", format!("{why}; rename it"), false),
    };
    let problem = problem(format!("{what}: {}", shown(&target.name)), help, &target.source);
    if is_free && objection(&target.name).is_none() {
        return Absence::ByName(Box::new(runnable(found, config, target)), problem);
    }
    Absence::Because(problem)
}

/// A target that make did not find: the condition that it stands under does not hold here.
fn not_there(target: &MakeTarget) -> Absence {
    let what = format!("Target is there only under a condition that does not hold: {}", shown(&target.name));
    let condition = target.only_if.as_ref().map_or_else(String::new, |doubt| format!("{doubt}; "));
    let help = format!("{condition}`environment` and `make_command` in the settings can change what holds");
    answer(what, help, &target.source)
}

fn answer(what: String, help: String, at: &Location) -> Absence {
    Absence::Because(problem(what, help, at))
}

fn problem(what: String, help: String, at: &Location) -> Box<Problem> {
    Box::new(Problem::error(ErrorCode::NotFound, what).at(at.clone()).help(help))
}
