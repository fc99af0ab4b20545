//! The words that a call may add: listed options, and values that are plain.
//!
//! dotnet passes unknown words to `MSBuild`, which accepts one or two dashes or slashes, in any case.
//! `MSBuild` runs code that properties and targets name. So only listed words pass, in exactly the listed
//! spelling:
//!
//! | word | effect |
//! |---|---|
//! | `-p:X=y`, `--property X=y`, `/p:X=y`, `-P:…`, `-rp:…` | runs code: `CustomBeforeMicrosoftCommonTargets=/x` |
//! | `-c "Release;X=y"`, `-c Release%3BX=y` | a value that goes on as another property |
//! | `@x.rsp` | more words, from a file |
//! | `-logger:x.dll`, `-l`, `-dl`, `--test-adapter-path`, `-s x.runsettings`, `--collect x` | loads code |
//! | `-o x`, `--artifacts-path x`, `-bl:x`, `-pp:x`, `-fl`, `--results-directory x`, `--packages x` | writes elsewhere |
//! | `--diag x` | in `test`: writes a log there |
//! | `--source x`, `--configfile x` | packages from elsewhere, which bring targets along |
//! | `-t:X`, `-getProperty:X` | another target |
//! | `-e X=y` | an environment variable behind the back of `env` |
//! | `-- X=y` | settings of the test runner, adapters among them |
//! | `../x.sln` out of the project, `x.dll` | builds something else; a `.proj` is nothing but code |
//!
//! From the documentation of dotnet and `MSBuild`. A word of the call stays one word: no shell reads it.

use std::path::Path;

use super::{config, environment, options, project};
use crate::model::{BadCall, CWD, Command, ENV, Origin, Values, Word, path, shown};
use crate::plugins::tasks::PlannedCall;

/// The command with a call's words behind its own, in the folder that the call chose.
pub(super) fn add(call: &PlannedCall<'_>) -> Result<Command, BadCall> {
    let (arguments, task, governance) = (call.arguments, call.tool.original.as_str(), call.governance);
    let mut command = call.command.clone();
    if arguments.has(&CWD) {
        command.directory = arguments.directory(call.config.text(&config::WORKING_DIRECTORY))?;
        // The solution or project behind the task's name is the other folder's.
        command.arguments.pop_if(|last| last.text != task);
    }
    let mut rest: Vec<String> = Vec::new();
    let mut project = None;
    for word in arguments.texts(&config::ARGS) {
        let named = project_word(&command.directory, arguments, word);
        let named = if governance.is_governed() { named? } else { named.unwrap_or_default() };
        match named {
            Some(_) if project.is_some() => {
                return Err(BadCall::refused(format!("args: \"{}\" is a second project", shown(word)))
                    .help("name one solution or project a call"));
            }
            Some(file) => project = Some(file),
            None => rest.push(word.to_owned()),
        }
    }
    if governance.is_governed() {
        environment::judge(&arguments.pairs(&ENV))?;
        judge(task, &rest)?;
    }
    if let Some(file) = project {
        // The call's project replaces the tool's own.
        let own = command.arguments.iter().position(|word| word.text == task).map(|at| at + 1);
        let brought = |word: &Word| word.origin == Origin::Call;
        if let Some(at) = own.filter(|at| command.arguments.get(*at).is_some_and(|word| !brought(word))) {
            command.arguments.remove(at);
        }
        command.arguments.insert(own.unwrap_or(command.arguments.len()), Word::call(file));
    }
    command.arguments.extend(rest.into_iter().map(Word::call));
    Ok(command)
}

/// Judges the words of a call behind a task.
pub(super) fn judge(task: &str, words: &[String]) -> Result<(), BadCall> {
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if options::is_plain(task, word) {
            continue;
        }
        let Some((option, joined)) = options::valued(task, word) else {
            return Err(unlisted(task, word));
        };
        let value = joined.or_else(|| words.next());
        if !value.is_some_and(|value| option.takes.accepts(value)) {
            let given = value.map_or_else(|| "nothing".to_owned(), |value| format!("\"{}\"", shown(value)));
            return Err(BadCall::refused(format!("args: {} cannot take {given}", option.names.join("|")))
                .help(format!("it takes {}", option.takes.expected())));
        }
    }
    Ok(())
}

/// The solution or project that a word names, as it is called from the folder that dotnet runs in; `None` where the word is
/// none.
///
/// # Errors
/// When it lies outside of the project, or `MSBuild` would read more in it than a path.
fn project_word(directory: &Path, arguments: &Values, word: &str) -> Result<Option<String>, BadCall> {
    let inside = arguments.inside_project(word);
    if !project::is_project(word) || word.starts_with(['-', '@']) || inside.is_none() && word.starts_with('/')
    {
        return Ok(None);
    }
    let refused = |why: &str| {
        Err(BadCall::refused(format!("args: \"{}\" {why}", shown(word)))
            .help("name a .sln, .slnx, .csproj, .fsproj or .vbproj inside the project"))
    };
    let plain = |c: char| c.is_alphanumeric() || "/._- +()".contains(c);
    if !word.chars().all(plain) {
        return refused("holds characters that MSBuild would act on");
    }
    let folder = path::join("", &directory.to_string_lossy());
    let file = inside.map_or_else(|| path::join(&folder, word), |inside| path::join("", inside));
    let own = format!("{}/", folder.trim_end_matches('/'));
    if (file.starts_with("../") || file.starts_with('/')) && !file.starts_with(&own) {
        return refused("leads out of the project");
    }
    let called = if folder == "." { file } else { path::within(&folder, &file) };
    Ok(Some(if called.starts_with('-') { format!("./{called}") } else { called }))
}

/// The refusal of a word that is no listed option.
fn unlisted(task: &str, word: &str) -> BadCall {
    let elsewhere =
        "`cwd` names the folder of another project; `project` in the settings chooses among several";
    let (why, instead) = if word.is_empty() {
        ("is empty", "leave it out")
    } else if word.starts_with('@') {
        ("is a file of further options", "give them one by one")
    } else if word == "--" {
        ("hands the rest to the test runner", "leave it out")
    } else if word.starts_with(['-', '/']) {
        options::refused(word).unwrap_or(("is no option that a call may pass", "leave it out"))
    } else {
        ("would be taken for a project or for MSBuild's", elsewhere)
    };
    let help = format!("{instead}; allowed are {}", options::list(task));
    BadCall::refused(format!("args: \"{}\" {why}", shown(word))).help(help)
}
