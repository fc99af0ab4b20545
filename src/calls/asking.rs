//! A person's yes that comes through whoever waits for a call.

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::ledger::{ClientAnswer, Question};
use crate::policy::{Answer, Answering, Asker};

/// A question that is put to whoever waits for the call. Dropped, it was put to nobody.
#[derive(Debug)]
pub struct Asked {
    question: Question,
    reply: oneshot::Sender<Answer>,
}

impl Asked {
    /// The name of the one thing that is asked for.
    pub const YES: &str = ClientAnswer::YES;

    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What the client brought back, as it came: `{"action": "accept", "content": {"yes": true}}`. Only that is a yes;
    /// where the person neither accepted nor declined, the question waits for another way to answer it.
    pub fn answer(self, answer: &Value) {
        let answer = match ClientAnswer::of(&self.question, answer) {
            ClientAnswer::Yes(yes) => Answer::ClientsYes(yes),
            ClientAnswer::No => Answer::No,
            ClientAnswer::Neither => Answer::Nobody,
        };
        // Who no longer waits was cancelled.
        let _ = self.reply.send(answer);
    }

    /// The client was told what is asked; its answer comes with another call.
    pub fn put_off(self) {
        let _ = self.reply.send(Answer::Later);
    }
}

/// Asks whoever waits for the call.
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
            let (reply, answer) = oneshot::channel();
            let asked = Asked { question: question.clone(), reply };
            match self.0.send(asked).await {
                Ok(()) => answer.await.unwrap_or(Answer::Nobody),
                Err(_) => Answer::Nobody,
            }
        })
    }
}
