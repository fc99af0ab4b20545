//! Reading a settings file.

use std::collections::BTreeSet;
use std::path::Path;

use super::content::{Settings, SettingsReading};
use super::find::SettingsPlace;
use super::keys::LARGEST;
use super::problem::{ProblemDraft, ProblemText};
use super::read::{ReadSettings, read_expanded};
use super::syntax;
use crate::model::{AgentShell, PluginInfo, Seen};
use crate::sys::{Environment, KeptFiles, read_file};

/// The file at a place, as it was read while its stamp was the same.
pub fn kept(place: &SettingsPlace, files: &KeptFiles) -> Seen {
    files.file(&place.file, LARGEST)
}

/// Reads a file of settings.
pub fn look(file: &Path) -> Seen {
    read_file::file(file, LARGEST)
}

/// Reads the settings file at a place. A file that cannot be read is a reading with one error.
pub fn load(place: &SettingsPlace, abouts: &[PluginInfo], environment: &Environment) -> SettingsReading {
    let why = match look(&place.file) {
        Seen::File(file) => {
            let mut reading = read(place, &file.bytes, abouts, environment);
            reading.settings.world_writable = file.mode & 0o002 != 0;
            return reading;
        }
        Seen::Missing => "there is no such file".to_owned(),
        Seen::Unreadable(why) => why,
    };
    let draft = ProblemDraft::error(format!("the settings cannot be read: {why}"));
    unusable(place, &[], draft.help("settings are a short list of plugins in a file: is this the right one?"))
}

/// Reads the content of a settings file, whose `${VAR}` this environment expands.
pub fn read(
    place: &SettingsPlace,
    bytes: &[u8],
    abouts: &[PluginInfo],
    environment: &Environment,
) -> SettingsReading {
    let text = match syntax::decode(bytes) {
        Ok(text) => text,
        Err(draft) => return unusable(place, bytes, draft),
    };
    let read = read_expanded(&place.name, text, abouts, Some(environment));
    let ReadSettings { agent_shell, instances, upstreams, runners, records, problems, variables, names } =
        read;
    let upstreams = upstreams.into_iter().map(|upstream| upstream.of(place)).collect();
    let nothing = without_instances(place, bytes);
    let settings =
        Settings { agent_shell, instances, upstreams, runners, records, names, variables, ..nothing };
    SettingsReading { settings, problems }
}

fn unusable(place: &SettingsPlace, bytes: &[u8], draft: ProblemDraft) -> SettingsReading {
    let problem = draft.at(&ProblemText::new(&place.name, ""), None);
    SettingsReading { settings: without_instances(place, bytes), problems: vec![problem] }
}

fn without_instances(place: &SettingsPlace, bytes: &[u8]) -> Settings {
    Settings {
        place: place.clone(),
        bytes: bytes.into(),
        world_writable: false,
        agent_shell: AgentShell::default(),
        instances: Vec::new(),
        upstreams: Vec::new(),
        runners: Vec::new(),
        records: None,
        names: Vec::new(),
        variables: BTreeSet::new(),
    }
}
