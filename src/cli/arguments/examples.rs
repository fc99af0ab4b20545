//! Examples at the end of each command's help: lines to type, with their purpose.

use clap::Command;

use super::groups::see_also;
use super::toolscript_examples::{Examples, OF_TOOLSCRIPT};

/// The examples of each command, by the words that stand for it.
const EXAMPLES: &[Examples] = &[
    (
        "",
        &[
            ("cuff init", "find what this project can do and write settings.yml"),
            ("cuff list", "show every tool"),
            ("cuff run", "choose a tool from a list and run it"),
            ("cuff test", "run the tool `test`, as `cuff run test` does"),
            ("cuff test -- --coverage", "words after -- go to the tool"),
            ("cuff run --each lint test build", "run several in order, until one fails"),
            ("cuff run -", "run the last one again"),
            ("cuff serve", "offer the same tools to an agent over MCP"),
        ],
    ),
    (
        "init",
        &[
            ("cuff init", "find tools, ask, and write settings.yml"),
            ("cuff init --dry-run", "print the settings, and write nothing"),
            ("cuff init --yes --exclude npm", "ask nothing, and leave a plugin out"),
            ("cuff init --merge", "add new tools to existing settings"),
        ],
    ),
    (
        "list",
        &[
            ("cuff list", "show every tool"),
            ("cuff list lint fix", "show those that have both words in name, file or description"),
            ("cuff list --long test", "show where a tool is from, what it runs and what it takes"),
            ("cuff list --plugin makefile --json", "show the targets, for a program"),
            ("cuff list --no-pager", "print a long list at once"),
        ],
    ),
    (
        "run",
        &[
            ("cuff run", "choose a tool from a list"),
            ("cuff run test", "run a tool by any name that is unambiguous"),
            ("cuff run test -- --coverage", "words after -- go to the tool"),
            ("cuff run --each lint test build", "run several in order, until one fails"),
            ("cuff run -k --each lint test build", "run all of them, and sum up at the end"),
            ("cuff run -r test", "run it in every package of the workspace"),
            ("cuff run -r test --changed main", "run it where something changed, and where that is needed"),
            ("cuff run -", "run your last one again, with what it was given"),
            ("cuff run build --env CI=1 --timeout 60", "set a variable, and stop it after a minute"),
            ("cuff run deploy --dry-run", "show the command"),
            ("cuff run test --on build", "run it on a runner of the settings: ssh, docker"),
            ("cuff run --background dev", "let it go on, until `cuff runs stop`"),
        ],
    ),
    (
        "why",
        &[
            ("cuff why test", "show the command of `cuff run test`, and the decision"),
            ("cuff why test --env PATH=/x", "show why a call would be refused"),
        ],
    ),
    (
        "status",
        &[
            ("cuff status", "show the health of each plugin"),
            ("cuff status --json", "the same for a program"),
        ],
    ),
    (
        "serve",
        &[
            ("cuff serve", "serve on standard input and output, as clients start it"),
            ("cuff serve --self-test", "try it as a client would"),
            ("cuff serve --http 8080", "serve over HTTP on this port of this machine"),
        ],
    ),
    (
        "install",
        &[
            ("cuff install --client claude-code", "add cuff to the client's file in the project"),
            ("cuff install --client cursor,vscode --dry-run", "show the changes, and make none"),
            ("cuff install --client codex --remove", "remove it"),
        ],
    ),
    (
        "mcp",
        &[
            ("cuff mcp add time -- uvx mcp-server-time", "add a program"),
            ("cuff mcp add docs https://example.com/mcp", "add an address"),
            ("cuff mcp list", "show the servers, and which of them wait for approval"),
            ("cuff mcp test", "connect to each server"),
        ],
    ),
    (
        "mcp add",
        &[
            ("cuff mcp add time -- uvx mcp-server-time", "add a program"),
            ("cuff mcp add git --env TOKEN='${GIT_TOKEN}' -- npx server", "pass the value of a variable"),
            ("cuff mcp add docs https://example.com/mcp", "add an address"),
            ("cuff mcp add old https://example.com/sse --transport sse", "use the older HTTP+SSE"),
        ],
    ),
    (
        "mcp list",
        &[
            ("cuff mcp list", "show the servers, and which of them wait for approval"),
            ("cuff mcp list --json", "the same for a program"),
        ],
    ),
    (
        "mcp test",
        &[
            ("cuff mcp test", "connect to each server"),
            ("cuff mcp test docs --json", "connect to one server, for a program"),
        ],
    ),
    (
        "mcp login",
        &[
            ("cuff mcp login docs", "log in with a browser"),
            ("cuff mcp login docs --no-browser", "print the address, for a browser elsewhere"),
            ("cuff mcp login docs --scope files:write", "ask for more rights"),
        ],
    ),
    ("mcp logout", &[("cuff mcp logout docs", "revoke and remove the tokens")]),
    ("mcp remove", &[("cuff mcp remove docs", "remove a server from settings.yml")]),
    ("hook", &[("cuff hook pre-tool-use", "run by the plugin, with JSON on standard input")]),
    (
        "hook pre-tool-use",
        &[("cuff hook pre-tool-use", "name the tool for a shell command, with its JSON on standard input")],
    ),
    (
        "doctor",
        &[
            ("cuff doctor", "show problems, and what to do about each"),
            ("cuff doctor --fix", "repair what is safe, and remove runs that are due"),
            ("cuff doctor --strict", "fail on warnings too, for CI"),
        ],
    ),
    (
        "read",
        &[
            ("cuff read", "show the errors in piped output, as in `make 2>&1 | cuff read`"),
            ("cuff read --as github", "write them as annotations of GitHub Actions"),
        ],
    ),
    (
        "runs",
        &[
            ("cuff runs", "list the newest runs"),
            ("cuff runs log", "print the log of the last run"),
            ("cuff runs log test", "print the log of a tool's last run"),
        ],
    ),
    (
        "runs list",
        &[
            ("cuff runs list test", "list the runs of a tool"),
            ("cuff runs list -n 100", "list more of them"),
            ("cuff runs list --shared", "list the runs in the records of the team"),
        ],
    ),
    (
        "runs status",
        &[
            ("cuff runs status", "show how the last run ended"),
            ("cuff runs status 5d33ad95", "show how this one ended"),
        ],
    ),
    (
        "runs show",
        &[
            ("cuff runs show", "show everything about the last run"),
            ("cuff runs show 5d33ad95 --json", "show everything about this one, for a program"),
        ],
    ),
    (
        "runs log",
        &[
            ("cuff runs log", "print the log of the last run"),
            ("cuff runs log latest --lines 40..60", "print some of its lines"),
            ("cuff runs log test --tail 50", "print its last lines"),
            ("cuff runs log test --containing error", "print the lines with a word, with their numbers"),
            ("cuff runs log -f", "follow a log until the run ends"),
        ],
    ),
    (
        "runs diagnostics",
        &[
            ("cuff runs diagnostics", "show the errors of the last run, with lines of your files"),
            (
                "cuff runs diagnostics test --as sarif",
                "write those of the newest run of a tool for code scanning",
            ),
        ],
    ),
    (
        "runs diff",
        &[
            ("cuff runs diff", "show new, fixed and remaining errors since the previous run"),
            ("cuff runs diff main", "compare the latest run with the last one of its tool on main"),
        ],
    ),
    ("runs pull", &[("cuff runs pull 5d33ad95", "copy a run of the team to this machine")]),
    (
        "runs push",
        &[
            ("cuff runs push", "push what waits: the last step of a job in CI"),
            ("cuff runs push --drop", "and give up what the store does not take"),
        ],
    ),
    ("runs stop", &[("cuff runs stop", "stop this project's newest run with everything that it started")]),
    (
        "runs prune",
        &[
            ("cuff runs prune", "remove runs that are due"),
            ("cuff runs prune --days 1", "keep the runs of one day"),
        ],
    ),
    (
        "approve",
        &[
            ("cuff approve 7f3a", "see a call's command, and confirm it once"),
            ("cuff approve settings", "see the changes of settings, and approve them for agents"),
        ],
    ),
    ("deny", &[("cuff deny 7f3a", "refuse a call")]),
    (
        "approvals",
        &[
            ("cuff approvals", "list calls that wait for you"),
            ("cuff approvals --always", "list what you always allow"),
            ("cuff approvals --revoke deploy", "have cuff ask again"),
        ],
    ),
    (
        "runners",
        &[
            ("cuff runners", "ask each engine whether it is there"),
            ("cuff run test --on build", "run a tool on one of them"),
        ],
    ),
    (
        "audit",
        &[
            ("cuff audit", "show the last decisions in this project"),
            ("cuff audit deploy --all", "show those about one tool, in all projects"),
            ("cuff audit -n 100 --json", "show more of them, for a program"),
        ],
    ),
    ("schema", &[("cuff schema > settings.schema.json", "write it to a file, for an editor")]),
    ("completions", &[("cuff completions zsh", "print the script; its first lines say where it goes")]),
];

/// The same tree, with examples at the end of each command's help.
pub(super) fn with_examples(tree: Command) -> Command {
    EXAMPLES.iter().chain(OF_TOOLSCRIPT).fold(tree, |tree, (command, lines)| {
        let words: Vec<&str> = command.split_whitespace().collect();
        let lines = text(lines.iter().map(|(line, about)| ((*line).to_owned(), *about)));
        let help = lines + &see_also(&tree, command);
        with_help(tree, &words, &help)
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

fn with_help(command: Command, words: &[&str], text: &str) -> Command {
    match words.split_first() {
        None => command.after_help(text.to_owned()),
        Some((first, rest)) => command.mut_subcommand(first, |inner| with_help(inner, rest, text)),
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
            let lines = help.lines().filter(|line| line.starts_with(' ')).map(str::trim);
            shown.extend(lines.map(str::to_owned));
            for inner in command.get_subcommands() {
                look(inner, &format!("{path} {}", inner.get_name()), shown);
            }
        }
        let abouts: Vec<_> = crate::plugins::ALL.iter().map(|plugin| plugin.about()).collect();
        let mut shown = Vec::new();
        look(&tree(&abouts), "", &mut shown);
        for line in shown {
            let typed = line.split("  ").next().unwrap().split(" > ").next().unwrap();
            // `cuff test` is `cuff run test`.
            let typed = typed.replacen("cuff test", "cuff run test", 1);
            let words: Vec<OsString> =
                shlex::split(&typed).unwrap().into_iter().map(OsString::from).collect();
            assert!(parse(&abouts, &words).is_ok(), "`{typed}` is not understood");
        }
    }
}
