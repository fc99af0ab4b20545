//! Hooks of pre-commit, all at once: a word of the call is the hook to run alone.

use serde_json::Value;

use super::python;
use super::tasks::{SourceLook, SourceSpec, SourceTask};

pub(super) const PRECOMMIT: SourceSpec = SourceSpec {
    id: "precommit",
    codes: "PRECOMMIT",
    summary: "Hooks of pre-commit on all files, and their install",
    files: &[".pre-commit-config.yaml"],
    read,
    programs: python::PROGRAMS,
    runners: &["pre-commit", "prek"],
    ..SourceSpec::BLANK
};

/// The most hooks that a description names.
const MOST_NAMED: usize = 12;

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(manifest) = look.manifest(".pre-commit-config.yaml") else { return Vec::new() };
    // prek runs the same hooks from the same file.
    let has_prek = look.has_program("prek") && look.lacks("pre-commit");
    let is_prek = has_prek && !python::is_named(look, "pre-commit") || python::is_named(look, "prek");
    let tool = python::tool(look, if is_prek { "prek" } else { "pre-commit" });
    let list =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let repositories = list(&manifest.value, "repos");
    let hooks: Vec<Value> = repositories.iter().flat_map(|repository| list(repository, "hooks")).collect();
    // A hook of the project's own has its command here, or the pattern that it searches for.
    let language = |hook: &Value| hook.get("language").and_then(Value::as_str).map(str::to_owned);
    let is_command = |hook: &&Value| !matches!(language(hook).as_deref(), Some("pygrep" | "fail"));
    let own = hooks.iter().filter(is_command).filter_map(|hook| hook.get("entry")?.as_str());
    let own: Vec<&str> = own.chain(["pre-commit run --all-files"]).collect();
    let ids: Vec<&str> = hooks.iter().filter_map(|hook| hook.get("id")?.as_str()).collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let named = ids.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if ids.len() > MOST_NAMED { " …" } else { "" };
    let described = format!("Run all hooks on all files; a word is the one to run alone: {named}{more}");
    vec![
        tool.own("pre-commit", &["run", "--all-files"])
            .described(described.as_str())
            .text(own.join("\n"))
            .at(&manifest.file, manifest.line("repos")),
        tool.usual("install-hooks", &["install-hooks"], "Download the hooks").fetching(),
        tool.usual("install", &["install"], "Have git run the hooks").mutating().without_words(),
    ]
}
