//! Questions that were put to clients and whose answers come with another call.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::ledger::Question;
use crate::sys;

/// How long a question is open.
const LASTS: Duration = Duration::from_mins(15);
/// How many are open at once; the oldest goes for a new one.
const MOST: usize = 200;

/// The questions that are open. Each is known by a key that nobody can guess, is about one plan, and is answered once.
#[derive(Debug, Default)]
pub struct OpenQuestions(Mutex<VecDeque<Open>>);

#[derive(Debug)]
struct Open {
    key: String,
    digest: String,
    until: Instant,
}

impl OpenQuestions {
    /// Opens a question; its key is for whoever brings the answer.
    pub fn open(&self, question: &Question) -> String {
        let key = [(); 2].map(|()| format!("{:032x}", u128::from_ne_bytes(sys::random::bytes()))).concat();
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST {
            open.pop_front();
        }
        let until = Instant::now() + LASTS;
        open.push_back(Open { key: key.clone(), digest: question.digest.clone(), until });
        key
    }

    /// Whether this key is of an open question about this very plan. Whatever it is about, it is used up.
    pub fn close(&self, key: &str, question: &Question) -> bool {
        let now = Instant::now();
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|open| open.until > now);
        let place = open.iter().position(|open| open.key == key);
        place.and_then(|place| open.remove(place)).is_some_and(|open| open.digest == question.digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(digest: &str) -> Question {
        let text = String::new;
        Question { digest: digest.into(), tool: text(), command: text(), project: text(), caller: text() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_opens_its_own_question_once_and_for_a_while() {
        let (questions, plan) = (OpenQuestions::default(), question("plan"));
        let key = questions.open(&plan);
        assert!(!questions.close("", &plan) && !questions.close(&key[..63], &plan), "no key");
        assert!(questions.close(&key, &plan));
        assert!(!questions.close(&key, &plan), "used up");
        let key = questions.open(&plan);
        assert!(!questions.close(&key, &question("other")), "of another plan");
        assert!(!questions.close(&key, &plan), "and used up by that");
        let key = questions.open(&plan);
        tokio::time::advance(LASTS).await;
        assert!(!questions.close(&key, &plan), "too old");
        let first = questions.open(&plan);
        for _ in 0..MOST {
            questions.open(&plan);
        }
        assert!(!questions.close(&first, &plan), "the oldest went for the newest");
        assert!(questions.0.lock().unwrap().len() <= MOST);
    }
}
