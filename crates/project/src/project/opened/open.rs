//! Opening a project: under its settings, or for one plugin without any.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;

use crate::execution::{KnownHiddenPaths, RunHost, Slots};
use crate::model::{Caller, Field, PluginInfo, Values, check};
use crate::project::context::Context;
use crate::project::open_error::{OpenError, usable};
use crate::project::opened::{Project, ProjectRuns};
use crate::project::probe::HostProber;
use crate::project::project_authority::ProjectAuthority;
use crate::project::project_authority::ServerPins;
use crate::project::project_catalog::ProjectCatalog;
use crate::project::project_settings::ProjectSettings;
use crate::project::secrets::KeptSecrets;
use crate::project::server_files;
use crate::project::starter::HostStarter;
use crate::project::suggested::{SuggestedSettings, nearest_above, suggested_settings};
use crate::settings::{
    self, Instance, Settings, SettingsOrigin, SettingsPlace, SettingsProblem, SettingsReading, SettingsSearch,
};
use crate::sources::project::{self as discovery, Memory, ProjectPlace};
use crate::store::Store;
use crate::sys::{Cache, files};

impl Project {
    /// Opens the project that the working directory is in, under its settings. `explicit` is what `--config` names.
    /// Agents get of the settings what a person has seen.
    ///
    /// # Errors
    /// When there are no settings, or the file as a whole cannot be used. Problems of single
    /// instances are in [`complaints`](ProjectSettings::complaints); the others work. For agents also when it is not
    /// known which settings a person has approved.
    pub fn open(context: Context, explicit: Option<&Path>, caller: Caller) -> Result<Self, OpenError> {
        let search = settings::find(&context.environment, explicit)?;
        let suggested = suggestions(&context, &search, caller);
        match Self::of_search(context.clone(), &search, suggested, caller) {
            Err(broken @ OpenError::Unusable { .. }) => Self::of_servers_alone(context, broken, caller),
            opened => opened?.ok_or_else(|| {
                let above = nearest_above(&context).map_or_else(String::new, |above| above + "\n");
                let nothing = (!caller.is_governed()).then(|| above + &context.help_for_nothing());
                OpenError::NoSettings { passed_over: search.passed_over, nothing }
            }),
        }
    }

    /// Opens the project as [`open`](Self::open) does, for a person who types commands.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_typed(context: Context, explicit: Option<&Path>) -> Result<Self, OpenError> {
        let caller = context.at_terminal();
        Self::open(context, explicit, caller)
    }

    /// A project without settings and without tools, at the working directory.
    pub fn without_settings(context: Context, caller: Caller) -> Self {
        let root = context.environment.directory().to_owned();
        let mut project = Self::at(context, root, Vec::new());
        project.settings.caller = caller;
        project
    }

    /// Opens the project for one plugin: its instances in the settings, or, without settings, what it suggests for
    /// the working directory. Options of the command line stand in for config keys.
    ///
    /// # Errors
    /// As [`open`](Self::open), and when the settings have no instance of the plugin.
    pub fn open_plugin(
        context: Context,
        explicit: Option<&Path>,
        about: &PluginInfo,
        given: &[(&'static Field, Value)],
    ) -> Result<Self, OpenError> {
        let search = settings::find(&context.environment, explicit)?;
        let caller = context.at_terminal();
        if let (Caller::Agent, Some((field, _))) = (caller, given.first()) {
            let what = format!("`{}` is what the settings say: an agent cannot say otherwise", field.name);
            return Err(OpenError::BadOption(what));
        }
        // A file with nothing but MCP servers has no instance of any plugin.
        let suggested = suggestions(&context, &search, caller);
        let has_instances = search.place.is_some() || suggested.is_some();
        let project = Self::of_search(context.clone(), &search, suggested, caller)?.filter(|_| has_instances);
        if caller.is_governed() && project.is_none() {
            return Err(OpenError::NoSettings { passed_over: search.passed_over, nothing: None });
        }
        let mut project = Self::for_plugin(project, context, about)?.with(given)?;
        project.settings.caller = caller;
        Ok(project)
    }

    /// Opens the project as [`open`](Self::open) does, or for one plugin as [`open_plugin`](Self::open_plugin) does, and
    /// leaves no trace: nothing is pinned. `None` where that cannot be done, whyever.
    pub fn open_readonly(
        context: Context,
        explicit: Option<&Path>,
        plugin: Option<(&PluginInfo, &[(&'static Field, Value)])>,
    ) -> Option<Self> {
        let search = settings::find(&context.environment, explicit).ok()?;
        let reading =
            search.place.as_ref().map(|place| settings::load(place, &context.abouts(), &context.environment));
        let Ok(reading) = usable(reading) else {
            // The MCP servers of other files have nothing to do with what is wrong here.
            let alone = Self::unsettled(context, None, None).map(|(alone, _)| alone);
            return alone.filter(|alone| plugin.is_none() && !alone.settings.upstreams.is_empty());
        };
        let suggested = suggestions(&context, &search, context.at_terminal());
        let has_instances = search.place.is_some() || suggested.is_some();
        let project = Self::unsettled(context.clone(), reading, suggested);
        let project = project.map(|(project, _)| project.with_packages());
        let project = project.filter(|_| plugin.is_none() || has_instances);
        match plugin {
            None => project,
            Some((about, given)) => Self::for_plugin(project, context, about).ok()?.with(given).ok(),
        }
    }

    fn for_plugin(project: Option<Self>, context: Context, about: &PluginInfo) -> Result<Self, OpenError> {
        let has_it =
            |project: &Self| project.settings.instances.iter().any(|instance| instance.plugin == about.id);
        let mut project = match project {
            Some(project) if !project.settings.is_suggested() || has_it(&project) => project.only(about)?,
            _ => Self::suggested(context, about),
        };
        project.settings.named_plugin = Some(about.id);
        Ok(project)
    }

    /// Options of the command line in the place of config keys.
    fn with(mut self, given: &[(&'static Field, Value)]) -> Result<Self, OpenError> {
        if !given.is_empty() {
            // A command line speaks of the instances that settings name.
            self.settings.instances.retain(|instance| instance.workspace.is_none());
        }
        for instance in &mut self.settings.instances {
            for (field, value) in given {
                let single = std::iter::once((field.name.to_owned(), value.clone())).collect();
                if let Some(mistake) = check(&[field], &single).1.first() {
                    return Err(OpenError::BadOption(mistake.sentence()));
                }
                instance.config = std::mem::take(&mut instance.config).with(field, value.clone());
            }
        }
        Ok(self)
    }

    fn of_search(
        context: Context,
        search: &SettingsSearch,
        suggested: Option<SuggestedSettings>,
        caller: Caller,
    ) -> Result<Option<Self>, OpenError> {
        let reading =
            search.place.as_ref().map(|place| settings::load(place, &context.abouts(), &context.environment));
        let is_agents = caller.is_governed() || context.at_terminal().is_governed();
        let reading = reading.map(|reading| if is_agents { untold(reading, search) } else { reading });
        let reading = usable(reading)?;
        let Some((mut project, settings)) = Self::unsettled(context, reading, suggested) else {
            return Ok(None);
        };
        project.settings.caller = caller;
        project.settle(settings.as_ref(), caller).map(|project| Some(project.with_packages()))
    }

    /// A project with the MCP servers of `.toolscript.json` files alone, since the settings cannot be used, which it reports.
    fn of_servers_alone(context: Context, broken: OpenError, caller: Caller) -> Result<Self, OpenError> {
        let OpenError::Unusable { problems, .. } = &broken else { return Err(broken) };
        let alone =
            Self::unsettled(context, None, None).filter(|(alone, _)| !alone.settings.upstreams.is_empty());
        let Some((mut alone, _)) = alone else { return Err(broken) };
        alone.settings.complaints.splice(0..0, problems.iter().cloned());
        alone.settings.caller = caller;
        alone.settings.unusable = Some(broken);
        alone.settle(None, caller)
    }

    /// A project under these settings, or what stands in for them, and the files with MCP servers as they are, without
    /// regard to pins. `None` if there is none of them.
    fn unsettled(
        mut context: Context,
        reading: Option<SettingsReading>,
        suggested: Option<SuggestedSettings>,
    ) -> Option<(Self, Option<Settings>)> {
        let (settings, mut complaints) =
            reading.map_or_else(Default::default, |reading| (Some(reading.settings), reading.problems));
        let server_files = server_files::read(&context, settings.as_ref());
        let place = settings.as_ref().map(|settings| &settings.place);
        let (root, file) = match (place, &suggested, server_files.first()) {
            (Some(place), ..) => (place.root.clone(), Some(place.name.clone())),
            (None, Some(suggested), file) => {
                (suggested.root.clone(), file.map(|file| file.place.name.clone()))
            }
            (None, None, Some(file)) => (file.place.root.clone(), Some(file.place.name.clone())),
            (None, None, None) => return None,
        };
        let variables = settings.iter().flat_map(|settings| &settings.variables);
        let variables =
            variables.chain(server_files.iter().flat_map(|file| &file.variables)).cloned().collect();
        context.environment = context.environment.hiding(&variables);
        let instances = match &settings {
            Some(settings) => settings.instances.clone(),
            None => suggested.map_or_else(Vec::new, |suggested| suggested.instances),
        };
        let mut project = Self::at(context, root, instances);
        project.settings.file = file;
        project.settings.place = place.cloned();
        project.settings.world_writable = settings.as_ref().is_some_and(|settings| settings.world_writable);
        complaints.extend(server_files.iter().flat_map(|file| file.problems.iter().cloned()));
        project.settings.complaints = complaints;
        let upstreams = settings.iter().flat_map(|settings| &settings.upstreams);
        let of_files = server_files.iter().flat_map(|file| &file.upstreams);
        project.settings.upstreams = upstreams.chain(of_files).cloned().collect();
        project.settings.runners =
            settings.as_ref().map_or_else(Vec::new, |settings| settings.runners.clone());
        project.settings.records = settings.as_ref().and_then(|settings| settings.records.clone());
        project.settings.server_files = server_files;
        project.settings.bytes = settings.as_ref().map(|settings| Arc::clone(&settings.bytes));
        Some((project, settings))
    }

    /// Opens with a plugin's suggestion for the working directory, or with its defaults, so that it can
    /// report what is missing.
    fn suggested(context: Context, about: &PluginInfo) -> Self {
        let root = context.environment.directory().to_owned();
        let place = ProjectPlace::of(&root, &context.environment);
        let plugin = context.plugin(about.id);
        let suggestion = plugin.and_then(|plugin| plugin.suggest(&discovery::scout(place, plugin)));
        let config = suggestion.map_or_else(Values::default, |suggestion| Values::of(suggestion.config));
        let instance =
            Instance { name: about.id.to_owned(), enabled: true, plugin: about.id, config, workspace: None };
        Self::at(context, root, vec![instance]).with_packages()
    }

    fn only(mut self, about: &PluginInfo) -> Result<Self, OpenError> {
        self.settings.instances.retain(|instance| instance.plugin == about.id);
        let off =
            self.settings.instances.iter().find(|instance| !instance.enabled).map(|off| off.name.clone());
        self.settings.instances.retain(|instance| instance.enabled);
        self.settings.upstreams.clear();
        // An instance that is broken is known by the front of its code alone.
        let theirs = |complaint: &&SettingsProblem| {
            let rest = complaint.code.as_ref().and_then(|code| code.strip_prefix(about.code_prefix));
            rest.is_some_and(|rest| rest.starts_with('_'))
        };
        let broken: Vec<Option<String>> = self
            .settings
            .complaints
            .iter()
            .filter(theirs)
            .map(|complaint| complaint.instance.clone())
            .collect();
        let offered = |name: &str| self.settings.instances.iter().any(|instance| instance.name == name);
        self.settings.complaints.retain(|complaint| {
            broken.contains(&complaint.instance) || complaint.instance.as_deref().is_none_or(offered)
        });
        if self.settings.instances.is_empty() && broken.is_empty() {
            let file = self.settings.file.unwrap_or_default();
            return Err(match off {
                Some(instance) => OpenError::Disabled { file, instance },
                None => OpenError::NotConfigured { file, plugin: about.id },
            });
        }
        Ok(self)
    }

    fn at(context: Context, root: PathBuf, instances: Vec<Instance>) -> Self {
        let host = |slots| RunHost {
            supervisor: context.supervisor.clone(),
            environment: context.environment.clone(),
            root: root.clone(),
            slots,
            clock: context.clock.clone(),
            hidden: KnownHiddenPaths::default(),
        };
        // With a place of its own a probe waits for no run, and so no list does.
        let starter = HostStarter::new(host(Slots::new(1)), Arc::clone(&context.files));
        let starter = Arc::new(starter);
        let prober = HostProber::new(host(Slots::new(1)), Arc::clone(&context.files));
        let (host, prober) = (host(Slots::default()), Arc::new(prober));
        let cache = Cache::of(&context.environment, "probes");
        let memory = Memory::new(context.clock.clone(), cache);
        let store = Store::of(&context.environment);
        let ledger = context.ledger();
        Self {
            context,
            settings: ProjectSettings::of(root, instances),
            catalog: ProjectCatalog {
                memory: Arc::new(memory),
                sources: OnceLock::new(),
                generations: Arc::default(),
                current: Mutex::default(),
                listing_problems: Mutex::default(),
                stale_settings: Mutex::default(),
                prober,
                starter,
                servers: Arc::default(),
            },
            authority: ProjectAuthority {
                ledger,
                confirm: OnceLock::new(),
                server_pins: ServerPins::default(),
                kept_secrets: KeptSecrets::default(),
            },
            runs: ProjectRuns { host, store },
        }
    }
}

/// The reading without problems that quote a file outside of the project, which an agent names or links to, so that a permission for
/// cuff shows no file of others.
fn untold(reading: SettingsReading, search: &SettingsSearch) -> SettingsReading {
    let is_elsewhere = |place: &SettingsPlace| {
        let home = match place.origin {
            SettingsOrigin::Named => &search.project,
            SettingsOrigin::Found => &place.root,
            SettingsOrigin::Users => return false,
        };
        !files::canonical(&place.file).starts_with(files::canonical(home))
    };
    if !search.place.as_ref().is_some_and(is_elsewhere) {
        return reading;
    }
    let problems = reading.problems.into_iter().map(SettingsProblem::without_content).collect();
    SettingsReading { problems, ..reading }
}

/// The sources and tools that stand in for settings, for a person who has none.
fn suggestions(context: &Context, search: &SettingsSearch, caller: Caller) -> Option<SuggestedSettings> {
    let is_wanted = search.place.is_none() && !caller.is_governed();
    is_wanted.then(|| suggested_settings(context, &search.project)).flatten()
}
