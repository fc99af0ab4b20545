//! Which scripts look as if nothing took back what they do, and those that run them.

use std::collections::HashSet;

use super::manifest::Script;
use crate::model::{Given, looks_irreversible};

/// By how many scripts that call each other one is followed.
const LONGEST_WAY: usize = 16;

/// The names of such scripts.
pub(super) fn irreversible(scripts: &[Script]) -> HashSet<String> {
    let looks = |script: &&Script| looks_irreversible(&script.name, &script.command);
    let mut found: HashSet<String> = scripts.iter().filter(looks).map(|script| script.name.clone()).collect();
    let lasting = ways(scripts);
    let is_hooked = |script: &&Script| is_hooked(&script.name, &found, &lasting);
    let hooked: Vec<String> = scripts.iter().filter(is_hooked).map(|script| script.name.clone()).collect();
    found.extend(lasting.into_iter().map(str::to_owned));
    found.extend(hooked);
    found
}

/// What runs before and after a script is as irreversible as the script, and so is a script that has such a hook. A script
/// puts back what only was removed before it.
fn is_hooked(name: &str, found: &HashSet<String>, lasting: &HashSet<&str>) -> bool {
    let is_one = |script: &str| found.contains(script) || lasting.contains(script);
    let script = name.strip_prefix("pre").or_else(|| name.strip_prefix("post"));
    script.is_some_and(is_one) || is_one(&format!("post{name}")) || lasting.contains(&*format!("pre{name}"))
}

/// What calls such a script by a package manager is a way around it. One that only removes files is called by many, which
/// put back what it took.
fn ways(scripts: &[Script]) -> HashSet<&str> {
    let is_lasting =
        |script: &&Script| looks_irreversible(&script.name, &format!("{}\nmore", script.command));
    let mut lasting: HashSet<&str> =
        scripts.iter().filter(is_lasting).map(|script| script.name.as_str()).collect();
    if lasting.is_empty() {
        return lasting;
    }
    for _ in 0..LONGEST_WAY {
        let leads = |script: &&Script| calls(&script.command).any(|name| lasting.contains(name));
        let more: Vec<&str> = scripts.iter().filter(leads).map(|script| script.name.as_str()).collect();
        let known = lasting.len();
        lasting.extend(more);
        if lasting.len() == known {
            break;
        }
    }
    lasting
}

/// Whether what a call brings to a script makes one look so that this leads to. Words go to the last command alone.
pub(super) fn leads_on(scripts: &[Script], name: &str, given: &Given) -> bool {
    let values = Given { words: Vec::new(), ..given.clone() };
    let mut waiting = vec![(name.to_owned(), given)];
    let mut seen = HashSet::new();
    while let Some((name, given)) = waiting.pop() {
        if !seen.insert((name.clone(), given.words.is_empty())) {
            continue;
        }
        let hooks = [format!("pre{name}"), format!("post{name}")];
        waiting.extend(hooks.map(|hook| (hook, &values)));
        for script in scripts.iter().filter(|script| script.name == name) {
            let text = script.command.trim_end();
            if looks_irreversible("", &given.in_text(text)) {
                return true;
            }
            let last = text.rfind([';', '&', '|', '\n']).map_or(0, |end| end + 1);
            waiting.extend(calls(&text[..last]).map(|name| (name.to_owned(), &values)));
            waiting.extend(calls(&text[last..]).map(|name| (name.to_owned(), given)));
        }
    }
    false
}

/// The words behind a package manager, or what runs several scripts: names of scripts are among them.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    const RUNNERS: [&str; 7] = ["npm", "pnpm", "yarn", "bun", "run-s", "run-p", "npm-run-all"];
    let commands = text.split([';', '&', '|', '\n', '(', ')']);
    commands.flat_map(|command| {
        let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        let runs = words.by_ref().any(|word| RUNNERS.contains(&word));
        words.filter(move |_| runs)
    })
}
