//! The reader of a result: a person types commands, an agent calls tools.

use crate::model::{RunId, Spelling, ToolName};

/// The reader of a result: the next step is named in the reader's own terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person at a terminal.
    Person,
    /// An agent, and the spelling of its tools.
    Agent(Spelling),
}

impl Reader {
    /// The command or call that prints the log of a run, or these lines of it.
    pub(super) fn log(self, id: RunId, lines: Option<(u64, u64)>) -> String {
        match (self, lines) {
            (Self::Person, None) => format!("cuff runs log {id}"),
            (Self::Person, Some((from, to))) => format!("cuff runs log {id} --lines {from}..{to}"),
            (Self::Agent(_), None) => format!("{} with run {}", self.tool("log"), id.short()),
            (Self::Agent(_), Some((from, to))) => {
                format!("{} with run {}, from_line {from}, to_line {to}", self.tool("log"), id.short())
            }
        }
    }

    /// The same where the run's id stands beside it: `runs.log, from_line 3, to_line 9`.
    pub(super) fn log_of_named(self, lines: Option<(u64, u64)>) -> String {
        let log = self.tool("log");
        lines.map_or_else(|| log.clone(), |(from, to)| format!("{log}, from_line {from}, to_line {to}"))
    }

    /// A tool for runs as it is spelled: `runs.log`, `runs__log`.
    pub(super) fn tool(self, name: &str) -> String {
        let spelling = match self {
            Self::Person => Spelling::Dotted,
            Self::Agent(spelling) => spelling,
        };
        let tool = ToolName { instance: "runs".into(), local: name.into() };
        tool.spelled(spelling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_commands_and_agents_get_tools() {
        let id = RunId::new(0x0198_f0c2_1a3b, [0xff; 10]);
        let text = "0198f0c2-1a3b-7fff-bfff-ffffffffffff";
        assert_eq!(Reader::Person.log(id, Some((3, 9))), format!("cuff runs log {text} --lines 3..9"));
        let agent = Reader::Agent(Spelling::Portable);
        assert_eq!(agent.log(id, Some((3, 9))), "runs__log with run ffffffff, from_line 3, to_line 9");
        assert_eq!(agent.log_of_named(Some((3, 9))), "runs__log, from_line 3, to_line 9");
        assert_eq!(agent.tool("diagnostics"), "runs__diagnostics");
    }
}
