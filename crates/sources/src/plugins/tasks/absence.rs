//! The reason why a named task is not offered.

use super::offer::{self, FoundSource};
use super::spec::SourceSpec;
use super::task::TaskListing;
use crate::model::{Absence, ErrorCode, Patterns, Problem, shown};

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
    let (own, [include, exclude]) = (shown(&task.tool.original), spec.selecting);
    let noun = capitalized(spec.card().noun);
    let (wanted, _) = Patterns::new(look.config.texts(include));
    let (excluded, _) = Patterns::new(look.config.texts(exclude));
    let is_excluded = excluded.matches(&task.tool.original);
    let (what, help) = match &task.listing {
        TaskListing::ByName(why) | TaskListing::Never(why) => {
            (format!("{noun} is private: {own}"), (*why).to_owned())
        }
        TaskListing::Lacking(what, help) => (what.clone(), (*help).to_owned()),
        TaskListing::Public if is_excluded => (
            format!("{noun} is excluded: {own}"),
            format!("`{}` in the settings leaves it out", exclude.name),
        ),
        TaskListing::Public if !wanted.matches(&task.tool.original) => (
            format!("{noun} not in allowed patterns: {own}"),
            format!("add it to `{}` in settings.yml", include.name),
        ),
        // The task is offered, and people alone may use its other names.
        TaskListing::Public if !task.is(name) && task.tool.name != name => {
            (format!("{noun} {own} has the alias {}", shown(name)), format!("call it by its own name: {own}"))
        }
        TaskListing::Public => return Absence::Unknown,
    };
    let problem = Box::new(Problem::error(ErrorCode::NotFound, what).help(help));
    match task.listing {
        TaskListing::ByName(_) if !is_excluded => {
            Absence::ByName(Box::new(offer::tool(spec, task, look)), problem)
        }
        _ => Absence::Because(problem),
    }
}

fn capitalized(noun: &str) -> String {
    let mut letters = noun.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
