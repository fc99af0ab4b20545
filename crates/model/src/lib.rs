//! The words of cuff as plain values: no IO, no clock, no serde derives.
//!
//! Invariants: a value is checked when it is made; text of others is shown by [`shown()`] and its neighbours alone; order is that of the
//! files that a value comes from.
//!
//! Begin with [`Tool`], [`Plan`] and [`Problem`].

mod agent_shell;
mod agent_text;
mod answer;
mod binding;
mod call;
mod caller;
mod chunk;
mod containment;
mod containment_settings;
mod content;
mod definition;
mod describing;
mod diagnostic;
mod discovery;
mod effects;
mod error_code;
mod field;
mod files;
mod governance;
mod heading;
mod health;
mod input;
mod input_error;
mod install_hint;
mod json_value;
mod kept;
mod lazy;
mod legible;
mod limits;
mod matcher;
mod message_text;
mod name;
mod narrows;
mod nearest;
mod not_started;
mod offered;
mod outcome;
mod package;
mod parameter;
pub mod path;
mod pattern;
mod plain;
mod plain_commands;
mod plan;
mod plans;
mod plugin_info;
mod problem;
mod quantity;
mod quoted;
mod reach;
mod recorded;
mod registered;
mod report;
mod risky_lines;
mod runner;
pub mod schema;
mod shared_fields;
mod shared_tool;
mod shown;
mod team_records;
pub mod text;
mod tokens;
mod tool;
mod trace_context;
mod values;
mod verdict;
mod visible;
mod wildcard;
mod words;
mod workspace;

pub use agent_shell::AgentShell;
pub use agent_text::{agent_text, last_version};
pub use answer::Answer;
pub use binding::{Binding, BoundFile, StatePart};
pub use call::{BadCall, BadCallKind};
pub use caller::Caller;
pub use chunk::{Chunk, OwnedChunk, line_feeds};
pub use containment::{Contained, Containment, Denial, DeniedAct, Fences, Network, Profile};
pub use containment_settings::containment;
pub use content::Content;
pub use definition::Definition;
pub use describing::{begins_licence, describes};
pub use diagnostic::{
    Diagnostic, Findings, LONGEST_MESSAGE, LintSummary, LogRange, TestSummary, occurrences, one_of_equal,
};
pub use discovery::{Absence, Checks, Discovery, Pick, Picking, Suggestion, Undecided};
pub use effects::Effects;
pub use error_code::ErrorCode;
pub use field::check::check;
pub use field::{Default, Field, ValueKind};
pub use files::{File, Files, Glob, Link, Matches, Pathname, Probe, Probed, ProgramFile, Seen, Times, Want};
pub use governance::Governance;
pub use heading::Heading;
pub use health::Health;
pub use input::Input;
pub use input_error::{InputError, InputErrorKind, ValueStep};
pub use install_hint::{InstallHint, Installer, Missing};
pub use kept::Kept;
pub use lazy::Lazy;
pub use legible::Legible;
pub use limits::{AllowedWords, Limits, is_no_looser, narrowed};
pub use matcher::{Matcher, Pattern, severity};
pub use message_text::{UnreadableMessage, read_message};
pub use name::{RESERVED_INSTANCES, Spelling, ToolName, is_instance_name};
pub use narrows::{NARROWS_EVERYWHERE, Narrows};
pub use nearest::{distance, nearest, slip};
pub use not_started::{changed_files, not_started};
pub use offered::{OfferedDefinition, OfferedKind};
pub use outcome::{Ending, Group, Leftovers, NotStarted, Outcome, Rejection, Stream};
pub use package::{Package, PackageGraph};
pub use parameter::{Parameter, ParameterForm, fit_parameters, words_by_name};
pub use pattern::{BadPattern, Patterns};
pub use plain::Plain;
pub use plain_commands::PlainCommand;
pub use plan::{Change, Command, EnvironmentPolicy, Identity, Origin, Word};
pub use plans::{Plan, UpstreamCall};
pub use plugin_info::{PluginInfo, TerminalOption};
pub use problem::{Location, Problem, Severity, bounded, gathered};
pub use quantity::{capitalised, counted, listed, size};
pub use quoted::{Quoted, quoted, quoted_whole};
pub use reach::Reach;
pub use recorded::{
    Beginning, Called, End, NoRunId, Printed, RecordState, Recorded, Revision, RunId, Scripted,
};
pub use registered::{Registered, around, foremost};
pub use report::{Capture, Clipped, Report};
pub use risky_lines::is_telling;
pub use runner::{LOCAL, ON, Quoting, Runner, RunnerFiles, runner_of};
pub use shared_fields::{
    ALLOWED_ENV, ALLOWED_WORDS, CACHE_TTL, CONFIRM, CONTAINMENT, CWD, DEFAULT_TIMEOUT, ENV, ENVIRONMENT,
    ENVIRONMENT_POLICY, EVERYWHERE, EXPOSE_LIST_SCRIPTS, LITERAL, LONGEST_TIMEOUT, PROBLEM_MATCHERS, REFRESH,
    TIMEOUT, TOOLS, TRUST,
};
pub use shared_tool::SharedTool;
pub use shown::{one_line, shown};
pub use team_records::{PushWhen, TeamRecords};
pub use tokens::{affordable, tokens, within};
pub use tool::{ListEntry, Role, Tool, ToolFact};
pub use trace_context::TraceContext;
pub use values::Values;
pub use verdict::{Ended, Verdict};
pub use visible::{is_hidden, visible, visible_json, visible_lines};
pub use wildcard::Wildcard;
pub use words::{dangerous, split_words, words_of};
pub use workspace::{Member, PACKAGES, PackageChoice, Workspace, package_choice};
