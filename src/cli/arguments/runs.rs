//! The arguments of `cuff runs`, `approve`, `approvals` and `audit`.

use super::one_of::one_of;
use super::read::Form;
use crate::model::Stream;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(in crate::cli) struct AnswerArguments {
    /// The id of the call, or its beginning
    #[arg(value_name = "ID")]
    pub(in crate::cli) id: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Approve {
    /// The id of the call, or its beginning; or `settings`
    #[arg(value_name = "ID|settings")]
    pub(in crate::cli) what: String,
    /// Ask no question; cuff still shows what it approves
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    /// Show long texts and differences completely
    #[arg(long)]
    pub(in crate::cli) full: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Json {
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ApprovalsTyped {
    /// Show what you always allow at a terminal: answer `a` to a confirmation
    #[arg(long)]
    pub(in crate::cli) always: bool,
    /// Ask again for this tool, by any of its names; `all` is everything you always allow, in all projects
    #[arg(long, value_name = "NAME|all")]
    pub(in crate::cli) revoke: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Audit {
    /// Only decisions about tools whose name contains this
    #[arg(value_name = "FILTER")]
    pub(in crate::cli) filter: Option<String>,
    /// The number of decisions, newest first [default: 20]
    #[arg(short, long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(in crate::cli) number: Option<usize>,
    /// Include all projects
    #[arg(short, long)]
    pub(in crate::cli) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Without a subcommand it is `list`, with what that takes.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct RunsTyped {
    #[command(flatten)]
    list: RunsList,
    #[command(subcommand)]
    command: Option<RunsCommand>,
}

impl RunsTyped {
    /// The command for runs; without one they are listed.
    pub(in crate::cli) fn command(self) -> RunsCommand {
        self.command.unwrap_or(RunsCommand::List(self.list))
    }
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum RunsCommand {
    /// List the newest runs
    List(RunsList),
    /// Show in one line how a run ended, or that it still runs
    Status(RunAndJson),
    /// Show the command of a run, its end and the last lines of its log
    Show(RunAndJson),
    /// Print the log of a run
    Log(LogOptions),
    /// Show the errors and warnings in the log of a run
    Diagnostics(RunAndForm),
    /// Show new, fixed and remaining errors since an earlier run, or a branch's last run
    Diff(RunAndEarlier),
    /// Copy a run from the records of the team to this machine
    Pull(SharedRun),
    /// Push the runs that wait to the records of the team
    Push(RunsPush),
    /// Stop a run with everything that it started [default: the newest of this project]
    Stop(RunAndJson),
    /// Remove runs of all projects older than 14 days, and the oldest beyond 2 GiB (or as your preferences say)
    Prune(Prune),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RunsList {
    /// Only runs of tools whose name contains this
    #[arg(value_name = "FILTER")]
    pub(in crate::cli) filter: Option<String>,
    /// The number of runs, newest first [default: 20]
    #[arg(short, long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(in crate::cli) number: Option<usize>,
    /// Include all projects
    #[arg(short, long)]
    pub(in crate::cli) all: bool,
    /// List the runs in the records of the team
    #[arg(long, conflicts_with = "all")]
    pub(in crate::cli) shared: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RunsPush {
    /// Give up the runs that the store does not take: they stay on this machine alone
    #[arg(long)]
    pub(in crate::cli) drop: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SharedRun {
    /// The run: its id as `cuff runs --shared` lists it
    #[arg(value_name = "RUN")]
    pub(in crate::cli) run: String,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RunAndJson {
    /// The run: `latest`, its id as it is listed, or a tool's name for its newest run
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(in crate::cli) run: String,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RunAndForm {
    /// The run: `latest`, its id as it is listed, or a tool's name for its newest run
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(in crate::cli) run: String,
    #[command(flatten)]
    pub(in crate::cli) form: Form,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RunAndEarlier {
    /// The run: `latest`, its id as it is listed, or a tool's name for its newest run; a branch alone compares the latest run with it
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(in crate::cli) run: String,
    /// The run to compare it with, in either order, or a branch for its last run of the tool [default: the one before it of the same tool]
    #[arg(value_name = "EARLIER")]
    pub(in crate::cli) earlier: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct LogOptions {
    /// The run: `latest`, its id as it is listed, or a tool's name for its newest run
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(in crate::cli) run: String,
    /// Only these lines, counted from 1: `A..B`, `A..` or `A`
    #[arg(long, value_name = "A..B", value_parser = LineRange::read, allow_negative_numbers = true)]
    pub(in crate::cli) lines: Option<LineRange>,
    /// Only the last N lines
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(in crate::cli) tail: Option<usize>,
    /// Only lines that contain this text, in upper or lower case, with their numbers
    #[arg(long, value_name = "TEXT", conflicts_with = "raw")]
    pub(in crate::cli) containing: Option<String>,
    /// Only this stream; a run at a terminal has both as one
    #[arg(long, value_parser = one_of(STREAMS))]
    pub(in crate::cli) stream: Option<Stream>,
    /// Print the exact bytes, control sequences included
    #[arg(long, conflicts_with = "json")]
    pub(in crate::cli) raw: bool,
    /// Follow the log until the run ends
    #[arg(short, long, conflicts_with_all = ["lines", "json"])]
    pub(in crate::cli) follow: bool,
    /// Print JSON, at most 64 KiB of text
    #[arg(long, conflicts_with = "stream")]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Prune {
    /// Keep runs of the last N days, instead of your preference
    #[arg(long, value_name = "N")]
    pub(in crate::cli) days: Option<u64>,
    /// Keep N MiB of runs, instead of your preference
    #[arg(long, value_name = "N")]
    pub(in crate::cli) megabytes: Option<u64>,
    /// Show how many runs would be removed, and remove none
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Remove them without asking
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// A number of things to show. Zero would look as if there were none.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("nothing would be shown; 1 is the least".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("it is a whole number, 1 or more".to_owned()),
    }
}

/// A range of lines, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct LineRange {
    pub(in crate::cli) from: u64,
    pub(in crate::cli) to: Option<u64>,
}

impl LineRange {
    fn read(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("`{text}` is no line number; lines count from 1")),
        };
        let Some((from, to)) = text.split_once("..") else {
            let line = number(text)?;
            return Ok(Self { from: line, to: Some(line) });
        };
        let from = if from.is_empty() { 1 } else { number(from)? };
        let to = if to.is_empty() { None } else { Some(number(to)?) };
        if to.is_some_and(|to| to < from) {
            Err(format!("it runs backwards; `{}..{from}` has these lines", to.unwrap_or(from)))
        } else {
            Ok(Self { from, to })
        }
    }
}

/// The two streams.
const STREAMS: &[(&str, Stream)] = &[("stdout", Stream::Out), ("stderr", Stream::Err)];
