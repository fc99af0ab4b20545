//! Which tools look as if nothing takes back what they do. It is a guess for `cuff init`, which suggests `confirm` for them.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of a name.
const NAMES: &[&str] = &[
    "deploy",
    "redeploy",
    "undeploy",
    "publish",
    "unpublish",
    "release",
    "push",
    "upload",
    "destroy",
    "teardown",
    "drop",
    "reset",
    "delete",
    "wipe",
    "purge",
    "nuke",
    "rollback",
    "uninstall",
];

/// First words of names that only make something, whatever else is in them: `build-release`, `css-reset`.
const MAKES: &[&str] =
    &["build", "compile", "test", "check", "lint", "bench", "start", "dev", "watch", "css", "style"];

/// Programs with a word that they are told. A program without one needs none.
const COMMANDS: &[(&str, &[&str])] = &[
    ("git", &["push"]),
    ("gh", &["release", "delete"]),
    ("npm", &["publish", "unpublish"]),
    ("pnpm", &["publish"]),
    ("yarn", &["publish"]),
    ("changeset", &["publish"]),
    ("semantic-release", &[]),
    ("bun", &["publish"]),
    ("cargo", &["publish", "yank"]),
    ("twine", &["upload"]),
    ("poetry", &["publish"]),
    ("uv", &["publish"]),
    ("gradle", &["publish"]),
    ("gradlew", &["publish"]),
    ("mvn", &["deploy"]),
    ("mvnw", &["deploy"]),
    ("gem", &["push"]),
    ("dotnet", &["push"]),
    ("docker", &["push", "--push", "--volumes", "prune"]),
    ("podman", &["push"]),
    ("rsync", &["--delete"]),
    ("aws", &["rm", "rb", "deploy", "--delete"]),
    ("gcloud", &["deploy", "delete"]),
    ("heroku", &["pg:reset"]),
    ("rails", &["db:drop", "db:reset"]),
    ("terraform", &["apply", "destroy"]),
    ("tofu", &["apply", "destroy"]),
    ("pulumi", &["up", "destroy"]),
    ("cdk", &["deploy", "destroy"]),
    ("kubectl", &["apply", "delete"]),
    ("helm", &["install", "upgrade", "uninstall", "rollback"]),
    ("serverless", &["deploy", "remove"]),
    ("firebase", &["deploy"]),
    ("wrangler", &["deploy", "publish"]),
    ("netlify", &["deploy"]),
    ("fly", &["deploy"]),
    ("vercel", &["deploy", "--prod"]),
    ("prisma", &["reset", "push"]),
    ("dropdb", &[]),
];

/// What runs a tool of another kind by its name.
const RUNNERS: &[&str] = &["make", "gmake", "npm", "pnpm", "yarn", "bun"];

/// What removes files. It counts where nothing comes after it: `rm -rf dist && tsc` puts back what it took.
const REMOVERS: &[&str] = &["rm", "rimraf"];

/// What make takes for its own before a command, and blanks.
const SIGNS: [char; 5] = ['@', '-', '+', ' ', '\t'];

/// What stands around words.
const MARKS: [char; 9] = ['"', '\'', '(', ')', '`', '@', '{', '}', '$'];

/// So many `$(…)` within each other are looked into.
const DEEPEST: usize = 16;

/// What only talks, or comes when all is over.
const HARMLESS: &[&str] = &["echo", "printf", "print", "puts", "console.log", "trap", "exit", "true", ":"];

/// Every program of those lists, and every word that one is told.
static PROGRAMS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let told = COMMANDS.iter().map(|(program, _)| program);
    told.chain(RUNNERS).chain(REMOVERS).copied().collect()
});
static TOLD: LazyLock<HashSet<&str>> =
    LazyLock::new(|| COMMANDS.iter().flat_map(|(_, told)| *told).copied().collect());

/// Whether a tool of this name and text looks as if what it does could not be taken back.
pub fn looks_irreversible(name: &str, text: &str) -> bool {
    if is_named_so(name) {
        return true;
    }
    // Most texts call none of these programs, and that is soon known.
    if !any_token(text, |token| has(&PROGRAMS, token)) {
        return false;
    }
    let text = text.replace("$(RM)", "rm -f").replace("${RM}", "rm -f");
    let text = text.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    // A line that goes on in the next is one: as people mean it, and as a shell reads it.
    does_so(&text.replace("\\\n", " ")) || text.contains("\\\n") && does_so(&joined(&text))
}

/// Whether a part of a text may be what makes all of it look so. It is known sooner than that it does.
pub fn may_tell(part: &str) -> bool {
    any_token(part, |token| has(&PROGRAMS, token) || has(&TOLD, token) || is_named_so(token))
}

/// Whether a word of a text that may be a program is such a one, whatever signs are around it.
fn any_token(text: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let any = |text: &str| {
        let mut parts =
            text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.' | ':'));
        parts.any(|part| is_it(part) || is_it(part.trim_matches(['-', '.', ':', '_'])))
    };
    any(text) || text.contains("\\\n") && any(&joined(text))
}

fn has(words: &HashSet<&str>, token: &str) -> bool {
    let lower = token.contains(|c: char| c.is_ascii_uppercase()).then(|| token.to_ascii_lowercase());
    words.contains(lower.as_deref().unwrap_or(token))
}

fn does_so(text: &str) -> bool {
    let lines: Vec<Vec<&str>> = text.lines().flat_map(commands).collect();
    let lists = lists(text);
    let within = text.lines().flat_map(pieces).flat_map(within).flat_map(commands);
    let mut all = lines.iter().cloned().chain(lists.iter().flat_map(|list| commands(list))).chain(within);
    all.any(|command| is_told(&command)) || lines.last().is_some_and(|last| removes(last))
}

/// A text with lines that go on as a shell joins them: at an odd number of backslashes, with nothing between, and never
/// out of a comment.
fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for line in text.split('\n') {
        let behind = line.trim_end_matches('\\');
        let goes_on = (line.len() - behind.len()) % 2 == 1 && !ends_in_comment(line);
        joined.push_str(if goes_on { &line[..line.len() - 1] } else { line });
        if !goes_on {
            joined.push('\n');
        }
    }
    joined
}

/// Whether a comment begins in a line: a word outside of quotes that begins with `#`.
fn ends_in_comment(line: &str) -> bool {
    let (mut quote, mut before) = (None, ' ');
    for c in line.trim_start_matches(SIGNS).chars() {
        match (c, quote) {
            ('#', None) if before.is_whitespace() || before == ';' => return true,
            ('"' | '\'', None) if before != '\\' => quote = Some(c),
            (_, Some(open)) if c == open && (c == '\'' || before != '\\') => quote = None,
            _ => {}
        }
        before = c;
    }
    false
}

/// Each list over several lines in one: what programs in other languages start has a line for each word.
fn lists(text: &str) -> Vec<String> {
    let mut lists = Vec::new();
    let mut open = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let goes_on = line.ends_with(['[', '(', ',']);
        if goes_on || !open.is_empty() {
            open.extend([line, " "]);
        }
        if !goes_on && !open.is_empty() {
            lists.push(std::mem::take(&mut open));
        }
    }
    lists.push(open);
    lists
}

/// Whether a word of the name says so: `deploy:prod`, `publishAll` and `db_reset` have one.
fn is_named_so(name: &str) -> bool {
    let words = words(name);
    let is_listed = |word: &String| NAMES.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()));
    !words.first().is_some_and(|first| MAKES.contains(&first.as_str())) && words.iter().any(is_listed)
}

/// A name in its words: at what is no letter and no digit, and before a capital.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words
}

/// The commands of a line that may do something, in words without quotes and make's own signs.
fn commands(line: &str) -> impl Iterator<Item = Vec<&str>> {
    let commands = pieces(line).map(|command| {
        let words = command.split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
        let words = words.map(|word| word.trim_matches(MARKS));
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
    });
    let is_harmless = |first: &&str| HARMLESS.iter().any(|known| first.split('(').next() == Some(known));
    commands.filter(move |words| words.first().is_some_and(|first| !is_harmless(first)))
}

/// The commands of a line as they stand there.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim_start_matches(SIGNS);
    let line = if line.starts_with('#') { "" } else { line };
    line.split([';', '&', '|'])
}

/// What a shell runs of a command that only talks: `$(…)`, backquotes, and what `trap` keeps for later.
fn within(command: &str) -> Vec<&str> {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(MARKS));
    let Some(first) = words.find(|word| !word.is_empty()) else { return Vec::new() };
    if !HARMLESS.contains(&first) {
        return Vec::new();
    }
    let kept = command.split_once("trap").filter(|_| first == "trap");
    let mut found: Vec<&str> = kept.map(|(_, kept)| kept).into_iter().collect();
    let (mut open, mut backquote) = (Vec::new(), None);
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in command.char_indices() {
        let is_plain = before != '\\';
        match c {
            '(' => {
                open.push(Some(at + 1).filter(|_| matches!(before, '$' | '<' | '>') && open.len() < DEEPEST));
            }
            ')' => found.extend(open.pop().flatten().map(|start: usize| &command[start..at])),
            '`' if is_plain && quote != Some('\'') => match backquote.take() {
                Some(start) => found.push(&command[start..at]),
                None => backquote = Some(at + 1),
            },
            '"' | '\'' if quote == Some(c) && (is_plain || c == '\'') => quote = None,
            '"' | '\'' if quote.is_none() && is_plain => quote = Some(c),
            _ => {}
        }
        before = if is_plain || c != '\\' { c } else { ' ' };
    }
    found.extend(open.into_iter().flatten().chain(backquote).map(|start| &command[start..]));
    found
}

fn is_told(command: &[&str]) -> bool {
    if !command.iter().any(|word| has(&PROGRAMS, called(word))) {
        return false;
    }
    let is_one = |word: &&str| !word.starts_with('-') && !word.contains('=') && is_named_so(word);
    let calls = |runner: &&str| {
        let rest = after(command, runner).unwrap_or_default();
        match *runner {
            "make" | "gmake" => rest.iter().any(is_one),
            _ => matches!(rest, ["run" | "run-script", script, ..] if is_one(script)),
        }
    };
    let is_told = |(program, told): &(&str, &[&str])| {
        after(command, program).is_some_and(|rest| match *program {
            "git" => {
                subcommand(rest).is_some_and(|(word, rest)| told.contains(&word) || discards(word, rest))
            }
            _ if is_handed_on(program, rest) => false,
            _ => told.is_empty() || rest.iter().any(|word| told.contains(word)),
        })
    };
    RUNNERS.iter().any(calls) || COMMANDS.iter().any(is_told)
}

/// Whether a program hands on what it is told, to tests or to what it runs.
fn is_handed_on(program: &str, rest: &[&str]) -> bool {
    match (program, rest) {
        ("npm" | "pnpm" | "yarn" | "bun" | "cargo" | "dotnet", ["test" | "t", ..]) => true,
        ("uv" | "poetry", ["run", own, ..]) => !own.starts_with('-') && *own != "publish",
        _ => false,
    }
}

/// What git is told to do, and with what: the first word that is no option, nor the folder or setting that one takes.
/// `git stash push` is another thing than `git push`.
fn subcommand<'a, 'w>(rest: &'a [&'w str]) -> Option<(&'w str, &'a [&'w str])> {
    let mut rest = rest.iter();
    loop {
        match *rest.next()? {
            "-C" | "-c" => rest.next()?,
            word if !word.starts_with('-') => return Some((word, rest.as_slice())),
            _ => continue,
        };
    }
}

/// Whether git takes away what nobody has committed.
fn discards(subcommand: &str, rest: &[&str]) -> bool {
    let has = |words: &[&str]| rest.iter().any(|word| words.contains(word));
    let is_forced = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains('f');
    match subcommand {
        "reset" => has(&["--hard"]),
        "clean" => has(&["--force"]) || rest.iter().any(is_forced),
        "checkout" | "restore" => has(&[".", "-f", "--force"]),
        "stash" => has(&["drop", "clear"]),
        "branch" => has(&["-D"]),
        _ => false,
    }
}

fn removes(command: &[&str]) -> bool {
    let flags = |rest: &[&str], flag: char| {
        rest.iter().any(|word| word.starts_with('-') && word.to_ascii_lowercase().contains(flag))
    };
    REMOVERS.iter().any(|remover| {
        let rest = after(command, remover);
        rest.is_some_and(|rest| *remover != "rm" || flags(rest, 'r') && flags(rest, 'f'))
    })
}

/// What follows a program, wherever it lies, also where a variable stands for it: `$(GIT)`.
fn after<'a, 'w>(command: &'a [&'w str], program: &str) -> Option<&'a [&'w str]> {
    let at = command.iter().position(|word| called(word).eq_ignore_ascii_case(program))?;
    command.get(at + 1..)
}

/// What a word calls, where it is the name of a program.
fn called(word: &str) -> &str {
    word.rsplit(['/', '=', '(', '{', '"', '\'']).next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_takes_back_is_told_by_name_or_text() {
        for (name, text) in [
            ("deploy", ""),
            ("deploy:prod", "node x"),
            ("publishAll", ""),
            ("db_reset", ""),
            ("scripts/PUSH-images.sh", ""),
            ("ship", "npm run build && git push --tags"),
            ("ship", "sudo /usr/bin/git -C . push"),
            ("x", "@npm publish --access public"),
            ("infra", "cd infra; terraform apply -auto-approve"),
            ("ship", "make -j2 deploy"),
            ("ship", "cd app && $(MAKE) push-images"),
            ("ship", "npm run deploy:prod"),
            ("clean", "rm -rf dist"),
            ("clean", "rm -r -f dist && echo gone"),
            ("clean", "npx rimraf dist"),
            ("clean", "$(RM) -r build"),
            ("deploy2", "./ship"),
            ("ship", "./gradlew publish"),
            ("ship", "docker build . \\\n  --push"),
            ("ship", "$(GIT) -C docs push"),
            ("ship", "X=$(git push)"),
            ("ship", "aws s3 rm s3://x --recursive"),
            ("undo", "git reset --hard && npm install"),
            ("undo", "git -C web clean -fdx; npm ci"),
            ("undo", "git checkout -- . ; make"),
            ("tidy", "docker system prune -af; echo done"),
            ("clean", "@-${RM} -r build"),
            ("clean", "@rm -rf build\n-rm -fr dist\n# all of it\n"),
            ("ship", "subprocess.run(['git', 'push'])\nmore()"),
            ("ship", "subprocess.run([\n  \"git\",\n  # there\n  \"push\",\n])\nmore()"),
            ("ship", "execFile(\"git\",[\"push\"]);\nmore()"),
            ("ship", "system('git push')\nmore()"),
            ("ship", "execSync(\"npm publish\");\nmore()"),
        ] {
            assert!(looks_irreversible(name, text), "{name}: {text}");
        }
        for (name, text) in [
            ("build", "rm -rf dist && tsc"),
            ("test", "tmp=$(mktemp -d)\ntrap 'rm -rf \"$tmp\"' EXIT\nnode --test\n"),
            ("clean", "rm dist/a"),
            ("clean", "$(RM) dist/a"),
            ("build-release", "cargo build --release"),
            ("css-reset", "sass reset.scss"),
            ("tidy", "git stash push"),
            ("tidy", "git reset HEAD~1; git clean -n; git checkout -b fix; git restore --staged a"),
            ("tidy", "git log --grep push"),
            ("tidy", "# then git push\necho \"git push is yours\""),
            ("status", "git status; terraform plan"),
            ("dropdown", "vite build"),
            ("pushups", ""),
            ("lint", "make all; npm run lint; npm install deployer"),
            ("test", "npm test -- publish; cargo test publish; uv run pytest -k publish"),
            ("sum", "all.push(git)\nprint('git push is yours', x)\nconsole.log(\"npm publish\");"),
            ("docs", "make docs MSG=\"release notes\""),
        ] {
            assert!(!looks_irreversible(name, text), "{name}: {text}");
        }
    }

    #[test]
    fn what_a_shell_runs_within_other_lines_is_told() {
        for text in [
            "echo \"out: $(git push)\"",
            "@echo `git push`",
            ": $$(git push >&2)",
            "printf '%s' \"it's $(echo \"$(git push)\")\"",
            "trap \"git push\" EXIT; sleep 1",
            "# push it \\\ngit push",
            "echo hi # then \\\n\tgit push",
            "echo hi \\\\\ngit push",
            "gi\\\nt push",
            "rm -rf dist && echo \"gone at $(date)\"",
        ] {
            assert!(looks_irreversible("", text), "{text}");
        }
        for text in [
            "echo $(VERSION) $(GIT) push; echo \"run \\`git push\\`\" 'or `npm publish`'",
            "trap 'echo git push' EXIT\nconsole.log(`git push`)\nprint(\"`npm publish`\")",
            "# git push \\\necho \"# git push\" \\\n  x",
        ] {
            assert!(!looks_irreversible("", text), "{text}");
        }
    }
}
