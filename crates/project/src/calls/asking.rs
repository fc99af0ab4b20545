//! A person's yes that comes through the client that waits for a call.

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::ledger::{ApprovalQuestion, ClientAnswer};
use crate::policy::{Answering, Asker, PersonAnswer};
use crate::sys::uncontained;

/// A question to the client that waits for the call. If it is dropped, nobody was asked.
#[derive(Debug)]
pub struct ClientQuestion {
    question: ApprovalQuestion,
    message: String,
    agrees: &'static str,
    /// Whether a run that nothing holds was alive when it was asked: no answer is certain to be a person's.
    is_doubtful: bool,
    reply: oneshot::Sender<PersonAnswer>,
}

impl ClientQuestion {
    /// The name of the one thing that is asked for.
    pub const YES: &str = ClientAnswer::YES;

    /// A question with the text that the client shows, and the words beside the box that says yes; and its answer.
    pub(crate) fn new(
        question: ApprovalQuestion,
        message: String,
        agrees: &'static str,
    ) -> (Self, oneshot::Receiver<PersonAnswer>) {
        let (reply, answer) = oneshot::channel();
        let is_doubtful = uncontained::runs();
        (Self { question, message, agrees, is_doubtful, reply }, answer)
    }

    /// The question.
    pub fn question(&self) -> &ApprovalQuestion {
        &self.question
    }

    /// The text of the question that the client shows to a person.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The words beside the box that says yes.
    pub fn agrees(&self) -> &'static str {
        self.agrees
    }

    /// Passes on the client's answer as it came: `{"action": "accept", "content": {"yes": true}}`. Only that
    /// is a yes. If the person neither accepted nor declined, the question waits for another way to answer
    /// it.
    pub fn answer(self, answer: &Value) {
        let answer = match ClientAnswer::of(&self.question, answer) {
            // What nothing holds could have stopped the client, and answered in its place.
            ClientAnswer::Yes(_) if self.is_doubtful || uncontained::runs() => PersonAnswer::Nobody,
            ClientAnswer::Yes(yes) => PersonAnswer::ClientsYes(yes),
            ClientAnswer::No => PersonAnswer::No,
            ClientAnswer::Neither => PersonAnswer::Nobody,
        };
        // A closed channel means that the call was cancelled.
        let _ = self.reply.send(answer);
    }

    /// The client has the question now; its answer comes with another call.
    pub fn put_off(self) {
        let _ = self.reply.send(PersonAnswer::Later);
    }
}

/// Asks the client that waits for the call.
#[derive(Debug)]
pub(crate) struct ClientAsking(mpsc::Sender<ClientQuestion>);

impl ClientAsking {
    pub(crate) fn over(sender: mpsc::Sender<ClientQuestion>) -> Self {
        Self(sender)
    }
}

impl Asker for ClientAsking {
    fn ask<'a>(&'a self, question: &'a ApprovalQuestion) -> Answering<'a> {
        Box::pin(async move {
            let (asked, answer) =
                ClientQuestion::new(question.clone(), question.sentence(), "Run it, this once");
            match self.0.send(asked).await {
                Ok(()) => answer.await.unwrap_or(PersonAnswer::Nobody),
                Err(_) => PersonAnswer::Nobody,
            }
        })
    }
}
