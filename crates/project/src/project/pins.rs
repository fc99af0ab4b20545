//! Pins of the settings that count in a folder. Only a person pins: by `cuff init`, by `cuff approve settings`, or by a
//! yes to the question of an agent's client.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{self, Poll, Waker};
use std::thread;

use crate::execution::{KnownHiddenPaths, RunHost, Slots};
use crate::ledger::{AuditDecision, Ledger, LedgerError, Pin, PinnedBy, PinnedTools};
use crate::model::{Caller, Discovery, PACKAGES};
use crate::project::context::Context;
use crate::project::held_probes::{HeldProbe, HeldProbes};
use crate::project::packages::{self, Workspaces};
use crate::project::probe::HostProber;
use crate::registry::{Registered, Registry};
use crate::settings::{self, Instance, SettingsOrigin, Upstream};
use crate::sources::project::{Memory, Prober, ProjectPlace};
use crate::sys::{Cache, Environment, files, repository};

/// The pin that holds for the settings that count now, under the file that it is kept for; `None`: no person has approved any. One
/// without a text says that there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SettingsPin(Option<(PathBuf, Pin)>);

impl SettingsPin {
    /// Looks for the pin that holds in a folder.
    ///
    /// Settings that somebody names have a pin of their own. Else the nearest pin on the way up holds, even
    /// if other files lie there now. A file that came nearer, or counts since a nearer one has gone, was not
    /// approved. The user's own file comes last, and has a pin for each project. If a person approved that there are
    /// no settings, that holds for its own folder.
    ///
    /// # Errors
    /// When a pin cannot be read.
    pub(crate) fn of(
        ledger: &Ledger,
        (start, environment): (&Path, &Environment),
        current: Option<&settings::SettingsPlace>,
    ) -> Result<Self, LedgerError> {
        if let Some(named) = current.filter(|place| place.origin == SettingsOrigin::Named) {
            let file = key(&named.file);
            return Ok(Self(ledger.pin(&file)?.map(|pin| (file, pin))));
        }
        let users = current.filter(|place| place.origin == SettingsOrigin::Users).map(key_of);
        let current = current.map(key_of);
        // The absence of settings is pinned at the first place of a folder, whichever place they come to.
        let [_, second] = settings::places(&files::canonical(start));
        for (at, file) in candidates(start, environment).chain(users).enumerate() {
            let Some(pin) = ledger.pin(&file)? else { continue };
            if pin.text.is_some() || at == 0 && current.as_ref() != Some(&second) {
                return Ok(Self(Some((file, pin))));
            }
        }
        Ok(Self::default())
    }

    /// Whether no person has approved any settings, nor that there are none.
    pub(crate) fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// The settings file that it is of and the pinned text, where there was one.
    pub(crate) fn settings(&self) -> Option<(&Path, &str)> {
        let (file, pin) = self.0.as_ref()?;
        Some((file, pin.text.as_deref()?))
    }

    /// The pinned text of this settings file; `None` if another pin holds.
    pub(crate) fn text_of(&self, place: &settings::SettingsPlace) -> Option<&str> {
        self.settings().filter(|(file, _)| *file == key_of(place)).map(|(_, text)| text)
    }

    /// The texts of tools that were pinned.
    pub(crate) fn tools(&self) -> Option<&PinnedTools> {
        self.pin().map(|pin| &pin.tools)
    }

    /// The MCP servers of a text that was pinned which a person approved.
    pub(crate) fn approved_servers(&self, pinned: Vec<Upstream>) -> Vec<Upstream> {
        let names = self.pin().map_or(&[][..], |pin| &pin.servers);
        pinned.into_iter().filter(|upstream| names.contains(&upstream.name)).collect()
    }

    /// The pin itself.
    pub(crate) fn pin(&self) -> Option<&Pin> {
        self.0.as_ref().map(|(_, pin)| pin)
    }
}

/// The places where settings of a folder may lie and be pinned, the nearest first: up to the root of its repository. A `.git` that
/// is no repository for git ends nothing. Outside of any repository it goes on to the top, but neither the home folder
/// nor `/` counts for what lies below.
pub(crate) fn candidates(start: &Path, environment: &Environment) -> impl Iterator<Item = PathBuf> {
    let home = environment.absolute("HOME").map(|home| files::canonical(&home));
    let folders: Vec<PathBuf> = files::canonical(start).ancestors().map(Path::to_owned).collect();
    let root = folders.iter().position(|folder| repository::is_root(folder));
    let count = root.map_or(folders.len(), |root| root + 1);
    let is_own = move |(at, folder): &(usize, PathBuf)| {
        *at == 0 || root.is_some() || folder.parent().is_some() && Some(folder) != home.as_ref()
    };
    let counted = folders.into_iter().take(count).enumerate().filter(is_own);
    counted.flat_map(|(_, folder)| settings::places(&folder))
}

/// The name under which a file of a project is pinned.
pub(crate) fn key(file: &Path) -> PathBuf {
    files::in_canonical_folder(file)
}

/// The name under which settings are pinned: their file, and of the user's own file the project's root as well, since a
/// yes to one project says nothing of the next.
pub(crate) fn key_of(place: &settings::SettingsPlace) -> PathBuf {
    let file = key(&place.file);
    match place.origin {
        SettingsOrigin::Found | SettingsOrigin::Named => file,
        SettingsOrigin::Users => {
            let root = files::canonical(&place.root);
            file.join("in").join(root.strip_prefix("/").unwrap_or(&root))
        }
    }
}

/// Whether two texts of a settings file mean the same: a comment changes nothing.
pub(crate) fn say_the_same(
    context: &Context,
    place: &settings::SettingsPlace,
    one: &[u8],
    other: &[u8],
) -> bool {
    let said = |text| {
        let settings = settings::read(place, text, &context.abouts(), &context.environment).settings;
        (settings.agent_shell, settings.instances, settings.upstreams, settings.runners, settings.records)
    };
    one == other || said(one) == said(other)
}

/// A pin of a settings file, and what the tools of these instances run now. No MCP server in it is approved.
pub(crate) fn pin(
    context: &Context,
    file: &Path,
    text: Option<&str>,
    by: PinnedBy,
    tools: PinnedTools,
) -> Pin {
    let (file, text) = (file.display().to_string(), text.map(str::to_owned));
    Pin { file, text, at: context.clock.milliseconds(), by, tools, servers: Vec::new() }
}

/// The texts that the tools of these instances run, and those of the packages that they take in, for those instances that pin
/// them. No package has a `reserved` name. Programs are asked for instances
/// alone that may be; comes back with the probes that this holds back.
pub(crate) fn texts_as_agreed(
    context: &Context,
    root: &Path,
    (instances, reserved): (&[Instance], &BTreeSet<String>),
    may_probe: &(dyn Fn(&Instance) -> bool + Sync),
) -> (PinnedTools, Vec<HeldProbe>) {
    let is_wanted = |instance: &&Instance| instance.enabled && instance.config.pins_texts();
    let with_packages = || {
        let choice = (Workspaces::AsSettingsSay, reserved);
        packages::expanded(context, root, instances, &[], choice).instances
    };
    let takes_in = |instance: &Instance| instance.config.has(&PACKAGES);
    let packages = instances.iter().filter(is_wanted).any(takes_in).then(with_packages);
    let wanted: Vec<&Instance> = packages.as_deref().unwrap_or(instances).iter().filter(is_wanted).collect();
    let (discovered, held) = discovered(context, root, &wanted, may_probe);
    let registry = Registry::new(discovered);
    let texts = registry.tools().iter().filter_map(|Registered { name, tool, .. }| {
        tool.content.as_ref().map(|content| (name.to_string(), &*content.digest, &*content.text))
    });
    (PinnedTools::of(texts), held)
}

/// An instance, its plugin, and what was discovered.
type Discovered = (String, &'static str, Arc<Discovery>);

/// The discoveries of these instances, which ask programs as lists do. None where that cannot be waited for: then no text
/// is approved.
fn discovered(
    context: &Context,
    root: &Path,
    instances: &[&Instance],
    may_probe: &(dyn Fn(&Instance) -> bool + Sync),
) -> (Vec<Discovered>, Vec<HeldProbe>) {
    let Context { environment, clock, supervisor, files, .. } = context;
    let host = RunHost {
        supervisor: supervisor.clone(),
        environment: environment.clone(),
        root: root.to_owned(),
        slots: Slots::new(1),
        clock: clock.clone(),
        hidden: KnownHiddenPaths::default(),
    };
    let prober = HostProber::new(host, Arc::clone(files));
    let memory = Memory::new(clock.clone(), Cache::of(environment, "probes"));
    let view = context.view(root);
    let discovered = wait_for(async {
        let (mut discovered, mut held) = (Vec::new(), Vec::new());
        for instance in instances {
            let Some(plugin) = context.plugin(instance.plugin) else { continue };
            let holding = HeldProbes::new(context);
            let chosen: &dyn Prober = if may_probe(instance) { &prober } else { &holding };
            let place = ProjectPlace {
                prober: Some(chosen),
                view: Some(&view),
                ..ProjectPlace::of(root, environment)
            };
            let discovery = memory.discover(place, plugin, instance).await;
            discovered.push((instance.name.clone(), instance.plugin, discovery));
            held.extend(holding.held(instance));
        }
        (discovered, held)
    });
    discovered.unwrap_or_default()
}

/// Waits for an answer that is mostly there at once. Where it is not, a thread of its own waits with a runtime of its own:
/// the caller may be inside of one.
fn wait_for<Answer: Send>(future: impl Future<Output = Answer> + Send) -> Option<Answer> {
    let mut future = pin!(future);
    if let Poll::Ready(answer) = future.as_mut().poll(&mut task::Context::from_waker(Waker::noop())) {
        return Some(answer);
    }
    let wait = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        Some(runtime.block_on(future))
    };
    thread::scope(|scope| scope.spawn(wait).join().ok().flatten())
}

/// Writes into the audit log what was pinned, and why.
pub(crate) fn note_pinning(
    context: &Context,
    ledger: &Ledger,
    root: &Path,
    caller: Caller,
    rule: String,
) -> Result<(), LedgerError> {
    ledger.note(&AuditDecision {
        at: context.clock.milliseconds(),
        caller: caller.name().to_owned(),
        tool: "settings".to_owned(),
        project: root.display().to_string(),
        arguments: Vec::new(),
        decision: "pinned",
        rule,
    })
}
