//! Policy's decision about a call, a person's yes where one is needed, and a line in the audit log for both.

use std::fmt::Debug;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::binding::{ContentBinding, Unbound};
use super::bound::asked_text;
use super::record::milliseconds;
use super::run::Request;
use super::turn::Permitted;
use crate::engine::Engine;
use crate::engine::RunError;
use crate::ledger::{ClientsYes, Consent, LedgerError, Question};
use crate::model::{CONFIRM, Command, Patterns, Role};
use crate::policy::{self, Decision, Permit, Unconfirmed};
use crate::project::secrets;
use crate::registry::Registered;
use crate::settings::Instance;
use crate::sys::terminal::Yes;
use crate::sys::{self, Environment};

/// Asks the person in front of a face. A face without one has none.
pub trait Asker: Debug + Send + Sync {
    /// What the person answers to one plan.
    fn ask<'a>(&'a self, question: &'a Question) -> Answering<'a>;
}

/// An answer that is waited for.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// What a face heard from the person in front of it.
#[derive(Debug)]
pub enum Answer {
    /// Yes.
    Yes(Yes),
    /// Yes, says the client of an agent of its person.
    ClientsYes(ClientsYes),
    /// No.
    No,
    /// There is no person, or none who answers.
    Nobody,
    /// The person is asked, and the answer comes with another call.
    Later,
}

/// Why nobody's decision can be kept.
pub(crate) const NO_LEDGER: &str = "neither XDG_STATE_HOME nor HOME says where approvals are kept";

/// Where the ledger lies: `$XDG_STATE_HOME/cuff`, else `~/.local/state/cuff`.
pub(crate) fn place(environment: &Environment) -> Option<PathBuf> {
    Some(environment.base("XDG_STATE_HOME", ".local/state")?.join("cuff"))
}

impl Engine {
    /// Whether a tool requires confirmation, whoever calls it: it declares that it changes files, or `confirm` names it.
    pub fn asks_first(&self, found: &Registered) -> bool {
        matches!(&found.tool.role, Role::Run { command, .. } if command.needs_yes || self.wants_yes(found))
    }

    /// Whether `confirm` in the settings of a tool's instance names it. Patterns that cannot be read name every tool.
    pub(crate) fn wants_yes(&self, found: &Registered) -> bool {
        let of_instance = |instance: &Instance| (instance.name.clone(), confirm_patterns(instance));
        let of_all = self.confirm.get_or_init(|| self.instances.iter().map(of_instance).collect());
        of_all.get(&found.name.instance).and_then(Option::as_ref).is_none_or(|patterns| {
            patterns.matches(&found.name.local) || patterns.matches(&found.tool.original)
        })
    }

    /// The permit for a call's command.
    ///
    /// # Errors
    /// When policy refuses, or a person has not said yes.
    pub(crate) async fn permit(
        &self,
        found: &Registered,
        command: Command,
        request: &Request,
        cancel: &CancellationToken,
    ) -> Result<Permitted, RunError> {
        let folder = self.folder(found, &command, request)?;
        let call = self.circumstances(found, &command, request.caller);
        let (permit, decision, rule) = match policy::decide(command, &call) {
            Ok(Decision::Permitted(permit)) => match self.bind_pinned(found, request).await {
                Ok(binding) => (Ok((permit, binding)), "permitted", "offered by the settings".to_owned()),
                Err(error) => {
                    let rule = error.message.clone();
                    (Err(error), "refused", rule)
                }
            },
            Ok(Decision::Unconfirmed(unconfirmed)) => {
                let confirmed = self.confirm(found, unconfirmed, request, cancel).await;
                self.surroundings.metrics.confirmation(confirmed.1);
                confirmed
            }
            Err(refusal) => {
                let rule = refusal.message.clone();
                (Err(RunError::refused(self.prefix(found), refusal)), "refused", rule)
            }
        };
        let unwritten = self.note(found.name.to_string(), request, decision, rule);
        match (permit, unwritten) {
            (Ok(_), Some(why)) if decision == "granted" => Err(RunError::unaudited(self.prefix(found), &why)),
            (Ok((permit, bound)), unwritten) => {
                Ok(Permitted { permit, bound: bound.map(Arc::new), folder, unwritten })
            }
            (Err(error), None) => Err(error),
            (Err(error), Some(why)) => {
                Err(RunError { help: Some(format!("{}; {why}", error.help.unwrap_or_default())), ..error })
            }
        }
    }

    /// What a pinned text of an agent's call is bound to; `None` where the text is not pinned.
    async fn bind_pinned(
        &self,
        found: &Registered,
        request: &Request,
    ) -> Result<Option<ContentBinding>, RunError> {
        if !request.caller.is_governed() || !self.pins_text_of(found) {
            return Ok(None);
        }
        match self.bind(found).await {
            Ok(binding) => Ok(Some(binding)),
            Err(Unbound::Gone) => Err(RunError::changed(self.prefix(found), request.caller)),
            Err(Unbound::TooMuch(problem)) => {
                Err(RunError::no_ledger(self.prefix(found), &problem.to_string()))
            }
        }
    }

    /// A permit for a yes that was given before, or that the person in front of the face gives now; else the question
    /// is recorded, and the error says how to answer it.
    async fn confirm(
        &self,
        found: &Registered,
        unconfirmed: Unconfirmed,
        request: &Request,
        cancel: &CancellationToken,
    ) -> (Result<(Permit, Option<ContentBinding>), RunError>, &'static str, String) {
        let needed = "a person must say yes to it each time";
        let refused = |why: RunError, decision, rule: String| (Err(why), decision, rule);
        let prefix = self.prefix(found);
        if let Err(why) = self.can_note_yes() {
            return refused(RunError::unaudited(prefix, &why), "refused", format!("{needed}; {why}"));
        }
        match self.consent(found, &unconfirmed, request, cancel).await {
            Ok(Consented::Yes(consent, bound, rule)) => {
                (Ok((unconfirmed.confirmed(consent), Some(bound))), "granted", rule)
            }
            Ok(Consented::No(rule)) => {
                refused(RunError::denied(prefix, request.caller), "denied", rule.to_owned())
            }
            Ok(Consented::Later) => refused(RunError::unanswered(prefix, found), "asked", needed.to_owned()),
            Ok(Consented::Changed) => {
                let rule = "what it runs was changed while a person was asked".to_owned();
                refused(RunError::changed(prefix, request.caller), "refused", rule)
            }
            Ok(Consented::Waits(id)) => {
                let why =
                    RunError::unconfirmed(prefix, found, (request.caller, self.said_yes().is_some()), &id);
                refused(why, "confirmation_required", needed.to_owned())
            }
            Err(why) => refused(RunError::no_ledger(prefix, &why), "refused", format!("{needed}; {why}")),
        }
    }

    async fn consent(
        &self,
        found: &Registered,
        unconfirmed: &Unconfirmed,
        request: &Request,
        cancel: &CancellationToken,
    ) -> Result<Consented, String> {
        let bound = match self.bind(found).await {
            Ok(binding) => binding,
            Err(Unbound::Gone) => return Ok(Consented::Changed),
            Err(Unbound::TooMuch(problem)) => return Err(problem.to_string()),
        };
        let question = self.question(found, unconfirmed, request, &bound);
        let words = |error: LedgerError| error.to_string();
        let answer = match &request.asker {
            Some(asker) => {
                question.is_legible().map_err(words)?;
                tokio::select! {
                    biased;
                    answer = asker.ask(&question) => answer,
                    () = cancel.cancelled() => Answer::Later,
                }
            }
            None => Answer::Nobody,
        };
        if let (Answer::Yes(_) | Answer::No, Some(ledger)) = (&answer, &self.ledger) {
            // Where that cannot be written the old question waits on, and is harmless.
            let _ = ledger.settle(&question, self.now());
        }
        // Whoever asked has waited for a person; what the person has read must be what runs.
        let is_yes = matches!(answer, Answer::Yes(_) | Answer::ClientsYes(_));
        if is_yes && self.still_bound(found, &bound).await.is_err() {
            return Ok(Consented::Changed);
        }
        match answer {
            // Nobody waits for an answer any more.
            Answer::ClientsYes(_) | Answer::Nobody if cancel.is_cancelled() => return Ok(Consented::Later),
            Answer::Yes(yes) => {
                let rule = "a person said yes to it".to_owned();
                return Ok(Consented::Yes(Consent::of_person(yes), bound, rule));
            }
            Answer::ClientsYes(yes) => {
                // A face that asks all the same decides nothing.
                let consent = Consent::of_client(&yes, &question).filter(|_| self.lets_clients_say_yes());
                let rule = "the client says that a person said yes to it";
                return consent
                    .map(|consent| Consented::Yes(consent, bound, rule.to_owned()))
                    .ok_or_else(|| "the client's yes does not count".to_owned());
            }
            Answer::Later => return Ok(Consented::Later),
            Answer::No => return Ok(Consented::No("a person said no to it")),
            Answer::Nobody => {}
        }
        let ledger = self.ledger.as_ref().ok_or(NO_LEDGER)?;
        // A person was asked for as long as he liked: what an older yes is worth is known only now.
        let now = self.now();
        if let Some((consent, id)) = ledger.take(&question.digest, now).map_err(words)? {
            let rule = format!("a person approved {id}, and that is used up now");
            return Ok(Consented::Yes(consent, bound, rule));
        }
        if ledger.is_denied(&question.digest, now).map_err(words)? {
            return Ok(Consented::No("a person denied it lately"));
        }
        ledger.ask(question, now).map(Consented::Waits).map_err(words)
    }

    /// What a person is asked.
    fn question(
        &self,
        found: &Registered,
        unconfirmed: &Unconfirmed,
        request: &Request,
        bound: &ContentBinding,
    ) -> Question {
        let (tool, command) = (found.name.to_string(), unconfirmed.command());
        let secrets = secrets::of_question(&self.surroundings.environment, &command.environment);
        let folder = sys::files::canonical(&self.root.join(&command.directory));
        let mut facts = found.tool.metadata.clone();
        // A yes is to the text of the tool, and to every file that its plugin binds it to.
        facts.extend(found.tool.runs().map(|text| ("text", text)));
        facts.push(("bound", bound.digest()));
        Question {
            digest: unconfirmed.digest(&tool, &facts, &self.root, &folder),
            tool,
            command: secrets.redact(&unconfirmed.line()).into_owned(),
            text: asked_text(found).map(|text| secrets.redact(&text).into_owned()),
            project: self.root.display().to_string(),
            caller: request.caller.name().to_owned(),
        }
    }

    pub(crate) fn now(&self) -> u64 {
        milliseconds(self.surroundings.clock.now())
    }
}

/// The patterns of an instance's `confirm`; `None` where one of them cannot be read.
fn confirm_patterns(instance: &Instance) -> Option<Patterns> {
    let (patterns, bad) = Patterns::new(instance.config.texts(&CONFIRM));
    bad.is_empty().then_some(patterns)
}

/// What became of a question.
enum Consented {
    /// What the yes is bound to, and whose it is.
    Yes(Consent, ContentBinding, String),
    /// And by whose no.
    No(&'static str),
    /// What would run is no longer what a person would have been asked about.
    Changed,
    /// A person is asked, and has not answered.
    Later,
    /// Nobody was there to ask; it waits under this id.
    Waits(String),
}
