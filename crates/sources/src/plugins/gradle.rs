//! Gradle: the lifecycle of a build, and the tasks that its main build file registers. Nothing of the build is run to list.

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
    for (plugin, name, description) in [
        ("org.springframework.boot", "bootRun", "Run the application"),
        ("application", "run", "Run the application"),
    ] {
        let applies = |line: &str| {
            let line = line.trim();
            !line.starts_with("//")
                && ["\"", "'", "`", ""].iter().any(|quote| {
                    let plugin = format!("{quote}{plugin}{quote}");
                    line == plugin || !quote.is_empty() && line.contains("id") && line.contains(&plugin)
                })
        };
        if text.lines().any(applies) {
            tasks.push(SourceTask::usual(name, command(name), description).profile(Profile::Serve));
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
    let at = text.find(['"', '\''])?;
    let quote = text[at..].chars().next()?;
    text[at + 1..].split_once(quote).map(|(inside, _)| inside)
}
