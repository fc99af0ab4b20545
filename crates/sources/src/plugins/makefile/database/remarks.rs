//! Comments on rules whose names only make knows: `$(addprefix build-,$(LIST)): ## Build one`.

use std::collections::{BTreeMap, HashMap};

use super::entries::{DatabaseEntries, RecipeStart};
use crate::model::path;
use crate::plugins::makefile::project::MakefileProject;
use crate::plugins::makefile::simple::MakefileReading;
use crate::plugins::makefile::written::Written;

/// How many lines a recipe may begin below the line where its rule begins: prerequisites may be continued.
const FARTHEST: usize = 3;

/// A comment on a rule that makes more files than these is about the rule, and says nothing of any one of them.
const MOST_FILES: usize = 20;

/// The comments, by the recipes that they belong to.
#[derive(Debug)]
pub(super) struct Remarks<'a>(HashMap<RecipeStart<'a>, &'a str>);

impl<'a> Remarks<'a> {
    /// Gives each comment to the first recipe at or shortly below its rule. An exception are rules of targets
    /// that the text knows by name and whose recipe is elsewhere or missing.
    pub(super) fn new(
        text: &'a MakefileReading,
        database: &DatabaseEntries<'a>,
        project: &MakefileProject,
    ) -> Self {
        let mut recipes: BTreeMap<String, BTreeMap<usize, RecipeStart<'a>>> = BTreeMap::new();
        for place in database.files.iter().chain(&database.patterns).filter_map(|entry| entry.recipe) {
            let file = path::join(&project.folder, place.file);
            recipes.entry(file).or_default().insert(place.line, place);
        }
        let mut owned: HashMap<(&str, usize), Vec<&str>> = HashMap::new();
        for target in &text.makefile.targets {
            if let Some(line) = target.source.line {
                owned.entry((target.source.file.as_str(), line)).or_default().push(&target.name);
            }
        }
        let of: HashMap<&str, RecipeStart<'a>> =
            database.files.iter().filter_map(|entry| Some((entry.name, entry.recipe?))).collect();
        let belongs = |rule: &Written| -> Option<RecipeStart<'a>> {
            let line = rule.at.line?;
            let (_, place) =
                recipes.get(&rule.at.file)?.range(line..=line.saturating_add(FARTHEST)).next()?;
            let mut owners = owned.get(&(rule.at.file.as_str(), line)).into_iter().flatten();
            owners.all(|name| of.get(name) == Some(place)).then_some(*place)
        };
        let found = text
            .written
            .rules
            .iter()
            .filter_map(|rule| Some((belongs(rule)?, rule.described.as_ref()?.1.as_str())));
        let mut remarks: HashMap<RecipeStart<'a>, &'a str> = found.collect();
        let mut sharing: HashMap<RecipeStart<'a>, usize> = HashMap::new();
        for recipe in database.files.iter().filter(|entry| !entry.phony).filter_map(|entry| entry.recipe) {
            *sharing.entry(recipe).or_default() += 1;
        }
        remarks.retain(|recipe, _| sharing.get(recipe).is_none_or(|files| *files <= MOST_FILES));
        Self(remarks)
    }

    /// The comment on the rule of this recipe.
    pub(super) fn on(&self, recipe: RecipeStart<'_>) -> Option<&'a str> {
        self.0.get(&recipe).copied()
    }
}
