//! Whether the rules about arguments and variables hold for a call.

use super::Caller;

/// Whether the rules about arguments and variables hold for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Governance {
    /// A person's call. Its words are passed on exactly: the person could type the same without cuff.
    Free,
    /// A call of an agent, or of anything inside a run.
    Governed,
}

impl Governance {
    /// The governance of a caller's calls. No content of a call makes its caller a person.
    pub const fn of(caller: Caller) -> Self {
        match caller {
            Caller::Human | Caller::HumanRun => Self::Free,
            Caller::Agent | Caller::Run | Caller::Code => Self::Governed,
        }
    }

    /// Whether the rules hold.
    pub const fn is_governed(self) -> bool {
        matches!(self, Self::Governed)
    }
}
