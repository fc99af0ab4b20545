//! The words of cuff as plain values: no IO, no clock, no serde derives.

mod about;
mod call;
mod caller;
mod fault;
mod field;
mod files;
mod found;
mod name;
mod nearest;
mod outcome;
mod pattern;
mod plain;
mod plan;
mod problem;
mod report;
mod tool;
mod visible;

pub use about::{About, TerminalOption};
pub use call::{BadCall, Complaint};
pub use caller::Caller;
pub use fault::{Fault, Kind as FailureKind};
pub use field::{Default, Field, Kind, Mistake, Step, Values, Wrong, check};
pub use files::{File, Files, Glob, Link, Matches, Pathname, Seen, Want};
pub use found::{Discovery, Suggestion};
pub use name::{RESERVED_INSTANCES, ToolName, is_instance_name};
pub use nearest::nearest;
pub use outcome::{Ending, Leftovers, NotStarted, Outcome, Stream};
pub use pattern::{BadPattern, Patterns};
pub use plan::{Change, Command, Identity, Origin, Plan, Word};
pub use problem::{Location, Problem, Severity};
pub use report::{Capture, Clipped, Report};
pub use tool::{Effects, Entry, Role, Tool};
pub use visible::{is_hidden, visible, visible_json, visible_lines};
