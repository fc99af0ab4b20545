//! What scripts seem to do, and what leads from one to another: for a guess at what nothing takes back.

use std::collections::HashSet;

use super::manager::Manager;
use super::manifest::Script;
use super::tool_name;
use crate::model::{CONFIRM, Call, Given, Looks, Patterns, Runner, Values, Way, looks};

/// What each script seems to do, and what it calls.
pub(super) fn ways(scripts: &[Script], manager: Manager, config: &Values) -> Vec<Way> {
    let (guarded, _) = Patterns::new(config.texts(&CONFIRM));
    let way = |Script { name, command, .. }: &Script| {
        let is_guarded = guarded.matches(name) || guarded.matches(&tool_name(manager, name));
        let mut calls = Call::all(command);
        let after = scripts.iter().find(|script| script.name == format!("post{name}"));
        for call in &mut calls {
            call.is_last &= after.is_none();
        }
        calls.extend(hooks(name));
        // Part of a thing is as irreversible as all of it.
        let whole = name.strip_prefix("pre").or_else(|| name.strip_prefix("post"));
        calls.extend(whole.map(|whole| hook(whole, true)));
        let looks = looks(name, command);
        // Of scripts a release is one that goes out; builds are what Makefiles call so.
        let looks = if looks == Looks::Named { Looks::Lasts } else { looks };
        Way { by: Runner::Manager, name: name.clone(), looks, is_guarded, calls }
    };
    scripts.iter().map(way).collect()
}

/// What runs before and after a script.
fn hooks(script: &str) -> [Call; 2] {
    [hook(&format!("pre{script}"), false), hook(&format!("post{script}"), true)]
}

fn hook(name: &str, is_last: bool) -> Call {
    Call { by: Runner::Manager, name: name.to_owned(), elsewhere: false, is_last }
}

/// Whether what a call brings to a script makes one look so that this leads to. Words go to the last command alone.
pub(super) fn leads_on(scripts: &[Script], name: &str, given: &Given) -> bool {
    let values = Given { words: Vec::new(), ..given.clone() };
    let mut waiting = vec![(hook(name, true), given)];
    let mut seen = HashSet::new();
    while let Some((call, given)) = waiting.pop() {
        if !seen.insert((call.name.clone(), given.words.is_empty())) {
            continue;
        }
        for Script { name, command, .. } in scripts.iter().filter(|script| call.means(&script.name)) {
            waiting.extend(hooks(name).map(|hook| (hook, &values)));
            let text = command.trim_end();
            // What another removes is put back.
            if looks("", &given.in_text(text)) == Looks::Lasts {
                return true;
            }
            let last = text.rfind([';', '&', '|', '\n']).map_or(0, |end| end + 1);
            waiting.extend(Call::all(&text[..last]).into_iter().map(|call| (call, &values)));
            waiting.extend(Call::all(&text[last..]).into_iter().map(|call| (call, given)));
        }
    }
    false
}
