//! The words of a command line as arguments of a tool, and back again.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::arguments::{CallArguments, RunOptions};
use super::flags::{self, Flag};
use crate::calls::{CHOSEN_RUNNER, CallOptions, accepted, parameters};
use crate::model::{CWD, ENV, ValueKind};
use crate::registry::Registered;
use crate::sys::input;
use crate::terminal::Failed;

/// The words of the command line as the arguments of the tool.
pub(super) fn arguments(
    found: Option<&Registered>,
    tool: &str,
    call: &CallArguments,
    dry_run: bool,
) -> Result<Map<String, Value>, Failed> {
    let mut arguments = Map::new();
    let words: Vec<&str> =
        call.words.iter().enumerate().map(|(at, word)| whole(at, word)).collect::<Result<_, _>>()?;
    if let Some(schema) = found.and_then(|found| found.tool.input.schema()) {
        return of_server(&flags::flags(schema), tool, call, &words);
    }
    if call.json_input.is_some() && found.is_some() {
        let failed = Failed::usage(format!("`{tool}` takes no --json-input"));
        return Err(failed.help(format!("tools of MCP servers do; {}", says_what_it_takes(tool))));
    }
    if !words.is_empty() {
        let (name, value) = words_for(found, tool, &words)?;
        arguments.insert(name, value);
    }
    if !call.env.is_empty() {
        let pairs = call.env.iter().map(variable).collect::<Result<Map<_, _>, _>>()?;
        arguments.insert(ENV.name.into(), Value::Object(pairs));
    }
    if let Some(cwd) = &call.cwd {
        arguments.insert(CWD.name.into(), json!(cwd));
    }
    if let Some(runner) = &call.on {
        arguments.insert(CHOSEN_RUNNER.name.into(), json!(runner));
    }
    if let Some(seconds) = call.timeout {
        arguments.insert(TIMEOUT.into(), json!(seconds));
    }
    if dry_run {
        arguments.insert(DRY_RUN.into(), json!(true));
    }
    if let Some(found) = found {
        let taken = accepted(&found.tool);
        let options = arguments.keys().find(|name| !taken.iter().any(|field| field.name == **name));
        if let Some(option) = options {
            let failed = Failed::usage(format!("`{tool}` takes no --{}", option.replace('_', "-")));
            return Err(failed.help(says_what_it_takes(tool)));
        }
    }
    Ok(arguments)
}

/// The arguments of another MCP server's tool: those of `--json-input`, and over them those of the flags.
fn of_server(
    flags: &[Flag],
    tool: &str,
    call: &CallArguments,
    words: &[&str],
) -> Result<Map<String, Value>, Failed> {
    for (option, is_given) in
        [("env", !call.env.is_empty()), ("cwd", call.cwd.is_some()), ("on", call.on.is_some())]
    {
        if is_given {
            let is_property = flags.iter().any(|flag| flag.name == option);
            let dashes = if is_property { "; its own goes after `--`" } else { "" };
            let failed =
                Failed::usage(format!("`{tool}` takes no --{option} of cuff: an MCP server runs it{dashes}"));
            return Err(failed.help(says_what_it_takes(tool)));
        }
    }
    let given = call.json_input.as_deref().map(json_input).transpose()?;
    flags::arguments(flags, tool, words, given.unwrap_or_default())
}

/// The object that `--json-input` names.
fn json_input(path: &Path) -> Result<Map<String, Value>, Failed> {
    /// The largest document, in bytes.
    const LARGEST: u64 = 16 * 1024 * 1024;
    let place =
        if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() };
    let text = input::document(path, LARGEST).map_err(|error| {
        Failed::usage(format!("--json-input: {place} cannot be read: {error}")).help(JSON_INPUT)
    })?;
    match serde_json::from_str(&text) {
        Ok(Value::Object(given)) => Ok(given),
        Ok(_) => Err(Failed::usage(format!("--json-input: {place} holds no JSON object")).help(JSON_INPUT)),
        Err(error) => {
            Err(Failed::usage(format!("--json-input: {place} is no JSON: {error}")).help(JSON_INPUT))
        }
    }
}

/// The help for a document that cannot be used.
const JSON_INPUT: &str =
    "it names a file, or `-` for standard input, with an object such as {\"title\": \"x\"}";

/// The options of cuff that were given and that the tool has as well.
pub(super) fn shadowing(flags: &[Flag], how: &RunOptions) -> impl Iterator<Item = &'static str> {
    let given = [
        ("timeout", how.call.timeout.is_some()),
        ("dry-run", how.dry_run),
        ("json", how.json),
        ("yes", how.yes),
        ("background", how.background),
    ];
    let is_of_tool = |name: &str| flags.iter().any(|flag| flag.is_shadowed && flag.name == name);
    given.into_iter().filter(move |(name, is_given)| *is_given && is_of_tool(name)).map(|(name, _)| name)
}

/// The options for a call of another MCP server's tool.
pub(super) fn options(call: &CallArguments, dry_run: bool) -> CallOptions {
    CallOptions { dry_run, timeout: call.timeout.map(Duration::from_secs), is_contained: call.contained }
}

/// The argument that stops a run.
const TIMEOUT: &str = "timeout";
/// The argument that makes a run a dry one.
pub(super) const DRY_RUN: &str = "dry_run";

/// The line that somebody types for a call with these arguments: `cuff run test --timeout 5 -- --coverage`.
/// `command` is the part before the tool.
pub(super) fn line(
    command: &str,
    tool: &str,
    found: Option<&Registered>,
    arguments: &Map<String, Value>,
) -> String {
    if let Some(schema) = found.and_then(|found| found.tool.input.schema()) {
        let words = flags::line(&flags::flags(schema), arguments);
        let line = shlex::try_join(std::iter::once(tool).chain(words.iter().map(String::as_str)));
        return format!("{command} {}", line.unwrap_or_default());
    }
    let mut options = vec![tool.to_owned()];
    for (name, value) in arguments.get(ENV.name).and_then(Value::as_object).into_iter().flatten() {
        options.extend(["--env".to_owned(), format!("{name}={}", value.as_str().unwrap_or_default())]);
    }
    for (name, option) in [(CWD.name, "--cwd"), (CHOSEN_RUNNER.name, "--on"), (TIMEOUT, "--timeout")] {
        if let Some(value) = arguments.get(name) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            options.extend([option.to_owned(), text]);
        }
    }
    if arguments.contains_key(DRY_RUN) {
        options.push("--dry-run".to_owned());
    }
    let joined = |words: &[String]| shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
    let words = match found.and_then(taker).and_then(|(name, _)| arguments.get(name)) {
        Some(Value::String(words)) => words.clone(),
        Some(Value::Array(words)) => {
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            joined(&words)
        }
        _ => String::new(),
    };
    let dashes = if words.is_empty() { "" } else { " -- " };
    format!("{command} {}{dashes}{words}", joined(&options))
}

/// The one parameter that takes words: a list, or a line that is split again as a shell would.
fn taker(found: &Registered) -> Option<(&'static str, ValueKind)> {
    let takes = |kind| matches!(kind, ValueKind::TextList | ValueKind::CommandLine);
    found.tool.input.fields().iter().find(|field| takes(field.kind)).map(|field| (field.name, field.kind))
}

/// The words and options that a person can type behind a tool's name. Parameters for agents alone are not
/// among them.
pub(super) fn typed(found: &Registered) -> Vec<&'static str> {
    let options = [(ENV.name, "--env"), (CWD.name, "--cwd"), (TIMEOUT, "--timeout"), (DRY_RUN, "--dry-run")];
    if found.tool.input.schema().is_some() {
        return Vec::new();
    }
    let taken = parameters(&found.tool);
    let is_taken = |name: &str| taken.iter().any(|field| field.name == name);
    let words = taker(found).map(|_| "words (those with a dash behind --)");
    words
        .into_iter()
        .chain(options.into_iter().filter(|(name, _)| is_taken(name)).map(|(_, typed)| typed))
        .collect()
}

fn says_what_it_takes(tool: &str) -> String {
    format!("`cuff list --long {tool}` shows what it takes")
}

fn words_for(found: Option<&Registered>, tool: &str, words: &[&str]) -> Result<(String, Value), Failed> {
    // For a tool that does not exist the call has the better error.
    let Some(found) = found else { return Ok((String::new(), Value::Null)) };
    match taker(found) {
        Some((name, ValueKind::CommandLine)) => {
            // It fails for a NUL alone, and no command line has one.
            let line = shlex::try_join(words.iter().copied()).unwrap_or_default();
            Ok((name.into(), json!(line)))
        }
        Some((name, _)) => Ok((name.into(), json!(words))),
        None => Err(Failed::usage(format!("`{tool}` takes no words")).help(says_what_it_takes(tool))),
    }
}

fn whole(at: usize, word: &OsStr) -> Result<&str, Failed> {
    word.to_str().ok_or_else(|| {
        let failed = Failed::usage(format!("argument {} is not valid UTF-8: {}", at + 1, word.display()));
        failed.help("tools are given text alone; a file of another name can be reached from a script")
    })
}

fn variable(pair: &OsString) -> Result<(String, Value), Failed> {
    let help = "such as `--env CI=1`";
    let text = pair
        .to_str()
        .ok_or_else(|| Failed::usage(format!("--env is not valid UTF-8: {}", pair.display())).help(help))?;
    match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), json!(value))),
        None => Err(Failed::usage(format!("--env takes NAME=VALUE, not `{text}`")).help(help)),
    }
}
