//! Which words a call may add: listed options, and values that are plain.
//!
//! dotnet hands what it does not know to `MSBuild`, which takes a dash or a slash, one or two of them, in any case, and
//! runs what properties and targets say. So nothing passes that is not listed, in the very spelling that is listed:
//!
//! | word | what it would do |
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
//! | `x.csproj`, `../x.sln`, `x.dll` | builds something else; a `.proj` is nothing but code |
//!
//! From the documentation of dotnet and `MSBuild`. A word of the call stays one word: no shell reads it.

use super::{Task, config, environment, options};
use crate::model::{BadCall, CWD, Command, ENV, Governance, Values, Word, shown};

/// The command with a call's words behind its own, in the folder that the call chose.
pub(super) fn add(
    task: Task,
    mut command: Command,
    settings: &Values,
    arguments: &Values,
    governance: Governance,
) -> Result<Command, BadCall> {
    if arguments.has(&CWD) {
        command.directory = arguments.directory(settings.text(&config::WORKING_DIRECTORY))?;
        // The solution or project behind the task's name is the other folder's.
        command.arguments.pop_if(|last| last.text != task.name());
    }
    let words: Vec<String> = arguments.texts(&config::ARGS).into_iter().map(String::from).collect();
    if governance.is_governed() {
        environment::judge(&arguments.pairs(&ENV))?;
        judge(task, &words)?;
    }
    command.arguments.extend(words.into_iter().map(Word::call));
    Ok(command)
}

/// Judges the words of a call behind a task.
pub(super) fn judge(task: Task, words: &[String]) -> Result<(), BadCall> {
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
            let told = value.map_or_else(|| "nothing".to_owned(), |value| format!("\"{}\"", shown(value)));
            return Err(BadCall::refused(format!("args: {} cannot take {told}", option.names.join("|")))
                .help(format!("it takes {}", option.takes.expected())));
        }
    }
    Ok(())
}

/// The refusal of a word that is no listed option.
fn unlisted(task: Task, word: &str) -> BadCall {
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
