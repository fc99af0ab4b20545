//! Who asks.

/// The door a call came through; policy holds for all, manners differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A person at a terminal.
    Human,
    /// A coding agent over MCP.
    Agent,
}
