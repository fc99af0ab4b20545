//! Random Makefiles, made from seeds: cuff finds in them the same targets as the real make.
//!
//! `CUFF_SEEDS=1000..21000 cargo test --test it generated_makefiles` tries others than the usual ones. A
//! Makefile that fails is cut down to the lines that it needs for that. Cutting lines of a text takes a page
//! here. A crate that shrinks values would shrink the choices of the generator, which say less, and add a
//! dozen crates.

mod grammar;
mod make_database;
mod random;

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use cuff::model::{
    BadCall, Command, Discovery, Field, Files, Governance, Kept, PluginInfo, Probed, Seen, Suggestion, Tool,
    Values, Want,
};
use cuff::plugin::Plugin;
use cuff::plugins::ALL;
use cuff::sources::project::{self as discovery, ProjectPlace};
use cuff::sys::Environment;
use serde_json::{Value, json};

use grammar::{Scene, scene};
use make_database::{Target, Truth};

use crate::support::tools;

/// The seeds that every run of the tests tries.
const USUAL: Range<u64> = 0..600;

/// The plugin with another scout: before there are any settings, it wants the same as under these.
#[derive(Debug)]
struct Looking {
    config: Values,
}

fn makefile() -> &'static dyn Plugin {
    *ALL.iter().find(|plugin| plugin.about().id == "makefile").expect("a plugin of this name")
}

impl Plugin for Looking {
    fn about(&self) -> PluginInfo {
        makefile().about()
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        makefile().wants(&self.config, seen)
    }

    fn suggest(&self, _files: &Files) -> Option<Suggestion> {
        None
    }

    fn wants(&self, _config: &Values, seen: &Files) -> Vec<Want> {
        self.scout(seen)
    }

    fn binding(&self, _config: &Values, seen: &Files, tool: &Tool) -> cuff::model::Binding {
        makefile().binding(&self.config, seen, tool)
    }

    fn discover(&self, _config: &Values, files: &Files) -> Discovery {
        makefile().discover(&self.config, files)
    }

    fn plan(
        &self,
        _: &Values,
        _: &Tool,
        command: Command,
        _: &Values,
        _: Governance,
    ) -> Result<Command, BadCall> {
        Ok(command)
    }
}

fn config(extractor: &str, targets: &str) -> Values {
    let field = |name: &str| -> &'static Field {
        makefile().about().config.iter().find(|field| field.name == name).expect("a key of this name")
    };
    let pairs =
        [("extractor", json!(extractor)), ("targets", json!(targets)), ("expose_list_targets", json!(false))];
    Values::of(pairs.map(|(name, value): (&str, Value)| (field(name), value)))
}

/// The tools and problems of the plugin.
struct Offered {
    tools: Vec<Tool>,
    problems: Vec<String>,
}

impl Offered {
    fn new(files: &Files, extractor: &str, targets: &str) -> Self {
        let found = makefile().discover(&config(extractor, targets), files);
        Self {
            tools: found.tools,
            problems: found.problems.iter().map(|problem| format!("{problem:?}")).collect(),
        }
    }

    fn names(&self) -> BTreeSet<&str> {
        self.tools.iter().map(|tool| tool.original.as_str()).collect()
    }

    fn phony(&self) -> BTreeSet<&str> {
        let is_phony = |tool: &&Tool| tool.shown().is_some_and(|shown| shown["phony"] == true);
        self.tools.iter().filter(is_phony).map(|tool| tool.original.as_str()).collect()
    }

    fn described(&self) -> BTreeSet<&str> {
        let is = |tool: &&Tool| !tool.description.starts_with("Execute 'make ");
        self.tools.iter().filter(is).map(|tool| tool.original.as_str()).collect()
    }

    /// Those that are there only under a condition.
    fn conditional(&self) -> BTreeSet<&str> {
        let is = |tool: &&Tool| tool.description.contains(" (only if ");
        self.tools.iter().filter(is).map(|tool| tool.original.as_str()).collect()
    }

    /// The doubts that it reports.
    fn doubts(&self) -> Vec<&String> {
        self.problems.iter().filter(|said| said.contains("targets may be missing here")).collect()
    }
}

/// Names that make takes for something else when they are goals are never offered.
fn is_goal(name: &str) -> bool {
    let is_other =
        name.starts_with(['-', '~']) || name.starts_with("./") || name.contains(['=', '*', '?', '[']);
    // make prints a name that begins with `#` so that it looks like a comment.
    let is_odd = name.starts_with('#') || name.contains('(') && name.ends_with(')');
    !(is_other || is_odd || name.contains(char::is_control))
}

/// The plugin's view of the folder.
fn seen(root: &Path, extractor: &str) -> Files {
    let environment = Environment::new(root, [("PATH", tools::path())]);
    let place = ProjectPlace::of(root, &environment);
    discovery::scout(place, &Looking { config: config(extractor, "?*") })
}

/// Compares cuff with make. Returns the differences as an error, and `Ok(false)` if make refuses the
/// Makefile.
fn compare(scene: &Scene, root: &Path) -> Result<bool, String> {
    for (path, text) in &scene.files {
        let file = root.join(path);
        fs::create_dir_all(file.parent().expect("a file in a folder")).expect("a folder of ours");
        fs::write(file, text).expect("a file of ours");
    }
    let Some(truth) = make_database::truth(root) else { return Ok(false) };
    let files = seen(root, "simple");
    let mut said = text_differs(scene.plain, &files, &truth);
    said.extend(database_differs(root));
    if said.is_empty() { Ok(true) } else { Err(said.join("\n")) }
}

/// Whether make would make a goal: a name that only `.PHONY` has is no rule.
fn counts(name: &str, target: &Target, truth: &Truth) -> bool {
    let does = target.prerequisites || target.recipe.is_some();
    is_goal(name) && !truth.is_suffixes(name) && !target.by_pattern && (does || !target.phony)
}

fn text_differs(plain: bool, files: &Files, truth: &Truth) -> Vec<String> {
    let offered = Offered::new(files, "simple", "?*");
    let (names, phony, doubts) = (offered.names(), offered.phony(), offered.doubts());
    let mut said = Vec::new();
    let mut differ = |what: &str, names: Vec<&str>| {
        if !names.is_empty() {
            said.push(format!("{what}: {names:?}"));
        }
    };
    let extra = names.iter().copied().filter(|name| is_goal(name) && !truth.targets.contains_key(*name));
    let conditional = offered.conditional();
    // A target that a rule needs and only a catch-all rule makes is offered, and make lists it as no target.
    let is_caught = |name: &&str| truth.needed.contains(*name) && has_catch_all(files);
    let invented =
        extra.filter(|name| !conditional.contains(*name) && !truth.is_suffixes(name) && !is_caught(name));
    differ("read, and not there", invented.collect());
    let there = || truth.targets.iter().filter(|(name, target)| counts(name, target, truth));
    // A name that looks like a file and has prerequisites is an intermediate step. If its name is unknown, no
    // doubt is reported.
    let is_step = |name: &str| !plain && name.contains(['.', '/']);
    let missed = there().map(|(name, _)| name.as_str());
    let missed = missed.filter(|name| !names.contains(name) && !is_step(name));
    let is_sure = doubts.is_empty();
    differ("there, and not read", missed.filter(|_| is_sure).collect());
    let both = || there().filter(|(name, _)| names.contains(name.as_str()));
    // A target that is phony only under a condition counts as phony here.
    let is_other =
        |name: &str, target: &Target| phony.contains(name) != target.phony && (plain || target.phony);
    let others = both().filter(|(name, target)| is_other(name, target) && is_sure);
    differ("phony for one of them alone", others.map(|(name, _)| name.as_str()).collect());
    if plain {
        // A value that is expanded twice may name a variable of the environment, which is a doubt of its own.
        let is_told = |doubt: &&&String| !doubt.contains("read as where the environment does not set");
        let wrong = doubts.iter().filter(|doubt| is_told(doubt)).map(|doubt| doubt.as_str());
        differ("doubts, though all is in the text", wrong.collect());
        let stops = offered.problems.iter().filter(|problem| problem.contains("make stops"));
        differ("make did not stop", stops.map(String::as_str).collect());
        if !truth.targets.keys().chain(&truth.needed).any(|name| name.contains(' ')) {
            differ("usual for one of them alone", unusual(files, truth, &conditional));
        }
    }
    said
}

/// Whether the text has a rule that makes any target.
fn has_catch_all(files: &Files) -> bool {
    let texts = files.files.values().filter_map(|seen| match seen {
        Seen::File(file) => Some(String::from_utf8_lossy(&file.bytes).into_owned()),
        Seen::Missing | Seen::Unreadable(_) => None,
    });
    texts.into_iter().any(|text| text.contains(".DEFAULT") || text.contains('%'))
}

/// Targets that `*` should offer by make's facts, and does not, or should not.
fn unusual<'t>(files: &Files, truth: &'t Truth, conditional: &BTreeSet<&str>) -> Vec<&'t str> {
    let offered = Offered::new(files, "simple", "*");
    let (names, described) = (offered.names(), offered.described());
    let mut found = Vec::new();
    for (name, target) in truth.targets.iter().filter(|(name, target)| counts(name, target, truth)) {
        // Of two recipes the last one counts for make, even where it is empty. It drops what needs itself.
        let is_open = target.recipe.as_deref() == Some("")
            || truth.warnings.contains(&format!("overriding recipe for target '{name}'"))
            || truth.warnings.contains(&format!("Circular {name} <- "));
        if is_open
            || name.contains('%')
            || described.contains(name.as_str())
            || conditional.contains(name.as_str())
        {
            continue;
        }
        let is_called = target.recipe.is_some() && !target.prerequisites
            || (target.recipe.is_some() || target.prerequisites) && !truth.needed.contains(name);
        // A rule that makes a file is left out, unless something describes it.
        let is_file = name.contains('/') || [".o", ".c"].iter().any(|ending| name.ends_with(ending));
        if names.contains(name.as_str()) != (target.phony || is_called && !is_file) {
            found.push(name.as_str());
        }
    }
    found
}

/// Compares the reading of `make_database` with another reading of the same output.
fn database_differs(root: &Path) -> Vec<String> {
    let mut files = seen(root, "make_database");
    let Some(probe) = files.probes.keys().next().cloned() else {
        return vec!["make is not asked for its database".to_owned()];
    };
    let words: Vec<String> = probe.command.arguments.iter().map(|word| word.text.clone()).collect();
    let output = make_database::asked(root, &probe.command.program.text, &words);
    let code = output.status.code().unwrap_or(-1);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if code > 1 && err.contains(", needed by '") {
        // An include with double-colon rules is remade though it is declared old, and then it lacks its
        // prerequisites.
        return Vec::new();
    }
    if code > 1 {
        return vec![format!("make refuses the question, not the Makefile: {err}")];
    }
    let Some(truth) = make_database::read(&out, &err) else { return Vec::new() };
    let answer = Probed::Ended { code, out: output.stdout.as_slice().into(), err: err.to_string() };
    files.probes.insert(probe, answer);
    files.kept = Kept::default();
    let offered = Offered::new(&files, "make_database", "?*");
    let (names, phony) = (offered.names(), offered.phony());
    let goals = |target: &(&String, &Target)| counts(target.0, target.1, &truth);
    let expected: BTreeSet<&str> =
        truth.targets.iter().filter(goals).map(|(name, _)| name.as_str()).collect();
    let mut said = Vec::new();
    // Under `-r` make knows no suffixes: `.c.o` is a target then, and cuff knows better.
    let odd = |name: &&&str| {
        is_goal(name)
            && !name.starts_with('.')
            && truth.targets.get(**name).is_none_or(|target| !target.phony && !target.by_pattern)
    };
    let differing: Vec<_> = names.symmetric_difference(&expected).filter(odd).collect();
    if !differing.is_empty() {
        said.push(format!("in one database alone: {differing:?}"));
    }
    let differing: Vec<_> = names
        .intersection(&expected)
        .filter(|name| phony.contains(**name) != truth.targets[**name].phony)
        .collect();
    if !differing.is_empty() {
        said.push(format!("phony in one database alone: {differing:?}"));
    }
    said
}

/// The scene without all lines that the difference does not need.
fn cut_down(scene: &Scene, root: &Path) -> (Scene, String) {
    let mut least = scene.clone();
    let mut said = compare(scene, root).expect_err("what differed once differs again");
    for place in 0..least.files.len() {
        let mut size = least.files[place].1.lines().count();
        while size > 0 {
            let mut from = if place == 0 { least.first } else { 0 };
            loop {
                let lines: Vec<&str> = least.files[place].1.split_inclusive('\n').collect();
                if from >= lines.len() {
                    break;
                }
                let to = (from + size).min(lines.len());
                let mut less = least.clone();
                less.files[place].1 = [&lines[..from], &lines[to..]].concat().concat();
                match compare(&less, root) {
                    Err(still) => (least, said) = (less, still),
                    Ok(_) => from = to,
                }
            }
            size /= 2;
        }
    }
    least.files.retain(|(path, text)| path == "Makefile" || !text.is_empty());
    (least, said)
}

/// The seeds to try: the usual ones, or those that the environment names.
fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("CUFF_SEEDS") else { return USUAL };
    let (from, to) = asked.split_once("..").expect("CUFF_SEEDS=FROM..TO");
    from.parse().expect("CUFF_SEEDS=FROM..TO")..to.parse().expect("CUFF_SEEDS=FROM..TO")
}

#[test]
fn generated_makefiles_are_read_as_make_reads_them() {
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let (compared, plain) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = Mutex::new(Vec::new());
    let work = || {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("a folder of ours");
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !seeds.contains(&seed) || failures.lock().is_ok_and(|failures| failures.len() >= 12) {
                break;
            }
            let scene = scene(seed);
            match compare(&scene, &root) {
                Ok(false) => {}
                Ok(true) => {
                    compared.fetch_add(1, Ordering::Relaxed);
                    plain.fetch_add(usize::from(scene.plain), Ordering::Relaxed);
                }
                Err(_) => {
                    let (least, said) = cut_down(&scene, &root);
                    let shown =
                        least.files.iter().map(|(path, text)| format!("--- {path}\n{text:?}\n{text}\n"));
                    let shown: String = shown.collect();
                    let again = format!("CUFF_SEEDS={seed}..{}", seed + 1);
                    let failure = format!("=== {again}\n{said}\n{shown}");
                    failures.lock().expect("no other failed").push(failure);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let failures = failures.into_inner().expect("no thread failed");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let (compared, plain) = (compared.into_inner() as u64, plain.into_inner() as u64);
    let tried = seeds.end - seeds.start;
    println!("{compared} of {tried} compared, {plain} of them plain");
    assert!(
        tried < 100 || compared * 3 > tried && plain * 5 > tried,
        "make refuses too many: {compared} of {tried}"
    );
}
