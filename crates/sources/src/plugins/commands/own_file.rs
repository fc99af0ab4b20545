//! The file of the project that a command runs: its program by a relative path, or the script of its interpreter.

use crate::model::{PlainCommand, path};

/// Programs that run the file which the first word behind their options names.
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "fish", "node", "tsx", "ts-node", "python", "python3", "ruby",
    "perl", "php", "lua", "pwsh", "awk", "Rscript", "julia",
];

/// The shells among the interpreters: `-e` has a shell stop at errors, and has the others run a text.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "fish"];

/// Options of interpreters that take the next word, as `-o` and `-euo` of shells do.
const VALUED: &[&str] = &["-r", "--require", "--import", "--loader", "-W", "-X", "--conditions"];

/// Options of interpreters behind which no file is run.
const TEXTS: &[&str] = &["-c", "-s", "--command"];

/// Further options of that kind, of interpreters that are no shells.
const EXPRESSIONS: &[&str] = &["-e", "-m", "-p", "--eval", "--print"];

/// All files of the project that the words of a command name, the program among them: their paths from the
/// project's root, there or not. An option may bring its file along: `--file=m.mk`, `-fm.mk`.
pub(super) fn named_files(command: &PlainCommand) -> Vec<String> {
    let Some((program, words)) = command.words.split_first() else { return Vec::new() };
    let program = Some(program.as_str()).filter(|program| program.contains('/'));
    let mut files = Vec::new();
    for name in program.into_iter().chain(words.iter().flat_map(|word| names(word))) {
        let file = path::join(&command.folder, name);
        if !name.is_empty() && !name.starts_with('/') && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// The parts of a word that may name a file.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let behind = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let letter = behind.and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let attached = behind.and_then(|rest| rest.get(letter..));
    let value = word.split_once('=').map(|(_, value)| value);
    Some(word).filter(|word| !word.starts_with('-')).into_iter().chain(attached).chain(value)
}

/// The path of the file that a command runs, from the project's root; `None` where none is known.
pub(in crate::plugins) fn own_file(command: &PlainCommand) -> Option<String> {
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
        } else if VALUED.contains(&word) || is_shell && word.starts_with(['-', '+']) && word.ends_with('o') {
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
            ("bash -euo pipefail deploy.sh", ".", "deploy.sh"),
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

    #[test]
    fn every_word_may_name_a_file() {
        for (run, expected) in [
            ("bash -euo pipefail a.sh", "x/pipefail x/a.sh x/uo"),
            ("timeout 5 ./a.sh", "x/5 x/a.sh"),
            ("node --env-file=e.env a.js", "x/e.env x/a.js"),
            ("make -fm.mk -f ../n.mk all", "x/m.mk n.mk x/all"),
            ("../run /etc/passwd --file=/etc/hosts -f", "run"),
        ] {
            let words: Vec<&str> = run.split(' ').collect();
            let config = Values::of([(&COMMANDS, json!({"a": {"run": words, "cwd": "x"}}))]);
            let mut found = named_files(&PlainCommand::all(&config, &COMMANDS)[0]);
            let mut expected: Vec<&str> = expected.split(' ').collect();
            found.sort();
            expected.sort_unstable();
            assert_eq!(found, expected, "{run}");
        }
    }
}
