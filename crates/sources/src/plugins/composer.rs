//! Scripts of composer.json.

use serde_json::Value;

use super::tasks::{MissingDependency, SourceLook, SourceSpec, SourceTask, TaskListing, words};

pub(super) const COMPOSER: SourceSpec = SourceSpec {
    id: "composer",
    codes: "COMPOSER",
    summary: "PHP: the scripts of composer.json, and its install",
    files: &["composer.json"],
    read,
    missing: Some(|look| {
        let what = "nothing that composer.json depends on is installed".to_owned();
        (!look.has_file("vendor")).then_some(MissingDependency { what, task: "install" })
    }),
    programs: &[
        ("composer", "install Composer: https://getcomposer.org"),
        ("php", "install PHP: https://www.php.net/downloads"),
    ],
    separator: Some("--"),
    runners: &["composer"],
    ..SourceSpec::BLANK
};

/// The endings of the scripts that composer runs by itself: `post-install-cmd`.
const EVENTS: [&str; 4] = ["-cmd", "-package", "-package-install", "-autoload-dump"];

/// A program of vendor/bin that contributors type, by the files that configure it.
struct Checker {
    name: &'static str,
    aliases: &'static [&'static str],
    files: &'static [&'static str],
    /// The packages that bring it.
    packages: &'static [&'static str],
    words: &'static [&'static str],
    description: &'static str,
}

const CHECKERS: [Checker; 4] = [
    Checker {
        name: "pest",
        aliases: &["test"],
        files: &["tests/Pest.php"],
        packages: &["pestphp/pest"],
        words: &["vendor/bin/pest"],
        description: "Run the tests with Pest",
    },
    Checker {
        name: "phpunit",
        aliases: &["test"],
        files: &["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"],
        packages: &["phpunit/phpunit", "orchestra/testbench"],
        words: &["vendor/bin/phpunit"],
        description: "Run the tests with PHPUnit",
    },
    Checker {
        name: "phpstan",
        aliases: &[],
        files: &["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"],
        packages: &["phpstan/phpstan", "larastan/larastan", "nunomaduro/larastan"],
        words: &["vendor/bin/phpstan", "analyse"],
        description: "Find problems with PHPStan",
    },
    Checker {
        name: "pint",
        aliases: &["format"],
        files: &["pint.json"],
        packages: &["laravel/pint"],
        words: &["vendor/bin/pint"],
        description: "Format the code with Pint; `--test` only looks",
    },
];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(manifest) = look.manifest("composer.json") else { return Vec::new() };
    let composer = look.program(&["composer"]);
    let mut tasks = Vec::new();
    for (name, own) in manifest.entries(&["scripts"]) {
        let lines: Vec<&str> = match own {
            Value::String(line) => vec![line],
            _ => own.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
        };
        let line = |line: &str| match line.strip_prefix('@') {
            Some(program) if ["php ", "composer "].iter().any(|own| program.starts_with(own)) => {
                program.to_owned()
            }
            Some(other) => format!("composer run-script {other}"),
            None => line.to_owned(),
        };
        // Composer hands a call's words to each of several commands: none are taken behind a `;`.
        let all: Vec<String> = lines.iter().map(|own| line(own)).collect();
        let text = if all.is_empty() { format!("composer run-script {name}") } else { all.join("; ") };
        let is_event = (name.starts_with("pre-") || name.starts_with("post-"))
            && EVENTS.iter().any(|ending| name.ends_with(ending));
        let task = composer
            .own(name, &["run-script", name])
            .described(manifest.str(&["scripts-descriptions", name]))
            .text(text)
            .at(&manifest.file, manifest.line(name));
        let aliases =
            manifest.get(&["scripts-aliases", name]).and_then(Value::as_array).into_iter().flatten();
        let task = task.aliases(aliases.filter_map(Value::as_str));
        tasks.push(if is_event {
            task.listing(TaskListing::Never("composer runs it by itself"))
        } else {
            task
        });
    }
    for own in CHECKERS {
        let is_declared = tasks.iter().any(|task| task.is(own.name));
        let required = |package: &&str| {
            ["require", "require-dev"].iter().any(|key| manifest.get(&[key, package]).is_some())
        };
        // Else another tool brings it, and vendor/bin has none.
        let is_there = own.packages.iter().any(required) || look.has_file(own.words[0]);
        if !is_declared && is_there && own.files.iter().any(|file| look.has_file(file)) {
            let words = words(["php"].into_iter().chain(own.words.iter().copied()));
            tasks.push(
                SourceTask::usual(own.name, words, own.description).aliases(own.aliases.iter().copied()),
            );
        }
    }
    let install = composer.usual("install", &["install"], "Install the packages of composer.json");
    tasks.push(install.fetching());
    tasks
}
