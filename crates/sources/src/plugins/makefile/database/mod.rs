//! Reads make's own database: make's reading of a Makefile.

mod entries;
mod remarks;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};

use entries::{DatabaseEntries, DatabaseEntry, RecipeStart, entries};
use remarks::Remarks;

use super::project::MakefileProject;
use super::simple::MakefileReading;
use super::special::{Suffixes, is_special};
use super::targets::{FALLBACK, MakeTarget, Makefile, TargetPattern};
use crate::model::{Location, Problem, path};

/// The contents of make's own database.
#[derive(Debug, PartialEq)]
pub(super) struct Database {
    /// The targets as make knows them.
    pub(super) makefile: Makefile,
    /// The files that make read, by the project's names. Only the text names the missing ones that make would
    /// also read.
    pub(super) files: Vec<String>,
    /// The places of the recipes of each target.
    pub(super) recipes: HashMap<String, Vec<Location>>,
}

/// Reads the targets that make knows, and adds the comments and the rules without a recipe from the text.
/// `None`: the output holds no whole database.
pub(super) fn read(project: &MakefileProject, out: &[u8], text: &MakefileReading) -> Option<Database> {
    let out = String::from_utf8_lossy(out);
    let database = entries(&out)?;
    let files = makefiles(&database, project);
    let remarks = Remarks::new(text, &database, project);
    let mut targets = targets(&database, project, text, &remarks);
    sort(&mut targets, &text.makefile.targets, &files);
    // A target that the text could not offer may be in the database.
    let names: HashSet<&str> = targets.iter().map(|target| target.name.as_str()).collect();
    let holds = |problem: &&Problem| !problem.withheld.iter().any(|name| names.contains(name.as_str()));
    let problems = text.makefile.problems.iter().filter(holds).cloned().collect();
    let patterns = patterns(&database, project, text, &remarks);
    let mut recipes: HashMap<String, Vec<Location>> = HashMap::new();
    for (entry, recipe) in database.files.iter().filter_map(|entry| Some((entry, entry.recipe?))) {
        recipes.entry(entry.name.to_owned()).or_default().push(location(recipe, project));
    }
    Some(Database { makefile: Makefile { targets, patterns, doubts: Vec::new(), problems }, files, recipes })
}

/// Sorts targets as the text has them, each other one behind the target of the text that precedes it in its file: the database
/// itself is in the order of a hash table.
fn sort(targets: &mut [MakeTarget], text: &[MakeTarget], files: &[String]) {
    let ranks: HashMap<&str, usize> =
        text.iter().enumerate().map(|(rank, target)| (target.name.as_str(), rank)).collect();
    let place = |target: &MakeTarget| {
        let file = files.iter().position(|file| *file == target.source.file)?;
        Some((file, target.source.line?))
    };
    let places: BTreeMap<(usize, usize), usize> =
        text.iter().enumerate().filter_map(|(rank, target)| Some((place(target)?, rank))).collect();
    targets.sort_by_cached_key(|target| {
        let known = ranks.get(target.name.as_str()).copied();
        let place = place(target);
        let before = place.and_then(|place| {
            let (before, rank) = places.range(..=place).next_back()?;
            (before.0 == place.0).then_some(*rank)
        });
        let is_new = known.is_none();
        (
            known.or(before).unwrap_or(usize::MAX),
            is_new,
            place.unwrap_or((usize::MAX, 0)),
            target.name.clone(),
        )
    });
}

/// In the order in which they were read, then those that the list lacks: a Makefile may empty it.
fn makefiles(database: &DatabaseEntries<'_>, project: &MakefileProject) -> Vec<String> {
    let listed = database.makefiles.split_whitespace().map(|file| file.replace("$$", "$"));
    let rules = database.files.iter().filter_map(|entry| Some(entry.recipe?.file));
    let mut known = HashSet::new();
    let all = listed.chain(rules.map(ToOwned::to_owned));
    all.map(|file| path::join(&project.folder, &file)).filter(|file| known.insert(file.clone())).collect()
}

/// One target for each name; double-colon rules are entries of their own.
fn targets(
    database: &DatabaseEntries<'_>,
    project: &MakefileProject,
    text: &MakefileReading,
    remarks: &Remarks<'_>,
) -> Vec<MakeTarget> {
    let known: HashMap<&str, &MakeTarget> =
        text.makefile.targets.iter().map(|target| (target.name.as_str(), target)).collect();
    let needed = needed(database);
    let suffixes = suffixes(database);
    let mut at: HashMap<&str, usize> = HashMap::new();
    let mut targets: Vec<MakeTarget> = Vec::new();
    for entry in database.files.iter().filter(|entry| entry.is_target) {
        let known = known.get(entry.name).copied();
        if is_special(entry.name) || suffixes.pattern(entry.name).is_some() {
            continue;
        }
        // `.PHONY` makes a target of any name; one that no rule has does nothing.
        if known.is_none() && entry.phony && entry.recipe.is_none() && entry.prerequisites.is_empty() {
            continue;
        }
        let at = *at.entry(entry.name).or_insert(targets.len());
        if at == targets.len() {
            targets.push(MakeTarget {
                name: entry.name.to_owned(),
                phony: false,
                description: known.and_then(|target| target.description.clone()),
                prerequisites: false,
                recipe: false,
                needed: needed.contains(entry.name),
                aliased: false,
                stands_for: None,
                source: known.map_or_else(|| Location::file(&project.file), |target| target.source.clone()),
                only_if: None,
            });
        }
        let target = &mut targets[at];
        target.phony |= entry.phony;
        target.prerequisites |= !entry.prerequisites.is_empty();
        if let Some(recipe) = entry.recipe.filter(|_| !std::mem::replace(&mut target.recipe, true))
            && known.is_none()
        {
            target.source = location(recipe, project);
        }
        if let Some(recipe) = entry.recipe
            && target.description.is_none()
        {
            target.description = remarks.on(recipe).map(ToOwned::to_owned);
        }
    }
    targets
}

/// Every name that a rule lists as a prerequisite, other than the target itself and those that only special targets list.
fn needed<'a>(database: &DatabaseEntries<'a>) -> HashSet<&'a str> {
    let rules = database.files.iter().filter(|entry| !is_special(entry.name));
    let prerequisites = |entry: &DatabaseEntry<'a>| {
        let name = entry.name;
        entry.prerequisites.split_whitespace().filter(move |prerequisite| *prerequisite != name)
    };
    rules.chain(&database.patterns).flat_map(prerequisites).collect()
}

/// The targets of pattern rules; those that make made of suffix rules are none of the Makefile's.
fn patterns(
    database: &DatabaseEntries<'_>,
    project: &MakefileProject,
    text: &MakefileReading,
    remarks: &Remarks<'_>,
) -> Vec<TargetPattern> {
    let suffixes = suffixes(database);
    let suffix_rules = database.files.iter().filter(|entry| suffixes.pattern(entry.name).is_some());
    let suffix_rules: HashSet<RecipeStart<'_>> = suffix_rules.filter_map(|entry| entry.recipe).collect();
    let known: HashMap<&str, &TargetPattern> =
        text.makefile.patterns.iter().map(|pattern| (pattern.name.as_str(), pattern)).collect();
    let mut seen = HashSet::new();
    let mut patterns = Vec::new();
    for rule in &database.patterns {
        let Some(recipe) = rule.recipe.filter(|recipe| !suffix_rules.contains(recipe)) else { continue };
        for name in rule.name.split_whitespace().filter(|name| seen.insert(*name)) {
            patterns.push(known.get(name).copied().cloned().unwrap_or_else(|| TargetPattern {
                name: name.to_owned(),
                description: remarks.on(recipe).map(ToOwned::to_owned),
                source: location(recipe, project),
            }));
        }
    }
    patterns.extend(known.get(FALLBACK).copied().cloned());
    patterns
}

/// The suffixes that make knows from the start, and those of the Makefile.
fn suffixes(database: &DatabaseEntries<'_>) -> Suffixes {
    let own = database.files.iter().filter(|entry| entry.name == ".SUFFIXES");
    let own = own.flat_map(|entry| entry.prerequisites.split_whitespace());
    let mut suffixes = Suffixes::default();
    suffixes.extend(own.map(str::to_owned));
    suffixes
}

fn location(place: RecipeStart<'_>, project: &MakefileProject) -> Location {
    let file = path::join(&project.folder, place.file);
    Location::line(file, place.line)
}
