//! A permit for a call, a person's yes where one is needed, and a line in the audit log for both.

use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::account::CallAccount;
use super::error::RunError;
use super::request::CallRequest;
use super::step::{CallStep, Judgement, ToldCall};
use super::{audit, confirm_excerpt};
use crate::ledger::ApprovalQuestion;
use crate::model::{Caller, Role, Seen};
use crate::policy::{
    self, ConsentAsking, Consented, ContentBinding, Decision, Irreversible, Permit, PolicyCall,
    PolicyContext, Unbound, Unconfirmed,
};
use crate::project::{Project, ProjectSettings, secrets};
use crate::registry::Registered;
use crate::sys;

/// The decision about a call, as the audit log has it, and the permit or the error that follows.
type Decided = (Judgement, Result<Permit, RunError>);

fn permitted(permit: Permit) -> Decided {
    (Judgement::of("permitted", OFFERED), Ok(permit))
}

fn refused(error: RunError, decision: &'static str, rule: impl Into<String>) -> Decided {
    (Judgement::of(decision, rule), Err(error))
}

/// The permit for a call.
///
/// # Errors
/// When policy refuses, or a person has not said yes.
pub(crate) async fn permit(
    account: &mut CallAccount<'_>,
    asked: PolicyCall<'_>,
    cancel: &CancellationToken,
) -> Result<Permit, RunError> {
    let ToldCall { project, request, .. } = account.call;
    let (found, prefix) = (asked.tool, project.prefix(asked.tool));
    let (judgement, permit) = match policy::authorize(asked, project) {
        Ok(Decision::Permitted(permit)) => permitted(permit),
        Ok(Decision::Pinned(pinned)) => match project.bind(found).await {
            Ok(binding) => permitted(pinned.bound_to(binding)),
            Err(why) => {
                let error = match why {
                    Unbound::Gone => RunError::changed(prefix, request.caller),
                    Unbound::TooMuch(problem) => RunError::no_ledger(prefix, &problem.to_string()),
                };
                let rule = error.message.clone();
                refused(error, "refused", rule)
            }
        },
        Ok(Decision::Unconfirmed(unconfirmed)) => {
            let (judgement, permit) = confirm(project, unconfirmed, request, cancel).await;
            (Judgement { needs_person: true, ..judgement }, permit)
        }
        Err(refusal) => {
            let rule = refusal.message.clone();
            refused(RunError::refused(prefix, refusal, request.caller), "refused", rule)
        }
    };
    let unwritten = account.tell(CallStep::Judged(&judgement));
    match (permit, unwritten) {
        (Ok(_), Some(why)) if judgement.decision == "granted" => Err(RunError::unaudited(prefix, &why)),
        (decided, None) | (decided @ Ok(_), _) => decided,
        (Err(error), Some(why)) => {
            Err(RunError { help: Some(format!("{}; {why}", error.help.unwrap_or_default())), ..error })
        }
    }
}

/// A permit for a yes; else the error says how a person can answer.
async fn confirm(
    project: &Project,
    unconfirmed: Unconfirmed,
    request: &CallRequest,
    cancel: &CancellationToken,
) -> Decided {
    let found = unconfirmed.tool().clone();
    let prefix = project.prefix(&found);
    if let Err(why) = audit::can_note_yes(&project.authority) {
        let rule = format!("{NEEDED}; {why}");
        return refused(RunError::unaudited(prefix, &why), "refused", rule);
    }
    let environment = &project.context.environment;
    let asking = ConsentAsking {
        asker: request.asker.as_deref(),
        ledger: project.authority.ledger.as_ref(),
        environment,
        clock: &project.context.clock,
        cancel,
    };
    let worded = |unconfirmed: &Unconfirmed, binding: &ContentBinding| {
        question(project, unconfirmed, binding, request.caller)
    };
    match policy::obtain(unconfirmed, &worded, asking, project).await {
        Ok(Consented::Yes(permit, rule)) => (Judgement::of("granted", rule), Ok(permit)),
        Ok(Consented::No(rule)) => refused(RunError::denied(prefix, request.caller), "denied", rule),
        Ok(Consented::Later) => {
            refused(RunError::unanswered(prefix, &found, request.caller), "asked", NEEDED)
        }
        Ok(Consented::Changed) => {
            let rule = "what it runs was changed while a person was asked";
            refused(RunError::changed(prefix, request.caller), "refused", rule)
        }
        Ok(Consented::Waits(id)) => {
            let by = (request.caller, project.said_yes().is_some());
            let error = RunError::unconfirmed(prefix, &found, by, &id);
            refused(error, "confirmation_required", NEEDED)
        }
        Err(why) => refused(RunError::no_ledger(prefix, &why), "refused", format!("{NEEDED}; {why}")),
    }
}

/// The question that a person is asked.
pub(crate) fn question(
    project: &Project,
    unconfirmed: &Unconfirmed,
    binding: &ContentBinding,
    caller: Caller,
) -> ApprovalQuestion {
    let changes = unconfirmed.plan().command().map_or(&[][..], |command| &command.environment);
    let secrets = secrets::of_question(&project.context.environment, changes);
    let text = asked_text(unconfirmed.tool());
    let facts = facts(&project.settings, unconfirmed, text.as_deref());
    ApprovalQuestion {
        digest: unconfirmed.digest(&project.settings.root, binding),
        tool: unconfirmed.tool().name.to_string(),
        original: unconfirmed.tool().shown.clone(),
        reason: project.confirmed_by(unconfirmed.tool(), unconfirmed.because()),
        command: secrets.redact(&unconfirmed.line()).into_owned(),
        text: text.map(|text| secrets.redact(&text).into_owned()),
        facts: facts.into_iter().map(|fact| secrets.redact(&fact).into_owned()).collect(),
        project: project.settings.root.display().to_string(),
        caller: caller.name().to_owned(),
    }
}

/// Where and how a plan would run, and what of it cannot be taken back, for the person who is asked.
fn facts(settings: &ProjectSettings, unconfirmed: &Unconfirmed, text: Option<&str>) -> Vec<String> {
    /// The longest text in which commands are looked for, in bytes.
    const LONGEST: usize = 256 * 1024;
    let Some(command) = unconfirmed.plan().command() else { return Vec::new() };
    let folder: PathBuf = settings.root.join(&command.directory).components().collect();
    let folder = format!("in {}", folder.display());
    let held = match unconfirmed.containment() {
        Some(rules) => {
            let there = if command.runner.is_some() { " where the runner has this cuff" } else { "" };
            format!("contained{there}: profile {}, network {}", rules.profile.name(), rules.network)
        }
        None if command.runner.is_some() => "not contained: it has the rights that it has there".to_owned(),
        None => "not contained: it has your rights and the network".to_owned(),
    };
    let text = text.filter(|text| text.len() <= LONGEST);
    let lasting = policy::irreversible(&unconfirmed.tool().shown, text);
    let lasting = lasting.map(|Irreversible { because, line }| match line {
        Some(_) => format!("cannot be taken back: {because}"),
        None => "its name says that it cannot be taken back".to_owned(),
    });
    let runner = command.runner.as_ref().map(|runner| {
        let words = shlex::try_join(runner.via.iter().map(String::as_str)).unwrap_or_default();
        format!("on the runner `{}`: {words}", runner.name)
    });
    [folder, held].into_iter().chain(runner).chain(lasting).collect()
}

/// The rule of a call that nothing stands against.
const OFFERED: &str = "offered by the settings";
/// The rule of a call that a person must allow.
const NEEDED: &str = "a person must say yes to it each time";

/// The largest script that is read to be shown, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The text of a tool that a person is asked about; `None` where nothing is known that the command line does not say.
pub(crate) fn asked_text(found: &Registered) -> Option<String> {
    let script = || match &found.tool.role {
        Role::Run { command, .. } => command.script.as_ref().map(|script| script_text(&script.path)),
        Role::List(_) | Role::Relay(_) => None,
    };
    // The command line of a tool that has both names the script.
    script().or_else(|| found.tool.runs())
}

/// The text of a script for people to read.
fn script_text(path: &Path) -> String {
    match sys::read_file::file(path, LARGEST) {
        Seen::File(file) => confirm_excerpt::of_script(&file.bytes),
        Seen::Missing => "the script is not there".to_owned(),
        Seen::Unreadable(why) => format!("the script cannot be read: {why}"),
    }
}
