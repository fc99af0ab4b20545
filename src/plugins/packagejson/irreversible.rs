//! Which scripts look as if nothing took back what they do, and those that run them.

use std::collections::HashSet;
use std::path::Path;

use super::manager::Manager;
use super::manifest::Script;
use super::tool_name;
use crate::model::{CONFIRM, Call, Given, Patterns, Runner, Values, Way, lasting, looks_irreversible};

/// The names of those of these ways.
pub(super) fn irreversible(scripts: &[Script], ways: &[Way]) -> HashSet<String> {
    let looks = |script: &&Script| looks_irreversible(&script.name, &script.command);
    let mut found: HashSet<String> = scripts.iter().filter(looks).map(|script| script.name.clone()).collect();
    let lasting = lasting(&[(Path::new("."), ways)]).pop().unwrap_or_default();
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

/// What each script calls. What calls one that lasts is a way around it; one that only removes files is called by many,
/// which put back what it took.
pub(super) fn ways(scripts: &[Script], manager: Manager, config: &Values) -> Vec<Way> {
    let (guarded, _) = Patterns::new(config.texts(&CONFIRM));
    let way = |Script { name, command, .. }: &Script| {
        let lasts = looks_irreversible(name, &format!("{command}\nmore"))
            || guarded.matches(name)
            || guarded.matches(&tool_name(manager, name));
        let mut calls = Call::all(command);
        calls.extend(hooks(name));
        Way { by: Runner::Manager, name: name.clone(), lasts, calls }
    };
    scripts.iter().map(way).collect()
}

/// What runs before and after a script.
fn hooks(script: &str) -> [Call; 2] {
    let hook = |name| Call { by: Runner::Manager, name, elsewhere: false };
    [hook(format!("pre{script}")), hook(format!("post{script}"))]
}

/// Whether what a call brings to a script makes one look so that this leads to. Words go to the last command alone.
pub(super) fn leads_on(scripts: &[Script], name: &str, given: &Given) -> bool {
    let values = Given { words: Vec::new(), ..given.clone() };
    let own = Call { by: Runner::Manager, name: name.to_owned(), elsewhere: false };
    let mut waiting = vec![(own, given)];
    let mut seen = HashSet::new();
    while let Some((call, given)) = waiting.pop() {
        if !seen.insert((call.name.clone(), given.words.is_empty())) {
            continue;
        }
        for Script { name, command, .. } in scripts.iter().filter(|script| call.means(&script.name)) {
            waiting.extend(hooks(name).map(|hook| (hook, &values)));
            let text = command.trim_end();
            // Its own text is judged already, and what another removes is put back.
            if looks_irreversible("", &format!("{}\nmore", given.in_text(text))) {
                return true;
            }
            let last = text.rfind([';', '&', '|', '\n']).map_or(0, |end| end + 1);
            waiting.extend(Call::all(&text[..last]).into_iter().map(|call| (call, &values)));
            waiting.extend(Call::all(&text[last..]).into_iter().map(|call| (call, given)));
        }
    }
    false
}
