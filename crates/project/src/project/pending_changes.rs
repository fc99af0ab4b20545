//! Settings that wait for a person: what is another than was pinned, and pinning it once a person has read that.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::approved_and_current::Sides;
use super::held_probes::HeldProbe;
use super::open_error::not_known;
use super::open_error::usable;
use super::pending_tools::{self, PendingTool};
use super::pins::{SettingsPin, candidates, key_of};
use super::server_files::{self, Pending};
use crate::ledger::{Consent, Ledger, LedgerError, Pin, PinnedBy, PinnedTools};
use crate::model::Caller;
use crate::project::context::Context;
use crate::project::open_error::OpenError;
use crate::project::pins;
use crate::settings::{self, Instance, ServerTransport, Settings, SettingsOrigin, Upstream};
use crate::sys::terminal::TypedConsent;

/// The changes that a person is asked to approve.
#[derive(Debug, Default)]
pub struct Unapproved {
    /// The settings file as messages name it; `None`: the project has none any more.
    pub file: Option<String>,
    /// The settings file that was pinned, where that is another one.
    pub instead_of: Option<String>,
    /// The text that was pinned, and the text now; both empty where they are the same.
    pub settings: (String, String),
    /// Whether nothing was ever approved here.
    pub is_first: bool,
    /// The file with MCP servers of the project, where one of them waits beside the settings.
    pub servers_file: Option<FileDifference>,
    /// Texts that tools run and that differ from the pinned ones.
    pub texts: Vec<PendingText>,
    /// Programs that say what tools run, and that are not started: nobody has approved the settings that name them.
    pub held_probes: Vec<HeldProbe>,
    /// The tools of approved MCP servers with definitions that differ from the pinned ones, as the servers
    /// listed them last.
    pub tools: Vec<PendingTool>,
    pub(crate) sides: Sides,
    pub(super) pins: Vec<(PathBuf, Pin)>,
    pub(super) superseded: Vec<PathBuf>,
}

/// A file that is another than was approved.
#[derive(Debug)]
pub struct FileDifference {
    /// The file as messages name it.
    pub file: String,
    /// The approved text, and the text now.
    pub text: (String, String),
}

/// A text that tools run now and that was not pinned.
#[derive(Debug)]
pub struct PendingText {
    /// The tools; several may run the same text.
    pub tools: Vec<String>,
    /// The pinned text. Empty: none was pinned; `None`: it is too long to have been kept.
    pub before: Option<String>,
    /// The present text; `None`: it is too long to be kept and shown.
    pub after: Option<String>,
}

/// Returns the changes that wait for a person here; `None` if there are none. `explicit` is the value of
/// `--config`. Programs that only unapproved settings name are not started.
///
/// # Errors
/// When the settings cannot be used, or it cannot be read what was pinned.
pub fn unapproved(context: &Context, explicit: Option<&Path>) -> Result<Option<Unapproved>, OpenError> {
    unapproved_as_agreed(context, explicit, &[])
}

/// The same, after a person has agreed to these probes: programs of the very same instances are started.
///
/// # Errors
/// As [`unapproved`].
pub fn unapproved_as_agreed(
    context: &Context,
    explicit: Option<&Path>,
    agreed: &[HeldProbe],
) -> Result<Option<Unapproved>, OpenError> {
    let search = settings::find(&context.environment, explicit)?;
    let reading = usable(
        search.place.as_ref().map(|place| settings::load(place, &context.abouts(), &context.environment)),
    )?;
    let current = reading.map(|reading| reading.settings);
    if let Some(open) = current.as_ref().filter(|settings| settings.world_writable) {
        return Err(OpenError::WorldWritable(open.place.name.clone()));
    }
    let ledger = context.ledger().ok_or(OpenError::NoPins)?;
    let place = current.as_ref().map(|settings| &settings.place);
    let pinned =
        match SettingsPin::of(&ledger, (context.environment.directory(), &context.environment), place) {
            Ok(pinned) => Some(pinned),
            // A broken pin is kept aside, and the settings are shown as if nothing had been pinned.
            Err(LedgerError::Corrupt(_)) => None,
            Err(error) => return Err(not_known(&error)),
        };
    let root = place.map_or_else(|| search.project.clone(), |place| place.root.clone());
    let servers =
        server_files::pending(context, &ledger, current.as_ref()).map_err(|error| not_known(&error))?;
    let settings = compared(context, (current.as_ref(), pinned.as_ref()), root.clone(), agreed);
    let waits = match (settings, servers) {
        (settings, None) => settings,
        (None, Some(servers)) => Some(of_servers(servers, root.clone())),
        (Some(settings), Some(servers)) => Some(settings.with(servers)),
    };
    let tools = pending_tools::pending(context, explicit);
    Ok(match waits {
        Some(waits) => Some(Unapproved { tools, ..waits }),
        None => (!tools.is_empty()).then(|| of_tools(tools, root)),
    })
}

/// The pending changes if only tools of approved servers wait.
fn of_tools(tools: Vec<PendingTool>, root: PathBuf) -> Unapproved {
    Unapproved { tools, sides: Sides { root, ..Sides::default() }, ..Unapproved::default() }
}

/// The pending changes if only the file with MCP servers waits.
fn of_servers(Pending { name, text, servers, pin }: Pending, root: PathBuf) -> Unapproved {
    let sides = Sides { root, servers, ..Sides::default() };
    Unapproved { file: Some(name), settings: text, pins: vec![pin], sides, ..Unapproved::default() }
}

impl Unapproved {
    /// Whether nothing waits but tools of approved servers.
    pub fn is_of_tools_alone(&self) -> bool {
        self.pins.is_empty() && !self.tools.is_empty()
    }

    /// The files, as messages name them.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.file.as_deref().into_iter().chain(self.servers_file.as_ref().map(|servers| &*servers.file))
    }

    /// The root of the project that it holds in.
    pub fn root(&self) -> &Path {
        &self.sides.root
    }

    /// The digest of the very bytes that would be pinned, and of where.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (file, pin) in &self.pins {
            let text = pin.text.as_deref().unwrap_or_default();
            for part in [file.as_os_str().as_encoded_bytes(), text.as_bytes()] {
                hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
            }
            for (tool, digest, _) in pin.tools.iter() {
                hasher.update(format!("{}:{tool}{digest}", tool.len()).as_bytes());
            }
        }
        hasher.finalize().to_hex().to_string()
    }

    pub(super) fn pin(
        &self,
        context: &Context,
        ledger: &Ledger,
        consent: &Consent,
    ) -> Result<(), LedgerError> {
        let pins: Vec<(&Path, Pin)> =
            self.pins.iter().map(|(file, pin)| (file.as_path(), pin.clone())).collect();
        ledger.pin_approved(consent, &pins)?;
        let now = context.clock.milliseconds();
        self.superseded.iter().try_for_each(|file| ledger.unpin(consent, file, now))
    }

    /// The MCP servers that are approved with it, as they would be started or reached.
    pub fn new_server_lines(&self) -> Vec<String> {
        let (before, after) = &self.sides.servers;
        let is_new = |one: &&Upstream| one.enabled && !before.contains(one);
        let target = |one: &Upstream| match &one.transport {
            ServerTransport::Stdio { command, arguments, .. } => {
                std::iter::once(command).chain(arguments).map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            ServerTransport::Http { url, .. } => url.clone(),
        };
        after.iter().filter(is_new).map(|one| format!("{}: {}", one.name, target(one))).collect()
    }

    /// The MCP servers that are approved with it.
    pub fn new_servers(&self) -> Vec<&str> {
        let (before, after) = &self.sides.servers;
        let is_new = |one: &&Upstream| one.enabled && !before.contains(one);
        after.iter().filter(is_new).map(|one| one.name.as_str()).collect()
    }

    /// The same, with what waits in the file with MCP servers.
    fn with(mut self, Pending { name, text, servers: (approved, current), pin }: Pending) -> Self {
        self.is_first = false;
        self.servers_file = Some(FileDifference { file: name, text });
        self.sides.servers.0.extend(approved);
        self.sides.servers.1.extend(current);
        self.pins.push(pin);
        self
    }
}

fn compared(
    context: &Context,
    (current, pinned): (Option<&Settings>, Option<&SettingsPin>),
    root: PathBuf,
    agreed: &[HeldProbe],
) -> Option<Unapproved> {
    let (before, other) = before(current, pinned);
    let after = current.map(|settings| String::from_utf8_lossy(&settings.bytes).into_owned());
    let says_the_same = match (current, &before) {
        (Some(settings), Some(before)) => {
            pins::say_the_same(context, &settings.place, before.as_bytes(), &settings.bytes)
        }
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let approved = before.as_ref().zip(current.filter(|_| other.is_none())).map(|(text, settings)| {
        let text = text.as_bytes();
        settings::read(&settings.place, text, &context.abouts(), &context.environment).settings
    });
    let (approved, pinned_servers) =
        approved.map_or_else(Default::default, |approved| (approved.instances, approved.upstreams));
    let instances = current.map_or(&[][..], |settings| &settings.instances);
    let may_probe = |instance: &Instance| {
        approved.contains(instance) || agreed.iter().any(|one| one.instance == *instance)
    };
    let servers = current.into_iter().flat_map(|settings| &settings.upstreams);
    let reserved = servers.map(|server| server.name.clone()).collect();
    let (tools, held_probes) = pins::texts_as_agreed(context, &root, (instances, &reserved), &may_probe);
    let known = pinned.and_then(SettingsPin::tools);
    let texts = changed(known, &tools);
    let servers = pinned.map_or_else(Vec::new, |pinned| pinned.approved_servers(pinned_servers.clone()));
    let is_unread = |one: &Upstream| one.enabled && !servers.contains(one);
    let after_servers = current.map(|settings| settings.upstreams.clone()).unwrap_or_default();
    let is_known = pinned.is_some_and(|pinned| !pinned.is_nothing() || current.is_none());
    let is_admitted = !after_servers.iter().any(is_unread);
    if is_known && other.is_none() && says_the_same && texts.is_empty() && is_admitted {
        return None;
    }
    // A server of the approved text that was not approved itself: the difference would not show it.
    let is_hidden = after_servers.iter().any(|one| is_unread(one) && pinned_servers.contains(one));
    let is_same = other.is_none() && before == after && !is_hidden;
    let after_instances = current.map(|settings| settings.instances.clone()).unwrap_or_default();
    // One that is switched off, and was never approved, is nothing to say yes to.
    let is_listed = |one: &Upstream| one.enabled || servers.iter().any(|known| known.name == one.name);
    let listed_servers = after_servers.into_iter().filter(is_listed).collect();
    let sides = Sides {
        root,
        instances: (approved, after_instances),
        servers: (servers, listed_servers),
        texts: (known.cloned(), tools.clone()),
    };
    Some(Unapproved {
        file: current.map(|settings| settings.place.name.clone()),
        settings: match after {
            _ if is_same => Default::default(),
            // All of another file is new: its paths refer to another folder.
            Some(after) if other.is_some() || is_hidden => (String::new(), after),
            after => (before.unwrap_or_default(), after.unwrap_or_default()),
        },
        instead_of: other,
        is_first: pinned.is_some_and(SettingsPin::is_nothing),
        texts,
        held_probes,
        superseded: superseded(context, current),
        pins: pins(context, current, &tools),
        sides,
        ..Unapproved::default()
    })
}

/// The text that was pinned, and the file that it is of where that is not the one of these settings.
fn before(current: Option<&Settings>, pinned: Option<&SettingsPin>) -> (Option<String>, Option<String>) {
    let Some((file, text)) = pinned.and_then(SettingsPin::settings) else { return (None, None) };
    let is_same = current.is_some_and(|settings| key_of(&settings.place) == file);
    (Some(text.to_owned()), (!is_same).then(|| file.display().to_string()))
}

/// The pins by which these settings hold from now on.
fn pins(context: &Context, current: Option<&Settings>, tools: &PinnedTools) -> Vec<(PathBuf, Pin)> {
    let Some(settings) = current else {
        let here = candidates(context.environment.directory(), &context.environment).next();
        let pin = |file: PathBuf| {
            (file.clone(), pins::pin(context, &file, None, PinnedBy::Approved, tools.clone()))
        };
        return here.map(pin).into_iter().collect();
    };
    let file = key_of(&settings.place);
    let text = str::from_utf8(&settings.bytes).ok();
    let servers = settings.upstreams.iter().map(|upstream| upstream.name.clone()).collect();
    let pin = Pin { servers, ..pins::pin(context, &file, text, PinnedBy::Approved, tools.clone()) };
    vec![(file, pin)]
}

/// The pins of nearer files, which would hold before the one of these settings. They go after it came: should only some
/// of that be written, a nearer one holds on.
fn superseded(context: &Context, current: Option<&Settings>) -> Vec<PathBuf> {
    let Some(place) =
        current.map(|settings| &settings.place).filter(|place| place.origin != SettingsOrigin::Named)
    else {
        return Vec::new();
    };
    let (file, ledger) = (key_of(place), context.ledger());
    let nearer = candidates(context.environment.directory(), &context.environment);
    let is_pinned =
        |nearer: &PathBuf| ledger.as_ref().is_some_and(|ledger| !matches!(ledger.pin(nearer), Ok(None)));
    nearer.take_while(|nearer| *nearer != file).filter(is_pinned).collect()
}

/// Pins what a person has read.
///
/// # Errors
/// When the ledger cannot be written.
pub fn approve(context: &Context, yes: &TypedConsent, unapproved: &Unapproved) -> Result<(), LedgerError> {
    let Some(ledger) = context.ledger() else { return Ok(()) };
    unapproved.pin(context, &ledger, &Consent::of_person_to_settings(yes))?;
    pending_tools::approve(context, yes, &unapproved.sides.root, &unapproved.tools)?;
    if unapproved.is_of_tools_alone() {
        return Ok(());
    }
    let rule = match &unapproved.file {
        Some(file) => {
            let servers = unapproved.servers_file.as_ref().map(|servers| format!(" and {}", servers.file));
            format!("a person approved {file}{}", servers.unwrap_or_default())
        }
        None => "a person approved that the project has no settings".to_owned(),
    };
    pins::note_pinning(context, &ledger, &unapproved.sides.root, Caller::Human, rule)
}

/// The texts that tools run now and that were not pinned, one entry for all tools that share a text.
fn changed(pinned: Option<&PinnedTools>, now: &PinnedTools) -> Vec<PendingText> {
    let mut texts: BTreeMap<(Option<&str>, &str), PendingText> = BTreeMap::new();
    for (tool, digest, after) in now.iter() {
        let known = pinned.and_then(|pinned| pinned.digest(tool));
        if known == Some(digest) {
            continue;
        }
        let text = texts.entry((known, digest)).or_insert_with(|| PendingText {
            tools: Vec::new(),
            before: match (pinned, known) {
                (Some(pinned), Some(known)) => pinned.text(known).map(str::to_owned),
                (None, _) | (_, None) => Some(String::new()),
            },
            after: after.map(str::to_owned),
        });
        text.tools.push(tool.to_owned());
    }
    texts.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each looked for among all would take minutes.
    #[test]
    fn however_many_tools_are_compared_with_what_was_pinned() {
        let names: Vec<String> = (0..60_000).map(|at| format!("make.make_{at}")).collect();
        let pinned = |digest, text| PinnedTools::of(names.iter().map(|name| (name.clone(), digest, text)));
        assert!(changed(Some(&pinned("a", "x")), &pinned("a", "x")).is_empty());
        let texts = changed(Some(&pinned("a", "x")), &pinned("b", "y"));
        assert_eq!(texts.iter().map(|text| text.tools.len()).collect::<Vec<_>>(), [60_000]);
        assert_eq!((texts[0].before.as_deref(), texts[0].after.as_deref()), (Some("x"), Some("y")));
        let new = changed(None, &pinned("b", "y"));
        assert_eq!(new[0].before.as_deref(), Some(""), "nothing was pinned");
    }
}
