//! The words of a call: paths below the folder that eslint runs in, and flags that do no harm.
//!
//! Only the exact spelling of a listed flag passes, since eslint 8.57, 9.39 and 10.15 read words as follows:
//!
//! | word | what eslint does |
//! |---|---|
//! | `--fixé`, `--fix:x` | fixes: text behind the name of a flag without a value is dropped |
//! | `--fix=true`, `--no-fix=false` | fixes |
//! | `--init`, also behind `--` | starts `npm init @eslint/config@latest` before it reads any option |
//! | `--mcp` (9 and later), also behind `--` | starts `npx @eslint/mcp@latest`, likewise |
//! | `--inspect-config` (9 and later) | starts `npx @eslint/config-inspector@latest` |
//! | `--stdin`, also behind `--` | reads standard input |
//! | `-c x`, `-c=x`, `--config x`, `--rulesdir x`, `--plugin x`, `--parser x`, `--resolve-plugins-relative-to x` | loads x |
//! | `-f x`, `-f=x`, `--format x` | loads x to write the report; the last one given wins |
//! | `-o x`, `--output-file x`, `--cache`, `--cache-file x`, `--cache-location x`, `--suppress-all` | writes a file |
//! | `--print-config x`, `--env-info`, `-h`, `-v` | prints something else, lints nothing, and ends with 0 |
//! | `--rule x`, `--global x`, `--env x`, `--ignore-pattern x`, `--no-ignore`, `--no-eslintrc` | another question than the project's |
//! | `../x`, `/x` | 8 and 10 load the configuration in the folder of x; 9 ignores x |
//! | `{..,src}/x`, `[.][.]/x`, `.?/x` | globs never climb; those with a whole `..` are refused all the same |
//! | `link/x` | follows the link; its target is not checked here |
//! | no path at all | 8 prints its help and ends with 0; so `.` is passed |
//!
//! A path that begins with `-` is written `./-x`. Of the environment, `ESLINT_USE_FLAT_CONFIG` and
//! `ESLINT_FLAGS` choose how configuration is loaded, and `TIMING` prints into the report.

use std::path::Path;

use super::config::{ARGS, FIXES, WORKING_DIRECTORY};
use super::flags::{self, ALLOWED};
use crate::model::{BadCall, Command, ENV, Tool, Values, Word, path, shown};
use crate::plugins::tasks::PlannedCall;

/// The fact of a tool that says where the project's own eslint really is.
pub(super) const PROGRAM: &str = "program";

/// The command with a call's words behind it, in the call's folder.
pub(super) fn add(call: &PlannedCall<'_>) -> Result<Command, BadCall> {
    let (tool, arguments, mut command) = (call.tool, call.arguments, call.command.clone());
    move_to(&mut command, call.config, tool, arguments)?;
    let path = |word: &str| match word {
        option if option.starts_with('-') => option.to_owned(),
        path => relative(arguments, &command.directory, path),
    };
    let words: Vec<String> = arguments.texts(&ARGS).into_iter().map(path).collect();
    let names_files = if call.governance.is_governed() {
        judge_environment(arguments)?;
        judge(&words, tool.effects == FIXES)?
    } else {
        flags::name_files(&words)
    };
    command.arguments.extend(words.into_iter().map(Word::call));
    if !names_files {
        command.arguments.push(Word::fixed("."));
    }
    Ok(command)
}

fn judge_environment(arguments: &Values) -> Result<(), BadCall> {
    for (name, _) in arguments.pairs(&ENV) {
        let upper = name.to_ascii_uppercase();
        if upper.starts_with("ESLINT_") || upper == "TIMING" {
            return Err(BadCall::refused(format!("env: {} may not be set by a call", shown(name)))
                .help("eslint acts on it; settings.yml may set it under `environment`"));
        }
    }
    Ok(())
}

/// Judges the words of a call; whether they name files.
pub(super) fn judge(words: &[String], fixes: bool) -> Result<bool, BadCall> {
    let mut words = words.iter().map(String::as_str);
    let mut names_files = false;
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            check_flag(word, &mut words, fixes)?;
        } else {
            check_path(word)?;
            names_files = true;
        }
    }
    Ok(names_files)
}

/// Goes to the call's folder. The project's own eslint is then called by its canonical path: a relative path
/// from a folder behind a link would lead elsewhere.
fn move_to(command: &mut Command, config: &Values, tool: &Tool, arguments: &Values) -> Result<(), BadCall> {
    let base = path::join(".", config.text(&WORKING_DIRECTORY));
    let folder = arguments.directory(&base)?;
    if folder == Path::new(&base) {
        return Ok(());
    }
    if let Some((_, canonical)) = tool.metadata.iter().find(|(name, _)| *name == PROGRAM) {
        command.program = Word::fixed(canonical);
    }
    command.directory = folder;
    Ok(())
}

/// Checks a flag, and takes its value where that is the next word.
fn check_flag<'a>(word: &str, rest: &mut impl Iterator<Item = &'a str>, fixes: bool) -> Result<(), BadCall> {
    let (flag, joined) = word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
    let Some(takes) = flags::takes(flag, fixes) else {
        let (why, help) = flags::refused(word);
        return Err(BadCall::refused(format!("args: \"{}\" {why}", shown(word))).help(help));
    };
    let apart = match (takes, joined) {
        (flags::FlagValue::Nothing, None) => return Ok(()),
        (flags::FlagValue::Nothing, _) | (_, Some(_)) => None,
        (_, None) => rest.next(),
    };
    if joined.or(apart).is_some_and(|value| takes.fits(value)) {
        return Ok(());
    }
    Err(BadCall::refused(format!("args: {flag} {}", takes.expected())).help(ALLOWED))
}

/// An absolute path inside the project as eslint's folder calls it, where it lies below; any other word as it is.
fn relative(arguments: &Values, folder: &Path, word: &str) -> String {
    let inside = arguments.inside_project(word).map(|inside| path::join("", inside));
    let folder = path::join("", &folder.to_string_lossy());
    let called = inside.map(|inside| if folder == "." { inside } else { path::within(&folder, &inside) });
    match called {
        Some(called) if called.is_empty() => ".".to_owned(),
        Some(called) if called.starts_with('-') => format!("./{called}"),
        Some(called) if called != ".." && !called.starts_with("../") => called,
        Some(_) | None => word.to_owned(),
    }
}

/// Whether a path or glob stays below the folder, as far as its words say.
fn check_path(word: &str) -> Result<(), BadCall> {
    let part = |letter: char| "/\\{},()|".contains(letter);
    let why = if word.is_empty() {
        "is empty"
    } else if word.starts_with('/') {
        "is absolute"
    } else if word.split(part).any(|part| part == "..") {
        "climbs with `..`"
    } else {
        return Ok(());
    };
    Err(BadCall::refused(format!("args: \"{}\" {why}", shown(word)))
        .help("name files, folders and globs below the folder that eslint runs in; `cwd` chooses that"))
}
