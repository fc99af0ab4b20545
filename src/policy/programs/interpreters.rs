//! Programs that run a file that a word names: shells, node, python and their like.

use super::refused::refused;
use crate::model::{Wrapped, shown};
use crate::policy::Refusal;
use crate::policy::shell::commands;

const SHELLS: &[&str] =
    &["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "busybox", "pwsh"];
const NODES: &[&str] = &[
    "node",
    "nodejs",
    "bun",
    "deno",
    "tsx",
    "ts-node",
    "ts-node-esm",
    "ts-node-dev",
    "tsnd",
    "nodemon",
    "vite-node",
    "esno",
    "esmo",
    "jiti",
    "babel-node",
    "swc-node",
    "electron",
    "electron-mocha",
    "zx",
];
const OTHERS: &[&str] = &[
    "python",
    "python2",
    "python3",
    "pypy",
    "pypy3",
    "ruby",
    "jruby",
    "perl",
    "php",
    "lua",
    "luajit",
    "julia",
    "Rscript",
    "R",
    "tclsh",
    "wish",
    "osascript",
    "groovy",
    "scala",
    "kotlin",
    "java",
    "elixir",
    "erl",
    "iex",
    "irb",
    "escript",
    "runghc",
    "ocaml",
    "racket",
    "guile",
    "sbcl",
    "clojure",
    "clj",
    "bb",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "sed",
    "gsed",
];
const MANAGERS: &[&str] = &["npm", "pnpm", "yarn", "bun", "npx", "bunx", "pnpx", "corepack"];

/// The options by which node loads code, writes files or opens a port. node looks for `--env-file` among all
/// words, even those of its script, and reads `NODE_OPTIONS` from that file. So these options pass nowhere
/// that node may see them.
const NODE_LONG: &str = "env-file env-file-if-exists import require loader experimental-loader eval print inspect \
                         inspect-brk inspect-port inspect-wait inspect-publish-uid conditions openssl-config \
                         openssl-shared-config icu-data-dir experimental-config-file experimental-default-config-file \
                         experimental-policy policy-integrity snapshot-blob build-snapshot build-snapshot-config \
                         build-sea experimental-sea-config diagnostic-dir redirect-warnings report-dir report-directory \
                         report-filename heapsnapshot-signal heapsnapshot-near-heap-limit cpu-prof cpu-prof-dir \
                         heap-prof heap-prof-dir tls-keylog trace-event-file-pattern localstorage-file \
                         experimental-specifier-resolution es-module-specifier-resolution test-global-setup \
                         allow-child-process allow-addons allow-worker allow-wasi node-options node-arg node-arguments \
                         node-option exec-argv";

/// Whether a tool may start node with the words of a call behind it: a package manager runs it, or its text names one.
pub(in crate::policy) fn may_start_node(command: &[&str], text: &str) -> bool {
    let is_node = |program: &str| {
        let name = program.rsplit('/').next().unwrap_or(program);
        NODES.contains(&name) || MANAGERS.contains(&name)
    };
    let interpreter = command.iter().flat_map(|word| word.split(' ')).take(4);
    interpreter.into_iter().any(is_node) || commands(text).iter().any(|command| is_node(command.program()))
}

/// Refuses words by which node loads code, for any program.
pub(in crate::policy) fn node_words(words: &[String]) -> Result<(), Refusal> {
    let found = words.iter().find(|word| {
        let name = word.strip_prefix("--").unwrap_or_default().split('=').next().unwrap_or_default();
        let name = name.replace('_', "-").to_ascii_lowercase();
        !name.is_empty() && NODE_LONG.split_ascii_whitespace().any(|option| option == name)
    });
    found.map_or(Ok(()), |word| {
        Err(Refusal::new(
            format!("\"{}\" makes node load code, open a debugger or write files", shown(word)),
            "leave it out; a person can write it into the tool's own text",
        ))
    })
}

/// Refuses words by which an interpreter would run something else than the text says.
pub(super) fn judge(wrapped: &Wrapped<'_>) -> Result<(), Refusal> {
    let Wrapped { program, own, words } = *wrapped;
    let Some(first) = words.first() else { return Ok(()) };
    let help = "call this tool without arguments, or write them into its own text";
    let runs_text = own.iter().any(|word| {
        word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
            || word == "-s"
            || word == "--command"
    });
    if SHELLS.contains(&program) {
        return if runs_text || script_of(own).is_none() {
            Err(refused(program, first, "may be run by a shell", help))
        } else {
            Ok(())
        };
    }
    if NODES.contains(&program) {
        return judge_node(wrapped, first);
    }
    if OTHERS.contains(&program) && script_of(own).is_none() && !names_text(own) {
        return Err(refused(program, first, "would choose the program text that runs", help));
    }
    Ok(())
}

/// Behind a script the words are the script's own. Without one, `node --test` takes files of the folder.
fn judge_node(wrapped: &Wrapped<'_>, first: &str) -> Result<(), Refusal> {
    let Wrapped { program, own, words } = *wrapped;
    let tests = own.iter().any(|word| word == "--test") || wrapped.subcommand() == Some("test");
    let script = script_of(own).filter(|script| {
        !(["bun", "deno"].contains(&program)
            && ["run", "task", "test", "x", "serve", "watch"].contains(script))
            || own.iter().filter(|word| !word.starts_with('-')).nth(1).is_some() && *script != "test"
    });
    if script.is_some() && !tests {
        return Ok(());
    }
    if !tests {
        let help = "call this tool without arguments, or write them into its own text";
        return Err(refused(program, first, "would choose the program that runs", help));
    }
    let help = "name tests of the folder; a person can write options into the tool's own text";
    let is_short = |word: &str| {
        word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'e', 'p', 'c', 'C', 'A'])
    };
    let loads = |word: &str| {
        let name = word.split('=').next().unwrap_or(word);
        [
            "--preload",
            "--config",
            "--import-map",
            "--define",
            "--cwd",
            "--allow-all",
            "--allow-run",
            "--test-reporter",
        ]
        .contains(&name)
            || name.starts_with("--allow-")
            || name == "--test-reporter-destination"
    };
    let leaves = |word: &str| word.starts_with('/') || word.split('/').any(|part| part == "..");
    match words.iter().find(|word| is_short(word) || loads(word) || leaves(word)) {
        Some(word) => Err(refused(program, word, "loads code or lies outside of the folder", help)),
        None => Ok(()),
    }
}

/// Whether this word inserts a call's words: `$@`, `$1`, `${2}`.
fn is_of_call(word: &str) -> bool {
    word.split('$').skip(1).any(|rest| {
        rest.trim_start_matches('{')
            .starts_with(|next: char| ['@', '*'].contains(&next) || next.is_ascii_digit())
    })
}

/// The first argument that is no option: the script, as far as the words show it. A script that the call
/// chooses does not count.
fn script_of(own: &[String]) -> Option<&str> {
    let mut own = own.iter().map(String::as_str);
    while let Some(word) = own.next() {
        match word {
            // They take the next word.
            "-r"
            | "--require"
            | "--import"
            | "--loader"
            | "--experimental-loader"
            | "-C"
            | "--conditions"
            | "--env-file"
            | "-P"
            | "--project"
            | "-O"
            | "-W"
            | "-X"
            | "-I"
            | "-d"
            | "-F"
            | "-v"
            | "--watch-path"
            | "--tsconfig" => {
                own.next();
            }
            "-e" | "--eval" | "-p" | "--print" | "-c" | "-f" => {
                return own.next().filter(|word| !is_of_call(word));
            }
            _ if word.starts_with('-') => {}
            _ => return Some(word).filter(|word| !is_of_call(word)),
        }
    }
    None
}

/// Whether the arguments have the text of a program: `-e 's/a/b/'`, `-cprint`.
fn names_text(own: &[String]) -> bool {
    own.iter().any(|word| {
        ["-jar", "-m", "-n"].contains(&word.as_str()) || word.starts_with("-c") || word.starts_with("-e")
    })
}
