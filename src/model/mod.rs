//! The words of cuff as plain values: no IO, no clock, no serde derives.

mod about;
mod call;
mod caller;
mod content;
mod diagnostic;
mod fault;
mod field;
mod files;
mod found;
mod health;
mod irreversible;
mod legible;
mod matcher;
mod name;
mod nearest;
mod outcome;
pub mod path;
mod pattern;
mod plain;
mod plan;
mod problem;
mod program;
mod quantity;
mod recorded;
mod report;
mod shared_fields;
mod shown;
mod tool;
mod values;
mod verdict;
mod visible;
mod words;

pub use about::{About, TerminalOption};
pub use call::{BadCall, Complaint};
pub use caller::Caller;
pub use content::Content;
pub use diagnostic::{Diagnostic, Findings, LONGEST_MESSAGE, LintSummary, LogRange, TestSummary};
pub use fault::Fault;
pub use field::{Default, Field, Kind, Mistake, Step, Wrong, check};
pub use files::{File, Files, Glob, Link, Matches, Pathname, Probe, Probed, Seen, Want};
pub use found::{Absence, Discovery, Member, Pick, Picking, Suggestion, Undecided};
pub use health::Health;
pub use irreversible::looks_irreversible;
pub use legible::Legible;
pub use matcher::{Matcher, Pattern, severity};
pub use name::{RESERVED_INSTANCES, Spelling, ToolName, is_instance_name};
pub use nearest::{nearest, slip};
pub use outcome::{Ending, Group, Leftovers, NotStarted, Outcome, Stream};
pub use pattern::{BadPattern, Patterns};
pub use plain::Plain;
pub use plan::{Change, Command, EnvironmentPolicy, Identity, Origin, Word};
pub use problem::{Location, Problem, Severity, bounded, gathered};
pub use quantity::{counted, size};
pub use recorded::{Beginning, End, NoRunId, Printed, Recorded, RunId, State};
pub use report::{Capture, Clipped, Report};
pub use shared_fields::{
    ARGUMENTS, CACHE_TTL, CONFIRM, CWD, DEFAULT_TIMEOUT, ENV, ENVIRONMENT, ENVIRONMENT_POLICY, EVERYWHERE,
    EXPOSE_LIST_SCRIPTS, LITERAL, LONGEST_TIMEOUT, PROBLEM_MATCHERS, REFRESH, TRUST,
};
pub use shown::{one_line, shown};
pub use tool::{Effects, Entry, Role, Tool};
pub use values::Values;
pub use verdict::{Ended, Verdict};
pub use visible::{is_hidden, visible, visible_json, visible_lines};
pub use words::{dangerous, split_words, words_of};
