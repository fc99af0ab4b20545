//! A package manager that another tool's text calls: which words of a call may stand behind `npm run build`.

use crate::model::{BadCall, Wrapped, shown};
use crate::plugins::managers::PackageManager;

/// The commands that pass further words on to a script.
const RUNS: &[&str] = &["run", "run-script", "test", "t", "tst", "start", "stop", "restart"];

/// Judges the words behind a manager that runs a script. npm reads options anywhere before a `--`, and a
/// manager without a command takes the words for one. `None`: the manager does not run a script.
pub(super) fn judge(wrapped: &Wrapped<'_>) -> Option<Result<(), BadCall>> {
    let manager = PackageManager::named(wrapped.program)?;
    let refused = |word: &String, why: &str, help: &str| {
        Err(BadCall::refused(format!("\"{}\" {why}", shown(word))).help(help))
    };
    let Some(command) = wrapped.subcommand() else {
        return wrapped.words.first().map(|word| {
            refused(word, "would be a command of its own", "call the tool that runs what is wanted")
        });
    };
    let names_script = !["run", "run-script"].contains(&command)
        || wrapped.own.iter().skip_while(|word| *word != command).skip(1).any(|word| !word.starts_with('-'));
    if RUNS.contains(&command) && !names_script {
        return wrapped
            .words
            .first()
            .map(|word| refused(word, "would choose the script that runs", "call the tool of that script"));
    }
    let is_behind_dashes = wrapped.own.iter().any(|word| word == "--");
    let runs =
        RUNS.contains(&command) || manager != PackageManager::Npm && names_script && !is_installing(command);
    if !runs {
        return None;
    }
    let option = wrapped.words.iter().find(|word| word.starts_with('-') && word.len() > 1);
    let reads_options = manager == PackageManager::Npm && !is_behind_dashes;
    Some(option.filter(|_| reads_options).map_or(Ok(()), |word| {
        let help = "write `--` behind the script in package.json, so that options reach what it runs";
        refused(word, "would be read as an option of npm", help)
    }))
}

fn is_installing(command: &str) -> bool {
    ["install", "i", "add", "ci", "update", "up", "upgrade", "dlx", "exec", "create", "init", "x", "link"]
        .contains(&command)
}
