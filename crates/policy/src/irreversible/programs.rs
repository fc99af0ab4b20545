//! The one table of programs with the words by which they make changes that no build restores.

use super::{names, removal};

/// Programs that publish, deploy or destroy if one of these is among their words. An empty list: with any
/// words.
const TABLE: &[(&str, &[&str])] = &[
    // Packages.
    ("npm", &["publish", "unpublish", "deprecate"]),
    ("pnpm", &["publish", "unpublish"]),
    ("yarn", &["publish"]),
    ("bun", &["publish"]),
    ("changeset", &["publish"]),
    ("lerna", &["publish"]),
    ("semantic-release", &[]),
    ("release-it", &[]),
    ("np", &[]),
    ("jsr", &["publish"]),
    ("deno", &["publish", "deploy"]),
    ("vsce", &["publish", "unpublish"]),
    ("ovsx", &["publish"]),
    ("cargo", &["publish", "yank"]),
    ("twine", &["upload"]),
    ("poetry", &["publish"]),
    ("uv", &["publish"]),
    ("flit", &["publish"]),
    ("hatch", &["publish"]),
    ("pdm", &["publish"]),
    ("setup.py", &["upload"]),
    ("gem", &["push", "yank"]),
    ("nuget", &["push", "delete"]),
    ("mvn", &["deploy"]),
    ("mvnw", &["deploy"]),
    ("gradle", &["publish"]),
    ("gradlew", &["publish"]),
    ("goreleaser", &["release"]),
    ("mix", &["hex.publish", "ecto.drop", "ecto.reset"]),
    // Images.
    ("docker", &["push", "--push", "prune", "--volumes", "type=registry"]),
    ("docker-compose", &["push", "--volumes"]),
    ("podman", &["push"]),
    ("buildah", &["push"]),
    ("crane", &["push", "copy", "delete"]),
    ("oras", &["push"]),
    ("skopeo", &["copy", "delete", "sync"]),
    // Sites and services.
    ("gh-pages", &["-d", "--dist"]),
    ("firebase", &["deploy"]),
    ("wrangler", &["deploy", "publish", "delete", "upload"]),
    ("netlify", &["deploy"]),
    ("vercel", &["deploy", "--prod", "remove", "promote"]),
    ("surge", &[]),
    ("fly", &["deploy", "destroy"]),
    ("flyctl", &["deploy", "destroy"]),
    ("serverless", &["deploy", "remove"]),
    ("sls", &["deploy", "remove"]),
    ("sam", &["deploy", "delete"]),
    ("cdk", &["deploy", "destroy"]),
    ("pulumi", &["up", "destroy", "refresh"]),
    ("kamal", &["deploy", "remove", "rollback"]),
    ("cap", &["deploy"]),
    ("skaffold", &["run", "deploy", "delete"]),
    ("eas", &["submit", "update"]),
    ("ansible-playbook", &[]),
    ("vagrant", &["destroy"]),
    // Infrastructure.
    ("terraform", &["apply", "destroy", "import", "taint", "untaint"]),
    ("tofu", &["apply", "destroy", "import", "taint", "untaint"]),
    ("terragrunt", &["apply", "destroy", "apply-all", "run-all", "destroy-all"]),
    // Data.
    ("dropdb", &[]),
    ("dropuser", &[]),
    ("redis-cli", &["FLUSHALL", "FLUSHDB", "flushall", "flushdb"]),
    ("prisma", &["reset", "push", "deploy"]),
    ("drizzle-kit", &["migrate", "push", "drop"]),
    ("supabase", &["reset", "push", "deploy"]),
    ("sequelize", &["db:drop"]),
    ("sequelize-cli", &["db:drop"]),
    ("typeorm", &["schema:drop"]),
    ("rails", &["db:drop", "db:reset", "db:migrate:reset", "db:purge"]),
    ("rake", &["db:drop", "db:reset", "db:migrate:reset", "db:purge"]),
    ("manage.py", &["flush", "reset_db"]),
    ("artisan", &["migrate:fresh", "migrate:reset", "db:wipe"]),
];

/// Verbs of command lines that change resources of a cloud or a cluster.
const CHANGING: [&str; 34] = [
    "apply",
    "attach",
    "cancel",
    "copy",
    "cordon",
    "create",
    "delete",
    "deploy",
    "destroy",
    "detach",
    "disable",
    "drain",
    "edit",
    "enable",
    "install",
    "invoke",
    "patch",
    "promote",
    "publish",
    "purge",
    "put",
    "remove",
    "replace",
    "reset",
    "restart",
    "restore",
    "rollback",
    "run",
    "scale",
    "set",
    "terminate",
    "uninstall",
    "update",
    "upgrade",
];

/// Words of SQL that change or destroy data.
const SQL: [&str; 6] = ["drop", "truncate", "delete", "alter", "update", "insert"];

/// Whether a command makes changes that no build restores. A rehearsal (`--dry-run`) does not.
pub(super) fn is_irreversible(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    if rest.iter().any(|word| is_rehearsal(word)) {
        return false;
    }
    let program = &*named(program);
    if let ("python" | "python3", ["-m", module @ ..]) = (program, rest) {
        return is_irreversible(module);
    }
    let plain = plain(rest, valued(program));
    match program {
        "run" | "maybe_run" | "retry" | "try" => called(rest).is_some_and(is_irreversible),
        "git" => git(rest),
        "rm" => removal::rm(rest),
        "rimraf" | "del" | "del-cli" | "trash" => removal::reaches_out(rest),
        "kubectl" | "oc" | "helm" => plain.first().is_some_and(|verb| CHANGING.contains(verb)),
        "gh" => gh(&plain, rest),
        "aws" => aws(&plain),
        "gsutil" => {
            matches!(plain[..], ["cp" | "mv" | "rsync", .., to] if is_bucket(to))
                || plain.first() == Some(&"rm")
        }
        "gcloud" | "az" | "doctl" | "heroku" => plain.iter().any(|word| is_changing(word)),
        "psql" | "mysql" | "sqlite3" | "mongosh" => rest.iter().any(|word| changes_data(word)),
        "ssh" => plain.len() > 1,
        "scp" | "rsync" => plain.last().is_some_and(|to| is_remote(to)) || rest.contains(&"--delete"),
        "curl" => sends(rest) && !plain.iter().any(|word| is_here(word)),
        "make" | "gmake" | "turbo" | "nx" => {
            plain.iter().any(|goal| !goal.contains(['=', '/']) && names::called_says_so(goal))
        }
        "dotnet" => matches!(plain[..], ["nuget", "push" | "delete", ..]),
        _ => runs_irreversible(program, &plain) || is_listed(program, rest, &plain),
    }
}

/// The command that a function of the project calls, which takes one for its words: `maybe_run git push`. Only commands
/// that send are looked for, since programs have such names as well.
fn called<'w>(rest: &'w [&'w str]) -> Option<&'w [&'w str]> {
    let is_own = |word: &&str| word.starts_with('-') || word.bytes().all(|byte| byte.is_ascii_digit());
    let command = &rest[rest.iter().take_while(|word| is_own(word)).count()..];
    let sends = match command {
        ["git" | "docker", words @ ..] => words.contains(&"push"),
        ["gh" | "gsutil", ..] => true,
        _ => false,
    };
    sends.then_some(command)
}

/// The options of a program that take the next word, where they stand before the words that are looked at.
fn valued(program: &str) -> &'static [&'static str] {
    match program {
        "gh" => &["-R", "--repo"],
        "gsutil" => &["-h", "-o"],
        _ => &[],
    }
}

/// The words that are neither options nor values of these options.
fn plain<'w>(rest: &[&'w str], valued: &[&str]) -> Vec<&'w str> {
    let mut words = rest.iter();
    let mut plain = Vec::new();
    while let Some(word) = words.next() {
        if valued.contains(word) {
            words.next();
        } else if !word.starts_with('-') {
            plain.push(*word);
        }
    }
    plain
}

fn is_listed(program: &str, rest: &[&str], plain: &[&str]) -> bool {
    let listed_words =
        TABLE.iter().find(|(listed, _)| *listed == program).map(|(_, listed_words)| *listed_words);
    // A manager runs the script of any name for its first word: `yarn publish` and `cargo test publish` differ.
    let first_alone =
        ["npm", "pnpm", "yarn", "bun", "cargo", "uv", "poetry", "mvn", "mvnw", "gradle", "gradlew"];
    listed_words.is_some_and(|listed_words| match listed_words {
        [] => true,
        listed_words if matches!(program, "gradle" | "gradlew" | "mvn" | "mvnw") => {
            plain.iter().any(|word| listed_words.iter().any(|task| word.rsplit(':').next() == Some(*task)))
        }
        listed_words if first_alone.contains(&program) => {
            plain.first().is_some_and(|first| listed_words.contains(first))
        }
        // `--output=type=registry,…`
        listed_words => rest.iter().any(|word| {
            word.strip_prefix("--output=").unwrap_or(word).split(',').any(|part| listed_words.contains(&part))
        }),
    })
}

/// Whether a package manager runs a script whose name says so.
fn runs_irreversible(program: &str, plain: &[&str]) -> bool {
    matches!(program, "npm" | "pnpm" | "yarn" | "bun")
        && matches!(plain, ["run" | "run-script", script, ..] if names::called_says_so(script))
}

/// `git push`, `git reset --hard`, `git clean` with force.
fn git(rest: &[&str]) -> bool {
    const WITH_A_WORD: [&str; 5] = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"];
    let mut words = rest.iter();
    let verb = loop {
        match words.next() {
            Some(word) if WITH_A_WORD.contains(word) => drop(words.next()),
            Some(word) if word.starts_with('-') => {}
            verb => break verb.copied(),
        }
    };
    let has = |letter: char, long: &str| {
        words.clone().any(|word| {
            *word == long || word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
        })
    };
    match verb {
        Some("push") => !has('n', "--dry-run"),
        Some("reset") => words.clone().any(|word| *word == "--hard"),
        Some("clean") => has('f', "--force") && !has('n', "--dry-run"),
        _ => false,
    }
}

/// `gh release create`, `gh pr merge`, `gh api -X POST`, but not `gh pr view`.
fn gh(plain: &[&str], rest: &[&str]) -> bool {
    const VERBS: [&str; 14] = [
        "create", "delete", "edit", "merge", "close", "reopen", "upload", "archive", "rename", "run", "set",
        "remove", "transfer", "comment",
    ];
    match plain {
        ["api", ..] => sends(rest),
        [_, verb, ..] => VERBS.contains(verb),
        _ => false,
    }
}

/// `aws s3 rm`, `aws s3 sync dist s3://…`, and verbs such as `update-function-code`.
fn aws(plain: &[&str]) -> bool {
    match plain {
        ["s3", "rm" | "rb" | "mb", ..] => true,
        ["s3", "cp" | "mv" | "sync", .., to] => is_bucket(to),
        [_, verb, ..] => is_changing(verb),
        _ => false,
    }
}

/// Whether a path lies in a bucket of a cloud, or in a variable.
fn is_bucket(path: &str) -> bool {
    path.contains("://") || path.starts_with('$')
}

/// The program that a word names: without its folder, and of a variable that is called like it, `$(DOCKER)`.
fn named(word: &str) -> String {
    let name = word.rsplit('/').next().unwrap_or(word);
    let variable = word.strip_prefix('$').map(|name| name.trim_matches(['(', ')', '{', '}']));
    variable.map_or_else(|| name.to_owned(), str::to_lowercase)
}

fn is_changing(word: &str) -> bool {
    let verb = word.split('-').next().unwrap_or(word);
    let verb = verb.rsplit(':').next().unwrap_or(verb);
    CHANGING.contains(&verb)
}

fn changes_data(word: &str) -> bool {
    let mut words = word.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| SQL.iter().any(|changing| word.eq_ignore_ascii_case(changing)))
}

/// Whether a request sends something, or asks for a change.
fn sends(rest: &[&str]) -> bool {
    const BODIES: [&str; 9] =
        ["-d", "-F", "-T", "-f", "--form", "--upload-file", "--json", "--field", "--raw-field"];
    let is_method = |method: &str| matches!(method, "POST" | "PUT" | "DELETE" | "PATCH");
    let names_method = |pair: &[&str]| {
        matches!(pair[0], "-X" | "--request" | "--method")
            && pair.get(1).is_some_and(|method| is_method(method))
    };
    rest.windows(2).any(names_method)
        || rest.iter().any(|word| {
            let value = word.strip_prefix("-X").or_else(|| word.strip_prefix("--request="));
            // `curl -f` fails on errors, and sends nothing.
            value.is_some_and(is_method)
                || word.starts_with("--data")
                || BODIES.contains(word) && *word != "-f"
        })
}

/// Whether a path lies on another machine: `host:folder`.
fn is_remote(path: &str) -> bool {
    path.split_once(':').is_some_and(|(host, _)| !host.contains('/') && host.len() > 1)
}

fn is_here(word: &str) -> bool {
    ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].iter().any(|here| word.contains(here))
}

/// Whether a word makes a program show its plan without acting.
fn is_rehearsal(word: &str) -> bool {
    let value = ["--dry-run", "--dryrun", "--dry_run", "--snapshot", "--help", "--version"]
        .iter()
        .find_map(|flag| word.strip_prefix(flag));
    value.is_some_and(|value| !matches!(value, "=none" | "=false"))
}
