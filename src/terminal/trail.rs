//! The way through questions that a person may go back: the answers so far, and those that were taken back.
//!
//! To go back one question, all questions are asked anew. Those whose answer stands answer themselves.

use std::cell::RefCell;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Given {
    /// Yes or no.
    Yes(bool),
    /// One of several, by its place.
    One(usize),
    /// Any number of several, by their places.
    Many(Vec<usize>),
}

/// The next question.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextQuestion {
    /// The answer to the question stands.
    Stands(Given),
    /// The question is asked. The earlier answer to it, if there was one, and whether there is a question to go back to.
    Asked(Option<Given>, bool),
}

/// The answers of a person who may go back; nobody may where there is no such way.
#[derive(Debug, Default)]
pub(super) struct Trail(RefCell<Option<TrailWay>>);

#[derive(Debug, Default)]
struct TrailWay {
    /// The answers that stand, in the order of the questions, each with the number of its lines on the screen.
    stand: Vec<(Given, usize)>,
    /// The number of questions that were passed since the way began anew.
    passed: usize,
    /// The last answer to each question, with the number of its choices.
    kept: Vec<(String, usize, Given)>,
}

impl Trail {
    /// A new way.
    pub(super) fn begin(&self) {
        *self.0.borrow_mut() = Some(TrailWay::default());
    }

    /// The way begins anew; the answers that stand still do.
    pub(super) fn rewind(&self) {
        if let Some(way) = &mut *self.0.borrow_mut() {
            way.passed = 0;
        }
    }

    /// The way is over.
    pub(super) fn end(&self) {
        *self.0.borrow_mut() = None;
    }

    /// Whether the next question answers itself.
    pub(super) fn is_behind(&self) -> bool {
        self.0.borrow().as_ref().is_some_and(|way| way.passed < way.stand.len())
    }

    /// The next question, which has so many choices.
    pub(super) fn next(&self, question: &str, choices: usize) -> NextQuestion {
        let mut way = self.0.borrow_mut();
        let Some(way) = &mut *way else { return NextQuestion::Asked(None, false) };
        if let Some((given, _)) = way.stand.get(way.passed) {
            way.passed += 1;
            return NextQuestion::Stands(given.clone());
        }
        let mut kept = way.kept.iter().rev();
        let before = kept.find(|(known, count, _)| known == question && *count == choices);
        NextQuestion::Asked(before.map(|(.., given)| given.clone()), way.passed > 0)
    }

    /// Keeps the answer to the question that was asked, which has left so many lines on the screen.
    pub(super) fn answer(&self, (question, choices): (&str, usize), given: &Given, lines: usize) {
        if let Some(way) = &mut *self.0.borrow_mut() {
            way.stand.push((given.clone(), lines));
            way.passed += 1;
        }
        self.keep((question, choices), given.clone());
    }

    /// Keeps what was chosen at a question that is to be asked again.
    pub(super) fn keep(&self, (question, choices): (&str, usize), given: Given) {
        if let Some(way) = &mut *self.0.borrow_mut() {
            way.kept.push((question.to_owned(), choices, given));
        }
    }

    /// Takes the last answer back. Returns the number of its lines on the screen.
    pub(super) fn back(&self) -> usize {
        let last = self.0.borrow_mut().as_mut().and_then(|way| way.stand.pop());
        last.map_or(0, |(_, lines)| lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_back_asks_the_question_before_with_the_answers_that_were_given() {
        let trail = Trail::default();
        assert_eq!(trail.next("a", 2), NextQuestion::Asked(None, false), "nobody goes back before it begins");
        trail.begin();
        for (question, given) in [("a", Given::One(1)), ("b", Given::Yes(true)), ("c", Given::Many(vec![0]))]
        {
            assert_eq!(trail.next(question, 2), NextQuestion::Asked(None, question != "a"));
            trail.answer((question, 2), &given, 3);
        }
        assert_eq!((trail.back(), trail.back()), (3, 3));
        trail.rewind();
        assert!(trail.is_behind());
        assert_eq!(trail.next("a", 2), NextQuestion::Stands(Given::One(1)));
        assert!(!trail.is_behind());
        assert_eq!(trail.next("b", 2), NextQuestion::Asked(Some(Given::Yes(true)), true));
        trail.answer(("b", 2), &Given::Yes(false), 1);
        assert_eq!(trail.next("c", 3), NextQuestion::Asked(None, true), "another question of the same words");
        assert_eq!(trail.next("c", 2), NextQuestion::Asked(Some(Given::Many(vec![0])), true));
        trail.end();
        assert_eq!(trail.next("c", 2), NextQuestion::Asked(None, false));
    }
}
