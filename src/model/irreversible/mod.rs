//! Which tools look as if nothing takes back what they do: a guess by names and plain text.

mod lines;
mod names;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use lines::{ENDINGS, commands, is_before, joined, lists};
pub(super) use lines::{only_talks, pieces, script, substitutions, within};
pub use names::is_cleaner;
pub(super) use names::is_maker;
use names::named;

/// What a tool seems to do to the world.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Looks {
    /// Nothing that stands out.
    #[default]
    Calm,
    /// It ends with files removed. What goes on after that, as many do that call it, puts back what it took.
    Removes,
    /// Its name alone says so, with a word that builds have as well. What calls it is judged by itself.
    Named,
    /// Nothing seems to take back what it does.
    Lasts,
}

/// Programs with a word that they are told. A program without one needs none.
const COMMANDS: &[(&str, &[&str])] = &[
    ("git", &["push"]),
    ("gh", &["release", "repo"]),
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
    ("docker-compose", &["push", "--volumes", "-v"]),
    ("podman", &["push"]),
    ("buildah", &["push"]),
    ("crane", &["push"]),
    ("oras", &["push"]),
    ("lerna", &["publish"]),
    ("np", &[]),
    ("release-it", &[]),
    ("goreleaser", &["release"]),
    ("gh-pages", &["-d", "--dist"]),
    ("vsce", &["publish"]),
    ("ovsx", &["publish"]),
    ("jsr", &["publish"]),
    ("deno", &["publish"]),
    ("flit", &["publish"]),
    ("hatch", &["publish"]),
    ("pdm", &["publish"]),
    ("setup.py", &["upload"]),
    ("rsync", &["--delete"]),
    ("aws", &["rm", "rb", "deploy", "--delete"]),
    ("gcloud", &["deploy", "delete"]),
    ("heroku", &["pg:reset"]),
    ("rails", &["db:drop", "db:reset", "db:migrate:reset", "db:purge"]),
    ("rake", &["db:drop", "db:reset", "db:migrate:reset", "db:purge"]),
    ("manage.py", &["flush", "reset_db"]),
    ("artisan", &["migrate:fresh", "migrate:reset", "db:wipe"]),
    ("mix", &["ecto.drop", "ecto.reset", "hex.publish"]),
    ("sequelize", &["db:drop"]),
    ("typeorm", &["schema:drop"]),
    ("supabase", &["reset"]),
    ("redis-cli", &["FLUSHALL", "FLUSHDB", "flushall", "flushdb"]),
    ("terraform", &["apply", "destroy"]),
    ("tofu", &["apply", "destroy"]),
    ("pulumi", &["up", "destroy"]),
    ("cdk", &["deploy", "destroy"]),
    ("kubectl", &["apply", "delete"]),
    ("helm", &["install", "upgrade", "uninstall", "rollback"]),
    ("serverless", &["deploy", "remove"]),
    ("sls", &["deploy", "remove"]),
    ("sam", &["deploy", "delete"]),
    ("terragrunt", &["apply", "destroy"]),
    ("flyctl", &["deploy"]),
    ("kamal", &["deploy", "remove"]),
    ("cap", &["deploy"]),
    ("skaffold", &["run", "deploy"]),
    ("oc", &["apply", "delete"]),
    ("vagrant", &["destroy"]),
    ("firebase", &["deploy"]),
    ("wrangler", &["deploy", "publish"]),
    ("netlify", &["deploy"]),
    ("fly", &["deploy"]),
    ("vercel", &["deploy", "--prod"]),
    ("prisma", &["reset", "push"]),
    ("dropdb", &[]),
];

/// What runs a tool of another kind by its name.
const RUNNERS: &[&str] = &["make", "gmake", "npm", "pnpm", "yarn", "bun", "turbo", "nx", "lerna"];

/// What removes files. It counts where nothing comes after it: `rm -rf dist && tsc` puts back what it took.
const REMOVERS: &[&str] = &["rm", "rimraf"];

/// Every program of those lists, what the first list has it told, and every word that one is told.
static PROGRAMS: LazyLock<HashMap<&str, Option<&[&str]>>> = LazyLock::new(|| {
    let others = RUNNERS.iter().chain(REMOVERS).map(|program| (*program, None));
    others.chain(COMMANDS.iter().map(|(program, told)| (*program, Some(*told)))).collect()
});
static TOLD: LazyLock<HashSet<&str>> =
    LazyLock::new(|| COMMANDS.iter().flat_map(|(_, told)| *told).copied().collect());

impl Looks {
    /// What a thing seems to do that looks so by its text, once its name is heard.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        let looks = if self == Self::Removes && is_maker(name) { Self::Calm } else { self };
        looks.max(named(name))
    }
}

/// What a tool of this name and text seems to do.
pub fn looks(name: &str, text: &str) -> Looks {
    let looks = by_text(text);
    let cleans = || text.lines().flat_map(commands).any(|command| removes(&command));
    let looks = if looks == Looks::Calm && is_cleaner(name) && cleans() { Looks::Removes } else { looks };
    looks.named(name)
}

fn by_text(text: &str) -> Looks {
    // Most texts call none of these programs, and that is soon known.
    let may_start = || text.contains('/') || ENDINGS.iter().any(|ending| text.contains(ending));
    if !any_token(text, |token| known(token).is_some()) && !may_start() {
        return Looks::Calm;
    }
    let text = text.replace("$(RM)", "rm -f").replace("${RM}", "rm -f");
    let text = text.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    // A line that goes on in the next is one: as people mean it, and as a shell reads it.
    let meant = of_lines(&text.replace("\\\n", " "));
    if text.contains("\\\n") { meant.max(of_lines(&joined(&text))) } else { meant }
}

/// Whether a tool of this name and text looks as if what it does could not be taken back.
pub fn looks_irreversible(name: &str, text: &str) -> bool {
    looks(name, text) != Looks::Calm
}

/// Whether a part of a text may be what makes all of it look so. It is known sooner than that it does.
pub fn may_tell(part: &str) -> bool {
    any_token(part, |token| known(token).is_some() || TOLD.contains(token) || named(token) != Looks::Calm)
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

fn of_lines(text: &str) -> Looks {
    let lines: Vec<Vec<&str>> = text.lines().flat_map(commands).collect();
    let lists = lists(text);
    let within = text.lines().flat_map(pieces).flat_map(within).flat_map(commands);
    let mut others = lists.iter().flat_map(|list| commands(list)).chain(within);
    if lines.iter().any(|command| is_told(command)) || others.any(|command| is_told(&command)) {
        Looks::Lasts
    } else if lines.last().is_some_and(|last| removes(last)) {
        Looks::Removes
    } else {
        Looks::Calm
    }
}

fn is_told(command: &[&str]) -> bool {
    let plain = |word: &&&str| !word.starts_with('-') && !word.contains(['=', ')', '/']);
    // `./scripts/deploy.sh` says as much as its name does.
    let own = script(command.iter().copied()).and_then(|path| path.rsplit('/').next());
    if command.iter().any(|word| is_rehearsal(word)) {
        return false;
    }
    if own.is_some_and(|name| named(name) != Looks::Calm) {
        return true;
    }
    programs(command).any(|(program, told, rest)| {
        let before = &command[..command.len() - rest.len() - 1];
        let is_started = before.iter().all(|word| is_before(word) || *word == "dlx");
        let calls = match program {
            "make" | "gmake" | "turbo" | "nx" | "lerna" => rest.iter().filter(plain).any(|goal| named(goal) == Looks::Lasts),
            "npm" | "pnpm" | "yarn" | "bun" => {
                matches!(rest, ["run" | "run-script", script, ..] if named(script) != Looks::Calm)
            }
            // Their paths are those of a container or a device.
            "rm" | "rimraf" if before.iter().any(|word| ["docker", "podman", "adb"].contains(word)) => false,
            "rm" => is_recursive(rest) && rest.iter().any(|word| is_outside(word)),
            "rimraf" => rest.iter().any(|word| is_outside(word)),
            _ => false,
        };
        calls
            || told.is_some_and(|told| match program {
                "git" => {
                    subcommand(rest).is_some_and(|(word, rest)| told.contains(&word) || discards(word, rest))
                }
                "gh" => matches!(&plain_words(rest)[..], [what, how, ..]
                    if told.contains(what) && ["create", "delete", "upload", "edit", "archive"].contains(how)),
                "helm" => plain_words(rest).first().is_some_and(|word| told.contains(word)),
                _ if is_handed_on(program, rest) => false,
                _ if told.is_empty() => is_started,
                _ => rest.iter().any(|word| told.contains(word)),
            })
    })
}

/// The known programs that a command calls, wherever they lie, also where a variable stands for one: `$(GIT)`. With each
/// what it may be told, and what it is.
fn programs<'a, 'w>(
    command: &'a [&'w str],
) -> impl Iterator<Item = (&'static str, Option<&'static [&'static str]>, &'a [&'w str])> {
    command.iter().enumerate().filter_map(|(at, word)| {
        let (program, told) = known(called(word))?;
        Some((program, told, &command[at + 1..]))
    })
}

/// A program of the lists, however it is written.
fn known(program: &str) -> Option<(&'static str, Option<&'static [&'static str]>)> {
    let upper = program.bytes().any(|byte| byte.is_ascii_uppercase());
    let lower = upper.then(|| program.to_ascii_lowercase());
    let (program, told) = PROGRAMS.get_key_value(lower.as_deref().unwrap_or(program))?;
    Some((program, *told))
}

/// Whether a word has a program show what it would do.
fn is_rehearsal(word: &str) -> bool {
    let value = word.strip_prefix("--dry-run").or_else(|| word.strip_prefix("--dryrun"));
    value.is_some_and(|value| !matches!(value, "=none" | "=false"))
}

fn plain_words<'w>(words: &[&'w str]) -> Vec<&'w str> {
    words.iter().copied().filter(|word| !word.starts_with('-')).collect()
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
    const WITH_A_WORD: [&str; 7] =
        ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"];
    let mut rest = rest.iter();
    loop {
        match *rest.next()? {
            word if WITH_A_WORD.contains(&word) => rest.next()?,
            word if !word.starts_with('-') => return Some((word, rest.as_slice())),
            _ => continue,
        };
    }
}

/// Whether git takes away what nobody has committed.
fn discards(subcommand: &str, rest: &[&str]) -> bool {
    let has = |words: &[&str]| rest.iter().any(|word| words.contains(word));
    let is_listed = || rest.iter().any(|word| word.starts_with("--pathspec-from-file"));
    match subcommand {
        "reset" => has(&["--hard"]),
        "clean" => has_flag(rest, 'f', "--force"),
        // What was to be committed stays in the files.
        "restore" if has_flag(rest, 'S', "--staged") && !has_flag(rest, 'W', "--worktree") => false,
        "restore" => !plain_words(rest).is_empty() || is_listed(),
        // What stands behind `--` are files.
        "checkout" => {
            let files = rest.iter().skip_while(|word| **word != "--").skip(1);
            has(&[".", "-f", "--force"]) || files.count() > 0 || is_listed()
        }
        "stash" => has(&["drop", "clear"]),
        "branch" => has(&["-D"]),
        _ => false,
    }
}

/// Whether a text only takes away and talks: nothing that was removed before is put back by it.
pub fn only_removes(text: &str) -> bool {
    const ALSO: &[&str] = &["rmdir", "unlink", "RM"];
    let text = text.replace("\\\n", " ");
    let mut commands = text.lines().flat_map(commands);
    commands
        .all(|command| command.first().is_some_and(|first| REMOVERS.contains(first) || ALSO.contains(first)))
}

/// Whether a command removes more than what is there for a while.
fn removes(command: &[&str]) -> bool {
    programs(command).any(|(program, _, rest)| {
        let mut what =
            rest.iter().filter(|word| !word.starts_with('-')).map(|word| word.to_ascii_lowercase());
        let is_own = !rest.is_empty() && what.all(|word| word.contains("tmp") || word.contains("temp"));
        let is_remover = REMOVERS.contains(&program) && !is_own;
        is_remover && (program != "rm" || is_recursive(rest) && has_flag(rest, 'f', "--force"))
    })
}

fn is_recursive(rest: &[&str]) -> bool {
    ['r', 'R'].iter().any(|letter| has_flag(rest, *letter, "--recursive"))
}

/// Whether there is an option, by its name or as a letter among others.
fn has_flag(words: &[&str], letter: char, name: &str) -> bool {
    let is_it = |word: &&str| {
        *word == name || word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
    };
    words.iter().any(is_it)
}

/// Whether a path lies in the user's home or elsewhere in the file system: no build puts back what is removed there.
fn is_outside(path: &str) -> bool {
    const PASSING: &[&str] = &["/tmp", "/var/tmp", "/dev/shm", "/run", "/private/tmp", "/var/folders"];
    let is_in = |folder: &&str| {
        let rest = path.strip_prefix(*folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') && !rest.contains(".."))
    };
    let of_home = path
        .strip_prefix("HOME")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([')', '}', '/', ':', '%', '#']));
    of_home || path.starts_with('~') || path.starts_with('/') && !PASSING.iter().any(is_in)
}

/// What a word calls, where it is the name of a program.
fn called(word: &str) -> &str {
    let begins = word.bytes().rposition(|byte| matches!(byte, b'/' | b'=' | b'(' | b'{' | b'"' | b'\''));
    begins.map_or(word, |at| &word[at + 1..])
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
            ("clean-all", "@rm -rf a b\n@make -C docs html"),
            ("clean", "$(RM) -r build"),
            ("deploy2", "./ship"),
            ("ship", "./gradlew publish"),
            ("ship", "./scripts/deploy.sh prod && echo done"),
            ("ship", "if test -n x; then ./hack/release.sh; fi"),
            ("ship", "node -r dotenv/config deploy.js && uv run publish.py"),
            ("ship", "node deploy.js"),
            ("ship", "echo \"\\\\\" \" # \"; git push"),
            ("ship", "turbo run deploy"),
            ("ship", "nx run api:deploy"),
            ("ship", "npx release-it && docker-compose down -v"),
            ("db", "bundle exec rake db:drop"),
            ("ship", "case \"$1\" in out) git push;; esac"),
            ("clean", "if [ -d b ]; then rm -rf b; fi"),
            ("ship", "STAGE=prod node --env-file=.env tools/publish-all.js"),
            ("ship", "docker build . \\\n  --push"),
            ("ship", "$(GIT) -C docs push"),
            ("ship", "git --git-dir x/.git --work-tree x push"),
            ("ship", "X=$(git push)"),
            ("ship", "aws s3 rm s3://x --recursive"),
            ("undo", "git reset --hard && npm install"),
            ("undo", "git -C web clean -fdx; npm ci"),
            ("undo", "git checkout -- . ; make"),
            ("undo", "git restore src && make"),
            ("undo", "git checkout HEAD~3 -- src; make"),
            ("undo", "git restore --pathspec-from-file=x; make"),
            ("undo", "git restore --staged --worktree . ; git restore -SW ."),
            ("ship", "git --git-dir /srv/x.git push && git --work-tree . --namespace n push"),
            ("clean", "rm --recursive --force dist; rm -R --force x"),
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
    }

    #[test]
    fn no_build_puts_back_what_was_removed_outside_of_the_project() {
        for text in [
            "$(RM) -rf ${HOME}/.local/share/containers\nbats test",
            "rm -rf ~/.cache/x && vitest",
            "rm -rf \"$HOME\"; tsc",
            "sudo rm -r /var/lib/x && tsc",
            "npx rimraf /opt/x && tsc",
            "rm -rf \"${HOME:?}/x\" && tsc",
            "rm -rf /tmp/../home/me && tsc",
        ] {
            assert!(looks_irreversible("build", text), "{text}");
        }
    }

    #[test]
    fn what_only_sounds_like_it_is_not_told() {
        for (name, text) in [
            ("build", "rm -rf dist && tsc"),
            ("build", "rm -rf /tmp/x $(DESTDIR)/usr/share/x && tsc"),
            ("build", "docker run --rm -v .:/app alpine rm -rf /app/dist && tsc"),
            ("tidy", "rm --force x; git restore --staged ."),
            ("test-browser", "browserify x > dist/x; mocha dist/x; rimraf dist"),
            ("dist", "tmp=$(mktemp -d); tar -C \"$tmp\" .; rm -rf \"$tmp\""),
            ("test", "tmp=$(mktemp -d)\ntrap 'rm -rf \"$tmp\"' EXIT\nnode --test\n"),
            ("clean", "rm dist/a"),
            ("clean", "rm --force x.log; rm --recursive x"),
            ("tidy", "git restore --staged . && git restore -S ."),
            ("try", "git --git-dir push log"),
            ("clean", "$(RM) dist/a"),
            ("build-release", "cargo build --release"),
            ("css-reset", "sass reset.scss"),
            ("tidy", "git stash push"),
            ("tidy", "git reset HEAD~1; git clean -n; git checkout -b fix --; git restore --staged a"),
            ("tidy", "git restore -qS x; git checkout main --"),
            ("tidy", "git log --grep push"),
            ("tidy", "# then git push\necho \"git push is yours\""),
            ("status", "git status; terraform plan"),
            ("dropdown", "vite build"),
            ("pushups", ""),
            ("lint", "make all; npm run lint; npm install deployer"),
            ("test", "npm test -- publish; cargo test publish; uv run pytest -k publish"),
            ("sum", "all.push(git)\nprint('git push is yours', x)\nconsole.log(\"npm publish\");"),
            ("docs", "make docs MSG=\"release notes\""),
            ("lint", "eslint . # so that git push passes"),
            (
                "setup",
                "pip install semantic-release; command -v dropdb; helm plugin install x; gh release view",
            ),
            ("try", "npm publish --dry-run && kubectl apply --dry-run=client -f x"),
            ("all", "if true; then echo \"git push\"; fi; die 'please git push'"),
            ("e2e:push-notifications", "vitest"),
            ("dist", "cp -r a stage; tar cf x stage; rm -rf stage"),
            ("docs", "pandoc docs/deploy.md; cat scripts/deploy.sh; eslint tools/publish.js"),
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
