//! The circumstances of a call that the words and variables of its command are judged by.

use super::tool_text::text_of;
use super::{Call, Ground};
use crate::model::{Caller, Command, Governance, Limits, Origin, Reach};

/// The facts that the rules for words and variables go by.
#[derive(Debug)]
pub(super) struct Circumstances<'a> {
    /// The caller.
    pub(super) caller: Caller,
    /// The words and variables that settings allow.
    pub(super) limits: Limits,
    /// The tool's own text, where it is known and matters.
    pub(super) text: Option<String>,
    /// The commands of that text that the call's words reach.
    pub(super) reach: Reach,
    /// The plugins' rules for programs; `None` where no call has added anything.
    pub(super) ground: Option<&'a dyn Ground>,
}

impl<'a> Circumstances<'a> {
    /// The circumstances of a call with this command.
    pub(super) fn of(call: &Call<'_>, command: &Command, ground: &'a dyn Ground) -> Self {
        if !Governance::of(call.caller).is_governed() {
            return Self { caller: call.caller, ..Self::without_call() };
        }
        Self {
            caller: call.caller,
            limits: ground.limits(call.tool),
            text: if brings_something(command) { text_of(call.tool, command, ground) } else { None },
            reach: ground.reach(call.tool),
            ground: Some(ground),
        }
    }

    /// The circumstances of a command that no call has added anything to.
    pub(super) fn without_call() -> Self {
        Self {
            caller: Caller::Run,
            limits: Limits::default(),
            text: None,
            reach: Reach::Nothing,
            ground: None,
        }
    }
}

fn brings_something(command: &Command) -> bool {
    command.arguments.iter().any(|word| word.origin == Origin::Call)
        || command.environment.iter().any(|change| change.origin == Origin::Call)
}
