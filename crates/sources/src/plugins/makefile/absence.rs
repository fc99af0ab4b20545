//! The reason why a named target is not offered.

use std::sync::Arc;

use super::found::FoundMakefile;
use super::names::tool_name;
use super::selection::{Selection, TargetVerdict, made_by, objection};
use super::targets::{FALLBACK, MakeTarget, TargetPattern};
use super::tools::runnable;
use crate::model::{Absence, ErrorCode, Location, Problem, Values, shown, slip};

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
    // A rule for any target would take a slip of the pen too.
    let is_slip = |pattern: &TargetPattern| {
        let takes_any = matches!(&*pattern.name, FALLBACK | "%");
        takes_any && makefile.targets.iter().any(|target| slip(name, &target.name).is_some())
    };
    let made = made_by(name, makefile).filter(|pattern| objection(name).is_none() && !is_slip(pattern));
    made.map_or(Absence::Unknown, |pattern| {
        if let Some(problem) = selection.patterns.left_out(name) {
            return Absence::Because(Box::new(problem.at(pattern.source.clone())));
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

fn left_out(found: &Arc<FoundMakefile>, config: &Values, target: &MakeTarget) -> Absence {
    let selection = Selection::new(config);
    if let Some(problem) = selection.patterns.left_out(&target.name) {
        return Absence::Because(Box::new(problem.at(target.source.clone())));
    }
    let problem =
        |what: &str, help| problem(format!("{what}: {}", shown(&target.name)), help, &target.source);
    match selection.judge(target) {
        TargetVerdict::Offered | TargetVerdict::LeftOut => Absence::Unknown,
        TargetVerdict::Unnamed(why) => {
            let help = format!("{why}; add it to `targets` in settings.yml");
            let problem = problem("Target is not offered by itself", help);
            match objection(&target.name) {
                None => Absence::ByName(Box::new(runnable(found, config, target)), problem),
                Some(_) => Absence::Because(problem),
            }
        }
        TargetVerdict::Unsafe(why) => {
            Absence::Because(problem("Target cannot be called safely", format!("{why}; rename it")))
        }
    }
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
