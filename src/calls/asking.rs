//! A person's yes that comes through the client that waits for a call.

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::ledger::{ClientAnswer, Question};
use crate::policy::{Answer, Answering, Asker};
use crate::sys::uncontained;

/// A question to the client that waits for the call. If it is dropped, nobody was asked.
#[derive(Debug)]
pub struct Asked {
    question: Question,
    message: String,
    agrees: &'static str,
    /// Whether a run that nothing holds was alive when it was asked: no answer is certain to be a person's.
    is_doubtful: bool,
    reply: oneshot::Sender<Answer>,
}

impl Asked {
    /// The name of the one thing that is asked for.
    pub const YES: &str = ClientAnswer::YES;

    /// A question with the text that the client shows, and the words beside the box that says yes; and its answer.
    pub(crate) fn new(
        question: Question,
        message: String,
        agrees: &'static str,
    ) -> (Self, oneshot::Receiver<Answer>) {
        let (reply, answer) = oneshot::channel();
        let is_doubtful = uncontained::runs();
        (Self { question, message, agrees, is_doubtful, reply }, answer)
    }

    /// The question.
    pub fn question(&self) -> &Question {
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
            ClientAnswer::Yes(_) if self.is_doubtful || uncontained::runs() => Answer::Nobody,
            ClientAnswer::Yes(yes) => Answer::ClientsYes(yes),
            ClientAnswer::No => Answer::No,
            ClientAnswer::Neither => Answer::Nobody,
        };
        // A closed channel means that the call was cancelled.
        let _ = self.reply.send(answer);
    }

    /// The client has the question now; its answer comes with another call.
    pub fn put_off(self) {
        let _ = self.reply.send(Answer::Later);
    }
}

/// Asks the client that waits for the call.
#[derive(Debug)]
pub(crate) struct Asking(mpsc::Sender<Asked>);

impl Asking {
    pub(crate) fn over(sender: mpsc::Sender<Asked>) -> Self {
        Self(sender)
    }
}

impl Asker for Asking {
    fn ask<'a>(&'a self, question: &'a Question) -> Answering<'a> {
        Box::pin(async move {
            let (asked, answer) = Asked::new(question.clone(), question.sentence(), "Run it, this once");
            match self.0.send(asked).await {
                Ok(()) => answer.await.unwrap_or(Answer::Nobody),
                Err(_) => Answer::Nobody,
            }
        })
    }
}
