//! A person's confirmation of one plan: an earlier one, one that the person at the face gives now, or a
//! question that waits.

use std::fmt::Debug;
use std::pin::Pin;

use tokio_util::sync::CancellationToken;

use super::{ContentBinding, Permit, PolicyContext, Unbound, Unconfirmed};
use crate::ledger::{ApprovalQuestion, ClientsYes, Consent, Ledger, LedgerError, NO_LEDGER};
use crate::model::Caller;
use crate::settings;
use crate::sys::terminal::{AlwaysConsent, Person, TypedConsent};
use crate::sys::{Clock, Environment};

/// Asks the person in front of a face. A face without one has none.
pub trait Asker: Debug + Send + Sync {
    /// The person's answer to one plan.
    fn ask<'a>(&'a self, question: &'a ApprovalQuestion) -> Answering<'a>;

    /// The person at a terminal whom it asks. Only for such a person counts what is allowed always.
    fn person(&self) -> Option<Person> {
        None
    }
}

/// An answer that is waited for.
pub type Answering<'a> = Pin<Box<dyn Future<Output = PersonAnswer> + Send + 'a>>;

/// The answer of the person in front of a face.
#[derive(Debug)]
pub enum PersonAnswer {
    /// Yes.
    Yes(TypedConsent),
    /// Yes, and always from now on.
    Always(AlwaysConsent),
    /// Yes, says the client of an agent of its person.
    ClientsYes(ClientsYes),
    /// No.
    No,
    /// There is no person, or no answer.
    Nobody,
    /// The person is asked, and the answer comes with another call.
    Later,
}

/// The ways to a person's answer.
#[derive(Debug)]
pub struct ConsentAsking<'a> {
    /// Asks the person in front of the face, where there is one.
    pub asker: Option<&'a dyn Asker>,
    /// The store of people's decisions.
    pub ledger: Option<&'a Ledger>,
    /// The environment with the place of the asked person's preferences.
    pub environment: &'a Environment,
    /// The time.
    pub clock: &'a Clock,
    /// Cancelled when no caller waits for the answer any more.
    pub cancel: &'a CancellationToken,
}

/// The outcome of a question.
#[derive(Debug)]
pub enum Consented {
    /// The permit, and the one who said yes.
    Yes(Permit, String),
    /// A no, and the one who said it.
    No(&'static str),
    /// The files that the tool reads are no longer those that a person would have been asked about.
    Changed,
    /// A person is asked, and has not answered.
    Later,
    /// No person could be asked; the question waits under this id.
    Waits(String),
}

/// Whether this user lets the clients of agents ask him, and pass on his confirmation. `false` if his
/// preferences cannot be parsed.
pub fn lets_clients_say_yes(environment: &Environment) -> bool {
    settings::preferences(environment).lets_clients_say_yes()
}

/// Asks for confirmation of a plan. `worded` makes the question from the plan and its files.
///
/// # Errors
/// With the reason why no person can be asked, or why no answer can be stored.
pub async fn obtain(
    unconfirmed: Unconfirmed,
    worded: &(dyn Fn(&Unconfirmed, &ContentBinding) -> ApprovalQuestion + Sync),
    asking: ConsentAsking<'_>,
    ground: &dyn PolicyContext,
) -> Result<Consented, String> {
    let binding = match ground.bind(unconfirmed.tool()).await {
        Ok(binding) => binding,
        Err(Unbound::Gone) => return Ok(Consented::Changed),
        Err(Unbound::TooMuch(problem)) => return Err(problem.to_string()),
    };
    let question = worded(&unconfirmed, &binding);
    let words = |error: LedgerError| error.to_string();
    let now = || asking.clock.milliseconds();
    if let Some(consent) = allowed_always(&unconfirmed, &question, asking.asker, asking.ledger) {
        let rule = "a person allows it always, until it changes".to_owned();
        return Ok(Consented::Yes(unconfirmed.confirmed(consent, binding), rule));
    }
    let answer = answered(&question, &asking).await?;
    if let (PersonAnswer::Yes(_) | PersonAnswer::Always(_) | PersonAnswer::No, Some(ledger)) =
        (&answer, asking.ledger)
    {
        // If it cannot be written, the old question keeps waiting, which is harmless.
        let _ = ledger.settle(&question, now());
    }
    // The person has read the files as they were before the wait, and those must run.
    if matches!(answer, PersonAnswer::Yes(_) | PersonAnswer::Always(_) | PersonAnswer::ClientsYes(_)) {
        let source = &unconfirmed.tool().tool.source.file;
        if !binding.changes(ground.bind(unconfirmed.tool()).await.as_ref(), source).is_empty() {
            return Ok(Consented::Changed);
        }
    }
    let consented = |consent, rule: String| Consented::Yes(unconfirmed.confirmed(consent, binding), rule);
    match answer {
        // No caller waits for the answer any more.
        PersonAnswer::ClientsYes(_) | PersonAnswer::Nobody if asking.cancel.is_cancelled() => {
            return Ok(Consented::Later);
        }
        PersonAnswer::Yes(yes) => {
            return Ok(consented(Consent::of_person(yes), "a person said yes to it".to_owned()));
        }
        PersonAnswer::Always(always) => {
            // A person alone says it, at a terminal: no other face makes this answer.
            let ledger = asking.ledger.ok_or(NO_LEDGER)?;
            ledger.allow_always(&always, &question, now()).map_err(words)?;
            let rule = "a person said yes to it, and always until it changes";
            return Ok(consented(Consent::of_person_always(always), rule.to_owned()));
        }
        PersonAnswer::ClientsYes(yes) => {
            // A face that asks all the same decides nothing.
            let counts = lets_clients_say_yes(asking.environment);
            let consent = Consent::of_client(&yes, &question).filter(|_| counts);
            let consent = consent.ok_or_else(|| "the client's yes does not count".to_owned())?;
            return Ok(consented(consent, "the client says that a person said yes to it".to_owned()));
        }
        PersonAnswer::Later => return Ok(Consented::Later),
        PersonAnswer::No => return Ok(Consented::No("a person said no to it")),
        PersonAnswer::Nobody => {}
    }
    let ledger = asking.ledger.ok_or(NO_LEDGER)?;
    // The person may have taken any time to answer, so the age of an older approval counts from now.
    let now = now();
    if let Some((consent, id)) = ledger.take(&question.digest, now).map_err(words)? {
        return Ok(consented(consent, format!("a person approved {id}, and that is used up now")));
    }
    if ledger.is_denied(&question.digest, now).map_err(words)? {
        return Ok(Consented::No("a person denied it lately"));
    }
    ledger.ask(question, now).map(Consented::Waits).map_err(words)
}

/// The answer of the person in front of the face.
async fn answered(question: &ApprovalQuestion, asking: &ConsentAsking<'_>) -> Result<PersonAnswer, String> {
    let Some(asker) = asking.asker else { return Ok(PersonAnswer::Nobody) };
    question.is_legible().map_err(|error| error.to_string())?;
    Ok(tokio::select! {
        biased;
        answer = asker.ask(question) => answer,
        () = asking.cancel.cancelled() => PersonAnswer::Later,
    })
}

/// The consent of the person who asks for this call and allows it always. It counts for nobody else: an agent or a run
/// would choose when, and how often.
pub fn allowed_always(
    unconfirmed: &Unconfirmed,
    question: &ApprovalQuestion,
    asker: Option<&dyn Asker>,
    ledger: Option<&Ledger>,
) -> Option<Consent> {
    let person = asker.and_then(Asker::person).filter(|_| unconfirmed.caller() == Caller::Human)?;
    ledger?.always_allows(&person, question)
}
