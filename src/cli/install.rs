//! `cuff install`: cuff in the configuration of an agent's client, and out of it again.

use std::path::{Path, PathBuf};

use super::arguments::Install;
use super::problems::warn_of_cache;
use crate::hosts::{
    AgentClient, CLIENTS, ClientFileChange, ClientFolders, ClientScope, ClientServers, Launch, Obstacle,
};
use crate::model::{Caller, ErrorCode, Problem, Seen, listed};
use crate::project::{Context, Project};
use crate::settings::{self, SettingsOrigin, SettingsSearch};
use crate::sys::files::{self, ExistingFile};
use crate::sys::{Environment, programs, read_file};
use crate::terminal::{Failed, Ui, exit};

/// The largest configuration that is read, in bytes: Claude Code keeps much of its own in its file.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Writes, shows or removes the entry of each client that was named.
pub(super) fn install(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &Install,
) -> Result<u8, Failed> {
    if config.is_some() {
        let help = "an agent gets the settings of the project; `-C DIR` says which";
        return Err(Failed::usage("`--config` is not written for clients").help(help));
    }
    if let Some(name) = typed.name.as_deref().filter(|name| !Launch::is_name(name)) {
        let help = "a name has at most 32 letters, digits, `-` and `_`";
        return Err(Failed::usage(format!("`{name}` is no name for an entry")).help(help));
    }
    let root = root(context);
    let sites: Vec<Site> =
        typed.client.iter().map(|id| Site::of(context, &root, id, typed)).collect::<Result<_, _>>()?;
    let offered = if typed.replace { offered(context)? } else { Vec::new() };
    let mut code = exit::SUCCESS;
    for site in sites {
        let done = match typed {
            Install { print: true, .. } => site.alone(context, typed.name.as_deref()),
            Install { remove: true, .. } => {
                site.remove(context, typed.name.as_deref(), typed.force, typed.dry_run)
            }
            _ => site.add(context, typed.name.as_deref(), typed.force, typed.dry_run),
        };
        let done = match done {
            Ok(said) if typed.replace => site.replace(&offered, typed.dry_run).map(|more| said + &more),
            done => done,
        };
        match done {
            Ok(said) => ui.result(said.trim_end())?,
            Err(failed) => code = failed.print(ui, false),
        }
    }
    if !(typed.remove || typed.print) {
        warn_of_cache(ui, context);
    }
    if !typed.remove && code == exit::SUCCESS {
        warn_of_nothing(ui, context, &root);
    }
    Ok(code)
}

/// The MCP servers that agents reach through cuff: those of the settings that a person has approved.
fn offered(context: &Context) -> Result<Vec<String>, Failed> {
    let project = Project::open(context.clone(), None, Caller::Agent)?;
    Ok(project.settings.servers().map(str::to_owned).collect())
}

/// Says that agents get nothing where there are no settings: a client shows that late, or never.
fn warn_of_nothing(ui: &Ui, context: &Context, root: &Path) {
    if !settings::server_files(&context.environment).is_empty() {
        return;
    }
    let Ok(SettingsSearch { place: None, passed_over, .. }) = settings::find(&context.environment, None)
    else {
        return;
    };
    let nothing = format!("{} has no settings.yml, so agents get no tools there yet", root.display());
    let what = std::iter::once(nothing).chain(passed_over).collect::<Vec<_>>().join("; ");
    let help = "`cuff init` there writes one, which counts at once: the entry stays as it is";
    ui.problem(None, None, &Problem::warning(what).help(help));
}

/// One client's file.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) client: &'static AgentClient,
    pub(super) scope: ClientScope,
    pub(super) file: PathBuf,
    root: PathBuf,
}

impl Site {
    fn of(context: &Context, root: &Path, id: &str, typed: &Install) -> Result<Self, Failed> {
        let client =
            AgentClient::of(id).ok_or_else(|| Failed::usage(format!("there is no client `{id}`")))?;
        let scope = match (typed.project, typed.user) {
            (true, _) => ClientScope::Project,
            (_, true) => ClientScope::User,
            (false, false) => client.usual_scope(),
        };
        let whose = if scope == ClientScope::User { "user" } else { "project" };
        if !client.has(scope) {
            let help = "leave the option out, and its only file is meant";
            return Err(Failed::usage(format!("{} has no file of a {whose}", client.name)).help(help));
        }
        Self::at(&context.environment, root, client, scope).ok_or_else(|| {
            let help = "set HOME to your home folder";
            Failed::usage("HOME does not say where the file is").unable().help(help)
        })
    }

    /// The file of a client and a scope; `None` where it has none or the environment does not say where.
    pub(super) fn at(
        environment: &Environment,
        root: &Path,
        client: &'static AgentClient,
        scope: ClientScope,
    ) -> Option<Self> {
        let file = within(environment, root, |folders| client.file(scope, folders))?;
        Some(Self { client, scope, file, root: root.to_owned() })
    }

    /// The text of the file; `None` if there is none.
    pub(super) fn text(&self) -> Result<Option<String>, Failed> {
        let failed = |why: &str| {
            let help = "nothing was changed; `--print` shows what to write into it yourself";
            Failed::usage(format!("{}: {why}", self.file.display())).unable().help(help)
        };
        // A repository may bring links: what they lead to is none of its files.
        let is_projects = self.scope == ClientScope::Project;
        if let Some(target) = is_projects.then(|| files::led_out(&self.root, &self.file)).flatten() {
            return Err(failed(&format!("a link leads out of the project, to {}", target.display())));
        }
        match read_file::file(&self.file, LARGEST) {
            Seen::Missing => Ok(None),
            Seen::Unreadable(why) => Err(failed(&why)),
            Seen::File(file) => {
                String::from_utf8(file.bytes.to_vec()).map(Some).map_err(|_| failed("it is not UTF-8"))
            }
        }
    }

    /// Adds the entry; what was done, for people.
    pub(super) fn add(
        &self,
        context: &Context,
        name: Option<&str>,
        force: bool,
        dry_run: bool,
    ) -> Result<String, Failed> {
        let launch = self.launch(context, name);
        let (name, file) = (self.client.name, self.file.display());
        let Some(text) = self.changed(&launch, force)? else {
            return Ok(format!("{name} has it already: {file}"));
        };
        if dry_run {
            return Ok(format!("Would write {file}: {name} would start `{}`", launch.line()));
        }
        if let Some(folder) = self.file.parent() {
            files::make_directory(folder).map_err(|error| self.unwritten(&error))?;
        }
        let link = self.write(&text)?;
        Ok(format!("{name} starts `{}`, says {file}{link}", launch.line()))
    }

    /// Takes out the servers that the client reaches through cuff; what was done, for people.
    fn replace(&self, offered: &[String], dry_run: bool) -> Result<String, Failed> {
        let names: Vec<&str> = offered.iter().map(String::as_str).collect();
        let text = self.text()?;
        let servers = ClientServers { client: self.client, text: text.as_deref() };
        let (change, there) = servers.without(&names).map_err(|obstacle| self.failed(&obstacle))?;
        let (file, listed) = (self.file.display(), listed(&there, there.len()));
        match change {
            ClientFileChange::Text(_) if dry_run => Ok(format!("\nWould take {listed} out of {file}")),
            ClientFileChange::Text(text) => {
                self.write(&text)?;
                Ok(format!("\n{listed}: reached through cuff alone now, taken out of {file}"))
            }
            ClientFileChange::None | ClientFileChange::Gone => {
                Ok("\nno server of it is among those that agents reach through cuff".to_owned())
            }
        }
    }

    /// The new text of the file; `None` where it says so already.
    fn changed(&self, launch: &Launch, force: bool) -> Result<Option<String>, Failed> {
        let text = self.text()?;
        let servers = ClientServers { client: self.client, text: text.as_deref() };
        match servers.add(launch, force).map_err(|obstacle| self.failed(&obstacle))? {
            ClientFileChange::Text(text) => Ok(Some(text)),
            ClientFileChange::None | ClientFileChange::Gone => Ok(None),
        }
    }

    /// Takes the entry out; what was done, for people.
    pub(super) fn remove(
        &self,
        context: &Context,
        name: Option<&str>,
        force: bool,
        dry_run: bool,
    ) -> Result<String, Failed> {
        let launch = self.launch(context, name);
        let text = self.text()?;
        let servers = ClientServers { client: self.client, text: text.as_deref() };
        let change = servers.remove(&launch, force).map_err(|obstacle| self.failed(&obstacle))?;
        let (name, file) = (self.client.name, self.file.display());
        let link = match change {
            ClientFileChange::None => return Ok(format!("{name} does not have it: {file}")),
            _ if dry_run => return Ok(format!("Would take `{}` out of {file}", launch.name)),
            ClientFileChange::Text(text) => self.write(&text)?,
            // A link is somebody's arrangement: what it leads to is emptied.
            ClientFileChange::Gone if files::link_target(&self.file).is_some() => self.write("{}\n")?,
            ClientFileChange::Gone => {
                files::remove(&self.file).map_err(|error| self.unwritten(&error))?;
                let emptied = self.remove_emptied(context);
                let also = emptied.map_or_else(String::new, |folder| format!(", as is {}", folder.display()));
                return Ok(format!(
                    "{name} no longer has it; nothing else was in {file}, which is removed{also}"
                ));
            }
        };
        Ok(format!("{name} no longer has it: {file}{link}"))
    }

    /// Removes the client's own folders around a file that is gone, as far as they hold nothing: they would say that the
    /// client is here. Comes back with the outermost.
    fn remove_emptied(&self, context: &Context) -> Option<&Path> {
        let base = within(&context.environment, &self.root, |folders| self.client.base(self.scope, folders))?;
        let folders = self.file.ancestors().skip(1);
        let own = folders.take_while(|folder| *folder != base && folder.starts_with(&base));
        own.take_while(|folder| files::remove_if_empty(folder)).last()
    }

    fn alone(&self, context: &Context, name: Option<&str>) -> Result<String, Failed> {
        let launch = self.launch(context, name);
        ClientServers::alone(self.client, &launch).map_err(|obstacle| self.failed(&obstacle))
    }

    fn launch(&self, context: &Context, name: Option<&str>) -> Launch {
        Launch::new(self.client, self.scope, &binary(context), &self.root, name)
    }

    /// Writes the text; says where a link led it.
    fn write(&self, text: &str) -> Result<String, Failed> {
        files::write(&self.file, text.as_bytes(), ExistingFile::Replace)
            .map_err(|error| self.unwritten(&error))?;
        let target = files::link_target(&self.file);
        Ok(target.map_or_else(String::new, |target| format!(", a link to {}", target.display())))
    }

    fn unwritten(&self, error: &std::io::Error) -> Failed {
        let help = "nothing was changed; `--print` shows what to write into it yourself";
        Failed::usage(format!("{} cannot be written: {error}", self.file.display())).unable().help(help)
    }

    fn failed(&self, obstacle: &Obstacle) -> Failed {
        let file = self.file.display();
        let (between, help) = match obstacle {
            Obstacle::Broken { .. } => (":", "nothing was changed; mend it there and try again"),
            Obstacle::Shape(_) => {
                (": ", "nothing was changed; `--print` shows what to write into it yourself")
            }
            Obstacle::NotOurs { .. } => (
                ": ",
                "nothing was changed; `--name` gives cuff another name, `--force` replaces or removes it",
            ),
            Obstacle::Elsewhere { .. } => {
                (": ", "nothing was changed; `--name` adds another entry, `--force` replaces or removes it")
            }
        };
        let failed = Failed::usage(format!("{file}{between}{obstacle}")).unable().help(help);
        match obstacle {
            Obstacle::Broken { .. } => Failed { error_code: ErrorCode::SourceInvalid.code("CUFF"), ..failed },
            Obstacle::Shape(_) | Obstacle::NotOurs { .. } | Obstacle::Elsewhere { .. } => failed,
        }
    }
}

/// This cuff's path: the one on the search path where that is this very file, since it outlives an upgrade.
pub(super) fn binary(context: &Context) -> PathBuf {
    let environment = &context.environment;
    let own = files::canonical(context.supervisor.path());
    let search_path = programs::inherited_search_path(environment);
    let found = programs::find("cuff", search_path, environment.directory());
    found.filter(|found| files::canonical(found) == own).unwrap_or(own)
}

/// The clients that are installed here and do not start cuff for this project, as far as can be read.
pub(super) fn unconnected(context: &Context) -> Vec<Site> {
    let root = root(context);
    let environment = &context.environment;
    let mut sites = Vec::new();
    for client in CLIENTS.iter().filter(|client| is_installed(environment, &root, client)) {
        let Some(site) = Site::at(environment, &root, client, client.usual_scope()) else { continue };
        let is_open = matches!(site.changed(&site.launch(context, None), false), Ok(Some(_)));
        if is_open {
            sites.push(site);
        }
    }
    sites
}

/// The client that a person may connect next; `None` where each that is installed starts cuff.
pub(super) fn next_client(context: &Context) -> Option<&'static str> {
    let root = root(context);
    if let Some(site) = unconnected(context).first() {
        return Some(site.client.id);
    }
    let is_there = |client| is_installed(&context.environment, &root, client);
    CLIENTS.first().filter(|_| !CLIENTS.iter().any(is_there)).map(|client| client.id)
}

fn is_installed(environment: &Environment, root: &Path, client: &AgentClient) -> bool {
    let folder = within(environment, root, |folders| client.installed.within(folders));
    folder.and_then(|folder| files::look(&folder)).is_some_and(|look| look.directory)
}

/// The root of the project that the working directory is in.
pub(super) fn root(context: &Context) -> PathBuf {
    let environment = &context.environment;
    match settings::find(environment, None) {
        Ok(search) => match search.place {
            Some(place) if place.origin == SettingsOrigin::Found => place.root,
            Some(_) | None => search.project,
        },
        Err(_) => environment.directory().to_owned(),
    }
}

fn within<Found>(environment: &Environment, root: &Path, of: impl FnOnce(&ClientFolders) -> Found) -> Found {
    let variable = |name: &str| environment.path(name);
    of(&ClientFolders { variable: &variable, project: root, is_macos: cfg!(target_os = "macos") })
}
