//! A project in memory: what fuzz targets show a plugin, and what must hold of its answer.

mod room;

pub use room::Room;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cuff::model::{
    Discovery, ErrorCode, Field, File, Files, Glob, Location, Matches, Patterns, Probed, Role, Seen, Values,
    Want, is_hidden,
};
use cuff::plugin::Plugin;
use cuff::plugins::ALL;
use serde_json::{Value, json};

/// Begins the line that names the next file of an input; what comes before the first such line is the Makefile.
const NEXT_FILE: &[u8] = b"\n=== ";

/// How often a plugin may want more before that is taken for no end.
const MOST_ROUNDS: usize = 200;

/// The files of a project, and what a program of it would print.
#[derive(Debug)]
pub struct World {
    files: BTreeMap<String, Arc<[u8]>>,
    printed: Option<Arc<[u8]>>,
}

impl World {
    /// The project that an input holds; `printed`: what every program prints, `None` where none may be started.
    pub fn new(input: &[u8], printed: Option<&[u8]>) -> Self {
        let mut files = BTreeMap::new();
        let (mut name, mut rest) = ("Makefile".to_owned(), input);
        while let Some(end) = rest.windows(NEXT_FILE.len()).position(|window| window == NEXT_FILE) {
            // The line feed before the mark is the file's own.
            files.entry(name).or_insert_with(|| Arc::from(&rest[..=end]));
            rest = &rest[end + NEXT_FILE.len()..];
            let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            name = String::from_utf8_lossy(&rest[..line]).into_owned();
            rest = rest.get(line + 1..).unwrap_or_default();
        }
        files.entry(name).or_insert_with(|| Arc::from(rest));
        Self { files, printed: printed.map(Arc::from) }
    }

    fn seen(&self, path: &str) -> Seen {
        let Some(bytes) = self.files.get(path) else { return Seen::Missing };
        Seen::File(File::new(format!("/project/{path}"), bytes.clone()))
    }

    fn matches(&self, glob: &Glob) -> Matches {
        let (patterns, refused) = Patterns::new(glob.patterns.iter().map(String::as_str));
        let paths = self.files.keys().filter(|path| patterns.matches(path));
        let found = paths.map(|path| (path.clone(), self.seen(path))).collect();
        Matches { base: Some("/project".into()), found, refused, ..Matches::default() }
    }

    fn answer(&self, want: Want, files: &mut Files) {
        match want {
            Want::File(path) => _ = files.files.insert(path.clone(), self.seen(&path)),
            Want::Glob(glob) => {
                let matches = self.matches(&glob);
                files.globs.insert(glob, matches.into());
            }
            Want::Program(name) => _ = files.programs.insert(name, Some("/bin/make".into())),
            Want::ProgramFile(file) => _ = files.program_files.insert(file, Seen::Missing),
            Want::Probe(probe) => {
                let probed = match &self.printed {
                    Some(out) => Probed::Ended { code: 0, out: out.clone(), err: String::new() },
                    None => {
                        Probed::Nothing { fault: ErrorCode::NotReady, why: "nothing may be started".into() }
                    }
                };
                files.probes.insert(probe, probed);
            }
        }
    }

    /// Panics if a name is there twice or could not be shown. If lines are `bounded`, it also panics for a
    /// place behind the end of its file.
    pub fn judge(&self, files: &Files, found: &Discovery, bounded: bool) {
        let mut names = BTreeSet::new();
        for tool in &found.tools {
            assert!(names.insert(&tool.original), "{:?} is there twice", tool.original);
            assert!(!tool.original.is_empty() && !tool.original.contains(is_hidden), "{:?}", tool.original);
            assert!(!tool.description.contains('\n'), "{:?}", tool.description);
            let Role::Run { command, .. } = &tool.role else { panic!("no list tool was asked for") };
            let goal = command.arguments.last().map(|word| word.text.as_str());
            assert_eq!(goal, Some(tool.original.as_str()), "a target is the last word of its command");
        }
        let places = found.tools.iter().map(|tool| &tool.source);
        let places = places.chain(found.problems.iter().filter_map(|problem| problem.location.as_ref()));
        let count = |bytes: &Arc<[u8]>| bytes.split(|byte| *byte == b'\n').count();
        let lines: BTreeMap<&str, usize> =
            self.files.iter().map(|(file, bytes)| (file.as_str(), count(bytes))).collect();
        for Location { file, line, .. } in places.filter(|_| bounded) {
            assert!(files.files.contains_key(file), "{file:?} was never looked at");
            let lines = lines.get(file.as_str()).copied().unwrap_or_default();
            assert!(line.is_none_or(|line| 0 < line && line <= lines), "{file:?}:{line:?} of {lines} lines");
        }
    }
}

fn plugin() -> &'static dyn Plugin {
    let found = ALL.iter().find(|plugin| plugin.about().id == "makefile");
    *found.expect("a plugin of this name")
}

/// Settings by the bits of a number.
pub fn config(choice: u8, extractor: &str) -> Values {
    let is = |bit: u8| choice >> bit & 1 == 1;
    let pairs = [
        ("extractor", json!(extractor)),
        ("expose_list_targets", json!(false)),
        ("targets", if is(0) { json!("*") } else { json!("?*") }),
        ("description_prefix", if is(1) { json!("##") } else { json!("#") }),
        ("parallel_jobs", json!(if is(2) { 4 } else { 1 })),
    ];
    let fields = plugin().about().config;
    let field = |name: &str| -> &'static Field {
        fields.iter().find(|field| field.name == name).expect("a key of this name")
    };
    Values::of(pairs.map(|(name, value): (&str, Value)| (field(name), value)))
}

/// The files that the plugin sees once it wants nothing more, and its discovery from them.
pub fn settled(config: &Values, world: &World) -> (Files, Discovery) {
    let mut files = Files::default();
    for _ in 0..MOST_ROUNDS {
        let wants: Vec<Want> =
            plugin().wants(config, &files).into_iter().filter(|want| !files.answers(want)).collect();
        if wants.is_empty() {
            let found = plugin().discover(config, &files);
            return (files, found);
        }
        for want in wants {
            world.answer(want, &mut files);
        }
    }
    panic!("it wants more and more")
}
