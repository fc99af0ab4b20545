//! `cuff approve`, `deny` and `approvals`: what people decide.

pub(super) mod always;
mod parts;
pub(super) mod settings;
mod tools;

use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::arguments::{ApprovalsTyped, Approve};
use crate::calls::ago;
use crate::ledger::{Approval, ApprovalQuestion, ApprovalState, LedgerError};
use crate::model::{Caller, quoted_whole, visible};
use crate::policy::{Answering, Asker, PersonAnswer};
use crate::project;
use crate::project::{Approvals, Context};
use crate::sys::terminal::{self, Confirmed, Person, TypedConsent};
use crate::terminal::{Failed, StopReason, Ui, exit};

/// Asks at the terminal, and remembers why nothing ran: a no, or Ctrl-C.
#[derive(Debug, Default)]
pub(super) struct AtTerminal(pub(super) StopReason);

impl Asker for AtTerminal {
    fn ask<'a>(&'a self, question: &'a ApprovalQuestion) -> Answering<'a> {
        let heard = if terminal::is_there() {
            match terminal::ask_to_confirm(&question.at_terminal(), &question.details()) {
                Ok(Some(Confirmed::Once(yes))) => PersonAnswer::Yes(yes),
                Ok(Some(Confirmed::Always(always))) => PersonAnswer::Always(always),
                Ok(None) => {
                    self.0.declined();
                    PersonAnswer::No
                }
                Err(error) => {
                    if error.kind() == io::ErrorKind::Interrupted {
                        self.0.interrupted();
                    }
                    PersonAnswer::No
                }
            }
        } else {
            PersonAnswer::Nobody
        };
        Box::pin(std::future::ready(heard))
    }

    fn person(&self) -> Option<Person> {
        terminal::person()
    }
}

/// The yes of `--yes`, where it counts: at a terminal, or where this user lets programs say it.
#[derive(Debug)]
pub(super) struct Beforehand(pub(super) bool);

impl Asker for Beforehand {
    fn ask<'a>(&'a self, _: &'a ApprovalQuestion) -> Answering<'a> {
        Box::pin(std::future::ready(terminal::said(self.0).map_or(PersonAnswer::Nobody, PersonAnswer::Yes)))
    }
}

/// Shows a question that an agent's call left, asks the person at the terminal, and says yes to just what was shown.
pub(super) fn approve(ui: &Ui, context: &Context, typed: &Approve) -> Result<u8, Failed> {
    let said = context.said_yes().ok_or_else(|| nobody(context))?;
    let approvals = approvals(context)?;
    let known = approvals.open(&typed.what, true).map_err(|error| unusable(&error))?;
    ui.result(entry(&known, approvals.now(), typed.full))?;
    let said = if typed.yes || !terminal::is_there() {
        Some(said)
    } else {
        // Long text scrolls away, so the question names the tool again.
        asked(ui, &format!("Approve {} once, for the next 15 minutes?", visible(&known.question.tool)))?
    };
    let Some(said) = said else {
        ui.note(format!("It waits on; `cuff deny {}` says no to it", known.id));
        return Ok(exit::FAILURE);
    };
    let answered = approvals.answer(&said, &known.id, true).map_err(|error| unusable(&error))?;
    ui.result("approved once, for the next 15 minutes")?;
    warn_of(ui, answered.unwritten);
    Ok(exit::SUCCESS)
}

/// Says no to a question that an agent's call left, or takes a yes back.
pub(super) fn deny(ui: &Ui, context: &Context, id: &str) -> Result<u8, Failed> {
    let said = context.said_yes().ok_or_else(|| nobody(context))?;
    let answered = approvals(context)?.answer(&said, id, false).map_err(|error| unusable(&error))?;
    let question = of_lines(&answered.approval.question);
    let what = if answered.is_revoked { "taken back, the yes was not used yet" } else { "denied" };
    let text = question.quoted().map(|quoted| format!("\n{}", quoted.text)).unwrap_or_default();
    ui.result(format!("{what}: {} in {}\n  {}{text}", question.tool, question.project, question.command))?;
    warn_of(ui, answered.unwritten);
    Ok(exit::SUCCESS)
}

/// Asks the person at the terminal to approve the lines above; `None` is no.
fn asked(ui: &Ui, question: &str) -> Result<Option<TypedConsent>, Failed> {
    let said = terminal::ask(question);
    if !matches!(said, Ok(Some(_))) {
        ui.note("Nothing was approved");
    }
    Ok(said?)
}

fn warn_of(ui: &Ui, unwritten: Option<String>) {
    if let Some(why) = unwritten {
        ui.say(format!("warning: {why}"));
    }
}

/// The error for a ledger that cannot be used, or that has no such question.
pub(super) fn unusable(error: &LedgerError) -> Failed {
    let help = match error {
        LedgerError::NoSuchApproval(_) | LedgerError::NotAsked(_) => {
            "`cuff approvals` shows what waits for an answer, and each yes that was not used yet"
        }
        LedgerError::Newer(..) => "answer with that newer cuff; tools that need no yes run all the same",
        LedgerError::Io(..) | LedgerError::Corrupt(_) => {
            "it must be a folder of yours, no link, that others cannot write; tools that need no yes run without it"
        }
    };
    Failed::usage(error.to_string()).unable().help(help)
}

/// The answer where no person is.
fn nobody(context: &Context) -> Failed {
    let help = match (context.at_terminal(), context.agent_marker()) {
        (Caller::Run | Caller::HumanRun, _) => {
            "this is a process of a run, and an agent may have started that; type it in a terminal outside"
                .to_owned()
        }
        (_, Some(marker)) => {
            format!(
                "this is an agent's shell ({marker} is set); a person types it in a terminal of their own"
            )
        }
        _ => "type it at a terminal; for CI there is `noninteractive_yes: true` in your own preferences.yml"
            .to_owned(),
    };
    Failed::usage("only a person at a terminal can answer").refused().help(help)
}

/// Shows what waits for an answer, and the answers that still matter; and whether the settings here wait.
pub(super) fn list(
    ui: &Ui,
    context: &Context,
    explicit: Option<&Path>,
    typed: &ApprovalsTyped,
) -> Result<u8, Failed> {
    let approvals = approvals(context)?;
    let all = approvals.all().map_err(|error| unusable(&error))?;
    for file in approvals.set_aside() {
        ui.say(format!("questions and answers that could not be read were set aside as {}", file.display()));
    }
    // Problems of the settings here are left to `approve settings`.
    let waits = project::unapproved(context, explicit).ok().flatten();
    if typed.json {
        let entries: Vec<Value> = all.iter().map(shape).collect();
        let mut shape = json!({ "approvals": entries });
        if let Some(waits) = waits {
            if !waits.is_of_tools_alone() {
                shape["settings"] = json!({ "file": waits.file, "state": "waiting" });
            }
            let names: Vec<&str> = waits.tools.iter().map(|tool| tool.tool.as_str()).collect();
            if !names.is_empty() {
                shape["tools"] = json!(names);
            }
        }
        ui.json(&shape)?;
        return Ok(exit::SUCCESS);
    }
    if let Some(waits) = &waits {
        let file = waits.file.as_deref().unwrap_or("the project has none any more");
        let file = if waits.is_of_tools_alone() { "tools of MCP servers" } else { file };
        ui.result(format!(
            "settings  waiting: {}; `cuff approve settings` shows the difference",
            visible(file)
        ))?;
    }
    // A denied question waits for nothing.
    let mut open: Vec<&Approval> =
        all.iter().filter(|known| !matches!(known.state, ApprovalState::Denied(_))).collect();
    open.sort_by_key(|known| !approvals.is_near(&known.question.project));
    if open.is_empty() && waits.is_none() {
        ui.note("nothing waits for an answer");
    } else if !open.is_empty() {
        let lines: Vec<String> = open.into_iter().map(|known| entry(known, approvals.now(), false)).collect();
        ui.result(lines.join("\n"))?;
    }
    Ok(exit::SUCCESS)
}

/// A question as people read it, and what became of it; with all lines of its text, or the ends and what matters.
fn entry(Approval { id, question, asked, state }: &Approval, now: u64, is_full: bool) -> String {
    let question = of_lines(question);
    let (state, asked) = (state_name(*state), ago(*asked, now));
    let text = match (question.quoted(), &question.text) {
        (Some(_), Some(text)) if is_full => format!("\n{}", quoted_whole(text)),
        (Some(quoted), _) => {
            let notice = quoted.notice(&format!("cuff approve {id} --full"));
            format!("\n{}{}", quoted.text, notice.map_or_else(String::new, |notice| format!("\n{notice}")))
        }
        (None, _) => String::new(),
    };
    let facts: String = question.facts.iter().flat_map(|fact| ["\n          ", fact]).collect();
    // The first of the facts is the folder.
    let place = if facts.is_empty() { format!("\n          in {}", question.project) } else { facts };
    format!(
        "{id}  {state}, asked {asked} by {}\n          {}: {}{place}{text}",
        question.caller, question.tool, question.command
    )
}

/// The questions to this user, and the answers.
pub(super) fn approvals(context: &Context) -> Result<Approvals, Failed> {
    Approvals::of(context).ok_or_else(|| {
        let failed = Failed::usage("neither XDG_STATE_HOME nor HOME says where approvals are kept").unable();
        failed.help("set one of them; tools that need no yes run without it")
    })
}

/// The question with a line for each of its texts: a line break in an agent's argument must not look like another
/// question.
fn of_lines(question: &ApprovalQuestion) -> ApprovalQuestion {
    let one = |text: &str| visible(text).into_owned();
    ApprovalQuestion {
        tool: one(&question.tool),
        original: one(&question.original),
        reason: one(&question.reason),
        command: one(&question.command),
        text: question.text.clone(),
        facts: question.facts.iter().map(|fact| one(fact)).collect(),
        project: one(&question.project),
        caller: one(&question.caller),
        digest: question.digest.clone(),
    }
}

fn shape(approval: &Approval) -> Value {
    let Approval { id, question, asked, state } = approval;
    let mut shape = json!({
        "id": id, "tool": question.tool, "command": question.command, "project": question.project,
        "facts": question.facts, "caller": question.caller, "asked_ms": asked, "state": state_name(*state),
    });
    if let Some(text) = &question.text {
        shape["text"] = json!(text);
    }
    shape
}

fn state_name(state: ApprovalState) -> &'static str {
    match state {
        ApprovalState::Waiting => "waiting",
        ApprovalState::Granted(_) => "granted",
        ApprovalState::Denied(_) => "denied",
    }
}
