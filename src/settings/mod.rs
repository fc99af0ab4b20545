//! settings.yml: where it lies, what it says, everything that is wrong with it, and how it is written.
//!
//! A file is a `version`, free `plugin_settings` that cuff does not read, and `plugins`: a mapping of instances, each
//! with `enabled`, `type`, `module` and the plugin's own `config`. The plugins' identity cards come in as data, so that
//! this module knows no plugin: the same fields check a `config:`, comment it in a written file and describe it to
//! editors.

mod addition;
mod compose;
mod effective;
mod expand;
mod find;
mod grow;
mod insertion;
mod instance;
mod limits;
mod merge;
mod preferences;
mod problem;
mod read;
mod schema;
mod syntax;
mod tree;
mod written;

pub use compose::Entry;
pub use effective::{Difference, Effective, Withheld, effective};
pub use find::{FILE_NAME, NotThere, Origin, Place, Search, candidates, find, named};
pub use merge::{NotMerged, Standing, fresh, merge, standing, to_paste};
pub use preferences::{Preferences, preferences, preferences_file};
pub use problem::SettingsProblem;
pub use schema::{SCHEMA_FILE, schema};

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{About, Seen, Severity, Values};
use crate::sys::{Environment, look};
use problem::{Draft, Source};

/// The largest settings file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// What a settings file says.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The file.
    pub place: Place,
    /// The very bytes that were read.
    pub bytes: Arc<[u8]>,
    /// Whether every user of the machine may write it; what to do then is the faces' to decide.
    pub world_writable: bool,
    /// Those that are whole, in the order of the file. An instance with an error is not here.
    pub instances: Vec<Instance>,
    /// The variables whose values the instances have.
    pub variables: BTreeSet<String>,
}

/// An entry under `plugins:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The key, which is the namespace of its tools.
    pub name: String,
    /// Whether it is to be used.
    pub enabled: bool,
    /// The [`About::id`] of its plugin.
    pub plugin: &'static str,
    /// Its `config:`, checked.
    pub config: Values,
}

/// Settings, and everything that is wrong with them at once.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What can be used.
    pub settings: Settings,
    /// Errors and warnings in the order of the file.
    pub problems: Vec<SettingsProblem>,
}

impl Reading {
    /// Whether the file as a whole cannot be used: then there are no instances.
    pub fn is_unusable(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error && problem.instance.is_none())
    }
}

/// What is at a place, as it is read.
pub fn look(place: &Place) -> Seen {
    look::file(&place.file, LARGEST)
}

/// Reads the settings file at a place. A file that cannot be read is a reading with one error.
pub fn load(place: &Place, abouts: &[About], environment: &Environment) -> Reading {
    let why = match look(place) {
        Seen::File(file) => {
            let mut reading = read(place, &file.bytes, abouts, environment);
            reading.settings.world_writable = file.mode & 0o002 != 0;
            return reading;
        }
        Seen::Missing => "there is no such file".to_owned(),
        Seen::Unreadable(why) => why,
    };
    let draft = Draft::error(format!("the settings cannot be read: {why}"));
    unusable(place, &[], draft.help("settings are a short list of plugins in a file: is this the right one?"))
}

/// Reads the content of a settings file, whose `${VAR}` this environment expands.
pub fn read(place: &Place, bytes: &[u8], abouts: &[About], environment: &Environment) -> Reading {
    let text = match syntax::decode(bytes) {
        Ok(text) => text,
        Err(draft) => return unusable(place, bytes, draft),
    };
    let read = read::read_expanded(&place.name, text, abouts, Some(environment));
    let read::Read { instances, problems, variables } = read;
    Reading { settings: Settings { instances, variables, ..without_instances(place, bytes) }, problems }
}

fn unusable(place: &Place, bytes: &[u8], draft: Draft) -> Reading {
    let problem = draft.at(&Source::new(&place.name, ""), None);
    Reading { settings: without_instances(place, bytes), problems: vec![problem] }
}

fn without_instances(place: &Place, bytes: &[u8]) -> Settings {
    Settings {
        place: place.clone(),
        bytes: bytes.into(),
        world_writable: false,
        instances: Vec::new(),
        variables: BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests;
