//! Who asks.

/// The door a call came through; policy holds for all, manners differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A person at a terminal.
    Human,
    /// A coding agent over MCP.
    Agent,
}

impl Caller {
    /// The word for it in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Agent => "agent",
        }
    }
}
