//! Discovery with a plugin that reads lines, and a prober that only pretends.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::model::{
    Absence, BadCall, CACHE_TTL, Command, Discovery, ErrorCode, File, Files, Governance, Location,
    PluginInfo, Probe, Probed, Problem, Suggestion, Tool, Values, Want, Word,
};
use crate::model::{Binding, StatePart};
use crate::plugin::Plugin;
use crate::settings::Instance;
use crate::sys::{Cache, Clock, Environment};

/// One tool for each line of `names`; a line `more:FILE` wants another file first, a line `probe:WORD` a probe, whose
/// output is lines as well.
#[derive(Debug)]
pub(super) struct Lines;

impl Plugin for Lines {
    fn about(&self) -> PluginInfo {
        let (config, options) = (&[CACHE_TTL][..], &[][..]);
        PluginInfo { noun: "line", config, options, ..PluginInfo::new("lines", "LINES") }
    }

    fn scout(&self, _seen: &Files) -> Vec<Want> {
        vec![Want::Probe(probe("scout"))]
    }

    fn suggest(&self, _files: &Files) -> Option<Suggestion> {
        None
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        let lines = lines(seen);
        let more = lines.iter().filter_map(|line| {
            let probed = line.strip_prefix("probe:").map(|word| Want::Probe(probe(word)));
            probed.or_else(|| line.strip_prefix("more:").map(|file| Want::File(file.to_owned())))
        });
        // An instance that remembers for ten minutes looks at one more file.
        let own = (config.integer(&CACHE_TTL) == 600).then(|| Want::File("own".to_owned()));
        std::iter::once(Want::File("names".to_owned())).chain(own).chain(more).collect()
    }

    fn binding(&self, _config: &Values, seen: &Files, _tool: &Tool) -> Binding {
        let mut binding = Binding::same(["names".to_owned()]);
        let written = lines(seen).into_iter().filter_map(|line| Some(line.strip_prefix("more:")?.to_owned()));
        binding.add(StatePart::Written, written);
        binding
    }

    fn discover(&self, _config: &Values, files: &Files) -> Discovery {
        Discovery { tools: lines(files).iter().map(|name| tool(name)).collect(), ..Discovery::default() }
    }

    fn absence(&self, _config: &Values, name: &str, seen: &Files) -> Absence {
        match seen.probes.get(&probe(name)) {
            None => Absence::Look(vec![Want::Probe(probe(name))]),
            Some(Probed::Ended { code, .. }) => {
                Absence::Because(Box::new(Problem::warning(format!("ended with {code}"))))
            }
            Some(Probed::Nothing { why, .. }) => Absence::Because(Box::new(Problem::warning(why))),
        }
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

pub(super) fn probe(word: &str) -> Probe {
    Probe { command: Command::new(Word::fixed("tool")).arguments([Word::fixed(word)]) }
}

fn lines(seen: &Files) -> Vec<String> {
    let files = seen.files.keys().filter_map(|path| seen.file(path)).map(|File { bytes, .. }| bytes);
    let printed = seen.probes.values().filter_map(|probed| match probed {
        Probed::Ended { out, .. } => Some(out),
        Probed::Nothing { .. } => None,
    });
    let texts = files.chain(printed).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn tool(name: &str) -> Tool {
    Tool::listing(name, name, Location::file("names"), "lines")
}

pub(super) fn instance(ttl: u64) -> Instance {
    let config = Values::default().with(&CACHE_TTL, json!(ttl));
    Instance { name: "lines".into(), enabled: true, plugin: "lines", config, workspace: None }
}

/// Says by heart what a probe brings, after it let go once, and counts how often it was asked.
#[derive(Debug, Default)]
pub(super) struct ByHeart {
    pub(super) answers: Mutex<BTreeMap<String, Probed>>,
    pub(super) asked: AtomicUsize,
}

impl ByHeart {
    /// From now on the probe with this word prints this.
    pub(super) fn prints(&self, word: &str, out: &str) {
        let (out, err) = (out.as_bytes().into(), String::new());
        self.brings(word, Probed::Ended { code: 0, out, err });
    }

    pub(super) fn brings(&self, word: &str, probed: Probed) {
        self.answers.lock().unwrap().insert(word.to_owned(), probed);
    }

    /// How often it was asked since this was asked last.
    pub(super) fn asked(&self) -> usize {
        self.asked.swap(0, Ordering::Relaxed)
    }
}

impl Prober for ByHeart {
    fn probe<'a>(&'a self, _: &'a str, _: &'a Values, probe: &'a Probe) -> Probing<'a> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            self.asked.fetch_add(1, Ordering::Relaxed);
            self.answers.lock().unwrap()[&probe.command.arguments[0].text].clone()
        })
    }
}

/// A project in a folder, with a memory and a prober.
pub(super) struct World {
    pub(super) folder: TempDir,
    pub(super) environment: Environment,
    pub(super) clock: Clock,
    pub(super) prober: ByHeart,
}

impl World {
    pub(super) fn new() -> Self {
        let clock = Clock::standing(SystemTime::UNIX_EPOCH + Duration::from_hours(1));
        let (folder, environment) = (tempfile::tempdir().unwrap(), Environment::default());
        Self { folder, environment, clock, prober: ByHeart::default() }
    }

    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    #[expect(clippy::disallowed_methods, reason = "the test makes the files that are looked at")]
    pub(super) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    pub(super) fn place(&self) -> ProjectPlace<'_> {
        ProjectPlace { prober: Some(&self.prober), ..ProjectPlace::of(self.root(), &self.environment) }
    }

    /// A memory as a new process has one.
    pub(super) fn memory(&self) -> Memory {
        let variables = [("XDG_CACHE_HOME", self.root().join("cache"))];
        Memory::new(self.clock.clone(), Cache::of(&Environment::new("/", variables), "probes"))
    }

    pub(super) async fn ask(&self, memory: &mut Memory, ttl: u64) -> Arc<Discovery> {
        memory.discover(self.place(), &Lines, &instance(ttl)).await
    }

    /// The names of the tools.
    pub(super) async fn names(&self, memory: &mut Memory, ttl: u64) -> Vec<String> {
        self.ask(memory, ttl).await.tools.iter().map(|tool| tool.name.clone()).collect()
    }
}

#[test]
fn wants_are_asked_until_nothing_new_is_wanted() {
    let world = World::new();
    world.write("names", "a\nmore:other");
    world.write("other", "b\nmore:names");
    let names: Vec<String> =
        discover(world.place(), &Lines, &Values::default()).tools.into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["a", "more:other", "b", "more:names"]);
    for step in 0..100 {
        world.write(&format!("step{step}"), &format!("more:step{}", step + 1));
    }
    world.write("names", "more:step0");
    let cut = discover(world.place(), &Lines, &Values::default());
    assert!(
        cut.problems[0].message.starts_with("discovery was cut short: each file it names leads to another")
    );
    assert!(!cut.tools.is_empty(), "what was found until then is offered");
}

#[test]
fn without_settings_no_probe_is_carried_out() {
    let world = World::new();
    let expected =
        Probed::Nothing { fault: ErrorCode::NotReady, why: "there is no settings.yml that allows it".into() };
    assert_eq!(scout(world.place(), &Lines).probes[&probe("scout")], expected);
    world.write("names", "a\nprobe:x");
    let memory = world.memory();
    let place = ProjectPlace { prober: None, ..world.place() };
    let instance = instance(10);
    let mut look = std::pin::pin!(memory.discover(place, &Lines, &instance));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(found) = look.as_mut().poll(&mut context) else { panic!("it waits") };
    assert_eq!(found.tools.len(), 2);
    assert_eq!(world.prober.asked(), 0);
}

#[tokio::test]
async fn memory_holds_until_time_content_or_config_changes() {
    let world = World::new();
    let mut memory = world.memory();
    world.write("names", "a");
    let first = world.ask(&mut memory, 10).await;
    world.clock.advance(Duration::from_secs(9));
    assert!(Arc::ptr_eq(&first, &world.ask(&mut memory, 10).await), "nothing changed");
    world.clock.advance(Duration::from_secs(1));
    let second = world.ask(&mut memory, 10).await;
    assert!(!Arc::ptr_eq(&first, &second), "its time has passed");
    world.write("names", "b");
    let third = world.ask(&mut memory, 10).await;
    assert_eq!(third.tools[0].name, "b", "the content changed");
    assert!(!Arc::ptr_eq(&third, &world.ask(&mut memory, 11).await), "the config changed");
    let fourth = world.ask(&mut memory, 11).await;
    memory.forget("lines");
    assert!(!Arc::ptr_eq(&fourth, &world.ask(&mut memory, 11).await), "it was told to forget");
    let fifth = world.ask(&mut memory, 0).await;
    assert!(!Arc::ptr_eq(&fifth, &world.ask(&mut memory, 0).await), "0 disables the memory");
}

#[tokio::test]
async fn a_discovery_is_remembered_only_while_its_probes_bring_the_same() {
    let world = World::new();
    let mut memory = world.memory();
    world.write("names", "probe:x");
    world.prober.prints("x", "a");
    let first = world.ask(&mut memory, 10).await;
    assert!(Arc::ptr_eq(&first, &world.ask(&mut memory, 10).await));
    assert_eq!(world.prober.asked(), 1, "what is remembered is not asked again");
    // A process that took the answer from the cache has remembered its discovery for less time than the answer.
    world.clock.advance(Duration::from_secs(6));
    let mut later = world.memory();
    world.ask(&mut later, 10).await;
    world.clock.advance(Duration::from_secs(6));
    world.prober.prints("x", "b");
    assert_eq!(world.names(&mut later, 10).await, ["probe:x", "b"]);
    assert_eq!(world.prober.asked(), 1);
}

#[tokio::test]
async fn an_absence_takes_what_the_discovery_has_probed() {
    let world = World::new();
    let mut memory = world.memory();
    world.write("names", "probe:x");
    world.prober.prints("x", "a");
    world.prober.brings("y", Probed::Ended { code: 3, out: Arc::from([]), err: String::new() });
    world.ask(&mut memory, 10).await;
    assert_eq!(world.prober.asked(), 1);
    for (name, message, asked) in [("x", "ended with 0", 0), ("y", "ended with 3", 1)] {
        let why = memory.absence(world.place(), &Lines, &instance(10), name).await.reason();
        assert_eq!(why.map(|problem| problem.message).as_deref(), Some(message));
        assert_eq!(world.prober.asked(), asked, "{name}");
    }
    let place = ProjectPlace { prober: None, ..world.place() };
    let why = memory.absence(place, &Lines, &instance(10), "z").await.reason().unwrap();
    assert_eq!(why.message, "there is no settings.yml that allows it");
}
