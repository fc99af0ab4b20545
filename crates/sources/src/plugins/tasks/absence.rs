//! The reason why a named task is not offered.

use super::offer::{self, FoundSource};
use super::patterns::TaskPatterns;
use super::spec::SourceSpec;
use super::task::TaskListing;
use crate::model::{Absence, ErrorCode, Problem, shown};

/// Explains why nothing of this name is offered by a source that was read.
pub(super) fn absence(spec: &SourceSpec, found: &FoundSource<'_>, name: &str) -> Absence {
    let FoundSource { look, tasks, .. } = found;
    let fresh = look.fresh();
    if !fresh.is_empty() {
        return Absence::Look(fresh);
    }
    let by_own_name = tasks.iter().find(|task| task.is(name) || task.tool.name == name);
    let Some(task) = by_own_name.or_else(|| tasks.iter().find(|task| task.is_called(name))) else {
        return Absence::Unknown;
    };
    let (original, own) = (&task.tool.original, shown(&task.tool.original));
    let patterns = TaskPatterns::new(look.config, spec.selecting, spec.card().noun, &mut Vec::new());
    let problem = match &task.listing {
        TaskListing::ByName(why) | TaskListing::Never(why) => {
            patterns.absent(&format!("is private: {own}")).help(*why)
        }
        TaskListing::Lacking(what, help) => Problem::error(ErrorCode::NotFound, what.clone()).help(*help),
        TaskListing::Public => match patterns.left_out(original) {
            Some(problem) => problem,
            // The task is offered, and people alone may use its other names.
            None if !task.is(name) && task.tool.name != name => patterns
                .absent(&format!("{own} has the alias {}", shown(name)))
                .help(format!("call it by its own name: {own}")),
            None => return Absence::Unknown,
        },
    };
    match task.listing {
        TaskListing::ByName(_) if !patterns.excludes(original) => {
            Absence::ByName(Box::new(offer::tool(spec, task, look)), problem.into())
        }
        _ => Absence::Because(problem.into()),
    }
}
