//! Reading a settings file.

use std::collections::BTreeSet;

use super::content::{Reading, Settings};
use super::find::Place;
use super::keys::LARGEST;
use super::problem::{Draft, Source};
use super::read::{Read, read_expanded};
use super::syntax;
use crate::model::{About, AgentShell, Seen};
use crate::sys::{Environment, KeptFiles, look};

/// The file at a place, as it was read while its stamp was the same.
pub fn kept(place: &Place, files: &KeptFiles) -> Seen {
    files.file(&place.file, LARGEST)
}

/// Reads the file at a place.
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
    let read = read_expanded(&place.name, text, abouts, Some(environment));
    let Read { agent_shell, instances, upstreams, problems, variables, names } = read;
    let upstreams = upstreams.into_iter().map(|upstream| upstream.of(place)).collect();
    let settings =
        Settings { agent_shell, instances, upstreams, names, variables, ..without_instances(place, bytes) };
    Reading { settings, problems }
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
        agent_shell: AgentShell::default(),
        instances: Vec::new(),
        upstreams: Vec::new(),
        names: Vec::new(),
        variables: BTreeSet::new(),
    }
}
