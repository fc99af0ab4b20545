//! `cuff run` and `cuff why`: the tool, and what a call brings.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::model::LONGEST_TIMEOUT;
use crate::sys::daemon::DaemonStarter;

#[derive(Debug, Args)]
pub(in crate::cli) struct RunArguments {
    /// The tool, by its name in `cuff list`, its qualified name, or the file name of a script; of several with one name
    /// the one of the folder you are in. `-` repeats your last run, and without one you choose from a list
    #[arg(value_name = "TOOL", index = 1)]
    pub(in crate::cli) tool: Option<String>,
    /// Run each of these tools in order, without arguments, until one fails: `cuff run --each lint test build`
    #[arg(long, requires = "tool", group = "several", conflicts_with_all = ["env", "cwd", "json_input", "background"])]
    pub(in crate::cli) each: bool,
    /// Run the tool of this name in every package of the workspace, side by side, those first that others need
    #[arg(short, long, requires = "tool", group = "several", conflicts_with_all = ["each", "cwd", "json_input", "background"])]
    pub(in crate::cli) recursive: bool,
    /// Only in packages whose name or folder is this, where `*` stands for any text; with --recursive, several times if needed
    #[arg(long, value_name = "PATTERN", requires = "recursive")]
    pub(in crate::cli) filter: Vec<String>,
    /// Only in packages with a file that changed since this commit, and in those that need one; with --recursive
    #[arg(long, value_name = "COMMIT", requires = "recursive")]
    pub(in crate::cli) changed: Option<String>,
    /// Run so many side by side, each line with its tool in front [default with --recursive: the number of processors]
    #[arg(short, long, value_name = "N", requires = "several", value_parser = clap::value_parser!(u16).range(1..))]
    pub(in crate::cli) jobs: Option<u16>,
    /// Go on after a failure, and sum up at the end; with --each or --recursive
    #[arg(short, long, requires = "several")]
    pub(in crate::cli) keep_going: bool,
    #[command(flatten)]
    pub(in crate::cli) how: RunOptions,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Why {
    /// The tool, by its name in `cuff list`, its qualified name, or the file name of a script
    #[arg(value_name = "TOOL", index = 1)]
    pub(in crate::cli) tool: String,
    #[command(flatten)]
    pub(in crate::cli) call: CallArguments,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// The words and options of a call.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct CallArguments {
    /// Words for the tool; those that start with a dash go after --
    #[arg(value_name = "ARGS", index = 2)]
    pub(in crate::cli) words: Vec<OsString>,
    /// Set an environment variable for this run
    #[arg(long, value_name = "NAME=VALUE")]
    pub(in crate::cli) env: Vec<OsString>,
    /// Work in this folder, relative to the tool's own; for tools that let a call choose
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) cwd: Option<String>,
    /// Stop it after this time: 90, 90s, 1m or 1h30m. Without it a run of yours has no limit unless the settings set one
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(in crate::cli) timeout: Option<u64>,
    /// Let the kernel hold the run as it holds an agent's: it writes the project alone, reads no keys, and reaches no network
    #[arg(long)]
    pub(in crate::cli) contained: bool,
    /// Run it on this runner of the settings, or on this machine: `local`; `cuff runners` lists them
    #[arg(long, value_name = "RUNNER")]
    pub(in crate::cli) on: Option<String>,
    /// Take the arguments of an MCP server's tool from a file that holds a JSON object, or from standard input (`-`); flags
    /// of the tool go before what it says
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) json_input: Option<PathBuf>,
}

/// How a tool is run, for all commands that run one.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(in crate::cli) struct RunOptions {
    #[command(flatten)]
    pub(in crate::cli) call: CallArguments,
    /// Confirm beforehand a tool that requires confirmation; it counts only at a terminal
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    /// Show the command instead of running it; a program that can rehearse it (make -n) may still run parts of it
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Let it go on in the background once it is ready or --wait is over, also after the terminal is closed; `cuff runs`
    /// has it
    #[arg(long, conflicts_with = "dry_run")]
    pub(in crate::cli) background: bool,
    /// Wait this long for a run in the background to be ready or to end; 0 does not wait
    #[arg(long, value_name = "TIME", value_parser = wait, requires = "background", default_value = "5s")]
    pub(in crate::cli) wait: Duration,
    /// Give the tool no terminal: its standard input is empty, and its output a pipe
    #[arg(long)]
    pub(in crate::cli) no_tty: bool,
    /// Print the result as JSON, and nothing else on standard output
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// The process that waits at the terminal for a run that goes on in the background
    #[arg(skip)]
    pub(in crate::cli) starter: Option<DaemonStarter>,
}

impl RunOptions {
    /// The same for one of several, into which nobody types.
    pub(in crate::cli) fn of_one(&self) -> Self {
        let &Self { yes, dry_run, wait, json, .. } = self;
        Self {
            call: self.call.clone(),
            yes,
            dry_run,
            background: false,
            wait,
            no_tty: true,
            json,
            starter: None,
        }
    }
}

/// A time to wait.
fn wait(text: &str) -> Result<Duration, String> {
    if parsed(text) == Some(0) { Ok(Duration::ZERO) } else { seconds(text).map(Duration::from_secs) }
}

/// A time that a run may take, in seconds: `90`, `90s`, `1m`, `1h30m`.
fn seconds(text: &str) -> Result<u64, String> {
    match parsed(text) {
        Some(seconds @ 1..=LONGEST_TIMEOUT) => Ok(seconds),
        _ => Err("use a time from 1s to 30d, such as 90, 90s, 1m or 1h30m".to_owned()),
    }
}

/// The seconds of a number, or of numbers with units, the longest unit first and each at most once.
fn parsed(text: &str) -> Option<u64> {
    /// Every unit, in seconds.
    const UNITS: [(char, u64); 4] = [('d', 86400), ('h', 3600), ('m', 60), ('s', 1)];
    let number = |digits: &str| {
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>().ok()).flatten()
    };
    if let Some(seconds) = number(text) {
        return Some(seconds);
    }
    let (mut rest, mut sum) = (text, 0u64);
    for (unit, length) in UNITS {
        if let Some((digits, behind)) = rest.split_once(unit) {
            sum = sum.checked_add(number(digits)?.checked_mul(length)?)?;
            rest = behind;
        }
    }
    rest.is_empty().then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_seconds_or_units() {
        for (text, expected) in [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("1m", Some(60)),
            ("1h30m", Some(5400)),
            ("1d2h3m4s", Some(93_784)),
            ("30d", Some(LONGEST_TIMEOUT)),
            ("", None),
            ("0", None),
            ("0s", None),
            ("s", None),
            ("1", Some(1)),
            ("-1", None),
            ("+5", None),
            ("1.5m", None),
            ("1m1h", None),
            ("1m1m", None),
            ("1h30", None),
            ("5 m", None),
            ("30d1s", None),
            ("99999999999999999999s", None),
            ("9999999999999999999d", None),
        ] {
            assert_eq!(seconds(text).ok(), expected, "{text}");
        }
    }
}
