//! Programs that run a file of the project: node, python, shells and their like.

use super::place::PackagePlace;
use super::taken::TakenWords;

const NODES: [&str; 10] =
    ["node", "nodejs", "bun", "tsx", "ts-node", "esno", "jiti", "babel-node", "vite-node", "zx"];
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];
const OTHERS: [&str; 10] =
    ["python", "python2", "python3", "pypy3", "ruby", "perl", "php", "lua", "Rscript", "julia"];

/// Options that take the next word.
const VALUED: &str = "-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists -W -X -I \
                      -d -O -P --project --tsconfig";
/// Options by which no file is run, but a text, a module or tests.
const TEXTS: &str = "-c -e -E -p -m -s --eval --print --test --check --command";

/// The words that an interpreter takes behind its own; `None`: the program is none.
pub(super) fn of(program: &str, own: &[String], place: &PackagePlace<'_>) -> Option<TakenWords> {
    let is_shell = SHELLS.contains(&program);
    let is_node = NODES.contains(&program);
    if !is_shell && !is_node && !OTHERS.contains(&program) {
        return None;
    }
    let mut words = own.iter();
    while let Some(word) = words.next() {
        let is = |list: &str| list.split_ascii_whitespace().any(|option| option == word);
        if is_node && (word == "--run" || word.starts_with("--run=")) {
            return Some(TakenWords::None(format!("{program} {word} runs other tools of this project")));
        } else if word == "-m" {
            let module =
                words.as_slice().split_first().and_then(|(module, own)| TakenWords::of_runner(module, own));
            return Some(module.unwrap_or_else(|| TakenWords::Contained(program.to_owned())));
        } else if is(TEXTS) || is_shell && word.starts_with('-') && word.ends_with('c') {
            return Some(TakenWords::Contained(program.to_owned()));
        } else if is(VALUED) && !is_shell {
            words.next();
        } else if !word.starts_with('-') {
            let takes = if is_node { TakenWords::OfNode } else { TakenWords::Any };
            return Some(if place.is_script(word) {
                takes
            } else {
                TakenWords::Contained(format!("{program} {word}"))
            });
        }
    }
    Some(TakenWords::None("it would choose the program that runs".to_owned()))
}
