//! The recipes that settings select.

use super::config::{EXCLUDE_RECIPES, RECIPES};
use super::dump::Dump;
use super::recipe::{Recipe, tool_name};
use crate::model::{Absence, Fault, Patterns, Problem, Values, bounded, shown};

/// The recipes to offer; patterns of the settings that are wrong or mean nothing are problems.
pub(super) fn select<'r>(all: &'r [Recipe], config: &Values, problems: &mut Vec<Problem>) -> Vec<&'r Recipe> {
    let (wanted, bad) = Patterns::new(config.texts(&RECIPES));
    problems.extend(bad.iter().map(|bad| bad.problem(&RECIPES, "the other patterns still count")));
    let (excluded, bad) = Patterns::new(config.texts(&EXCLUDE_RECIPES));
    if !bad.is_empty() {
        // The bad pattern may exclude any recipe, so all are held back.
        let effect = "no recipe is offered until it is corrected";
        problems.extend(bad.iter().map(|bad| bad.problem(&EXCLUDE_RECIPES, effect)));
        return Vec::new();
    }
    let public: Vec<&Recipe> = all.iter().filter(|recipe| !recipe.is_private).collect();
    let names: Vec<&str> = public.iter().map(|recipe| recipe.path.as_str()).collect();
    for (field, effect) in [(&RECIPES, "offers nothing"), (&EXCLUDE_RECIPES, "leaves nothing out")] {
        bounded(Patterns::idle_names(field, &config.texts(field), &names, "recipe", effect), problems);
    }
    let is_offered = |recipe: &&Recipe| wanted.matches(&recipe.path) && !excluded.matches(&recipe.path);
    public.into_iter().filter(is_offered).collect()
}

/// The reason why a recipe of this name is not offered.
pub(super) fn absence(dump: &Dump, config: &Values, name: &str) -> Absence {
    let called = |recipe: &&Recipe| recipe.path == name || tool_name(&recipe.path) == name;
    let Some(recipe) = dump.recipes.iter().find(called) else {
        return dump
            .aliases
            .get(name)
            .map_or(Absence::Unknown, |target| of_alias(dump, config, name, target));
    };
    let (excluded, _) = Patterns::new(config.texts(&EXCLUDE_RECIPES));
    let (what, help) = if recipe.is_private {
        ("Recipe is private", "just lists no recipe with `[private]` or a leading `_`; rename it to offer it")
    } else if excluded.matches(&recipe.path) {
        ("Recipe is excluded", "`exclude_recipes` in the settings leaves it out")
    } else {
        ("Recipe not in allowed patterns", "add it to `recipes` in settings.yml")
    };
    let problem = Problem::error(Fault::NotFound, format!("{what}: {}", shown(&recipe.path)));
    Absence::Because(Box::new(problem.help(help)))
}

/// The reason why nothing is offered under an alias: of a recipe that is not offered, the reason of that.
fn of_alias(dump: &Dump, config: &Values, name: &str, target: &str) -> Absence {
    let is_offered =
        !select(&dump.recipes, config, &mut Vec::new()).iter().all(|recipe| recipe.path != target);
    if !is_offered {
        let is_there = dump.recipes.iter().any(|recipe| recipe.path == target);
        return if is_there { absence(dump, config, target) } else { Absence::Unknown };
    }
    let (name, target) = (shown(name), shown(target));
    let problem = Problem::error(Fault::NotFound, format!("Recipe {target} has the alias {name}"));
    Absence::Because(Box::new(problem.help(format!("call it by its own name: {target}"))))
}
