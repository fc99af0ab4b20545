//! The records of the run store.

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};

use super::{Ending, Group, Leftovers};

/// The id of a run: a UUID of version 7, so that ids sort by the time that runs began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u128);

impl RunId {
    /// An id for a run that begins now: milliseconds since 1970, and ten random bytes.
    pub fn new(milliseconds: u64, random: [u8; 10]) -> Self {
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&milliseconds.to_be_bytes()[2..]);
        bytes[6..].copy_from_slice(&random);
        // RFC 9562, section 5.7: the version and the variant.
        bytes[6] = bytes[6] & 0x0f | 0x70;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Self(u128::from_be_bytes(bytes))
    }

    /// How many digits of its end are shown at least: ids of one time begin alike.
    pub const SHORT: usize = 8;

    /// The end of the id, as results for agents name it. The run store finds a run by the end of its id.
    pub fn short(self) -> String {
        let text = self.to_string();
        text[text.len() - Self::SHORT..].to_owned()
    }

    /// When the run began, in milliseconds since 1970.
    pub fn milliseconds(self) -> u64 {
        u64::try_from(self.0 >> 80).unwrap_or_default()
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = format!("{:032x}", self.0);
        write!(out, "{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }
}

/// A text is no run id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a run id")]
pub struct NoRunId;

impl FromStr for RunId {
    type Err = NoRunId;

    fn from_str(text: &str) -> Result<Self, NoRunId> {
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let id = u128::from_str_radix(&digits, 16).map(Self).map_err(|_| NoRunId)?;
        if id.to_string() == text { Ok(id) } else { Err(NoRunId) }
    }
}

/// The record of a run at its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beginning {
    /// The tool's qualified name.
    pub tool: String,
    /// The project's root.
    pub project: String,
    /// The name of the tool that people saw in the project's root; `None` in records of older versions.
    pub called: Option<String>,
    /// The caller: `human`, `agent`.
    pub caller: String,
    /// Program and arguments, secrets taken out; empty for a call of another MCP server.
    pub command: Vec<String>,
    /// The working directory, relative to the project if possible.
    pub directory: String,
    /// The same folder as an absolute path; `None` in records of older versions.
    pub absolute_directory: Option<String>,
    /// The arguments of a person's call, so that it can be repeated. `None` if they contain a secret or are
    /// too long to keep, and for all other callers.
    pub arguments: Option<Map<String, Value>>,
    /// The call of another MCP server; `None` where a process runs.
    pub call: Option<Called>,
    /// The program in TypeScript that runs, for its own record.
    pub script: Option<Scripted>,
    /// Whether it is the run of several tools: the log and the findings of each follow one another.
    pub is_several: bool,
    /// The name of the runner that it runs on; `None`: this machine.
    pub runner: Option<String>,
    /// The run of the program that made this call, or of several tools; `None` for a call by itself.
    pub parent: Option<RunId>,
    /// The state of the project's repository.
    pub revision: Revision,
    /// Whether it ran elsewhere, and was pulled from the records of the team.
    pub is_pulled: bool,
}

impl Beginning {
    /// The name that people see of the tool.
    pub fn name(&self) -> &str {
        self.called.as_deref().unwrap_or(&self.tool)
    }

    /// The words of the command; those that name something in the project do so from its root, as on every machine.
    pub fn words_from_root(&self) -> Vec<&str> {
        let from_root = |word: &'_ str| -> Option<usize> {
            word.strip_prefix(&self.project)?.strip_prefix('/').map(|rest| word.len() - rest.len())
        };
        self.command.iter().map(|word| &word[from_root(word).unwrap_or_default()..]).collect()
    }
}

/// The commit and the branch that a repository is at; none where it has none, and in records of older versions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revision {
    /// The commit, in hexadecimal digits.
    pub commit: Option<String>,
    /// The branch, without `refs/heads/`.
    pub branch: Option<String>,
}

/// A program in TypeScript that calls tools, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scripted {
    /// The session that it belongs to, whose other programs may read its result.
    pub session: String,
}

/// A call of a tool of another MCP server, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The instance of the settings that names the server.
    pub server: String,
    /// The tool, as the server calls it.
    pub tool: String,
    /// Its arguments, secrets taken out; `None` where they are too long to be kept.
    pub arguments: Option<Map<String, Value>>,
}

/// The record of a run at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The way it ended.
    pub ending: Ending,
    /// Whether the tool succeeded.
    pub success: bool,
    /// How long it ran, in milliseconds.
    pub duration: u64,
    /// The time of the end, in milliseconds since 1970; `None` in records of older versions.
    pub at: Option<u64>,
    /// The error, in one sentence.
    pub error: Option<String>,
    /// The code of the error.
    pub error_code: Option<String>,
    /// The processes that it left running.
    pub leftovers: Leftovers,
    /// The files that changed and by which other programs run something later; none in records of older versions.
    pub changed_later: Vec<String>,
    /// How far the kernel held it: `yes`, `partly` or `no`; `None` where it was not to be held.
    pub contained: Option<String>,
    /// The refusals that it met, in a sentence each.
    pub denied: Vec<String>,
    /// How much it printed.
    pub printed: Printed,
}

/// How much a run printed, after secrets were taken out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// Bytes of standard output, and of one pipe for both.
    pub out: u64,
    /// Bytes of standard error.
    pub err: u64,
    /// Lines of both; an unfinished last one counts.
    pub lines: u64,
    /// Why the log is not whole, when it is not: the disk was full.
    pub lost: Option<String>,
}

/// A run in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Its id.
    pub id: RunId,
    /// The record of its beginning.
    pub beginning: Beginning,
    /// Its current state.
    pub state: RecordState,
}

impl Recorded {
    /// Two runs, the one that began first before the other.
    pub fn in_order(self, other: Self) -> (Self, Self) {
        if other.id < self.id { (other, self) } else { (self, other) }
    }
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordState {
    /// Its process runs, or is about to: then there is no group yet.
    Running(Option<Group>),
    /// Its recorder was killed. The end is unknown, and the log is complete up to that moment.
    Interrupted,
    /// It has ended.
    Ended(Box<End>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_are_uuids_of_version_7() {
        let id = RunId::new(0x0198_f0c2_1a3b, [0xff; 10]);
        assert_eq!(id.to_string(), "0198f0c2-1a3b-7fff-bfff-ffffffffffff");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.milliseconds(), 0x0198_f0c2_1a3b);
        assert!(id < RunId::new(0x0198_f0c2_1a3c, [0; 10]));
        for text in
            ["", "latest", "0198f0c21a3b7fffbfffffffffffffff", "0198F0C2-1a3b-7fff-bfff-ffffffffffff", "-"]
        {
            assert_eq!(text.parse::<RunId>(), Err(NoRunId), "{text}");
        }
    }
}
