//! Proof that policy allowed one command, once.

use crate::model::Command;

/// A command that may be executed. Only policy makes one, and redeeming it uses it up.
#[derive(Debug)]
#[must_use = "a permit that is not redeemed runs nothing"]
pub struct Permit(Command);

impl Permit {
    /// For policy alone, once it has judged the command.
    pub(in crate::policy) fn new(command: Command) -> Self {
        Self(command)
    }

    /// A permit without a judgement, for the tests of what comes after one.
    #[cfg(test)]
    pub(crate) fn for_test(command: Command) -> Self {
        Self::new(command)
    }

    /// What may be executed.
    pub fn command(&self) -> &Command {
        &self.0
    }

    /// The command, to be executed now.
    pub fn redeem(self) -> Command {
        self.0
    }
}
