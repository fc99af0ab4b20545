//! Near misses: the likely tools for a name that no tool has.

use crate::model::Registered;
use crate::model::{Spelling, ToolName, slip};

/// The most tools that are named.
const MOST: usize = 5;
/// The most words that are searched: a longer text is no name.
const MOST_WORDS: usize = 8;
/// One slip in two letters is another word.
const SHORTEST: usize = 3;

/// The near tools, the likeliest first: those of the instance of that name, or those that one slip leads to.
/// Otherwise those that contain each word of it.
pub(super) fn near(tools: &[Registered], typed: &str, spelling: Spelling) -> Vec<ToolName> {
    let of_instance: Vec<ToolName> = tools
        .iter()
        .filter(|tool| tool.name.instance == typed && !tool.tool.role.is_list())
        .take(MOST)
        .map(|tool| tool.name.clone())
        .collect();
    if !of_instance.is_empty() {
        return of_instance;
    }
    let slips = tools.iter().filter_map(|tool| {
        let names = [tool.name.spelled(spelling), tool.name.local.clone(), tool.tool.original.clone()];
        let last = tool.last_part().map(str::to_owned);
        let names = names.into_iter().chain(last).filter(|name| !name.is_empty());
        Some((names.filter_map(|name| slip(typed, &name)).min()?, tool))
    });
    let slips: Vec<(usize, &Registered)> = slips.collect();
    let best = slips.iter().map(|(distance, _)| *distance).min();
    let found: Vec<&Registered> = match best {
        Some(best) => slips.into_iter().filter(|(slips, _)| *slips == best).map(|(_, tool)| tool).collect(),
        None => having(tools, typed),
    };
    found.into_iter().take(MOST).map(|tool| tool.name.clone()).collect()
}

/// The tools that have each typed word in their names, as it is or with a slip; the fewer slips, the earlier.
fn having<'a>(tools: &'a [Registered], typed: &str) -> Vec<&'a Registered> {
    let typed = typed.to_lowercase();
    let wanted: Vec<&str> = words(&typed).take(MOST_WORDS + 1).collect();
    if wanted.is_empty() || wanted.len() > MOST_WORDS {
        return Vec::new();
    }
    let distance = |tool: &Registered| {
        let name = format!("{} {}", tool.name, tool.tool.original).to_lowercase();
        wanted.iter().map(|word| apart(word, &name)).sum::<Option<usize>>()
    };
    let runs = tools.iter().filter(|tool| !tool.tool.role.is_list());
    let mut found: Vec<(usize, &Registered)> =
        runs.filter_map(|tool| Some((distance(tool)?, tool))).collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().map(|(_, tool)| tool).collect()
}

/// How far a word is from one of a name; a part of one is farther than a whole one.
fn apart(word: &str, name: &str) -> Option<usize> {
    let is_long = word.chars().count() >= SHORTEST;
    let slips = words(name).filter_map(|other| slip(word, other));
    let least = slips.filter(|slips| *slips == 0 || is_long).min();
    least.or_else(|| (is_long && name.contains(word)).then_some(1))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}
