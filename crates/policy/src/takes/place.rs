//! The package that a tool's own text belongs to: its scripts, and which files are the project's own.

use std::path::Path;

use serde_json::Value;

use crate::PolicyContext;
use crate::model::{Command, Reach, Registered, Seen, path};

/// Folders of code that is not the project's own.
const DEPENDENCIES: [&str; 8] =
    ["node_modules", "vendor", ".venv", "venv", "target", "site-packages", "bower_components", ".yarn"];
/// Scripts that have commands of their own for everything.
const OF_FRAMEWORKS: [&str; 6] = ["manage.py", "artisan", "gradlew", "mvnw", "rails", "console"];
/// The longest file that is read, in bytes.
const LONGEST: u64 = 1024 * 1024;
/// How often a script that runs another one is followed.
const MOST_STEPS: usize = 3;

/// The package that a tool's own text belongs to.
#[derive(Debug, Clone)]
pub(super) struct PackagePlace<'a> {
    pub(super) ground: &'a dyn PolicyContext,
    /// The folder that the text runs in, from the project's root.
    folder: String,
    /// The file with the scripts that the text may run by their name.
    manifest: Option<&'a str>,
    steps: usize,
}

impl<'a> PackagePlace<'a> {
    pub(super) fn of(tool: &'a Registered, command: &Command, ground: &'a dyn PolicyContext) -> Self {
        let file = tool.tool.source.file.as_str();
        let manifest = (path::split(file).1 == "package.json").then_some(file);
        let folder = match (manifest, ground.reach(tool)) {
            (Some(file), _) => path::split(file).0.to_owned(),
            (None, Reach::Script) => ".".to_owned(),
            (None, _) => command.directory.to_string_lossy().into_owned(),
        };
        Self { ground, folder, manifest, steps: 0 }
    }

    /// The text of a script of the same package, and the place from there; `None` if there is none of this name.
    pub(super) fn script(&self, name: &str) -> Option<(String, Self)> {
        let text = self.read(self.manifest?)?;
        let manifest: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
        let text = manifest.get("scripts")?.get(name)?.as_str()?.to_owned();
        Some((text, Self { steps: self.steps + 1, ..self.clone() }))
    }

    /// Whether enough scripts have been followed.
    pub(super) fn is_far(&self) -> bool {
        self.steps > MOST_STEPS
    }

    /// Whether a path from this place is a script of the project that only has words of its own.
    pub(super) fn is_script(&self, file: &str) -> bool {
        let is_of_framework = OF_FRAMEWORKS.contains(&path::split(file).1);
        !is_of_framework && !file.contains('$') && self.is_of_project(&path::join(&self.folder, file))
    }

    /// Whether a path from the project's root lies in it, outside of dependencies and of what git ignores.
    pub(super) fn is_of_project(&self, file: &str) -> bool {
        let mut parts = file.split('/');
        let is_outside = file.starts_with(['/', '~']) || parts.clone().any(|part| part == "..");
        !is_outside && !parts.any(|part| DEPENDENCIES.contains(&part)) && !self.is_ignored(file)
    }

    /// Whether git's file at the root or in this folder ignores a path, as far as its lines are plain names.
    fn is_ignored(&self, file: &str) -> bool {
        [".", &self.folder].iter().any(|folder| {
            let text = self.read(&path::join(folder, ".gitignore")).unwrap_or_default();
            let within =
                if *folder == "." { file } else { file.strip_prefix(&format!("{folder}/")).unwrap_or("") };
            text.lines().map(|line| line.trim().trim_end_matches("/*").trim_end_matches('/')).any(|line| {
                let rooted = line.trim_start_matches('/');
                let is_below =
                    within.strip_prefix(rooted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                !rooted.is_empty()
                    && (is_below || !line.contains('/') && within.split('/').any(|part| part == line))
            })
        })
    }

    fn read(&self, file: &str) -> Option<String> {
        match self.ground.script(Path::new(&self.ground.root().join(file)), LONGEST) {
            Seen::File(file) => Some(String::from_utf8_lossy(&file.bytes).into_owned()),
            _ => None,
        }
    }
}
