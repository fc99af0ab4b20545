//! What scripts seem to do, and what leads from one to another: for a guess at what nothing takes back.

use std::collections::{HashMap, HashSet};

use super::manifest::Script;
use super::tool_name;
use crate::model::{
    CONFIRM, Call, Given, Looks, MOST_TRIED, PackageManager, Patterns, Runner, Values, Way, looks,
};

/// What each script seems to do, and what it calls.
pub(super) fn ways(scripts: &[Script], manager: PackageManager, config: &Values) -> Vec<Way> {
    let (guarded, _) = Patterns::new(config.texts(&CONFIRM));
    let names: HashSet<&str> = scripts.iter().map(|script| script.name.as_str()).collect();
    let way = |Script { name, command, .. }: &Script| {
        let is_guarded = guarded.matches(name) || guarded.matches(&tool_name(manager, name));
        let mut calls = Call::all(command);
        let has_after = names.contains(&*format!("post{name}"));
        for call in &mut calls {
            call.is_last &= !has_after;
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

/// Whether what a call brings to a script makes one look so that this leads to, or that is too much to find out. Words go
/// to the last command alone.
pub(super) fn leads_on(scripts: &[Script], name: &str, given: &Given) -> bool {
    let values = Given { words: Vec::new(), ..given.clone() };
    let letters = scripts.iter().map(|script| script.name.len()).sum();
    let mut named: HashMap<&str, Vec<&Script>> = HashMap::new();
    for script in scripts {
        named.entry(&script.name).or_default().push(script);
    }
    let mut waiting = vec![(hook(name, true), given)];
    let (mut seen, mut read, mut tried) = (HashSet::new(), HashSet::new(), 0);
    while let Some((call, given)) = waiting.pop() {
        let has_words = !given.words.is_empty();
        if !seen.insert((call.name.clone(), has_words)) {
            continue;
        }
        let meant = if call.name.contains('*') {
            tried += call.tries(scripts.len(), letters);
            let all = scripts.iter().filter(|_| tried <= MOST_TRIED);
            all.filter(|script| call.means(&script.name)).collect()
        } else {
            named.get(&*call.name).cloned().unwrap_or_default()
        };
        for Script { name, command, .. } in meant {
            if !read.insert((name, command, has_words)) {
                continue;
            }
            waiting.extend(hooks(name).map(|hook| (hook, &values)));
            let text = command.trim_end();
            let whole = given.in_text(text);
            tried += whole.len();
            // What another removes is put back.
            if tried > MOST_TRIED || looks("", &whole) == Looks::Lasts {
                return true;
            }
            let last = text.rfind([';', '&', '|', '\n']).map_or(0, |end| end + 1);
            waiting.extend(Call::all(&text[..last]).into_iter().map(|call| (call, &values)));
            waiting.extend(Call::all(&text[last..]).into_iter().map(|call| (call, given)));
        }
        if tried > MOST_TRIED {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: impl Into<String>, command: impl Into<String>) -> Script {
        Script { name: name.into(), command: command.into(), line: None }
    }

    /// Each word against each script would take minutes.
    #[test]
    fn what_a_call_brings_is_followed_through_however_many_scripts() {
        let given = Given { words: vec!["push".into()], values: Vec::new() };
        let words = |at: usize| (0..10).map(|word| format!(" w{at}-{word}")).collect::<Vec<_>>().concat();
        let step = |at: usize| script(format!("s{at}"), format!("npm run s{}{}", at + 1, words(at)));
        let mut scripts: Vec<Script> = (0..4_000).map(step).collect();
        scripts.push(script("s4000", "git"));
        assert!(!leads_on(&scripts[..4_000], "s3000", &given));
        assert!(leads_on(&scripts, "s0", &given));
        let stars = (0..2_000).map(|at| format!(" *x{at}*y")).collect::<Vec<_>>().concat();
        scripts[3_999] = script("s3999", format!("run-s{stars}"));
        assert!(!leads_on(&scripts[3_999..], "s3999", &given));
        assert!(leads_on(&scripts, "s0", &given), "too much to find out");
    }
}
