//! Policy's decision about a call, a person's yes where one is needed, and a line in the audit log for both.

use std::fmt::Debug;
use std::path::PathBuf;
use std::pin::Pin;

use tokio_util::sync::CancellationToken;

use super::bound::Bound;
use super::ending::in_short;
use super::error::Reason;
use super::record::milliseconds;
use super::run::Request;
use super::turn::Permitted;
use super::{Engine, RunError, secrets};
use crate::ledger::{ClientsYes, Consent, Decided, LedgerError, Question};
use crate::model::{CONFIRM, Caller, Command, Field, OPEN_TO_AGENTS, Patterns, Report, Role};
use crate::policy::{self, Decision, Permit, Unconfirmed};
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
pub(super) const NO_LEDGER: &str = "neither XDG_STATE_HOME nor HOME says where approvals are kept";

/// Where the ledger lies: `$XDG_STATE_HOME/cuff`, else `~/.local/state/cuff`.
pub(super) fn place(environment: &Environment) -> Option<PathBuf> {
    Some(environment.base("XDG_STATE_HOME", ".local/state")?.join("cuff"))
}

impl Engine {
    /// Whether a person is asked before a tool runs, each time, whoever calls it.
    pub fn asks_first(&self, found: &Registered) -> bool {
        matches!(&found.tool.role, Role::Run { command, .. } if command.needs_yes || self.wants_yes(found))
    }

    /// The same of an agent's calls. They are asked about as well where nothing seems to take back what the tool does: it
    /// may have come, or become so, since anybody chose what agents may call.
    pub fn asks_of_agents(&self, found: &Registered) -> bool {
        self.asks_first(found) || self.is_guarded(found)
    }

    /// Whether a call needs a yes that the plan by itself does not.
    pub(super) async fn wants_yes_of(&self, found: &Registered, command: &Command, caller: Caller) -> bool {
        self.wants_yes(found) || caller != Caller::Human && self.is_call_guarded(found, command).await
    }

    /// Whether agents need a yes to a call, for what the tool is or for what the call makes of it.
    pub(super) async fn is_call_guarded(&self, found: &Registered, command: &Command) -> bool {
        self.is_guarded(found) || !self.is_open(found) && self.is_made_irreversible(found, command).await
    }

    fn is_guarded(&self, found: &Registered) -> bool {
        !self.is_open(found) && found.is_irreversible()
    }

    fn is_open(&self, found: &Registered) -> bool {
        self.has_pattern_of(&OPEN_TO_AGENTS, found, false)
    }

    /// Whether the settings of a tool's instance want a person's yes to it. Patterns that cannot be understood do.
    pub(super) fn wants_yes(&self, found: &Registered) -> bool {
        self.has_pattern_of(&CONFIRM, found, true)
    }

    /// Whether a pattern under a key of its instance's settings means a tool; what cannot be understood says `doubt`.
    fn has_pattern_of(&self, key: &'static Field, found: &Registered, doubt: bool) -> bool {
        let of_all = self.guards.get_or_init(|| self.instances.iter().map(Guards::of).collect());
        let own = of_all
            .get(&found.name.instance)
            .map(|guards| if key == &CONFIRM { &guards.confirm } else { &guards.open_to_agents });
        own.and_then(Option::as_ref).map_or(doubt, |patterns| {
            patterns.matches(&found.name.local) || patterns.matches(&found.tool.original)
        })
    }

    /// The permit for a call's command.
    ///
    /// # Errors
    /// When policy refuses, or a person has not said yes.
    pub(super) async fn permit(
        &self,
        found: &Registered,
        command: Command,
        request: &Request,
        cancel: &CancellationToken,
    ) -> Result<Permitted, RunError> {
        let call = self.circumstances(found, &command, request.caller);
        let (permit, decision, rule) = match policy::decide(command, &call) {
            Ok(Decision::Permitted(permit)) => {
                (Ok((permit, None)), "permitted", "offered by the settings".to_owned())
            }
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
            (Ok((permit, bound)), unwritten) => Ok(Permitted { permit, bound, unwritten }),
            (Err(error), None) => Err(error),
            (Err(error), Some(why)) => {
                Err(RunError { help: Some(format!("{}; {why}", error.help.unwrap_or_default())), ..error })
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
    ) -> (Result<(Permit, Option<Bound>), RunError>, &'static str, String) {
        let needed = "a person must say yes to it each time";
        let refused = |why: RunError, decision, rule: String| (Err(why), decision, rule);
        let prefix = self.prefix(found);
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
        let Some(bound) = self.bound(found, unconfirmed.command()).await else {
            return Ok(Consented::Changed);
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
        if is_yes && self.bound(found, unconfirmed.command()).await.as_ref() != Some(&bound) {
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
        bound: &Bound,
    ) -> Question {
        let (tool, command) = (found.name.to_string(), unconfirmed.command());
        let secrets = secrets::of_question(&self.surroundings.environment, &command.environment);
        let folder = sys::files::canonical(&self.root.join(&command.directory));
        let mut facts = found.tool.metadata.clone();
        // Who said yes to a script said it to this text, and to all that it leads to.
        facts.extend(found.tool.runs().map(|text| ("text", text)));
        facts.push(("bound", bound.digest.clone()));
        Question {
            digest: unconfirmed.digest(&tool, &facts, &self.root, &folder),
            tool,
            command: secrets.redact(&unconfirmed.line()).into_owned(),
            text: bound.text.as_deref().map(|text| secrets.redact(text).into_owned()),
            project: self.root.display().to_string(),
            caller: request.caller.name().to_owned(),
        }
    }

    fn now(&self) -> u64 {
        milliseconds(self.surroundings.clock.now())
    }

    /// Writes into the audit log what a plugin refused of what a call brought. Its words have the value; the code says what
    /// it was.
    pub(super) fn note_refused_plan(&self, found: &Registered, request: &Request, error: &RunError) {
        if error.reason == Reason::Refused {
            let rule = format!("what the call brought is refused [{}]", error.code);
            // Nothing runs: that the log cannot be written holds nothing back.
            let _ = self.note(found.name.to_string(), request, "refused", rule);
        }
    }

    /// Writes how a run ended into the audit log; comes back with why it could not.
    pub(super) fn note_end(&self, found: &Registered, request: &Request, report: &Report) -> Option<String> {
        let ending = in_short(report.ending.as_ref()?, report.success);
        let run = match report.run_id {
            Some(id) => format!("run {id}"),
            None if report.is_rehearsal() => "a dry run".to_owned(),
            None => "a run that was not recorded".to_owned(),
        };
        self.note(found.name.to_string(), request, "ended", format!("{run}: {ending}"))
    }

    /// Writes a decision into the audit log; comes back with why it could not.
    pub(super) fn note(
        &self,
        tool: String,
        request: &Request,
        decision: &'static str,
        rule: String,
    ) -> Option<String> {
        let decided = Decided {
            at: self.now(),
            caller: request.caller.name().to_owned(),
            tool,
            project: self.root.display().to_string(),
            arguments: request.arguments.keys().cloned().collect(),
            decision,
            rule,
        };
        let written = self.ledger.as_ref()?.note(&decided);
        written.err().map(|error| format!("the audit log cannot be written: {error}"))
    }
}

/// What the settings of an instance say of yeses, `None` where that cannot be understood.
#[derive(Debug)]
pub(super) struct Guards {
    confirm: Option<Patterns>,
    open_to_agents: Option<Patterns>,
}

impl Guards {
    fn of(instance: &Instance) -> (String, Self) {
        let patterns = |key| {
            let (patterns, bad) = Patterns::new(instance.config.texts(key));
            bad.is_empty().then_some(patterns)
        };
        let guards = Self { confirm: patterns(&CONFIRM), open_to_agents: patterns(&OPEN_TO_AGENTS) };
        (instance.name.clone(), guards)
    }
}

/// What became of a question.
enum Consented {
    /// What the yes is bound to, and whose it is.
    Yes(Consent, Bound, String),
    /// And by whose no.
    No(&'static str),
    /// What would run is no longer what a person would have been asked about.
    Changed,
    /// A person is asked, and has not answered.
    Later,
    /// Nobody was there to ask; it waits under this id.
    Waits(String),
}
