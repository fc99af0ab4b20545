//! The circumstances of a call, and what plugins say to its words.

use crate::model::{BadCall, Caller, Limits, Reach, Wrapped};

/// The circumstances of a call that its plan is judged by.
#[derive(Debug)]
pub struct Circumstances<'a> {
    /// Who calls.
    pub caller: Caller,
    /// The words and variables that settings allow.
    pub limits: Limits,
    /// The tool's own text, where it is known.
    pub text: Option<String>,
    /// The commands of that text that the call's words reach.
    pub reach: Reach,
    /// The plugins' judgement of words for a program that they know.
    pub judges: &'a dyn Judges,
}

/// The judgement of words for programs that somebody knows.
pub trait Judges: std::fmt::Debug + Sync {
    /// Whether a program may be given the words of a call; `None` for an unknown program.
    fn judge(&self, wrapped: &Wrapped<'_>) -> Option<Result<(), BadCall>>;
}

/// Knows no program.
#[derive(Debug)]
pub struct NoJudges;

impl Judges for NoJudges {
    fn judge(&self, _: &Wrapped<'_>) -> Option<Result<(), BadCall>> {
        None
    }
}

impl Circumstances<'_> {
    /// The circumstances of a command that no call has added anything to.
    pub fn without_call() -> Self {
        Self {
            caller: Caller::Run,
            limits: Limits::default(),
            text: None,
            reach: Reach::Nothing,
            judges: &NoJudges,
        }
    }
}
