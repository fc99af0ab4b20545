//! Python: the tasks of invoke, read from tasks.py as text.

use serde_json::Value;

use super::python::{self, decorated};
use super::tasks::{SourceLook, SourceSpec, SourceTask, complete};
use crate::model::{Location, Problem};

pub(super) const INVOKE: SourceSpec = SourceSpec {
    id: "invoke",
    codes: "INVOKE",
    summary: "Tasks of a tasks.py for invoke",
    files: &["tasks.py", "tasks/__init__.py"],
    read,
    programs: python::PROGRAMS,
    runners: &["inv", "invoke"],
    ..SourceSpec::BLANK
};

/// The collection that invoke reads, by the names that it may have.
const COLLECTIONS: [&str; 2] = ["ns = ", "namespace = "];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let source = look.source();
    let Some(text) = look.text(&source) else { return Vec::new() };
    // Many other projects have a file of this name.
    let imports = |line: &str| line.starts_with("from invoke") || line.starts_with("import invoke");
    if !text.lines().any(imports) {
        return Vec::new();
    }
    let invoke = python::tool(look, "invoke");
    let place = look.place(&source);
    // A collection has the tasks that it names alone, and those of other files under other names.
    let collection = text.lines().position(|line| COLLECTIONS.iter().any(|name| line.starts_with(name)));
    if let (Some(at), false) = (collection, look.config.flag(&super::tasks::config::ASK_TOOL)) {
        let what =
            "tasks of the collection that are in other files are not listed; only invoke knows their names";
        let help = "`inv --list` shows them, and `ask_tool: true` in the settings has cuff ask invoke";
        look.problem(Problem::note(what).at(Location::line(&place, at + 1)).help(help));
    }
    let is_named =
        |function: &str| collection.is_none() || put_into_collection(text).any(|name| name == function);
    let functions = decorated(text, &["@task", "@invoke.task"]);
    let tasks = functions.into_iter().filter(|own| is_named(&own.function)).map(|own| {
        let name = own.given_name().unwrap_or_else(|| own.function.trim_matches('_').replace('_', "-"));
        invoke.own(&*name, &[&name]).described(own.description.as_deref()).at(&place, Some(own.line))
    });
    let ask = invoke.words(&["--list", "--list-format=json"]);
    complete(look, tasks.collect(), ask, |out| {
        let mut found = Vec::new();
        collect(&serde_json::from_str(out).unwrap_or_default(), "", &mut found);
        let task = |(name, help): &(String, Option<String>)| {
            invoke.own(&**name, &[name]).described(help.as_deref()).at(&place, None)
        };
        found.iter().map(task).collect()
    })
}

/// The names that are put into that collection as they are: `ns = Collection(build, test)`, `ns.add_task(deploy)`.
fn put_into_collection(text: &str) -> impl Iterator<Item = &str> {
    let starts = ["ns = Collection(", "namespace = Collection(", "ns.add_task(", "namespace.add_task("];
    let calls = starts.into_iter().flat_map(move |start| {
        let is_whole = move |at: &usize| *at == 0 || text[..*at].ends_with('\n');
        text.match_indices(start).map(|(at, _)| at).filter(is_whole).map(move |at| &text[at + start.len()..])
    });
    calls.flat_map(|rest| rest.split(')').next().unwrap_or_default().split(',').map(str::trim))
}

/// The names and descriptions of the tasks in invoke's own list, and of those in its collections.
fn collect(list: &Value, front: &str, found: &mut Vec<(String, Option<String>)>) {
    let each = |key: &str| list.get(key).and_then(Value::as_array).into_iter().flatten();
    for task in each("tasks") {
        let Some(name) = task.get("name").and_then(Value::as_str) else { continue };
        let help = task.get("help").and_then(Value::as_str).map(str::to_owned);
        found.push((format!("{front}{name}"), help));
    }
    for inner in each("collections") {
        let name = inner.get("name").and_then(Value::as_str).unwrap_or_default();
        collect(inner, &format!("{front}{name}."), found);
    }
}
