//! The start of a session: its gateway is started once, and the session's shells learn its address.

use std::time::Duration;

use serde_json::Value;

use super::event::{SessionEvent, SessionStart};
use super::steps::Steps;
use crate::cli::toolscript::gateway::start_words;
use crate::gateway::{
    EnvFile, GatewayConnection, GatewayRecord, GatewayState, SessionFiles, SessionFolder, SessionOwner,
    URL_VARIABLE, announce, guessed_owner, judge, start_detached, stop, sweep,
};
use crate::model::{counted, shown};
use crate::project::Context;
use crate::terminal::Ui;

/// How long the gateway may take to say how its servers are.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a gateway of another owner may take to end.
const ENDING: Duration = Duration::from_secs(1);
/// The variable that names the project of a session.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";
/// The consequence of a failure.
const GOES_ON: &str =
    "the session goes on without toolscript; `toolscript gateway start` in a terminal shows why";

/// Starts the gateway of a session that begins, unless it has one.
pub(super) fn start(ui: &Ui, context: &Context, event: &SessionEvent, steps: &mut Steps) {
    let folder = match SessionFolder::make(&context.environment) {
        Ok(folder) => folder,
        Err(error) => {
            steps.failed(&error.to_string(), &error.help());
            return;
        }
    };
    sweep(&folder, &context.clock);
    let files = folder.session(&event.session);
    steps.of(&files);
    let owner = guessed_owner();
    steps.step(&format!("session {} in {}", shown(event.session.text()), folder.path().display()));
    steps.step(&owner.map_or_else(
        || "its owner is not known: a lease ends the gateway".to_owned(),
        |SessionOwner(process)| format!("its owner is process {}", process.pid),
    ));
    if is_marked(&files, event, owner) {
        let what = "the gateway of this session has crashed, and is not started again by itself";
        steps.failed(what, "`toolscript gateway start --detach` starts it");
        let session = shlex::try_quote(event.session.text()).unwrap_or_default().into_owned();
        say(
            ui,
            &format!(
                "toolscript: {what}; `toolscript gateway start --detach --session {session}` starts it when the user wants that."
            ),
        );
        return;
    }
    begin(ui, context, event, (&files, owner), steps);
}

/// Whether the gateway crashed under the very process that owns the session now, so that it stays ended.
fn is_marked(files: &SessionFiles, event: &SessionEvent, owner: Option<SessionOwner>) -> bool {
    let GatewayState::Crashed(record) = judge(files) else { return false };
    let is_same = owner.is_some() && record.owner() == owner.map(|SessionOwner(process)| process);
    event.source == SessionStart::GoesOn && is_same
}

fn begin(
    ui: &Ui,
    context: &Context,
    event: &SessionEvent,
    (files, owner): (&SessionFiles, Option<SessionOwner>),
    steps: &Steps,
) {
    if let GatewayState::Running(record) = judge(files)
        && is_of_another(&record, owner)
    {
        steps.step("its gateway belongs to another process, which resumes it no more");
        if let Err(error) = stop(files, ENDING) {
            steps.failed(&error.to_string(), GOES_ON);
        }
    }
    let directory = context.environment.absolute(PROJECT);
    let directory = directory.or_else(|| event.directory.as_ref().map(Into::into));
    let directory = directory.filter(|directory| crate::sys::programs::is_directory(directory));
    let at_project = match directory {
        Some(directory) => {
            let environment = context.environment.clone().within(directory);
            Context { environment, ..context.clone() }
        }
        None => context.clone(),
    };
    steps.step(&format!("it is started in {}", at_project.environment.directory().display()));
    let words = start_words(&event.session, owner.map(|SessionOwner(process)| process), None);
    match start_detached(&at_project, &event.session, words) {
        Ok(started) => {
            let how = if started.is_reused { "goes on" } else { "is ready" };
            steps.log(&format!("the gateway {how} at {}", started.record.url));
            steps.step(&format!(
                "the gateway {how} at {}, process {}",
                started.record.url, started.record.pid
            ));
            let is_announced = tell_shells(context, &started.record, steps);
            let status =
                GatewayConnection::of(files).and_then(|gateway| gateway.get_json("/status", PATIENCE));
            let line = line(status.ok().as_ref(), (!is_announced).then_some(&started.record.url));
            if let Some(line) = line {
                say(ui, &line);
            }
        }
        Err(error) => {
            steps.failed(&error.to_string(), GOES_ON);
            let log = files.log_path();
            say(
                ui,
                &format!(
                    "toolscript: its gateway did not start: {}; {} has more.",
                    shown(&error.to_string()),
                    log.display()
                ),
            );
        }
    }
}

/// Whether a gateway belongs to another process than the session does now, and that process is gone: its end is near.
fn is_of_another(record: &GatewayRecord, owner: Option<SessionOwner>) -> bool {
    let gateways = record.owner();
    gateways.is_some_and(|process| !process.is_alive() && Some(SessionOwner(process)) != owner)
}

/// Has the session's shells know the address; whether they do.
fn tell_shells(context: &Context, record: &GatewayRecord, steps: &Steps) -> bool {
    let Some(file) = EnvFile::of(&context.environment) else {
        steps.step("CLAUDE_ENV_FILE names no file for the address");
        return false;
    };
    match announce(&file, &record.url) {
        Ok(()) => {
            steps.step(&format!("{URL_VARIABLE}={} is in CLAUDE_ENV_FILE", record.url));
            true
        }
        Err(why) => {
            steps.failed(
                &format!("the address cannot be written to CLAUDE_ENV_FILE: {why}"),
                "set it by hand",
            );
            false
        }
    }
}

/// The one line for the model: what there is, what is in the way, and where the gateway is if its shells do not know.
fn line(status: Option<&Value>, url: Option<&String>) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(status) = status {
        let servers = status["servers"].as_array().map_or(&[][..], Vec::as_slice);
        let in_state = |state: &str| {
            let all = servers.iter().filter(|server| server["state"] == state);
            all.filter_map(|server| server["name"].as_str()).map(shown).collect::<Vec<_>>()
        };
        let tools = status["tools"].as_u64().unwrap_or_default();
        if tools > 0 {
            parts.push(format!(
                "{} can be called from TypeScript (`toolscript search WORDS`)",
                counted(tools, "tool")
            ));
        }
        let waiting = in_state("waiting");
        if !waiting.is_empty() {
            parts.push(format!("{} waits for the user to run `cuff approve settings`", waiting.join(", ")));
        }
        let down = in_state("down");
        if !down.is_empty() {
            parts.push(format!("{} does not answer (`toolscript status` says why)", down.join(", ")));
        }
        let problems = status["problems"].as_array().map_or(0, Vec::len);
        if problems > 0 {
            parts.push("its settings have errors (`toolscript status` shows them)".to_owned());
        }
    }
    if let Some(url) = url {
        parts.push(format!("commands need {URL_VARIABLE}={url}"));
    }
    (!parts.is_empty()).then(|| format!("toolscript: {}.", parts.join("; ")))
}

fn say(ui: &Ui, line: &str) {
    // Where standard output is closed the model hears nothing.
    let _ = ui.result(line);
}
