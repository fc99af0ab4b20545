//! The end of a run: of a process, or of a call of another MCP server.

use std::time::Duration;

use serde_json::Value;

use super::{Answer, Contained, Denial, Fences, Network};

/// Which of a process's two outputs bytes came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
    /// One pipe for both; the two cannot be separated.
    Both,
}

impl Stream {
    /// Whether this may have been printed to that one.
    pub fn may_be(self, other: Self) -> bool {
        self == other || self == Self::Both || other == Self::Both
    }
}

/// A process group that was started, with a mark that distinguishes it from a later group of the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Its id, which is its leader's process id.
    pub id: u32,
    /// The start of its leader, in the operating system's own count; `None` if that is unknown.
    pub started: Option<u64>,
}

/// Everything that is known once a run has ended, or could not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The way it ended.
    pub ending: Ending,
    /// From its start to its end; the wait for a free slot is not in it.
    pub duration: Duration,
    /// The processes that it left running.
    pub leftovers: Leftovers,
    /// How far the kernel held its containment; `None` for a run that was to have none.
    pub contained: Option<Contained>,
    /// The places that it did not write or read, where it was contained.
    pub fences: Option<Fences>,
    /// The network that it had, where it was contained.
    pub network: Option<Network>,
    /// Things that it was refused.
    pub denials: Vec<Denial>,
    /// The files that changed and by which other programs run something later, outside of the run.
    pub changed_later: Vec<String>,
    /// The answer of another MCP server, if that is how it ended.
    pub answer: Option<Answer>,
    /// The error of another MCP server, if that is how it ended.
    pub rejection: Option<Rejection>,
}

impl Outcome {
    /// An outcome that says nothing but this.
    pub fn new(ending: Ending, duration: Duration) -> Self {
        Self {
            ending,
            duration,
            leftovers: Leftovers::default(),
            contained: None,
            fences: None,
            network: None,
            denials: Vec::new(),
            changed_later: Vec::new(),
            answer: None,
            rejection: None,
        }
    }
}

/// The JSON-RPC error that another MCP server answered a request with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Its number.
    pub code: i64,
    /// Its text.
    pub message: String,
    /// Its further data.
    pub data: Option<Value>,
}

/// The way a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal, which cuff did not send.
    Signalled(i32),
    /// By cuff, after the time it was given.
    TimedOut(Duration),
    /// By cuff, since the caller asked for it or went away.
    Cancelled,
    /// By the answer of another MCP server.
    Answered {
        /// Whether the server says that the tool failed.
        is_error: bool,
    },
    /// By another MCP server that refused the request: the JSON-RPC error, in words.
    Rejected(String),
    /// By the end of the connection to another MCP server, or to the tool on a runner: the reason.
    Disconnected(String),
    /// It never started.
    NotStarted(NotStarted),
    /// Its supervisor was killed; the process group was killed after it and the exit code is unknown.
    Lost,
}

/// Why a process never started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotStarted {
    /// No such program on the search path.
    ProgramMissing {
        /// The program that was looked for.
        program: String,
        /// The search path that was used, so that a reader sees the folders that a desktop host left out.
        path: String,
    },
    /// The working directory is not there, or is not a directory.
    DirectoryMissing(String),
    /// The working directory is no longer the folder that was found: something took its place.
    DirectoryChanged(String),
    /// The script is no longer the file that was found: another device and inode, or none.
    ScriptChanged(String),
    /// These files, in a list for people, differ from the approved ones: they were changed before the start.
    SourceChanged(String),
    /// A process has these approved files, in a list for people, open or mapped for writing. A change would leave no trace.
    SourceBusy(String),
    /// Another MCP server defines the tool otherwise than when the call was judged.
    DefinitionChanged {
        /// The instance of the settings that names the server.
        server: String,
        /// The tool, as the server calls it.
        tool: String,
    },
    /// The kernel does not hold all of its containment, which is required. So much it would hold.
    Uncontained(Contained),
    /// Anything else, in the operating system's words.
    Other(String),
}

/// Processes that outlived the one that was started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Leftovers {
    /// Ended processes: those of its session, and if none may leave it, those that had left it.
    pub killed: u32,
    /// Had left for a session of their own and were left alone, since the run ended by itself.
    pub detached: u32,
}
