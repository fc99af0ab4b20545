//! The fate of an agent's shell command that a tool could run.

/// The fate of an agent's shell command that a tool could run, from the loosest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum AgentShell {
    /// Nothing.
    #[default]
    Off,
    /// The agent learns of the tool.
    Advise,
    /// The agent learns to use the tool, and the command is not run.
    Enforce,
}

impl AgentShell {
    /// The words of settings for them.
    pub const WORDS: [&'static str; 3] = ["off", "advise", "enforce"];

    /// The one that this word stands for.
    pub fn of(word: &str) -> Option<Self> {
        let at = Self::WORDS.iter().position(|known| *known == word)?;
        [Self::Off, Self::Advise, Self::Enforce].get(at).copied()
    }
}
