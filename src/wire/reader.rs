//! The reader of a result: a person types commands, an agent calls tools.

use crate::model::{RunId, Spelling, ToolName};

/// The reader of a result, who gets the next step in his own terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person at a terminal.
    Person,
    /// An agent whose tools are spelled so.
    Agent(Spelling),
}

impl Reader {
    /// The command or call that prints the log of a run, or these lines of it.
    pub(super) fn log(self, id: RunId, lines: Option<(u64, u64)>) -> String {
        match (self, lines) {
            (Self::Person, None) => format!("cuff runs log {id}"),
            (Self::Person, Some((from, to))) => format!("cuff runs log {id} --lines {from}..{to}"),
            (Self::Agent(_), None) => self.tool("log", id),
            (Self::Agent(_), Some((from, to))) => {
                format!("{}, from_line {from}, to_line {to}", self.tool("log", id))
            }
        }
    }

    /// The command or call that shows all findings of a run.
    pub(super) fn diagnostics(self, id: RunId) -> String {
        match self {
            Self::Person => format!("cuff runs diagnostics {id}"),
            Self::Agent(_) => self.tool("diagnostics", id),
        }
    }

    /// A tool for a run: `runs.log with run 0198…`.
    pub(super) fn tool(self, name: &str, id: RunId) -> String {
        let spelling = match self {
            Self::Person => Spelling::Dotted,
            Self::Agent(spelling) => spelling,
        };
        let tool = ToolName { instance: "runs".into(), local: name.into() };
        format!("{} with run {id}", tool.spelled(spelling))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_commands_and_agents_tools() {
        let id = RunId::new(0x0198_f0c2_1a3b, [0xff; 10]);
        let text = "0198f0c2-1a3b-7fff-bfff-ffffffffffff";
        assert_eq!(Reader::Person.log(id, Some((3, 9))), format!("cuff runs log {text} --lines 3..9"));
        let agent = Reader::Agent(Spelling::Portable);
        assert_eq!(agent.log(id, Some((3, 9))), format!("runs__log with run {text}, from_line 3, to_line 9"));
        assert_eq!(agent.diagnostics(id), format!("runs__diagnostics with run {text}"));
    }
}
