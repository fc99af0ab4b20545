//! Gradle: the lifecycle of a build, and the tasks that its main build file registers. Nothing of the build is run to list.

use super::literal::literal;
use super::tasks::{SourceLook, SourceSpec, SourceTask, words};
use crate::model::{Profile, Word};

pub(super) const GRADLE: SourceSpec = SourceSpec {
    id: "gradle",
    codes: "GRADLE",
    summary: "Gradle: build, test and check; the tasks of the main build file",
    files: &["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"],
    read,
    programs: &[
        ("gradle", "install Gradle: https://gradle.org/install"),
        ("./gradlew", "make it executable: chmod +x gradlew"),
    ],
    // Behind a task they read further tasks.
    runners: &["gradle", "gradlew", "./gradlew"],
    ..SourceSpec::BLANK
};

/// The most parts of a build whose plugins are looked at.
const MOST_PARTS: usize = 50;

/// Plugins, and the task that contributors of such a project type.
const PLUGINS: [(&str, &str, Profile, &str); 12] = [
    ("org.springframework.boot", "bootRun", Profile::Serve, "Run the application"),
    ("application", "run", Profile::Serve, "Run the application"),
    ("io.ktor.plugin", "run", Profile::Serve, "Run the application"),
    ("io.micronaut.application", "run", Profile::Serve, "Run the application"),
    ("io.quarkus", "quarkusDev", Profile::Serve, "Run the application, and load it again when it changes"),
    ("org.jetbrains.intellij.platform", "runIde", Profile::Serve, "Run an IDE with the plugin"),
    ("com.android.application", "assembleDebug", Profile::Build, "Build the app for debugging"),
    ("com.diffplug.spotless", "spotlessCheck", Profile::Build, "Check the format of the code"),
    ("com.diffplug.spotless", "spotlessApply", Profile::Build, "Format the code"),
    ("org.jlleitschuh.gradle.ktlint", "ktlintCheck", Profile::Build, "Check the format of the code"),
    ("org.jlleitschuh.gradle.ktlint", "ktlintFormat", Profile::Build, "Format the code"),
    ("io.gitlab.arturbosch.detekt", "detekt", Profile::Build, "Find problems with detekt"),
];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let usual = if look.has_file("gradlew") { "./gradlew" } else { "gradle" };
    let gradle = look.command(&[usual]);
    let command = |own: &str| -> Vec<Word> { [gradle.clone(), words([own])].concat() };
    let build = |name: &str, description: &str| {
        SourceTask::usual(name, command(name), description).profile(Profile::Build).repeatable()
    };
    let mut tasks = vec![
        build("build", "Build and check everything"),
        SourceTask::usual("test", command("test"), "Run the tests").repeatable(),
        build("check", "Run all checks, the tests among them"),
        build("clean", "Remove what was built"),
    ];
    let source = look.source();
    let text = if source.starts_with("build") { look.text(&source).unwrap_or_default() } else { "" };
    let catalog = look.text("gradle/libs.versions.toml").unwrap_or_default();
    let mut parts = look.find(&["*/build.gradle.kts", "*/build.gradle"]);
    parts.truncate(MOST_PARTS);
    let mut texts = vec![text];
    texts.extend(parts.iter().filter_map(|part| look.text(part)));
    for (plugin, name, profile, description) in PLUGINS {
        let is_known = tasks.iter().any(|task| task.is(name));
        if !is_known && texts.iter().any(|text| applies(text, catalog, plugin)) {
            tasks.push(SourceTask::usual(name, command(name), description).profile(profile));
        }
    }
    let place = look.place(&source);
    for (name, description, line) in registered(text) {
        tasks.push(
            SourceTask::own(&*name, command(&name)).described(description.as_deref()).at(&place, Some(line)),
        );
    }
    let first = "Build once with the network open, which downloads Gradle and the dependencies";
    tasks.push(SourceTask::usual("fetch", command("assemble"), first).fetching());
    tasks
}

/// Whether a build file applies a plugin: by its id, by its own word, or by its name in the version catalog.
fn applies(text: &str, catalog: &str, plugin: &str) -> bool {
    let quoted = ["\"", "'", "`"].map(|quote| format!("{quote}{plugin}{quote}"));
    let named = |text: &str| quoted.iter().any(|own| text.contains(own));
    let aliases = catalog.lines().filter(|line| named(line) || line.contains(&format!("\"{plugin}:")));
    let aliases = aliases.filter_map(|line| line.split_once('=')).map(|(name, _)| {
        let accessor = name.trim().replace(['-', '_'], ".");
        format!("libs.plugins.{accessor})")
    });
    let aliases: Vec<String> = aliases.collect();
    text.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.contains("apply false")).any(
        |line| {
            let begins = ["id", "apply", "plugins"].iter().any(|word| line.starts_with(word));
            line == plugin
                || quoted.iter().any(|own| line == own)
                || begins && named(line)
                || line.contains("alias(") && aliases.iter().any(|own| line.contains(own))
        },
    )
}

/// The tasks that a build file registers by a literal name, with their descriptions and lines.
fn registered(text: &str) -> Vec<(String, Option<String>, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<(String, Option<String>, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        // Within a block a task may belong to other projects.
        let Some(name) = Some(*line).filter(|line| !line.starts_with([' ', '\t'])).and_then(name) else {
            continue;
        };
        let mut body =
            lines[at + 1..].iter().take_while(|line| line.starts_with([' ', '\t']) || line.is_empty());
        let description = body.find_map(|line| quoted(line.trim().strip_prefix("description")?));
        if found.iter().all(|(other, ..)| other != name) {
            found.push((name.to_owned(), description.map(str::to_owned), at + 1));
        }
    }
    found
}

/// The name that a line registers.
fn name(line: &str) -> Option<&str> {
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if let Some(rest) = ["tasks.register", "tasks.create"].iter().find_map(|begin| line.strip_prefix(begin)) {
        let begins = rest.starts_with(['(', '<', ' ']);
        return begins.then(|| quoted(rest)).flatten().filter(is_name);
    }
    if let Some(rest) = line.strip_prefix("val ") {
        let (name, rest) = rest.split_once(" by ")?;
        return rest.trim_start().starts_with("tasks.registering").then_some(name).filter(is_name);
    }
    let rest = line.strip_prefix("task")?;
    let plain = rest.strip_prefix(' ').map(|rest| rest.split(['(', '{', ' ']).next().unwrap_or_default());
    if rest.starts_with('(') { quoted(rest).filter(is_name) } else { plain.filter(is_name) }
}

/// The first text between quotes.
fn quoted(text: &str) -> Option<&str> {
    literal(&text[text.find(['"', '\''])?..]).map(|(inside, _)| inside)
}
