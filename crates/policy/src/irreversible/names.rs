//! Names that say of themselves that the tool publishes, deploys or destroys.

use crate::ShellCommand;

/// Words of a name that say so wherever they stand.
const ANYWHERE: [&str; 14] = [
    "deploy",
    "redeploy",
    "undeploy",
    "publish",
    "unpublish",
    "deprecate",
    "push",
    "upload",
    "destroy",
    "teardown",
    "wipe",
    "purge",
    "nuke",
    "rollback",
];

/// Words that count at the end of a name, if the tool's text does not show its effect.
const AT_THE_END: [&str; 4] = ["release", "drop", "reset", "delete"];

/// Words behind these: `release:minor`, `reset:prod`.
const KINDS: [&str; 12] = [
    "major",
    "minor",
    "patch",
    "prod",
    "production",
    "staging",
    "alpha",
    "beta",
    "next",
    "canary",
    "latest",
    "stable",
];

/// Programs whose text says nothing: they run a file of the project.
const INTERPRETERS: [&str; 12] =
    ["node", "tsx", "ts-node", "bun", "deno", "python", "python3", "sh", "bash", "zsh", "ruby", "php"];

/// First words of names that only make or check something, with any words behind them: `build-release`,
/// `css-reset`.
const MAKERS: [&str; 31] = [
    "build",
    "compile",
    "test",
    "tests",
    "e2e",
    "check",
    "verify",
    "validate",
    "lint",
    "bench",
    "start",
    "dev",
    "watch",
    "generate",
    "gen",
    "mock",
    "format",
    "fmt",
    "css",
    "style",
    "pre",
    "prepare",
    "pack",
    "package",
    "dist",
    "preview",
    "serve",
    "typecheck",
    "print",
    "help",
    "list",
];

/// Last words by which a name sends all the same: `build-image-push`.
const SENDERS: [&str; 3] = ["push", "publish", "upload"];

/// Last words by which a name destroys all the same: `dev:nuke`.
const DESTROYERS: [&str; 4] = ["nuke", "wipe", "purge", "destroy"];

/// Programs that only print or end: a tool of these alone does not do what its name suggests.
const SILENT: [&str; 5] = ["echo", "printf", "true", ":", "exit"];

/// Words by which a name means a rehearsal.
const REHEARSALS: [&str; 6] = ["dry", "dryrun", "plan", "check", "snapshot", "local"];

/// Whether a name that a command calls says so, as in `npm run deploy`.
pub(super) fn called_says_so(name: &str) -> bool {
    let words = words(name);
    !is_harmless(&words) && words.iter().any(|word| is(&ANYWHERE, word))
}

/// Whether a name makes its tool look irreversible. A name like `release`, which builds have too, counts only
/// if the tool's commands do not show their effect. No name counts for a tool that only prints.
pub(super) fn says_so(name: &str, commands: &[ShellCommand]) -> bool {
    let words = words(name);
    if is_harmless(&words) || only_prints(commands) {
        return false;
    }
    let own = words.iter().rposition(|word| !is(&KINDS, word)).and_then(|at| words.get(at));
    let tells_nothing = |command: &ShellCommand| {
        let program = command.words.first().map_or("", String::as_str);
        // `nox -s release` hands the name on.
        let hands_on = command.words.len() > 1 && command.words.last().is_some_and(|last| last == name);
        is_head(command) || hands_on || program.contains('/') || INTERPRETERS.contains(&program)
    };
    words.iter().any(|word| is(&ANYWHERE, word))
        || own.is_some_and(|word| is(&AT_THE_END, word)) && commands.iter().all(tells_nothing)
}

/// Whether all commands only print. The head of a rule without prerequisites starts nothing.
fn only_prints(commands: &[ShellCommand]) -> bool {
    let mut started =
        commands.iter().filter(|command| !is_head(command) || command.words.len() > 1).peekable();
    started.peek().is_some() && started.all(|command| SILENT.contains(&command.program()))
}

/// Whether a line is the head of a rule: `deploy: build`.
fn is_head(command: &ShellCommand) -> bool {
    command.words.first().is_some_and(|first| first.len() > 1 && first.ends_with(':'))
}

fn is_harmless(words: &[String]) -> bool {
    let makes = words.first().is_some_and(|first| is(&MAKERS, first));
    let ends = |list: &[&str]| words.last().is_some_and(|last| is(list, last));
    let also_sends = words.windows(2).any(|pair| pair[0] == "and" && is(&ANYWHERE, &pair[1]));
    let destroys = words.first().is_some_and(|first| first == "dev") && ends(&DESTROYERS);
    let does_more = ends(&SENDERS) || also_sends || destroys;
    makes && !does_more || words.iter().any(|word| is(&REHEARSALS, word))
}

fn is(list: &[&str], word: &str) -> bool {
    list.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// The words of a name, in small letters: `publishAll`, `db_reset` and `deploy:prod` have two each. Of a path only the
/// file's name counts, without its extension.
fn words(name: &str) -> Vec<String> {
    let file = name.rsplit('/').next().unwrap_or_default();
    let stem = match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() && name.contains('/') => stem,
        _ => file,
    };
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in stem.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}
