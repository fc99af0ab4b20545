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
    programs: &[("composer", "install Composer: https://getcomposer.org")],
    separator: Some("--"),
    runners: &["composer"],
    ..SourceSpec::BLANK
};

/// The endings of the scripts that composer runs by itself: `post-install-cmd`.
const EVENTS: [&str; 4] = ["-cmd", "-package", "-package-install", "-autoload-dump"];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(manifest) = look.manifest("composer.json") else { return Vec::new() };
    let composer = look.command(&["composer"]);
    let mut tasks = Vec::new();
    for (name, own) in manifest.entries(&["scripts"]) {
        let lines: Vec<&str> = match own {
            Value::String(line) => vec![line],
            _ => own.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
        };
        let again = format!("composer run-script {name}");
        let line = |line: &str| match line.strip_prefix('@') {
            Some(php) if php.starts_with("php ") => php.to_owned(),
            Some(other) => format!("composer run-script {other}"),
            None => line.to_owned(),
        };
        // Composer hands a call's words to each of several commands.
        let all: Vec<String> =
            lines.iter().map(|own| line(own)).chain((lines.len() != 1).then_some(again)).collect();
        let is_event = (name.starts_with("pre-") || name.starts_with("post-"))
            && EVENTS.iter().any(|ending| name.ends_with(ending));
        let task = SourceTask::own(name, [composer.clone(), words(["run-script", name])].concat())
            .described(manifest.str(&["scripts-descriptions", name]))
            .text(all.join("\n"))
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
    let install = [composer, words(["install"])].concat();
    tasks.push(SourceTask::usual("install", install, "Install the packages of composer.json").fetching());
    tasks
}
