//! The MCP servers of `.toolscript.json` files, and what a person approved of them.
//!
//! Such a file is pinned under its own path: its text, with variables unexpanded, and the names of the servers that a
//! person approved. Nothing of it is approved by a first use. The user's own file is trusted.

use std::path::PathBuf;

use super::pins;
use crate::ledger::{Ledger, LedgerError, Pin, PinnedBy, PinnedTools};
use crate::project::context::Context;
use crate::settings::{self, ServerFile, Settings, SettingsOrigin, Upstream};

/// A project's file with a server that no person has approved.
#[derive(Debug)]
pub(crate) struct Pending {
    /// The file as messages name it.
    pub(crate) name: String,
    /// The approved text, and the text now.
    pub(crate) text: (String, String),
    /// The approved servers, and those of now.
    pub(crate) servers: (Vec<Upstream>, Vec<Upstream>),
    /// The pin that approves the text.
    pub(crate) pin: (PathBuf, Pin),
}

/// The files that count, the project's first, without servers that these settings name as well.
pub(crate) fn read(context: &Context, settings: Option<&Settings>) -> Vec<ServerFile> {
    let places = settings::server_files(&context.environment);
    let load = |place| settings::load_servers(place, &context.environment);
    let mut files: Vec<ServerFile> = places.iter().map(load).collect();
    if let [project, users] = &mut files[..] {
        users.replaced_by(project);
    }
    for file in &mut files {
        if let Some(settings) = settings {
            file.leave_out(&settings.names, &settings.place.name);
        }
    }
    files
}

/// The servers of a file as they were approved.
///
/// # Errors
/// When the ledger cannot be read.
pub(crate) fn approved(
    context: &Context,
    ledger: &Ledger,
    file: &ServerFile,
) -> Result<Vec<Upstream>, LedgerError> {
    if file.place.origin == SettingsOrigin::Users {
        return Ok(file.upstreams.clone());
    }
    let pin = ledger.pin(&pins::key(&file.place.file))?;
    Ok(pin.map_or_else(Vec::new, |pin| of_pin(context, file, &pin)))
}

/// The servers of the project's file that wait for a person.
///
/// # Errors
/// When the ledger cannot be read.
pub(crate) fn pending(
    context: &Context,
    ledger: &Ledger,
    settings: Option<&Settings>,
) -> Result<Option<Pending>, LedgerError> {
    let mut files = read(context, settings).into_iter();
    let Some(file) = files.find(|file| file.place.origin != SettingsOrigin::Users) else { return Ok(None) };
    let key = pins::key(&file.place.file);
    let known = match ledger.pin(&key) {
        Err(LedgerError::Corrupt(_)) => None,
        known => known?,
    };
    let approved = known.as_ref().map_or_else(Vec::new, |pin| of_pin(context, &file, pin));
    let waits = |one: &&Upstream| one.enabled && !approved.contains(one);
    let Some(text) =
        str::from_utf8(&file.bytes).ok().filter(|_| file.upstreams.iter().any(|one| waits(&one)))
    else {
        return Ok(None);
    };
    let pin = pins::pin(context, &key, Some(text), PinnedBy::Approved, PinnedTools::default());
    let pin = Pin { servers: file.names().map(str::to_owned).collect(), ..pin };
    let before = known.and_then(|pin| pin.text).unwrap_or_default();
    let is_listed = |one: &&Upstream| one.enabled || approved.iter().any(|known| known.name == one.name);
    let listed = file.upstreams.iter().filter(is_listed).cloned().collect();
    let text = (before, text.to_owned());
    Ok(Some(Pending { name: file.place.name.clone(), text, servers: (approved, listed), pin: (key, pin) }))
}

fn of_pin(context: &Context, file: &ServerFile, pin: &Pin) -> Vec<Upstream> {
    let Some(text) = &pin.text else { return Vec::new() };
    let pinned = settings::read_servers(&file.place, text.as_bytes(), &context.environment).upstreams;
    pinned.into_iter().filter(|one| pin.servers.contains(&one.name)).collect()
}
