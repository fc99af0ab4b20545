//! The file of the project that a command runs: its program by a relative path, or the script of its interpreter.

use crate::model::{PlainCommand, path};

/// Programs that run the file which the first word behind their options names.
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "fish", "node", "tsx", "ts-node", "python", "python3", "ruby",
    "perl", "php", "lua", "pwsh", "awk", "Rscript", "julia",
];

/// Those among them that are shells: `-e` has them stop at errors, and has the others run a text.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "fish"];

/// Options of theirs that take the next word.
const VALUED: &[&str] = &["-r", "--require", "--import", "--loader", "-W", "-X", "--conditions"];

/// Options of theirs behind which no file is run.
const TEXTS: &[&str] = &["-c", "-s", "--command"];

/// The same of those that are no shells.
const EXPRESSIONS: &[&str] = &["-e", "-m", "-p", "--eval", "--print"];

/// Its path from the project's root; `None` for a command that runs none that is known.
pub(super) fn own_file(command: &PlainCommand) -> Option<String> {
    let (program, words) = command.words.split_first()?;
    let file = if program.contains('/') {
        Some(program.as_str()).filter(|program| !is_interpreter(program))
    } else {
        None
    };
    let file = file.or_else(|| script(program, words)).filter(|file| !file.starts_with('/'))?;
    Some(path::join(&command.folder, file))
}

/// The script that an interpreter is given.
fn script<'w>(program: &str, words: &'w [String]) -> Option<&'w str> {
    if !is_interpreter(program) {
        return None;
    }
    let is_shell = SHELLS.contains(&path::split(program).1);
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if TEXTS.contains(&word) || !is_shell && EXPRESSIONS.contains(&word) {
            return None;
        } else if VALUED.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(word);
        }
    }
    None
}

fn is_interpreter(program: &str) -> bool {
    INTERPRETERS.contains(&path::split(program).1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::config::COMMANDS;
    use super::*;
    use crate::model::Values;

    #[test]
    fn a_relative_program_or_the_script_of_an_interpreter_is_the_projects_own() {
        for (run, cwd, expected) in [
            ("./deploy.sh --prod", ".", "deploy.sh"),
            ("./deploy.sh", "infra", "infra/deploy.sh"),
            ("../deploy.sh", "infra", "deploy.sh"),
            ("bin/x", "infra", "infra/bin/x"),
            ("/bin/x", "infra", ""),
            ("cargo test", ".", ""),
            ("bash -e deploy.sh x", "infra", "infra/deploy.sh"),
            ("/bin/sh deploy.sh", ".", "deploy.sh"),
            ("node -r dotenv/config server.js", ".", "server.js"),
            ("python3 -m pytest tests", ".", ""),
            ("sh -c x.sh", ".", ""),
            ("sh /tmp/x.sh", ".", ""),
        ] {
            let words: Vec<&str> = run.split(' ').collect();
            let config = Values::of([(&COMMANDS, json!({"a": {"run": words, "cwd": cwd}}))]);
            let found = own_file(&PlainCommand::all(&config, &COMMANDS)[0]);
            assert_eq!(found.unwrap_or_default(), expected, "{run} in {cwd}");
        }
    }
}
