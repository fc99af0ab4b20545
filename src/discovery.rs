//! A directory and a plugin in, tools and problems out: shows plugins what they want to see, and remembers.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::model::{
    Absence, CACHE_TTL, Discovery, Fault, File, Files, Link, Matches, Problem, Seen, Values, Want,
};
use crate::plugin::Plugin;
use crate::settings::Instance;
use crate::sys::{self, Environment};

/// How often a plugin may want more after it saw something.
const MOST_ROUNDS: usize = 16;
/// How many wants one discovery may have.
const MOST_WANTS: usize = 2_000;
/// The largest file that is read whole, in bytes.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// Where discovery looks.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// What relative paths refer to.
    pub root: &'a Path,
    /// For programs on the search path.
    pub environment: &'a Environment,
}

/// Shows a plugin what it scouts for, before there are any settings.
pub fn scout(place: Place<'_>, plugin: &dyn Plugin) -> Files {
    look(place, |seen| plugin.scout(seen)).0
}

/// The tools and problems of a plugin under these settings, read afresh.
pub fn discover(place: Place<'_>, plugin: &dyn Plugin, config: &Values) -> Discovery {
    let (files, problem) = look(place, |seen| plugin.wants(config, seen));
    conclude(plugin, config, &files, problem)
}

/// Why a plugin offers nothing of this name, where it knows.
pub fn absence(place: Place<'_>, plugin: &dyn Plugin, config: &Values, name: &str) -> Option<Problem> {
    let (files, _) = look(place, |seen| match plugin.absence(config, name, seen) {
        Absence::Look(wants) => wants,
        Absence::Unknown | Absence::Because(_) => Vec::new(),
    });
    match plugin.absence(config, name, &files) {
        Absence::Because(problem) => Some(*problem),
        Absence::Unknown | Absence::Look(_) => None,
    }
}

fn conclude(plugin: &dyn Plugin, config: &Values, files: &Files, problem: Option<Problem>) -> Discovery {
    let mut discovery = plugin.discover(config, files);
    discovery.problems.extend(problem);
    discovery
}

/// Answers wants until nothing new is wanted; the problem says when it was cut short.
fn look(place: Place<'_>, wants: impl Fn(&Files) -> Vec<Want>) -> (Files, Option<Problem>) {
    let mut files = Files::default();
    let mut answered = 0;
    for _ in 0..MOST_ROUNDS {
        let fresh: Vec<Want> = wants(&files).into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return (files, None);
        }
        for want in fresh {
            answered += 1;
            if answered > MOST_WANTS {
                return (files, Some(cut_short("it names too many files")));
            }
            answer(place, want, &mut files);
        }
    }
    (files, Some(cut_short("each file it names leads to another")))
}

fn cut_short(why: &str) -> Problem {
    Problem::error(
        Fault::SourceInvalid,
        format!("discovery was cut short: {why}; what was found until then is offered"),
    )
}

fn answer(place: Place<'_>, want: Want, files: &mut Files) {
    match want {
        Want::File(path) => {
            let seen = sys::look::file(&place.root.join(&path), LARGEST_FILE);
            files.files.insert(path, seen);
        }
        Want::Glob(glob) => {
            let matches = sys::glob::search(place.root, &glob, sys::glob::Limits::default());
            files.globs.insert(glob, matches);
        }
        Want::Program(name) => {
            let path = place.environment.get("PATH").unwrap_or(sys::programs::DEFAULT_SEARCH_PATH.as_ref());
            let found = sys::programs::find(&name, path, place.root);
            files.programs.insert(name, found);
        }
        Want::Probe(probe) => {
            let why = "probes are not carried out here".to_owned();
            files.probes.insert(probe, crate::model::Probed::Nothing { fault: Fault::NotReady, why });
        }
    }
}

/// What was discovered before, for as long as it holds.
#[derive(Debug, Default)]
pub struct Memory {
    remembered: HashMap<String, Remembered>,
}

#[derive(Debug)]
struct Remembered {
    discovery: Arc<Discovery>,
    at: Instant,
    content: blake3::Hash,
    config: Values,
}

impl Memory {
    /// The discovery of an instance: the remembered one while its `cache_ttl` has not passed and neither what the
    /// plugin looked at nor its config has changed, else a new one.
    pub fn discover(
        &mut self,
        place: Place<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
        now: Instant,
    ) -> Arc<Discovery> {
        let (files, problem) = look(place, |seen| plugin.wants(&instance.config, seen));
        let content = fingerprint(&files);
        let lifetime = Duration::from_secs(instance.config.integer(&CACHE_TTL));
        if let Some(before) = self.remembered.get(&instance.name)
            && now.saturating_duration_since(before.at) < lifetime
            && before.content == content
            && before.config == instance.config
        {
            return Arc::clone(&before.discovery);
        }
        let discovery = Arc::new(conclude(plugin, &instance.config, &files, problem));
        let config = instance.config.clone();
        let remembered = Remembered { discovery: Arc::clone(&discovery), at: now, content, config };
        self.remembered.insert(instance.name.clone(), remembered);
        discovery
    }

    /// Forgets one instance, so that the next question reads it afresh (`refresh`).
    pub fn forget(&mut self, instance: &str) {
        self.remembered.remove(instance);
    }
}

/// One hash over everything that a plugin saw.
fn fingerprint(files: &Files) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for (path, seen) in &files.files {
        add_seen(&mut hasher, path, seen);
    }
    for (glob, matches) in &files.globs {
        part(&mut hasher, format!("{glob:?}").as_bytes());
        add_matches(&mut hasher, matches);
    }
    for (name, path) in &files.programs {
        part(&mut hasher, name.as_bytes());
        part(&mut hasher, path.as_ref().map_or(&[][..], |path| path.as_os_str().as_encoded_bytes()));
    }
    hasher.finalize()
}

fn add_matches(hasher: &mut blake3::Hasher, matches: &Matches) {
    part(hasher, matches.base.as_ref().map_or(&[][..], |base| base.as_os_str().as_encoded_bytes()));
    for (path, seen) in &matches.found {
        add_seen(hasher, path, seen);
    }
    for note in &matches.notes {
        part(hasher, note.as_bytes());
    }
    for refused in &matches.refused {
        part(hasher, refused.to_string().as_bytes());
    }
}

fn add_seen(hasher: &mut blake3::Hasher, path: &str, seen: &Seen) {
    part(hasher, path.as_bytes());
    match seen {
        Seen::Missing => part(hasher, b"missing"),
        Seen::Unreadable(why) => part(hasher, why.as_bytes()),
        Seen::File(file) => add_file(hasher, file),
    }
}

fn add_file(hasher: &mut blake3::Hasher, file: &File) {
    part(hasher, &file.bytes);
    part(hasher, file.canonical.as_os_str().as_encoded_bytes());
    for number in [file.size, u64::from(file.mode), file.device, file.inode] {
        hasher.update(&number.to_le_bytes());
    }
    hasher.update(&[u8::from(file.executable), u8::from(file.link == Link::Symbolic)]);
}

/// Each part with its length, so that no two sequences of parts read the same.
fn part(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::model::{About, BadCall, Command, Effects, Location, Role, Suggestion, Tool};

    /// One tool for each line of `names`; a line `more:FILE` wants another file first.
    #[derive(Debug)]
    struct Lines;

    impl Plugin for Lines {
        fn about(&self) -> About {
            let (config, options) = (&[CACHE_TTL][..], &[][..]);
            About { id: "lines", summary: "", noun: "line", code_prefix: "LINES", config, options }
        }

        fn scout(&self, _seen: &Files) -> Vec<Want> {
            Vec::new()
        }

        fn suggest(&self, _files: &Files) -> Option<Suggestion> {
            None
        }

        fn wants(&self, _config: &Values, seen: &Files) -> Vec<Want> {
            let more = seen.files.keys().filter_map(|path| seen.file(path)).flat_map(lines);
            let more = more.filter_map(|line| line.strip_prefix("more:").map(str::to_owned));
            std::iter::once("names".to_owned()).chain(more).map(Want::File).collect()
        }

        fn discover(&self, _config: &Values, files: &Files) -> Discovery {
            let names = files.files.keys().filter_map(|path| files.file(path)).flat_map(lines);
            Discovery { tools: names.map(|name| tool(&name)).collect(), ..Discovery::default() }
        }

        fn plan(&self, _: &Values, _: &Tool, command: Command, _: &Values) -> Result<Command, BadCall> {
            Ok(command)
        }
    }

    fn lines(file: &File) -> Vec<String> {
        String::from_utf8_lossy(&file.bytes).lines().map(str::to_owned).collect()
    }

    fn tool(name: &str) -> Tool {
        Tool {
            name: name.into(),
            original: name.into(),
            description: String::new(),
            parameters: &[],
            effects: Effects::NONE,
            role: Role::List("lines"),
            source: Location::file("names"),
            text: None,
            metadata: Vec::new(),
        }
    }

    fn instance(ttl: u64) -> Instance {
        let config = Values::default().with(&CACHE_TTL, json!(ttl));
        Instance { name: "lines".into(), enabled: true, plugin: "lines", config }
    }

    #[test]
    fn wants_are_asked_until_nothing_new_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        #[expect(clippy::disallowed_methods, reason = "the test makes the files that are looked at")]
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("names", "a\nmore:other");
        write("other", "b\nmore:names");
        let environment = Environment::default();
        let place = Place { root: folder.path(), environment: &environment };
        let names: Vec<String> =
            discover(place, &Lines, &Values::default()).tools.into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["a", "more:other", "b", "more:names"]);
        for step in 0..40 {
            write(&format!("step{step}"), &format!("more:step{}", step + 1));
        }
        write("names", "more:step0");
        let cut = discover(place, &Lines, &Values::default());
        assert!(
            cut.problems[0]
                .message
                .starts_with("discovery was cut short: each file it names leads to another")
        );
        assert!(!cut.tools.is_empty(), "what was found until then is offered");
    }

    #[test]
    fn memory_holds_until_time_content_or_config_changes() {
        let folder = tempfile::tempdir().unwrap();
        #[expect(clippy::disallowed_methods, reason = "the test makes the files that are looked at")]
        let write = |text: &str| fs::write(folder.path().join("names"), text).unwrap();
        let environment = Environment::default();
        let place = Place { root: folder.path(), environment: &environment };
        let clock = sys::Clock::standing(std::time::SystemTime::UNIX_EPOCH);
        let mut memory = Memory::default();
        let ask = |memory: &mut Memory, ttl| memory.discover(place, &Lines, &instance(ttl), clock.instant());
        write("a");
        let first = ask(&mut memory, 10);
        clock.advance(Duration::from_secs(9));
        assert!(Arc::ptr_eq(&first, &ask(&mut memory, 10)), "nothing changed");
        clock.advance(Duration::from_secs(1));
        let second = ask(&mut memory, 10);
        assert!(!Arc::ptr_eq(&first, &second), "its time has passed");
        write("b");
        let third = ask(&mut memory, 10);
        assert_eq!(third.tools[0].name, "b", "the content changed");
        assert!(!Arc::ptr_eq(&third, &ask(&mut memory, 11)), "the config changed");
        let fourth = ask(&mut memory, 11);
        memory.forget("lines");
        assert!(!Arc::ptr_eq(&fourth, &ask(&mut memory, 11)), "it was told to forget");
        assert!(!Arc::ptr_eq(&ask(&mut memory, 0), &ask(&mut memory, 0)), "0 disables the memory");
    }
}
