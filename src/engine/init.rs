//! What `cuff init` does: asks every plugin what it sees, and drafts settings from the answers.

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use super::Surroundings;
use super::pins::key;
use crate::discovery::{self, Place};
use crate::ledger::{LedgerError, PinnedBy, PinnedTools};
use crate::model::{About, Caller, Fault, Kind, Problem, Severity, Suggestion, Values};
use crate::settings;
use crate::sys::files::{self, Existing};

/// What one plugin saw.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The plugin.
    pub about: About,
    /// What it suggests, when it applies.
    pub suggestion: Option<Suggestion>,
    /// What is wrong with the project's own files, so that the plugin does not apply.
    pub problems: Vec<Problem>,
}

/// Settings that are about to be written.
#[derive(Debug, Clone)]
pub struct Draft {
    file: PathBuf,
    project: PathBuf,
}

/// Why settings were not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file came into being meanwhile.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The operating system refused.
    #[error("{} cannot be written: {reason}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// In the operating system's words.
        reason: std::io::Error,
    },
}

impl Surroundings {
    /// Asks the wanted plugins, in order, what they see in the draft's project.
    pub fn survey(&self, draft: &Draft, wanted: impl Fn(&str) -> bool) -> Vec<Survey> {
        let place = Place { root: &draft.project, environment: &self.environment, prober: None };
        let plugins = self.plugins.iter().filter(|plugin| wanted(plugin.about().id));
        plugins
            .map(|plugin| {
                let suggestion = plugin.suggest(&discovery::scout(place, *plugin));
                let problems = match &suggestion {
                    Some(_) => Vec::new(),
                    None => in_the_way(discovery::discover(place, *plugin, &Values::default()).problems),
                };
                Survey { about: plugin.about(), suggestion, problems }
            })
            .collect()
    }

    /// The JSON Schema of settings.yml.
    pub fn schema(&self) -> Value {
        settings::schema(&self.abouts())
    }
}

/// Of the problems of a plugin that does not apply, those that are the reason; an absent source is none.
fn in_the_way(problems: Vec<Problem>) -> Vec<Problem> {
    let wrong = |problem: &Problem| {
        problem.severity == Severity::Error
            && !matches!(problem.fault, Some(Fault::SourceNotFound | Fault::InvalidConfig))
    };
    problems.into_iter().filter(wrong).collect()
}

impl Draft {
    /// A draft of settings for the project in the working directory, to be written to this file.
    pub fn at(surroundings: &Surroundings, file: &Path) -> Self {
        let project = surroundings.environment.directory().to_owned();
        Self { file: project.join(file), project }
    }

    /// Whether the file is there already.
    pub fn exists(&self) -> bool {
        files::look(&self.file).is_some()
    }

    /// The text of the settings. Directories are written so that they mean the project from where the file lies.
    pub fn compose(&self, surveys: &[Survey]) -> String {
        let way = self.file.parent().and_then(|from| way(from, &self.project));
        let rebased: Vec<(About, Suggestion)> = surveys
            .iter()
            .filter_map(|survey| Some((survey.about, rebase(survey.suggestion.clone()?, way.as_deref()))))
            .collect();
        let pairs: Vec<(About, &Suggestion)> =
            rebased.iter().map(|(about, suggestion)| (*about, suggestion)).collect();
        settings::compose(&pairs, settings::SCHEMA_FILE)
    }

    /// Writes the settings, whole or not at all, and beside them the schema that their first line points editors to.
    ///
    /// # Errors
    /// When a file exists and may not be replaced, or cannot be written.
    pub fn write(&self, text: &str, replace: bool, schema: &Value) -> Result<(), WriteError> {
        let existing = if replace { Existing::Replace } else { Existing::Keep };
        write(&self.file, text, existing)?;
        let schema_file = self.file.with_file_name(settings::SCHEMA_FILE);
        if let Some(folder) = schema_file.parent() {
            let cannot = |reason| WriteError::Io { file: schema_file.clone(), reason };
            files::make_directory(folder).map_err(cannot)?;
        }
        write(&schema_file, &format!("{schema:#}\n"), Existing::Replace)
    }
}

impl Draft {
    /// Lets agents have what was written: who runs `cuff init` has seen it.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn pin(&self, surroundings: &Surroundings, text: &str) -> Result<(), LedgerError> {
        let Some(ledger) = surroundings.ledger() else { return Ok(()) };
        let file = key(&self.file);
        let pin = surroundings.pin(&file, Some(text), PinnedBy::Init, PinnedTools::default());
        ledger.pin_written(&file, &pin)?;
        let rule = format!("`cuff init` wrote {}", file.display());
        surroundings.note_pinning(&ledger, &self.project, Caller::Human, rule)
    }
}

fn write(file: &Path, text: &str, existing: Existing) -> Result<(), WriteError> {
    files::write(file, text.as_bytes(), existing).map_err(|reason| match reason.kind() {
        std::io::ErrorKind::AlreadyExists => WriteError::Exists(file.to_owned()),
        _ => WriteError::Io { file: file.to_owned(), reason },
    })
}

/// Puts the way from the settings file to the project before every relative directory.
fn rebase(mut suggestion: Suggestion, way: Option<&str>) -> Suggestion {
    let Some(way) = way else { return suggestion };
    for (field, value) in &mut suggestion.config {
        if field.kind == Kind::Directory
            && let Some(directory) = value.as_str()
        {
            *value = match directory {
                "." => json!(way),
                inner => json!(format!("{way}/{inner}")),
            };
        }
    }
    suggestion
}

/// The relative way from one directory to another; `None` when they are the same.
fn way(from: &Path, to: &Path) -> Option<String> {
    let (from, to) = (files::canonical(from), files::canonical(to));
    if from == to {
        return None;
    }
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(shared)).collect();
    Some(way.display().to_string())
}
