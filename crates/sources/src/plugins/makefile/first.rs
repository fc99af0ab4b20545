//! The commands that run before a target, for people to read below the target's own.

use std::collections::HashSet;

use super::found::FoundMakefile;
use super::recipe::{MORE, MOST, MOST_BYTES, PERHAPS, RuleText, ShownRecipe};
use super::targets::KnownRules;

/// So many names are followed for one target.
const MOST_NAMES: usize = 100;

/// A step on the way through prerequisites: a name, or the end of one whose prerequisites are done.
#[derive(Debug)]
enum PrerequisiteStep<'a> {
    Begin(String),
    End(RuleText<'a>),
}

/// The rules of the prerequisites of a target, each once and in make's order, as far as its own text leaves
/// room.
pub(super) fn first(found: &FoundMakefile, name: &str, known: KnownRules) -> Vec<String> {
    let recipes = &found.recipes;
    let all = &found.makefile.targets;
    let places = found
        .places
        .get_or_init(|| all.iter().enumerate().map(|(place, target)| (target.name.clone(), place)).collect());
    let own: ShownRecipe = recipes.text(name, known);
    let text = own.text.as_deref().unwrap_or_default();
    let (mut lines, mut bytes) = (text.lines().count(), text.len());
    let mut seen: HashSet<String> = [name.to_owned()].into();
    let begun = recipes.rule_text(name, Some(known), false);
    let (mut is_whole, mut is_cut) = (begun.is_whole && !begun.needs_more, false);
    let mut waiting: Vec<PrerequisiteStep<'_>> =
        begun.needs.into_iter().rev().map(PrerequisiteStep::Begin).collect();
    let mut first = Vec::new();
    while let Some(step) = waiting.pop() {
        match step {
            PrerequisiteStep::Begin(name) if seen.contains(&name) => {}
            PrerequisiteStep::Begin(_) if seen.len() > MOST_NAMES => {
                is_cut = true;
                break;
            }
            PrerequisiteStep::Begin(name) => {
                let mut rules =
                    recipes.rule_text(&name, places.get(&name).map(|place| all[*place].known()), true);
                seen.insert(name);
                let needs = std::mem::take(&mut rules.needs).into_iter().rev().map(PrerequisiteStep::Begin);
                waiting.push(PrerequisiteStep::End(rules));
                waiting.extend(needs);
            }
            PrerequisiteStep::End(rules) => {
                let text = rules.lines.join("\n");
                (lines, bytes) = (lines + rules.lines.len(), bytes + text.len() + 1);
                is_whole &= rules.is_whole && !rules.needs_more;
                if lines > MOST || bytes > MOST_BYTES {
                    is_cut = true;
                    break;
                }
                first.extend((!text.is_empty()).then_some(text));
            }
        }
    }
    // If the target's own text is cut, it already says so.
    first.extend((is_cut && (!own.is_cut || !first.is_empty())).then(|| MORE.to_owned()));
    first.extend((!is_whole).then(|| PERHAPS.to_owned()));
    first
}
