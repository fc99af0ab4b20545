//! Hooks of lefthook: each runs by hand as git would run it.

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskManifest, TaskProgram};
use crate::model::{ErrorCode, Location, Problem, shown};

pub(super) const LEFTHOOK: SourceSpec = SourceSpec {
    id: "lefthook",
    codes: "LEFTHOOK",
    summary: "Git hooks of lefthook, run by hand, and their install",
    files: &[
        "lefthook.yml",
        "lefthook.yaml",
        "lefthook.toml",
        "lefthook.json",
        ".lefthook.yml",
        ".lefthook.yaml",
        ".lefthook.toml",
        ".lefthook.json",
        ".config/lefthook.yml",
        ".config/lefthook.yaml",
        ".config/lefthook.toml",
        ".config/lefthook.json",
    ],
    read,
    programs: &[("lefthook", "install lefthook: https://lefthook.dev/install")],
    runners: &["lefthook"],
    ..SourceSpec::BLANK
};

/// The keys by which a mapping of the file is a hook.
const OF_HOOKS: [&str; 3] = ["jobs", "commands", "scripts"];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let source = look.source();
    let Some(manifest) = look.manifest(&source) else { return Vec::new() };
    let lefthook = look.packaged("lefthook");
    let others = extended(look, &manifest);
    let mut hooks: Vec<LefthookHook<'_>> = Vec::new();
    for file in std::iter::once(&manifest).chain(&others) {
        let entries = file.entries(&[]).into_iter();
        for (name, own) in entries.filter(|(_, own)| OF_HOOKS.iter().any(|key| own.get(key).is_some())) {
            let at = hooks.iter().position(|hook| hook.name == name).unwrap_or(hooks.len());
            if at == hooks.len() {
                hooks.push(LefthookHook { name, file, lines: Vec::new() });
            }
            // A file that the first one extends adds to the same hook.
            let inner = OF_HOOKS.iter().filter_map(|key| own.get(key));
            for inner in inner {
                collect(inner, 0, &mut hooks[at].lines);
            }
        }
    }
    let mut tasks: Vec<SourceTask> = hooks.into_iter().map(|hook| hook.task(&lefthook)).collect();
    let install = lefthook.usual("install", &["install"], "Have git run the hooks");
    tasks.push(install.mutating().without_words());
    tasks
}

/// A hook, with the lines that it runs.
struct LefthookHook<'m> {
    name: &'m str,
    /// The file that names it first.
    file: &'m TaskManifest,
    lines: Vec<String>,
}

impl LefthookHook<'_> {
    fn task(self, lefthook: &TaskProgram) -> SourceTask {
        let description = format!("Run the hook {} by hand; `--all-files` takes all files", self.name);
        lefthook
            .own(self.name, &["run", self.name])
            .described(description.as_str())
            .text((!self.lines.is_empty()).then(|| self.lines.join("\n")))
            .at(&self.file.file, self.file.line(self.name))
    }
}

/// The files of the project that a file extends, and those that they extend. Those of other repositories lefthook alone has.
fn extended(look: &mut SourceLook<'_>, manifest: &TaskManifest) -> Vec<TaskManifest> {
    let mut found: Vec<TaskManifest> = Vec::new();
    let mut waiting = patterns(look, manifest);
    while let Some(pattern) = waiting.pop() {
        for file in look.find(&[pattern]) {
            let place = look.place(&file);
            if place == manifest.file || found.iter().any(|other| other.file == place) {
                let what = format!("{} is extended again, which lefthook refuses as a cycle", shown(&place));
                let problem = Problem::error(ErrorCode::SourceInvalid, what).at(Location::file(&place));
                look.problem(problem.help("take one of its `extends` out; the other hooks are listed"));
            } else if let Some(own) = look.manifest(&file) {
                waiting.extend(patterns(look, &own));
                found.push(own);
            }
        }
    }
    found
}

/// The patterns of the files that a file extends, the first one last.
fn patterns(look: &mut SourceLook<'_>, manifest: &TaskManifest) -> Vec<String> {
    let listed = |key: &str| manifest.get(&[key]).and_then(Value::as_array).cloned().unwrap_or_default();
    if !listed("remotes").is_empty() {
        let what = format!(
            "{} takes hooks from other repositories, which cuff does not read",
            shown(&manifest.file)
        );
        look.problem(
            Problem::note(what).at(Location::file(&manifest.file)).help("`lefthook dump` shows them all"),
        );
    }
    listed("extends").iter().rev().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The lines that a hook runs. A group of jobs has jobs of its own.
fn collect(value: &Value, depth: usize, lines: &mut Vec<String>) {
    const DEEPEST: usize = 32;
    let inner: Vec<&Value> = match value {
        Value::Object(map) => map.values().collect(),
        Value::Array(list) => list.iter().collect(),
        _ => return,
    };
    if let Some(run) = value.get("run").and_then(Value::as_str) {
        lines.push(run.to_owned());
    }
    if depth < DEEPEST {
        for inner in inner {
            collect(inner, depth + 1, lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn a_cycle_of_extended_files_is_said_and_ends() {
        insta::assert_snapshot!(listed(&LEFTHOOK, &[
            ("lefthook.yml", "extends: [more/*.yml]\npre-commit: {jobs: [{run: a}]}\n"),
            ("more/a.yml", "extends: [other.yml]\npre-push: {jobs: [{run: b}]}\n"),
            ("other.yml", "extends: [more/a.yml, lefthook.yml]\ncommit-msg: {jobs: [{run: c}]}\n"),
        ]), @"
        pre-commit [lefthook run pre-commit …]  Run the hook pre-commit by hand; `--all-files` takes all files
        pre-push [lefthook run pre-push …]  Run the hook pre-push by hand; `--all-files` takes all files
        commit-msg [lefthook run commit-msg …]  Run the hook commit-msg by hand; `--all-files` takes all files
        install [lefthook install]  Have git run the hooks
        error: more/a.yml: more/a.yml is extended again, which lefthook refuses as a cycle (take one of its `extends` out; the other hooks are listed)
        error: lefthook.yml: lefthook.yml is extended again, which lefthook refuses as a cycle (take one of its `extends` out; the other hooks are listed)
        ");
    }
}
