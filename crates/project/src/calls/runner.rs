//! The runner of a call: the one that it names, or else the one of the settings.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::task::JoinSet;

use super::error::RunError;
use super::parameters::CHOSEN_RUNNER;
use crate::execution::{KnownHiddenPaths, Reachability, RunHost, reach};
use crate::model::{
    BadCall, Caller, LOCAL, Registered, Role, Runner, Severity, Values, listed, nearest, runner_of, shown,
};
use crate::project::{Project, ProjectSettings};
use crate::settings::SettingsProblem;

/// How many runners a message names.
const MOST_NAMES: usize = 5;

/// The runner of a call with these values; `None`: this machine.
///
/// # Errors
/// Where no runner has the name, and where an agent wants another one than the settings.
pub(crate) fn chosen<'p>(
    settings: &'p ProjectSettings,
    found: &Registered,
    values: &Values,
    caller: Caller,
) -> Result<Option<&'p Runner>, BadCall> {
    let of_settings = of_settings(settings, found);
    let of_call = values.has(&CHOSEN_RUNNER).then(|| values.text(&CHOSEN_RUNNER));
    if of_call == Some("") {
        return Err(nameless());
    }
    if let (true, Some(fixed), Some(other)) = (caller.is_governed(), of_settings, of_call)
        && fixed != other
    {
        let message =
            format!("The settings run this tool on `{}`, and a call cannot choose another", shown(fixed));
        return Err(BadCall::refused(message).help("leave out `on`"));
    }
    match of_call.or(of_settings) {
        None | Some(LOCAL) => Ok(None),
        Some(name) => named(settings, name).map(Some),
    }
}

/// Looks whether the settings have a runner of this name, before several runs ask for it.
///
/// # Errors
/// Where they have none that is usable.
pub fn check_runner(project: &Project, name: &str) -> Result<(), RunError> {
    let bad = |bad| RunError::bad_call("CUFF", bad, project.at_terminal());
    match name {
        LOCAL => Ok(()),
        "" => Err(bad(nameless())),
        name => named(&project.settings, name).map(|_| ()).map_err(bad),
    }
}

/// The error of an empty name.
fn nameless() -> BadCall {
    let help = format!("name one of `cuff runners`, or `{LOCAL}` for this machine");
    BadCall::invalid("The name of the runner is empty").help(help)
}

/// A runner of the settings, and whether its engine is there.
#[derive(Debug)]
pub struct RunnerStatus {
    /// The runner.
    pub runner: Runner,
    /// Whether its engine can be reached.
    pub reachability: Reachability,
}

/// The runners of the settings that are wanted. All their engines are asked at once.
pub async fn runners(project: &Project, is_wanted: impl Fn(&Runner) -> bool) -> Vec<RunnerStatus> {
    let host = &project.runs.host;
    let host = Arc::new(RunHost {
        supervisor: host.supervisor.clone(),
        environment: host.environment.clone(),
        root: host.root.clone(),
        slots: host.slots.clone(),
        clock: host.clock.clone(),
        hidden: KnownHiddenPaths::default(),
    });
    let mut asked = JoinSet::new();
    let wanted = project.settings.runners.iter().filter(|runner| is_wanted(runner));
    for (place, runner) in wanted.cloned().enumerate() {
        let host = Arc::clone(&host);
        asked.spawn(async move {
            let reachability = reach(host.client_host(), &runner).await;
            (place, RunnerStatus { runner, reachability })
        });
    }
    let mut answers = asked.join_all().await;
    answers.sort_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, status)| status).collect()
}

/// The runners that an agent's call of a tool may choose from: none where settings say where it runs.
pub fn open_runners<'p>(settings: &'p ProjectSettings, found: &Registered) -> Vec<&'p str> {
    if !matches!(found.tool.role, Role::Run { .. }) || of_settings(settings, found).is_some() {
        return Vec::new();
    }
    let open = settings.runners.iter().filter(|runner| runner.is_open_to_agents);
    open.map(|runner| runner.name.as_str()).collect()
}

/// Whether a call with these arguments runs on another machine or in a container.
pub fn is_elsewhere(settings: &ProjectSettings, found: &Registered, arguments: &Map<String, Value>) -> bool {
    let of_call = arguments.get(CHOSEN_RUNNER.name).and_then(Value::as_str);
    of_call.or_else(|| of_settings(settings, found)).is_some_and(|name| name != LOCAL)
}

/// The runner that the settings name for a tool.
pub(crate) fn of_settings<'p>(settings: &'p ProjectSettings, found: &Registered) -> Option<&'p str> {
    let instance = settings.instance(&found.name.instance)?;
    runner_of(&instance.config, |pattern| found.is_meant_by(pattern))
}

fn named<'p>(settings: &'p ProjectSettings, name: &str) -> Result<&'p Runner, BadCall> {
    let mut runners = settings.runners.iter();
    runners.find(|runner| runner.name == name).ok_or_else(|| {
        let entry = format!("runners.{name}");
        let is_of_it = |problem: &&SettingsProblem| {
            problem.severity == Severity::Error && problem.instance.as_deref() == Some(&entry)
        };
        if let Some(problem) = settings.complaints.iter().find(is_of_it) {
            let (name, place) = (shown(name), &problem.location);
            let bad =
                BadCall::unusable(format!("{place}: the runner `{name}` has a mistake: {}", problem.message));
            return bad.help(problem.help.clone().unwrap_or_else(|| format!("correct it in {}", place.file)));
        }
        let names = || settings.runners.iter().map(|runner| runner.name.as_str());
        let bad = BadCall::invalid(format!("No runner is called `{}`", shown(name)));
        let all: Vec<String> = names().map(str::to_owned).collect();
        match nearest(name, names()) {
            Some(meant) => bad.help(format!("did you mean `{meant}`?")),
            None if all.is_empty() => bad.help(
                "settings.yml names runners below `runners:`, and an agent has those that a person approved",
            ),
            None => bad.help(format!("the runners are {}", listed(&all, MOST_NAMES))),
        }
    })
}
