//! Ways from one thing that is run to others, in whatever source: what leads to something lasting is as lasting.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::Path;

use super::Looks;
use super::irreversible::{is_cleaner, is_maker, only_talks, pieces, script, substitutions, within};
use super::path;

/// One thing of a source, offered or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// What runs it.
    pub by: Runner,
    /// What the source calls it; empty: what comes where nothing is named.
    pub name: String,
    /// What it seems to do by itself.
    pub looks: Looks,
    /// Whether a person must say yes to it: then what leads to it is a way around that, unless it only removes.
    pub is_guarded: bool,
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
    /// The operating system, and files.
    System,
}

/// One thing that is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// What is called to run it.
    pub by: Runner,
    /// Its name; `*` stands for any letters.
    pub name: String,
    /// Whether that may be in another folder.
    pub elsewhere: bool,
    /// Whether nothing comes after it.
    pub is_last: bool,
}

/// So many letters are held against those of patterns; beyond that whatever calls by one is taken for the worst.
pub const MOST_TRIED: usize = 20_000_000;

/// So many ways from one thing to another are followed; beyond that what calls more is taken for the worst.
const MOST_LED: usize = 2_000_000;

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
    /// scripts among others. Of what only talks it is what stands there for its output.
    pub fn all(text: &str) -> Vec<Self> {
        Self::within(text, true)
    }

    /// What stands in others is found at once, however deep: looked for again in each it would take for ever.
    fn within(text: &str, looks_inside: bool) -> Vec<Self> {
        let text = text.replace("\\\n", " ");
        let text = text.replace("$(MAKE)", " make ").replace("${MAKE}", " make ");
        let commands: Vec<&str> =
            text.lines().flat_map(pieces).filter(|command| !command.trim().is_empty()).collect();
        let last = commands.iter().rposition(|command| !only_talks(command));
        let mut calls = Vec::new();
        let mut has_moved = false;
        for (at, command) in commands.into_iter().enumerate() {
            if only_talks(command) {
                let inner = within(command).into_iter().filter(|_| looks_inside);
                calls.extend(inner.flat_map(|inner| Self::within(inner, false)).map(Self::first));
                continue;
            }
            has_moved |= matches!(first_word(command), "cd" | "pushd");
            calls.extend(Self::of_command(command, has_moved, Some(at) == last));
            let inner = substitutions(command).into_iter().filter(|_| looks_inside);
            calls.extend(inner.flat_map(|inner| Self::within(inner, false)).map(Self::first));
        }
        calls
    }

    /// The same where something comes after it.
    fn first(self) -> Self {
        Self { is_last: false, ..self }
    }

    fn of_command(command: &str, has_moved: bool, is_last: bool) -> Vec<Self> {
        let words = || {
            let words = command.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '`'));
            words.map(|word| word.trim_matches(['"', '\'', '@'])).filter(|word| !word.is_empty())
        };
        let elsewhere = has_moved
            || words()
                .any(|word| ELSEWHERE.contains(&word.split('=').next().unwrap_or(word)) || word == "-C");
        let call = |name: &str| Self { by: Runner::Manager, name: name.to_owned(), elsewhere, is_last };
        let told = || words().skip_while(|word| !is_manager(word)).skip(1);
        // Told nothing, yarn installs.
        let is_bare = words().any(|word| word == "yarn") && told().all(|word| word.starts_with('-'));
        let told = told().chain(is_bare.then_some("install"));
        let names = told.flat_map(|word| [word].into_iter().chain(other_names(word).iter().copied()));
        let mut calls: Vec<Self> = names.map(call).collect();
        let prefixed = words().filter_map(|word| word.split_once(':'));
        calls.extend(prefixed.filter(|(manager, _)| is_manager(manager)).map(|(_, name)| call(name)));
        calls.extend(script(words()).map(|file| Self { by: Runner::System, ..call(file) }));
        calls.extend(goals(command).into_iter().map(|name| Self {
            by: Runner::Make,
            name,
            elsewhere,
            is_last,
        }));
        calls
    }

    /// How many letters it takes at most to ask what this means of so many names, which have so many letters in all.
    pub const fn tries(&self, names: usize, letters: usize) -> usize {
        letters.saturating_add(names.saturating_mul(self.name.len()))
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

fn first_word(command: &str) -> &str {
    command.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'', '@', '('])
}

/// What a command has make do, by name. Told nothing make does what has no name.
fn goals(command: &str) -> Vec<String> {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')', '@', '`']));
    let is_make = |word: &str| matches!(word.rsplit('/').next(), Some("make" | "gmake" | "$MAKE"));
    let (mut goals, mut is_elsewhere) = (Vec::new(), false);
    if !words.by_ref().any(is_make) {
        return goals;
    }
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
            // Only running tells.
            _ if word.contains(['$', '(', ')', '\0']) => is_elsewhere = true,
            _ => goals.push(word.to_owned()),
        }
    }
    if goals.is_empty() && !is_elsewhere {
        goals.push(String::new());
    }
    goals
}

/// A thing of a source: which source, and where in it.
type Place = (usize, usize);

/// The things of a name, in the order of their names.
type Named<'w> = BTreeMap<(Runner, &'w str), Vec<Place>>;

/// What calls each thing, and whether it does so last.
type Callers = HashMap<Place, Vec<(Place, bool)>>;

/// What leads somewhere, by name, and the next on the way there: which source has it, and its name. `None`: it is there. Such
/// ways may come back to where they began.
pub type Lasting<'w> = HashMap<&'w str, Option<(usize, &'w str)>>;

/// What nothing in each source seems to take back, and what leads to such a thing in any of them. What only removes is one,
/// and so is what ends with it.
pub fn lasting<'w>(sources: &[(&Path, &'w [Way])]) -> Vec<Lasting<'w>> {
    let way = |(source, at): Place| &sources[source].1[at];
    let (callers, beyond) = callers(sources);
    let mut found = vec![Lasting::new(); sources.len()];
    // At the end what is guarded and does nothing of that, as far as is known.
    for looks in [Looks::Lasts, Looks::Named, Looks::Removes, Looks::Calm] {
        let is_seed = |place: &Place| match looks {
            Looks::Calm => way(*place).is_guarded && !found[place.0].contains_key(way(*place).name.as_str()),
            Looks::Lasts => way(*place).looks == looks || beyond.contains(place),
            looks => way(*place).looks == looks,
        };
        let seeds = places(sources).filter(is_seed).map(|place| (place, None));
        let mut waiting: VecDeque<(Place, Option<Place>)> = seeds.collect();
        let mut seen: HashSet<Place> = waiting.iter().map(|(place, _)| *place).collect();
        let leads = |(caller, is_last): (Place, bool)| match looks {
            Looks::Named => false,
            // What is there to remove removes in whatever order.
            Looks::Removes => is_last || is_cleaner(&way(caller).name),
            Looks::Calm | Looks::Lasts => true,
        };
        while let Some((place, next)) = waiting.pop_front() {
            let next = next.map(|next| (next.0, way(next).name.as_str()));
            found[place.0].entry(way(place).name.as_str()).or_insert(next);
            let callers = callers.get(&place).into_iter().flatten();
            let leading = callers.copied().filter(|call| leads(*call)).map(|(caller, _)| caller);
            let is_maker = |caller: &Place| looks == Looks::Removes && is_maker(&way(*caller).name);
            let leading = leading.filter(|caller| !is_maker(caller));
            waiting.extend(leading.filter(|caller| seen.insert(*caller)).map(|caller| (caller, Some(place))));
        }
    }
    // What is known by its own words may call what does it: `make deploy`.
    for place in places(sources).filter(|place| way(*place).looks == Looks::Lasts) {
        let next = Some((place.0, way(place).name.as_str()));
        for (caller, _) in callers.get(&place).into_iter().flatten() {
            let name = way(*caller).name.as_str();
            let is_it = found[caller.0].get(name).is_some_and(Option::is_none);
            if is_it && next != Some((caller.0, name)) {
                found[caller.0].insert(name, next);
            }
        }
    }
    found
}

fn places(sources: &[(&Path, &[Way])]) -> impl Iterator<Item = Place> {
    sources.iter().enumerate().flat_map(|(source, (_, ways))| (0..ways.len()).map(move |at| (source, at)))
}

/// What calls each thing, and whether it does so last. What is called means what the caller's own folder has of that name,
/// where it has one and the call stays there. And what calls more than can be looked up, which is taken for the worst.
fn callers(sources: &[(&Path, &[Way])]) -> (Callers, HashSet<Place>) {
    let way = |(source, at): Place| &sources[source].1[at];
    let mut named = Named::new();
    for place in places(sources) {
        named.entry((way(place).by, &way(place).name)).or_default().push(place);
    }
    let mut callers = Callers::new();
    let (mut known, mut beyond) = (HashMap::new(), HashSet::new());
    let (mut tried, mut led) = (0, 0);
    for caller in places(sources) {
        for call in &way(caller).calls {
            if led > MOST_LED {
                beyond.insert(caller);
                continue;
            }
            let mut meant: &[&[Place]] = &[];
            if call.name.contains('*') {
                let by_name = || all_meant(call, &named, &mut tried);
                meant = known.entry((call.by, call.name.as_str())).or_insert_with(by_name);
                if tried > MOST_TRIED {
                    beyond.insert(caller);
                    continue;
                }
            }
            let file = path::join(&sources[caller.0].0.to_string_lossy(), &call.name);
            let name = if call.by == Runner::System { &file } else { &call.name };
            let own = named.get(&(call.by, name.as_str())).filter(|_| !call.name.contains('*'));
            let own = own.map(Vec::as_slice);
            let called = own.as_ref().map_or(meant, std::slice::from_ref);
            let called = || called.iter().copied().flatten();
            led += called().count();
            if led > MOST_LED {
                beyond.insert(caller);
                continue;
            }
            let is_own = |place: &&Place| sources[place.0].0 == sources[caller.0].0;
            let has_own = !call.elsewhere && called().any(|place| is_own(&place));
            for place in called().filter(|place| !has_own || is_own(place)) {
                callers.entry(*place).or_default().push((caller, call.is_last));
            }
        }
    }
    (callers, beyond)
}

/// All that a pattern may mean, those of a name together; not all of it where that takes too long.
fn all_meant<'n>(call: &'n Call, named: &'n Named<'_>, tried: &mut usize) -> Vec<&'n [Place]> {
    let begin = call.name.split('*').next().unwrap_or_default();
    let may_be = |(by, name): &(Runner, &str)| *by == call.by && name.starts_with(begin);
    let mut found = Vec::new();
    for ((_, name), places) in named.range((call.by, begin)..).take_while(|(named, _)| may_be(named)) {
        *tried += call.tries(1, name.len());
        if *tried > MOST_TRIED {
            break;
        }
        if call.means(name) {
            found.push(places.as_slice());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::model::looks;

    fn script(name: &str, text: &str) -> Way {
        Way {
            by: Runner::Manager,
            name: name.into(),
            looks: looks("", text),
            is_guarded: false,
            calls: Call::all(text),
        }
    }

    fn target(name: &str, text: &str) -> Way {
        Way { by: Runner::Make, ..script(name, text) }
    }

    #[test]
    fn what_leads_to_something_lasting_lasts_whatever_it_is_of() {
        let scripts = [
            script("x", "git push"),
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
        let app = [script("build", "git push"), script("own", "yarn build"), script("x", "ls")];
        let found =
            lasting(&[(Path::new("."), &scripts), (Path::new("."), &targets), (Path::new("app"), &app)]);
        let sorted = |names: &Lasting<'_>| {
            let mut names: Vec<&str> = names.keys().copied().collect();
            names.sort_unstable();
            names.join(" ")
        };
        assert_eq!(
            found.iter().map(sorted).collect::<Vec<_>>(),
            ["all far ship sub there x", " go up", "build own"]
        );
        let next = ["x", "ship", "all"].map(|name| found[0][name]);
        assert_eq!(next, [None, Some((1, "go")), Some((1, ""))], "the shortest way there");
    }

    /// However many call however many: what is followed has a bound, and what is beyond it is taken for the worst.
    #[test]
    fn what_calls_more_than_can_be_followed_is_taken_for_the_worst() {
        let folders: Vec<PathBuf> = (0..1_000).map(|number| format!("p{number}").into()).collect();
        let build = [script("build", "tsc")];
        let all = [script("all", &format!("npm run -ws{}", " build".repeat(3_000))), script("one", "ls")];
        let packages = folders.iter().map(|folder| (folder.as_path(), &build[..]));
        let sources: Vec<(&Path, &[Way])> =
            [(Path::new("."), &all[..])].into_iter().chain(packages).collect();
        let (ways, beyond) = callers(&sources);
        assert!(ways.values().map(Vec::len).sum::<usize>() <= MOST_LED);
        assert_eq!(beyond, [(0, 0)].into());
        assert_eq!(lasting(&sources)[0].keys().collect::<Vec<_>>(), [&"all"]);
    }

    /// Paths of a large monorepo, which are no names of scripts.
    #[test]
    fn patterns_of_paths_are_no_calls_and_cost_little() {
        let lint = |at: usize| {
            let globs: Vec<String> =
                (0..50).map(|glob| format!(" packages/p{at}/src/**/*.x{glob}")).collect();
            script(&format!("lint{at}"), &format!("yarn eslint{}", globs.concat()))
        };
        let mut scripts: Vec<Way> = (0..400).map(lint).collect();
        scripts.extend([
            script("all", "run-s lint*"),
            script("ship", "git push"),
            script("any", "run-s s*p"),
        ]);
        let targets: Vec<Way> = (0..6_000).map(|at| target(&format!("src/object{at}.o"), "cc")).collect();
        let found = lasting(&[(Path::new("."), &scripts), (Path::new("."), &targets)]);
        let mut names: Vec<&&str> = found[0].keys().collect();
        names.sort_unstable();
        assert_eq!((names, found[1].len()), (vec![&"any", &"ship"], 0));
    }

    #[test]
    fn what_stands_in_others_is_looked_for_once() {
        let deep = format!("echo {}make x{}", "$(".repeat(200), ")".repeat(200));
        assert!(Call::all(&deep).len() < 1_000);
        assert!(Call::all("echo $(ls $(make x))").iter().any(|call| call.name == "x"));
    }
}
