//! The kinds of callers.

/// The door a call came through; policy holds for all, manners differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A person at a terminal.
    Human,
    /// A coding agent, over MCP or in a shell of its own.
    Agent,
    /// A process of a run that a person started, on the command line: a commit hook, for instance. It runs what the person
    /// could run, and confirms nothing.
    HumanRun,
    /// A process of any other run. The person or program behind that run is unknown, so its calls never count
    /// as a person's.
    Run,
    /// A program in TypeScript that an agent wrote, and cuff runs in a sandbox.
    Code,
}

impl Caller {
    /// Whether the rules for arguments, variables and settings bind it: everybody but a person, and the runs of one.
    pub const fn is_governed(self) -> bool {
        !matches!(self, Self::Human | Self::HumanRun)
    }

    /// Whether it is an agent, or a program that an agent wrote: both know parameters by their names, and read plain text.
    pub const fn is_agents(self) -> bool {
        matches!(self, Self::Agent | Self::Code)
    }

    /// The word for it in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Agent => "agent",
            Self::HumanRun | Self::Run => "run",
            Self::Code => "code",
        }
    }
}
