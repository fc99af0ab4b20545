//! Ways from one thing that is run to others, in whatever source: what leads to something lasting is as lasting.

use std::collections::{HashMap, HashSet};
use std::path::Path;

/// One thing of a source, offered or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// What runs it.
    pub by: Runner,
    /// What the source calls it; empty: what comes where nothing is named.
    pub name: String,
    /// Whether nothing seems to take back what it does, or a person must say yes to it.
    pub lasts: bool,
    /// What it calls.
    pub calls: Vec<Call>,
}

/// What runs things by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Runner {
    /// make, and its targets.
    Make,
    /// A package manager, and scripts.
    Manager,
}

/// One thing that is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// What is called to run it.
    pub by: Runner,
    /// Its name; `*` stands for any letters.
    pub name: String,
    /// Whether that may be in another folder.
    pub elsewhere: bool,
}

/// So many names are held against patterns before any is taken to be meant.
const MOST_TRIED: usize = 1_000_000;

/// What package managers are told that work in another folder.
const ELSEWHERE: &[&str] = &[
    "--prefix",
    "--filter",
    "-F",
    "-w",
    "-ws",
    "--workspace",
    "--workspaces",
    "-r",
    "--recursive",
    "--cwd",
    "workspace",
];

impl Call {
    /// Everything that a text may call. The words behind a package manager, or what runs several scripts, are names of
    /// scripts among others.
    pub fn all(text: &str) -> Vec<Self> {
        let text = text.replace("\\\n", " ");
        let mut calls = Vec::new();
        let mut has_moved = false;
        for command in text.split([';', '&', '|', '\n', '(', ')', '`']) {
            let words = || command.split_whitespace().map(|word| word.trim_matches(['"', '\'', '@']));
            has_moved |= words().next().is_some_and(|first| matches!(first, "cd" | "pushd"));
            let elsewhere = has_moved
                || words()
                    .any(|word| ELSEWHERE.contains(&word.split('=').next().unwrap_or(word)) || word == "-C");
            let call = |name: &str| Self { by: Runner::Manager, name: name.to_owned(), elsewhere };
            let told = || words().skip_while(|word| !is_manager(word)).skip(1);
            // Told nothing, yarn installs.
            let is_bare = words().any(|word| word == "yarn") && told().all(|word| word.starts_with('-'));
            let told = told().chain(is_bare.then_some("install"));
            let names = told.flat_map(|word| [word].into_iter().chain(other_names(word).iter().copied()));
            calls.extend(names.map(call));
            let prefixed = words().filter_map(|word| word.split_once(':'));
            calls.extend(prefixed.filter(|(manager, _)| is_manager(manager)).map(|(_, name)| call(name)));
        }
        let elsewhere = has_moved || text.contains("-C");
        let goal = |name| Self { by: Runner::Make, name, elsewhere };
        calls.extend(goals(&text, &[""]).into_iter().map(goal));
        calls
    }

    /// Whether this is a name that it may mean.
    pub fn means(&self, name: &str) -> bool {
        let mut parts = self.name.split('*');
        let Some(mut rest) = parts.next().and_then(|begin| name.strip_prefix(begin)) else { return false };
        let Some(end) = parts.next_back() else { return rest.is_empty() };
        for part in parts {
            let Some((_, behind)) = rest.split_once(part) else { return false };
            rest = behind;
        }
        rest.ends_with(end)
    }
}

/// Whether what follows this word are names of scripts, among others.
fn is_manager(word: &str) -> bool {
    const MANAGERS: [&str; 8] = ["npm", "pnpm", "yarn", "bun", "run-s", "run-p", "npm-run-all", "--run"];
    let own = word.rsplit('/').next();
    own.is_some_and(|own| MANAGERS.contains(&own)) || matches!(word, "$npm_execpath" | "${npm_execpath}")
}

/// The scripts that managers run for a word beside the one of that name.
fn other_names(word: &str) -> &'static [&'static str] {
    match word {
        "t" | "tst" => &["test"],
        "version" => &["preversion", "postversion"],
        "restart" => &["stop", "start"],
        "pack" => &["prepack", "postpack", "prepare"],
        "install" | "i" | "ci" | "add" => {
            &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"]
        }
        _ => &[],
    }
}

/// What a text has make do; one that is told nothing does any of these.
pub fn goals(text: &str, defaults: &[&str]) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let text = text.replace("$(MAKE)", " make ").replace("${MAKE}", " make ");
    let mut goals = Vec::new();
    for command in text.split([';', '&', '|', '\n', '`']) {
        let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')', '@']));
        let is_make = |word: &str| matches!(word.rsplit('/').next(), Some("make" | "gmake" | "$MAKE"));
        if !words.by_ref().any(is_make) {
            continue;
        }
        let known = goals.len();
        let mut is_elsewhere = false;
        while let Some(word) = words.next() {
            match word {
                "-C" | "-f" | "-I" | "-o" | "-W" => {
                    is_elsewhere |= matches!(word, "-C" | "-f");
                    words.next();
                }
                // The target itself.
                "$" => is_elsewhere = true,
                "" | "$(MAKEFLAGS" | "$(MFLAGS" | "$(MAKEOVERRIDES" => {}
                _ if word.starts_with('-') => is_elsewhere |= word.starts_with("-C"),
                _ if word.contains('=') => {}
                _ => goals.push(word.to_owned()),
            }
        }
        if goals.len() == known && !is_elsewhere {
            goals.extend(defaults.iter().map(|name| (*name).to_owned()));
        }
    }
    goals
}

/// The names in each source that last, or lead to what does in any of them. What is called means what the caller's own
/// folder has of that name, where it has one and the call stays there.
pub fn lasting<'w>(sources: &[(&Path, &'w [Way])]) -> Vec<HashSet<&'w str>> {
    let mut named: HashMap<(Runner, &str), Vec<(usize, usize)>> = HashMap::new();
    let all = || {
        sources.iter().enumerate().flat_map(|(source, (_, ways))| (0..ways.len()).map(move |at| (source, at)))
    };
    let way = |(source, at): (usize, usize)| &sources[source].1[at];
    for place in all() {
        named.entry((way(place).by, &way(place).name)).or_default().push(place);
    }
    let mut callers: HashMap<(usize, usize), Vec<(usize, usize)>> = HashMap::new();
    let mut waiting: Vec<(usize, usize)> = all().filter(|place| way(*place).lasts).collect();
    let mut tried = 0;
    for caller in all() {
        for call in &way(caller).calls {
            let mut meant = Vec::new();
            if call.name.contains('*') {
                tried += named.len();
                // What is too much to look up is taken to be meant.
                waiting.extend((tried > MOST_TRIED).then_some(caller));
                let all = all().filter(|_| tried <= MOST_TRIED);
                meant.extend(all.filter(|place| call.by == way(*place).by && call.means(&way(*place).name)));
            }
            let own = named.get(&(call.by, call.name.as_str())).filter(|_| !call.name.contains('*'));
            let called = own.unwrap_or(&meant);
            let is_own = |place: &&(usize, usize)| sources[place.0].0 == sources[caller.0].0;
            let has_own = !call.elsewhere && called.iter().any(|place| is_own(&place));
            for place in called.iter().filter(|place| !has_own || is_own(place)) {
                callers.entry(*place).or_default().push(caller);
            }
        }
    }
    let mut found = vec![HashSet::new(); sources.len()];
    while let Some(place) = waiting.pop() {
        if found[place.0].insert(way(place).name.as_str()) {
            waiting.extend(callers.remove(&place).unwrap_or_default());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: &str, text: &str) -> Way {
        Way { by: Runner::Manager, name: name.into(), lasts: text == "LASTS", calls: Call::all(text) }
    }

    fn target(name: &str, text: &str) -> Way {
        Way { by: Runner::Make, ..script(name, text) }
    }

    #[test]
    fn what_leads_to_something_lasting_lasts_whatever_it_is_of() {
        let scripts = [
            script("x", "LASTS"),
            script("build", "tsc"),
            script("ship", "tsc && make -s go"),
            script("all", "make"),
            script("far", "npm run build --workspace=app"),
            script("there", "cd app && npm run build"),
            script("sub", "make -C sub go"),
            script("calm", "make check; npm run build"),
        ];
        let targets = [
            target("go", "@npm run x"),
            target("check", "npm test"),
            target("", "make go"),
            target("up", "$(MAKE) go"),
        ];
        let app = [script("build", "LASTS"), script("own", "yarn build"), script("x", "ls")];
        let found =
            lasting(&[(Path::new("."), &scripts), (Path::new("."), &targets), (Path::new("app"), &app)]);
        let sorted = |names: &HashSet<&str>| {
            let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(
            found.iter().map(sorted).collect::<Vec<_>>(),
            ["all far ship sub there x", " go up", "build own"]
        );
    }
}
