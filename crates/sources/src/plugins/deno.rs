//! Tasks of deno.json, and deno's everyday commands.

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask, words};
use crate::model::Profile;

pub(super) const DENO: SourceSpec = SourceSpec {
    id: "deno",
    codes: "DENO",
    summary: "Deno: the tasks of deno.json; test, lint and format",
    files: &["deno.json", "deno.jsonc"],
    read,
    programs: &[("deno", "install Deno: https://docs.deno.com/runtime")],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let source = look.source();
    let Some(manifest) = look.manifest(&source) else { return Vec::new() };
    let deno = look.command(&["deno"]);
    let command = |own: &[&str]| [deno.clone(), words(own.iter().copied())].concat();
    let mut tasks = Vec::new();
    for (name, own) in manifest.entries(&["tasks"]) {
        let text = own.as_str().or_else(|| own.get("command")?.as_str()).map(str::to_owned);
        let task = SourceTask::own(name, command(&["task", name]))
            .described(own.get("description").and_then(Value::as_str))
            .text(text);
        tasks.push(task.at(&manifest.file, manifest.line(name)));
    }
    tasks.push(SourceTask::usual("test", command(&["test"]), "Run the tests").repeatable());
    tasks.push(
        SourceTask::usual("lint", command(&["lint"]), "Find problems").repeatable().profile(Profile::Build),
    );
    tasks.push(
        SourceTask::usual("fmt", command(&["fmt"]), "Format the code; `--check` only looks")
            .aliases(["format"]),
    );
    let install = command(&["install"]);
    tasks.push(
        SourceTask::usual("install", install, "Download the modules that the project imports").fetching(),
    );
    tasks
}
