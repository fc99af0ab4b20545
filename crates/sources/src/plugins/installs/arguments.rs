//! The words that a call may add to an install: packages of the registry, and listed flags.
//!
//! An install runs scripts of packages, so a person confirms each one. Refused words would have effects that
//! this person does not see. Only listed words pass: no abbreviation (`--glob`), no cluster (`-gD`), no
//! `--no-…` and no camel case. The managers read such words as follows:
//!
//! | word | effect | managers |
//! |---|---|---|
//! | `-g`, `--global`, `--location=global`, `--prefix`, `-C`, `--dir`, `--cwd` | installs elsewhere | all, each its own |
//! | `--modules-dir`, `--store-dir`, `--lockfile-dir`, `--cache`, `--cache-dir` | writes elsewhere | all, each its own |
//! | `--registry`, `--@scope:registry`, `--proxy`, `--cafile` | takes packages from elsewhere | all |
//! | `--userconfig`, `--config`, `--config.x=y`, `-c` | another configuration, which can name programs | all |
//! | `--script-shell`, `--shell-emulator`, `--node-options`, `--git`, `--pnpmfile` | chooses what is run | npm, pnpm |
//! | `--allow-scripts`, `--allow-build`, `--trust`, `--no-ignore-scripts` | runs scripts that would not run | npm, pnpm, bun |
//! | `--no-verify`, `--no-strict-ssl`, `--no-verify-store-integrity` | accepts manipulated packages | bun, npm, pnpm |
//! | `-w`, `--workspace-root`, `-r`, `--filter`, `--workspace` | works in another folder, or many | npm, pnpm |
//! | `git+ssh://…`, `user/repo`, `https://….tgz`, `file:`, `link:`, `./x`, `x.tgz` | code from outside of the registry | all |
//! | `a@npm:b` | installs b under the name a | all |
//! | `--omit dev` | leaves dev out; where the flag takes no value, `dev` is a package | npm |
//! | `--save-dev false` | reads `false` as the value of the flag | npm, pnpm |
//!
//! A word of the call stays one word: no shell reads it.

use super::{config, flags, package};
use crate::model::{BadCall, Command, Word, shown};
use crate::plugins::managers::{CI, PackageManager};
use crate::plugins::tasks::PlannedCall;

/// The command with a call's words behind its own, in the folder that the call chose.
pub(super) fn add(call: &PlannedCall<'_>) -> Result<Command, BadCall> {
    let directory = call.arguments.directory(call.config.text(&config::WORKING_DIRECTORY))?;
    // Both tasks call their words the same.
    let words = call.arguments.texts(&config::PACKAGES);
    if call.governance.is_governed() {
        words
            .iter()
            .try_for_each(|word| judge(PackageManager::of_source(call.id), call.tool.original == CI, word))?;
    }
    Ok(call.command.clone().directory(directory).arguments(words.into_iter().map(Word::call)))
}

fn judge(manager: PackageManager, is_ci: bool, word: &str) -> Result<(), BadCall> {
    let program = manager.program();
    let (why, help) = if word.starts_with('-') {
        if flags::passes(manager, is_ci, word) {
            return Ok(());
        }
        let refused = flags::refused(word);
        let why = refused.map_or("is no flag that a call may pass", |refused| refused.why);
        let instead = refused.map_or_else(String::new, |refused| format!("{}; ", refused.instead));
        (why, format!("{instead}allowed are {}", flags::list(manager, is_ci)))
    } else if manager == PackageManager::Yarn {
        ("is no flag, and `yarn install` adds no packages", "a person adds one with `yarn add`".to_owned())
    } else if is_ci {
        let help = format!("call `{program}.install` to add a package");
        ("is no flag, and packages are what the lock file says", help)
    } else {
        let Some(why) = package::objection(word) else { return Ok(()) };
        let help = "name packages of the registry: name, @scope/name, name@range or name@tag; what comes from \
                    elsewhere, a person can write into package.json";
        (why, help.to_owned())
    };
    Err(BadCall::refused(format!("args: \"{}\" {why}", shown(word))).help(help))
}
