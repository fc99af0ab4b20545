//! Gradle: the lifecycle of a build, and the tasks that its main build file registers. Nothing of the build is run to list.

mod registered;

use super::tasks::{SourceLook, SourceSpec, SourceTask};
use crate::model::{Location, Problem, Profile};

use registered::{BuildFile, RegisteredTask};

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
    let gradle = look.program(&[usual]);
    let build = |name: &str, description: &str| gradle.usual(name, &[name], description).building();
    let mut tasks = vec![
        build("build", "Build and check everything"),
        gradle.usual("test", &["test"], "Run the tests").repeatable(),
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
            tasks.push(gradle.usual(name, &[name], description).profile(profile));
        }
    }
    let place = look.place(&source);
    let BuildFile { tasks: registered, unsettled } = registered::read(text);
    for RegisteredTask { name, description, line } in registered {
        tasks.push(gradle.own(&*name, &[&name]).described(description.as_deref()).at(&place, Some(line)));
    }
    if let Some(line) = unsettled {
        let what = "only Gradle knows whether some tasks that are made here are there, or their names; they are not listed";
        let note = Problem::note(what).at(Location::line(&place, line));
        look.problem(note.help(format!("`{usual} tasks --all` shows them")));
    }
    let first = "Build once with the network open, which downloads Gradle and the dependencies";
    tasks.push(gradle.usual("fetch", &["assemble"], first).fetching());
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
