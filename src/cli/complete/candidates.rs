//! Candidates for the word under the cursor, by the name that help has for it: `TOOL`, `RUN`, `DIR`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use serde_json::Value;

use super::candidate::{Also, Candidate, Completion};
use super::position::{ExpectedWord, Position};
use super::server_flags::server_flags;
use crate::calls::{self, RecordedRuns, age};
use crate::cli::approve::settings::SETTINGS;
use crate::cli::arguments::TOOLSCRIPT;
use crate::model::{Field, PluginInfo, RunId};
use crate::project::{Approvals, Context, Project};
use crate::registry::{Registered, around, foremost};
use crate::sys::files;

/// How many runs are offered, the newest of those that begin with what was typed.
const MOST_RUNS: usize = 50;
/// How many of the newest runs, of all projects, are looked at.
const LATELY: usize = 2000;

/// A question of a shell.
#[derive(Debug)]
pub(super) struct CompletionQuestion<'a> {
    pub(super) context: &'a Context,
    pub(super) position: &'a Position<'a>,
}

impl CompletionQuestion<'_> {
    /// The candidates for this position.
    pub(super) fn answer(&self) -> Completion {
        let mut of_tool = server_flags(self.position, || self.project());
        if let Some(answer) = &mut of_tool
            && let ExpectedWord::Option(command) = self.position.expected
            && !self.position.typed.contains('=')
        {
            answer.candidates.extend(options(command));
        }
        of_tool.unwrap_or_else(|| self.of_cuff())
    }

    fn of_cuff(&self) -> Completion {
        match self.position.expected {
            ExpectedWord::Command(command) => {
                let mut candidates = commands(command);
                // A tool is typed without `run`, too.
                if self.position.commands.is_empty() {
                    let is_command = |name: &str| command.find_subcommand(name).is_some();
                    candidates.extend(self.tools().into_iter().filter(|tool| !is_command(&tool.value)));
                }
                candidates.into()
            }
            ExpectedWord::Option(command) => options(command).into(),
            ExpectedWord::Argument(arg) => self.values(arg),
            ExpectedWord::Value(arg, front) => {
                let mut answer = self.values(arg);
                for candidate in &mut answer.candidates {
                    candidate.value.insert_str(0, front);
                }
                answer
            }
            ExpectedWord::Nothing => Completion::default(),
        }
    }

    fn values(&self, arg: &Arg) -> Completion {
        let possible = arg.get_possible_values();
        if !possible.is_empty() && arg.get_action().takes_values() {
            let shown = possible.iter().filter(|value| !value.is_hide_set()).map(possible_value).collect();
            return self.one_of_several(arg, shown).into();
        }
        let name = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
        let is_of_toolscript = self.position.commands.first() == Some(&TOOLSCRIPT);
        let of_project = |candidates: &dyn Fn(&Project) -> Vec<Candidate>| {
            self.project().as_ref().map(candidates).unwrap_or_default()
        };
        match name {
            "TOOL" => {
                // A script is called by its path as well.
                let also = if self.position.typed.contains('/') { Also::Files } else { Also::Nothing };
                Completion { also, candidates: self.tools() }
            }
            "RUN" | "EARLIER" => runs(&self.context(), self.position, || self.project()).into(),
            "ID" if is_of_toolscript => sessions(self.context).into(),
            "ID" => self.questions().into(),
            "ID|settings" => {
                let settings = Candidate::new(SETTINGS, "approve the current settings for agents");
                std::iter::once(settings).chain(self.questions()).collect::<Vec<_>>().into()
            }
            "PLUGIN" => self.instances().into(),
            "SERVER" if is_of_toolscript => of_project(&sources).into(),
            "SERVER" => self.servers().into(),
            "NAMES" | "PATTERNS" => {
                let all = if name == "PATTERNS" { ".*" } else { "" };
                let found = of_project(&|project| qualified(project, all, self.position.typed));
                self.one_of_several(arg, found).into()
            }
            "A,B" => self.one_of_several(arg, self.plugins()).into(),
            "PATH" | "ARGS" | "FILE" | "CODE|FILE.ts|-" => {
                Completion { also: Also::Files, candidates: Vec::new() }
            }
            "DIR" => Completion { also: Also::Folders, candidates: Vec::new() },
            _ if self.plugin().is_some_and(|about| about.noun.to_uppercase() == name) => self.tools().into(),
            _ => Completion::default(),
        }
    }

    /// The plugin whose command is typed.
    fn plugin(&self) -> Option<PluginInfo> {
        let name = self.position.commands.first()?;
        self.context.abouts().into_iter().find(|about| about.id == *name)
    }

    fn given(&self, name: &str) -> Option<&str> {
        self.position.given.iter().rev().find(|(given, _)| *given == name).map(|(_, value)| value.as_str())
    }

    /// Where the words before the cursor are.
    fn context(&self) -> Context {
        let mut context = self.context.clone();
        if let Some(directory) = self.given("directory") {
            let directory = context.environment.directory().join(path(&context, directory));
            context.environment = context.environment.within(files::canonical(&directory));
        }
        context
    }

    /// The project as the words before the cursor have it.
    fn project(&self) -> Option<Project> {
        let context = self.context();
        let config: Option<PathBuf> = self.given("config").map(|config| path(&context, config));
        let Some(about) = self.plugin() else {
            return Project::open_readonly(context, config.as_deref(), None);
        };
        let here = context.environment.directory().to_owned();
        let options = about.options.iter().filter_map(|option| {
            let text = self.given(option.flag)?;
            let text = if option.is_path {
                here.join(path(&context, text)).display().to_string()
            } else {
                text.to_owned()
            };
            Some((option.field, option.field.read(&text)))
        });
        let options: Vec<(&'static Field, Value)> = options.collect();
        Project::open_readonly(context, config.as_deref(), Some((&about, &options)))
    }

    /// Tools by the names that people see. Other names are offered once something is typed, so that an empty line does
    /// not show everything three times.
    ///
    /// A name that several have is offered as well, with theirs: left out, the next best would be taken for it.
    fn tools(&self) -> Vec<Candidate> {
        let project = self.project();
        let registry = project.as_ref().map(Project::recalled).unwrap_or_default();
        let here = project.as_ref().and_then(Project::here);
        let mut owners: HashMap<&str, Vec<&Registered>> = HashMap::new();
        for tool in registry.tools() {
            for name in names(tool) {
                owners.entry(name).or_default().push(tool);
            }
        }
        let mut files: HashMap<&str, Vec<&Registered>> = HashMap::new();
        for tool in registry.tools() {
            // Such a name counts where nothing is called so.
            if let Some(last) = tool.last_part().filter(|last| !owners.contains_key(last)) {
                files.entry(last).or_default().push(tool);
            }
        }
        owners.extend(files);
        for several in owners.values_mut() {
            *several = foremost(around(std::mem::take(several), here));
        }
        let mut offered: Vec<Candidate> = Vec::new();
        let mut known = HashSet::new();
        for tool in registry.tools() {
            for name in self.wanted(tool) {
                let owners = owners.get(name.as_str()).map_or(&[][..], Vec::as_slice);
                let candidate = match owners {
                    [] => Candidate::new(name, tool.tool.told()),
                    [one] => Candidate::new(name, one.tool.told()),
                    _ if self.position.typed.is_empty() => continue,
                    several => one_of(name, several),
                };
                if known.insert(candidate.value.clone()) {
                    offered.push(candidate);
                }
            }
        }
        offered
    }

    /// The names of a tool that are offered here.
    fn wanted(&self, tool: &Registered) -> Vec<String> {
        let original = Some(tool.tool.original.clone()).filter(|name| !name.is_empty());
        let original = original.unwrap_or_else(|| tool.name.local.clone());
        // People do not call tools that list others: `cuff list` does that.
        let shown = Some(tool.shown.clone()).filter(|_| !tool.tool.role.is_list());
        if self.position.typed.is_empty() {
            return if self.plugin().is_some() { vec![original] } else { shown.into_iter().collect() };
        }
        let further = [original, tool.name.local.clone(), tool.name.to_string()];
        shown.into_iter().chain(further).chain(tool.last_part().map(str::to_owned)).collect()
    }

    fn instances(&self) -> Vec<Candidate> {
        let summary = |id: &str| self.context.plugin(id).map_or("", |plugin| plugin.about().summary);
        match self.project() {
            Some(project) => project
                .settings
                .own_names()
                .into_iter()
                .map(|name| Candidate::new(name, summary(name)))
                .collect(),
            None => self.plugins(),
        }
    }

    fn servers(&self) -> Vec<Candidate> {
        let servers = self.project().map(|project| project.written_upstreams()).unwrap_or_default();
        servers.into_iter().map(|(file, server)| Candidate::new(server.name, file)).collect()
    }

    fn plugins(&self) -> Vec<Candidate> {
        self.context.abouts().iter().map(|about| Candidate::new(about.id, about.summary)).collect()
    }

    /// Candidates for one more value of a list: `npm,bun`.
    fn one_of_several(&self, arg: &Arg, all: Vec<Candidate>) -> Vec<Candidate> {
        if arg.get_value_delimiter().is_none() {
            return all;
        }
        let front = self.position.typed.rsplit_once(',').map_or("", |(front, _)| front);
        let known: Vec<&str> = front.split(',').collect();
        let left = all.into_iter().filter(|candidate| !known.contains(&candidate.value.as_str()));
        let front = if front.is_empty() { String::new() } else { format!("{front},") };
        left.map(|Candidate { value, about, .. }| Candidate::new(format!("{front}{value}"), about)).collect()
    }

    /// The questions that wait for a person's answer.
    fn questions(&self) -> Vec<Candidate> {
        let waiting = Approvals::of(self.context).map(|approvals| approvals.waiting()).unwrap_or_default();
        let about =
            |question: &crate::ledger::ApprovalQuestion| format!("{}: {}", question.tool, question.command);
        waiting
            .iter()
            .map(|approval| Candidate::new(approval.id.as_str(), about(&approval.question)))
            .collect()
    }
}

/// The names by which a tool may be called without its instance, each once.
fn names(tool: &Registered) -> Vec<&str> {
    let (local, original) = (tool.name.local.as_str(), tool.tool.original.as_str());
    if original == local { vec![local] } else { vec![local, original] }
}

/// The candidate for a name that several tools share.
fn one_of(name: String, tools: &[&Registered]) -> Candidate {
    /// How many of them are named.
    const MOST: usize = 3;
    let owners: Vec<String> = tools.iter().map(|tool| tool.shown.clone()).collect();
    let more = if owners.len() > MOST { ", …" } else { "" };
    let named = owners.get(..MOST).unwrap_or(&owners).join(", ");
    Candidate { owners, ..Candidate::new(name, format!("one of {named}{more}")) }
}

fn commands(command: &Command) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    let about = |inner: &Command| inner.get_about().map(ToString::to_string).unwrap_or_default();
    shown.map(|inner| Candidate::new(inner.get_name(), about(inner))).collect()
}

fn options(command: &Command) -> Vec<Candidate> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_positional());
    let named = |arg: &Arg| {
        let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let long = arg.get_long().map(|long| Candidate::new(format!("--{long}"), about.as_str()));
        let short = arg.get_short().map(|short| Candidate::new(format!("-{short}"), about.as_str()));
        long.into_iter().chain(short).collect::<Vec<_>>()
    };
    shown.flat_map(named).collect()
}

fn possible_value(value: &PossibleValue) -> Candidate {
    Candidate::new(value.get_name(), value.get_help().map(ToString::to_string).unwrap_or_default())
}

/// A path as it was typed, where the shell has not looked at it: `~` is the home.
fn path(context: &Context, typed: &str) -> PathBuf {
    let home = || context.environment.path("HOME");
    match typed.strip_prefix('~') {
        Some("") => home().unwrap_or_default(),
        Some(rest) if rest.starts_with('/') => home().unwrap_or_default().join(&rest[1..]),
        _ => Path::new(typed).to_owned(),
    }
}

/// Runs by their ids, and by the tools that are typed for their newest run. For `stop`, only runs that still
/// go on.
fn runs(
    context: &Context,
    position: &Position<'_>,
    project: impl FnOnce() -> Option<Project>,
) -> Vec<Candidate> {
    let Some(runs) = calls::runs_near(context) else { return Vec::new() };
    let mut ids = runs.ids().unwrap_or_default();
    ids.truncate(LATELY);
    let is_of_going = position.commands.last() == Some(&"stop");
    if is_of_going {
        ids.retain(|id| runs.is_going(*id));
    }
    let described = |id| {
        let tool = runs.tool(id).unwrap_or_else(|| "unreadable".to_owned());
        format!("{}, {tool}", age(id, runs.now()))
    };
    let latest = || Some(Candidate::new("latest", described(*ids.iter().find(|id| runs.is_near(**id))?)));
    let typed = position.typed.to_ascii_lowercase();
    // Ids as they are listed; for the beginning of a whole id, whole ones.
    let forms = |(short, id): (String, &RunId)| [(short, *id), (id.to_string(), *id)];
    let begun = runs
        .shortened(&ids)
        .into_iter()
        .zip(&ids)
        .filter_map(|both| forms(both).into_iter().find(|(text, _)| text.starts_with(&typed)))
        // Another project's run is named by who knows its id.
        .filter(|(_, id)| runs.is_near(*id));
    let listed = begun.take(MOST_RUNS).map(|(text, id)| Candidate::new(text, described(id)));
    let newest = if is_of_going { None } else { latest() };
    let tools =
        if typed.is_empty() || is_of_going { Vec::new() } else { tools_that_ran(&runs, project().as_ref()) };
    newest.into_iter().chain(listed).chain(tools).collect()
}

/// The names of tools that stand for their newest run.
fn tools_that_ran(runs: &RecordedRuns, project: Option<&Project>) -> Vec<Candidate> {
    let registry = project.map(Project::recalled).unwrap_or_default();
    let mut offered: Vec<Candidate> = Vec::new();
    for (id, run) in runs.tools() {
        let local = run.tool.split_once('.').map(|(_, local)| local.to_owned());
        let known = registry.tools().iter().find(|known| known.name.to_string() == run.tool);
        let original = known.map(|known| known.tool.original.clone()).filter(|name| !name.is_empty());
        let about = format!("the newest run of {}, {}", run.name(), age(id, runs.now()));
        let names = [run.name().to_owned(), run.tool.clone()];
        for name in names.into_iter().chain(local).chain(original) {
            // The newest run of several that are called so is the one that is meant.
            if !offered.iter().any(|known| known.value == name) {
                offered.push(Candidate::new(name, about.clone()));
            }
        }
    }
    offered
}

/// The entries of the settings that programs find tools in, MCP servers first.
fn sources(project: &Project) -> Vec<Candidate> {
    let servers = project.written_upstreams().into_iter();
    let mut found: Vec<Candidate> = servers.map(|(file, server)| Candidate::new(server.name, file)).collect();
    let registry = project.recalled();
    for tool in registry.tools() {
        let name = &tool.name.instance;
        if found.iter().all(|candidate| candidate.value != *name) {
            found.push(Candidate::new(name, registry.heading(name).into_iter().next().unwrap_or_default()));
        }
    }
    found
}

/// Each source, with `all` behind its name, and where something is typed each tool by its qualified name.
fn qualified(project: &Project, all: &str, typed: &str) -> Vec<Candidate> {
    let sources = sources(project).into_iter();
    let sources =
        sources.map(|Candidate { value, about, .. }| Candidate::new(format!("{value}{all}"), about));
    let mut found: Vec<Candidate> = sources.collect();
    if !typed.is_empty() {
        let registry = project.recalled();
        let tools = registry.tools().iter().filter(|tool| !tool.tool.role.is_list());
        found.extend(tools.map(|tool| Candidate::new(tool.name.to_string(), tool.tool.told())));
    }
    found
}

/// The sessions of this user that have a gateway.
#[cfg(all(feature = "code", feature = "http"))]
fn sessions(context: &Context) -> Vec<Candidate> {
    use crate::gateway::{SessionFiles, SessionFolder};

    let folders = SessionFolder::all(&context.environment);
    let all = folders.iter().flat_map(SessionFolder::sessions);
    let records = all.filter_map(|files: SessionFiles| files.record());
    records.map(|record| Candidate::new(record.session, record.directory)).collect()
}

/// This build has no gateways.
#[cfg(not(all(feature = "code", feature = "http")))]
fn sessions(_context: &Context) -> Vec<Candidate> {
    Vec::new()
}
