//! The programs whose arguments load code, start something or write files, and the words that a call may not give them.

mod interpreters;
mod options;
mod refused;
mod table;

use self::options::{Rule, offends};
use self::refused::refused;
use super::refusal::Refusal;
use crate::model::Wrapped;

pub(super) use self::interpreters::{may_start_node, node_words};

/// Programs that take `NAME=value` for variables.
pub(super) const TAKES_VARIABLES: &[&str] = &["make", "gmake", "bmake", "just", "task", "rake", "env"];

/// Programs that run their words, or have commands of their own for everything.
const RUNS_ITS_WORDS: &[&str] = &[
    "xargs",
    "gxargs",
    "parallel",
    "watch",
    "entr",
    "concurrently",
    "conc",
    "npm-run-all",
    "npm-run-all2",
    "run-s",
    "run-p",
    "wireit",
    "start-server-and-test",
    "start-test",
    "wait-on",
    "eval",
    "exec",
    "env",
    "cross-env",
    "cross-env-shell",
    "dotenv",
    "env-cmd",
    "onchange",
    "watchexec",
    "chokidar",
    "hyperfine",
    "time",
    "timeout",
    "script",
    "expect",
    "ssh",
    "su",
    "sudo",
    "doas",
    "chroot",
    "nsenter",
    "unshare",
    "vim",
    "vi",
    "nvim",
    "view",
    "ex",
    "ed",
    "emacs",
    "emacsclient",
    "nano",
    "gdb",
    "lldb",
    "strace",
    "ltrace",
    "valgrind",
    "perf",
    "tmux",
    "screen",
    "npx",
    "bunx",
    "pnpx",
    "nix-shell",
    "flock",
    "setsid",
    "nohup",
    "at",
    "batch",
    "crontab",
    "systemd-run",
    "nodemon",
    "pm2",
    "forever",
    "source",
    ".",
    "sqlite3",
    "mongosh",
    "mongo",
    "redis-cli",
    "ftp",
    "lftp",
    "socat",
    "nc",
    "ncat",
    "git config",
    "git bisect",
    "git submodule",
    "git filter-branch",
    "git difftool",
    "git mergetool",
    "git remote",
    "git alias",
    "git send-email",
    "git daemon",
    "git credential",
    "git hook",
    "git for-each-repo",
    "npm config",
    "pnpm config",
    "yarn config",
];

/// Programs whose first word decides their action.
const NEEDS_COMMAND: &[&str] = &[
    "git",
    "cargo",
    "go",
    "docker",
    "podman",
    "nerdctl",
    "docker-compose",
    "kubectl",
    "oc",
    "helm",
    "terraform",
    "tofu",
    "terragrunt",
    "pulumi",
    "aws",
    "gcloud",
    "az",
    "gh",
    "glab",
    "heroku",
    "fly",
    "flyctl",
    "vercel",
    "netlify",
    "wrangler",
    "firebase",
    "serverless",
    "sls",
    "tar",
    "gtar",
    "bsdtar",
    "dotnet",
    "deno",
    "composer",
    "gem",
    "bundle",
    "pip",
    "pip3",
    "poetry",
    "uv",
    "pdm",
    "conda",
    "rails",
    "flutter",
    "dart",
    "swift",
    "mix",
    "dune",
    "stack",
    "cabal",
    "zig",
    "nix",
    "brew",
    "apt",
    "apt-get",
    "systemctl",
    "service",
    "turbo",
    "nx",
    "lerna",
    "rush",
    "moon",
];

/// Commands that run or configure their words, and that a call may not choose.
const NEVER_CHOSEN: &[&str] = &[
    "git config",
    "git bisect",
    "git submodule",
    "git filter-branch",
    "git hook",
    "git send-email",
    "git daemon",
    "cargo install",
    "cargo run",
    "go run",
    "go install",
    "go get",
    "go generate",
    "go tool",
    "pip install",
    "pip3 install",
    "gem install",
    "bundle exec",
    "bundle config",
    "composer exec",
    "composer config",
    "composer global",
    "poetry run",
    "poetry config",
    "uv run",
    "uv tool",
    "conda run",
    "deno run",
    "deno eval",
    "deno install",
    "aws configure",
    "gcloud config",
    "gh alias",
    "gh extension",
    "helm plugin",
    "docker exec",
    "docker run",
    "docker plugin",
    "docker context",
    "podman exec",
    "podman run",
    "kubectl exec",
    "kubectl config",
    "kubectl apply",
    "nix run",
    "nix shell",
    "nix develop",
    "brew install",
    "apt install",
    "apt-get install",
    "dotnet run",
    "dotnet tool",
    "dotnet exec",
    "rails runner",
    "mix run",
    "swift run",
    "dart run",
    "flutter run",
    "zig run",
];

/// Judges words of a call for a program that a tool's own text names. Refuses words by which the program
/// would load or start something else than the text says, or write elsewhere. An unknown program takes every
/// word.
pub(super) fn judge(wrapped: &Wrapped<'_>) -> Result<(), Refusal> {
    let Wrapped { program, words, .. } = *wrapped;
    let Some(first) = words.first() else { return Ok(()) };
    let command = subcommand(wrapped);
    let called = command.map_or_else(|| program.to_owned(), |command| format!("{program} {command}"));
    if RUNS_ITS_WORDS.iter().any(|name| *name == program || *name == called) {
        let help = "call this tool without arguments, or write them into its own text";
        return Err(refused(program, first, "may be run as a command", help));
    }
    if NEEDS_COMMAND.contains(&program) && command.is_none() {
        return judge_chosen(wrapped, first);
    }
    interpreters::judge(wrapped)?;
    for rule in table::rules().filter(|rule| rule.is_for(program, command)) {
        if let Some((word, why)) = offends(rule, wrapped) {
            return Err(refused(program, word, why, &help_of(rule)));
        }
    }
    Ok(())
}

/// Judges words that begin with the command of a program, where the text leaves that open: `"git": "git"`.
fn judge_chosen(wrapped: &Wrapped<'_>, first: &str) -> Result<(), Refusal> {
    let Wrapped { program, words, .. } = *wrapped;
    let called = format!("{program} {first}");
    let asks = ["--version", "--help", "-h", "-V"].contains(&first) && words.len() == 1;
    if asks {
        return Ok(());
    }
    if first.starts_with('-') || program.ends_with("tar") || NEVER_CHOSEN.contains(&called.as_str()) {
        let help = "call this tool without arguments, or write the command into its own text";
        return Err(refused(program, first, "would choose what it runs", help));
    }
    let (own, words) = words.split_at(1);
    judge(&Wrapped { program, own, words })
}

fn help_of(rule: &Rule) -> String {
    match rule.only {
        Some(only) if !only.is_empty() => {
            format!("allowed are {only}; a person can write others into the tool's own text")
        }
        _ => "leave it out; a person can write it into the tool's own text".to_owned(),
    }
}

/// The command of a program that the text gives: `log` of `git -C x log`.
fn subcommand<'a>(wrapped: &Wrapped<'a>) -> Option<&'a str> {
    const VALUED: [&str; 9] = [
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--context",
        "-f",
        "--file",
        "--project-directory",
    ];
    let mut own = wrapped.own.iter().map(String::as_str);
    while let Some(word) = own.next() {
        if VALUED.contains(&word) {
            own.next();
        } else if !word.starts_with('-') || wrapped.program.ends_with("tar") {
            return Some(word);
        }
    }
    None
}

#[cfg(test)]
mod tests;
