//! What help ends with: for each command a few lines that somebody types, and what comes of them.

use clap::Command;

use super::toolscript_examples::{Examples, OF_TOOLSCRIPT};

/// The examples of each command, by the words that stand for it.
const EXAMPLES: &[Examples] = &[
    (
        "",
        &[
            ("cuff init", "find what this project can do and write settings.yml"),
            ("cuff list", "show every tool"),
            ("cuff run", "choose a tool from a list and run it"),
            ("cuff run test", "run a tool by any name that is unambiguous"),
            ("cuff run test -- --coverage", "words after -- go to the tool"),
            ("cuff run -", "run the last one again"),
            ("cuff serve", "offer the same tools to an agent over MCP"),
        ],
    ),
    (
        "init",
        &[
            ("cuff init", "look around, and ask before anything is written"),
            ("cuff init --dry-run", "print what would be written"),
            ("cuff init --yes --exclude npm", "ask nothing, and leave a plugin out"),
            ("cuff init --merge", "add what is new to the settings that are there"),
        ],
    ),
    (
        "list",
        &[
            ("cuff list", "show every tool"),
            ("cuff list lint fix", "show those that have both words in name, file or description"),
            ("cuff list --long test", "show where a tool is from, what it runs and what it takes"),
            ("cuff list --plugin makefile --json", "show the targets, for a program"),
        ],
    ),
    (
        "run",
        &[
            ("cuff run", "choose a tool from a list"),
            ("cuff run test", "run a tool by any name that is unambiguous"),
            ("cuff run test -- --coverage", "words after -- go to the tool"),
            ("cuff run -", "run your last one again, with what it was given"),
            ("cuff run build --env CI=1 --timeout 60", "set a variable, and stop it after a minute"),
            ("cuff run deploy --dry-run", "show the command"),
            ("cuff run dev &", "let it run on, until `cuff runs stop`"),
        ],
    ),
    (
        "why",
        &[
            ("cuff why test", "show what `cuff run test` would run, and whether it may"),
            ("cuff why test --env PATH=/x", "show why a call would be refused"),
        ],
    ),
    (
        "status",
        &[("cuff status", "show how each plugin is"), ("cuff status --json", "the same for a program")],
    ),
    (
        "serve",
        &[
            ("cuff serve", "what an agent's client starts"),
            ("cuff serve --self-test", "try it as a client would"),
            ("cuff serve --http 8080", "wait for clients on this port of this machine"),
        ],
    ),
    (
        "install",
        &[
            ("cuff install --client claude-code", "write cuff into the project's file of a client"),
            ("cuff install --client cursor,vscode --dry-run", "say what would be written"),
            ("cuff install --client codex --remove", "take it out again"),
        ],
    ),
    (
        "mcp",
        &[
            ("cuff mcp add time -- uvx mcp-server-time", "start a program for its tools"),
            ("cuff mcp add docs https://example.com/mcp", "connect to an address"),
            ("cuff mcp list", "show the servers, and which of them wait for you"),
            ("cuff mcp test", "connect to each of them, and say how that went"),
        ],
    ),
    (
        "mcp add",
        &[
            ("cuff mcp add time -- uvx mcp-server-time", "start a program for its tools"),
            ("cuff mcp add git --env TOKEN='${GIT_TOKEN}' -- npx server", "give it the value of a variable"),
            ("cuff mcp add docs https://example.com/mcp", "connect to an address"),
            ("cuff mcp add old https://example.com/sse --transport sse", "connect over the older HTTP+SSE"),
        ],
    ),
    (
        "mcp list",
        &[
            ("cuff mcp list", "show the servers, and which of them wait for you"),
            ("cuff mcp list --json", "the same for a program"),
        ],
    ),
    (
        "mcp test",
        &[
            ("cuff mcp test", "connect to each server, and say how that went"),
            ("cuff mcp test docs --json", "try one of them, for a program"),
        ],
    ),
    (
        "mcp login",
        &[
            ("cuff mcp login docs", "open a browser, and let cuff in at a server"),
            ("cuff mcp login docs --no-browser", "print the address, for a browser elsewhere"),
            ("cuff mcp login docs --scope files:write", "ask for more rights"),
        ],
    ),
    ("mcp logout", &[("cuff mcp logout docs", "have the tokens taken back, and remove them")]),
    ("mcp remove", &[("cuff mcp remove docs", "remove a server from settings.yml")]),
    ("hook", &[("cuff hook pre-tool-use", "what the plugin runs, with JSON on standard input")]),
    (
        "hook pre-tool-use",
        &[("cuff hook pre-tool-use", "name the tool for a shell command, with its JSON on standard input")],
    ),
    (
        "doctor",
        &[
            ("cuff doctor", "say what is in the way, and what to do about each"),
            ("cuff doctor --fix", "mend what can be mended, and remove runs that are due"),
            ("cuff doctor --strict", "in CI: fail where it warns of something"),
        ],
    ),
    (
        "runs",
        &[
            ("cuff runs", "what ran"),
            ("cuff runs log", "what the last run printed"),
            ("cuff runs log test", "what the last run of a tool printed"),
        ],
    ),
    (
        "runs list",
        &[("cuff runs list test", "the runs of a tool"), ("cuff runs list -n 100", "more of them")],
    ),
    (
        "runs status",
        &[
            ("cuff runs status", "how the last run ended"),
            ("cuff runs status 5d33ad95", "how that one ended"),
        ],
    ),
    (
        "runs show",
        &[
            ("cuff runs show", "all about the last run"),
            ("cuff runs show 5d33ad95 --json", "all about that one, for a program"),
        ],
    ),
    (
        "runs log",
        &[
            ("cuff runs log", "what the last run printed"),
            ("cuff runs log latest --lines 40..60", "some of its lines"),
            ("cuff runs log test --tail 50", "the end of it"),
            ("cuff runs log test --containing error", "the lines that have a word, with their numbers"),
            ("cuff runs log -f", "what it prints, until it ends"),
        ],
    ),
    (
        "runs diagnostics",
        &[("cuff runs diagnostics", "what was wrong in the last run, with the lines of your files")],
    ),
    ("runs diff", &[("cuff runs diff", "what is new, fixed and still there since the run before")]),
    ("runs stop", &[("cuff runs stop", "stop this project's last run, with everything that it started")]),
    (
        "runs prune",
        &[("cuff runs prune", "remove what you do not keep"), ("cuff runs prune --days 1", "keep a day")],
    ),
    (
        "approve",
        &[
            ("cuff approve 7f3a", "see what a call would run, and say yes to it, once"),
            ("cuff approve settings", "see what was changed, and let agents have it"),
        ],
    ),
    ("deny", &[("cuff deny 7f3a", "say no to a call")]),
    ("approvals", &[("cuff approvals", "show what waits for you")]),
    (
        "audit",
        &[
            ("cuff audit", "the last decisions about this project's tools"),
            ("cuff audit deploy --all", "those about one tool, wherever"),
            ("cuff audit -n 100 --json", "more of them, for a program"),
        ],
    ),
    ("schema", &[("cuff schema > settings.schema.json", "keep it for an editor")]),
    ("completions", &[("cuff completions zsh", "print the script; its first line says where it goes")]),
];

/// The same tree, with examples at the end of each command's help.
pub(super) fn with_examples(tree: Command) -> Command {
    EXAMPLES.iter().chain(OF_TOOLSCRIPT).fold(tree, |tree, (command, lines)| {
        let words: Vec<&str> = command.split_whitespace().collect();
        told(tree, &words, &text(lines.iter().map(|(line, about)| ((*line).to_owned(), *about))))
    })
}

/// The examples of a plugin's own command to list and to run.
pub(super) fn of_plugin(id: &str) -> [String; 2] {
    let line = |rest: &str| format!("cuff {id} {rest}");
    [
        text([
            (line("list"), "show them"),
            (line("list test"), "show those that have a word in name, file or description"),
        ]),
        text([
            (line("run"), "choose one from a list"),
            (line("run NAME"), "run one"),
            (line("run -"), "run the last again"),
        ]),
    ]
}

fn told(command: Command, words: &[&str], text: &str) -> Command {
    match words.split_first() {
        None => command.after_help(text.to_owned()),
        Some((first, rest)) => command.mut_subcommand(first, |inner| told(inner, rest, text)),
    }
}

fn text<'t>(lines: impl IntoIterator<Item = (String, &'t str)>) -> String {
    let lines: Vec<(String, &str)> = lines.into_iter().collect();
    let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or_default();
    let lines = lines.iter().map(|(line, about)| format!("  {line:width$}  {about}\n"));
    format!("Examples:\n{}", lines.collect::<String>().trim_end())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::cli::arguments::{parse, tree};

    #[test]
    fn every_command_has_examples_and_each_is_understood() {
        fn look(command: &Command, path: &str, shown: &mut Vec<String>) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:\n  cuff"), "`cuff {path}` shows no example");
            shown.extend(help.lines().skip(1).map(|line| line.trim().to_owned()));
            for inner in command.get_subcommands() {
                look(inner, &format!("{path} {}", inner.get_name()), shown);
            }
        }
        let abouts: Vec<_> = crate::plugins::ALL.iter().map(|plugin| plugin.about()).collect();
        let mut shown = Vec::new();
        look(&tree(&abouts), "", &mut shown);
        for line in shown {
            let typed = line.split("  ").next().unwrap().split(" > ").next().unwrap();
            let words: Vec<OsString> = shlex::split(typed).unwrap().into_iter().map(OsString::from).collect();
            assert!(parse(&abouts, &words).is_ok(), "`{typed}` is not understood");
        }
    }
}
