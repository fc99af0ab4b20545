//! The commands of a task, and the variables that it requires.

use serde_json::Value;

use crate::model::Parameter;

/// The commands of a task, which takes words of a call or not.
pub(super) fn text(own: &Value, name: &str, takes_words: bool) -> Option<String> {
    const WORDS: &str = "{{.CLI_ARGS}}";
    let mut lines: Vec<String> = commands(own)
        .iter()
        .filter_map(|one| {
            let text = |key: &str| one.get(key).and_then(Value::as_str);
            let line = one.as_str().or_else(|| text("cmd")).map(str::to_owned);
            line.or_else(|| Some(format!("task {}", text("task")?)))
        })
        .collect();
    let used = lines.iter().filter(|line| line.contains("CLI_ARGS")).count();
    if let Some(last) = lines.last_mut()
        && used == 1
        && let Some(front) = last.trim_end().strip_suffix(WORDS)
    {
        *last = front.trim_end().to_owned();
    } else if takes_words {
        // The words reach other commands than the last.
        lines.push(format!("task {name}"));
    }
    Some(lines.join("\n")).filter(|text| !text.is_empty())
}

/// The commands of a task: lines for a shell, and maps.
pub(super) fn commands(own: &Value) -> Vec<&Value> {
    let commands = ["cmds", "cmd"].into_iter().find_map(|key| own.get(key)).unwrap_or(own);
    commands.as_array().map_or_else(|| vec![commands], |list| list.iter().collect())
}

/// The tasks that a task of this namespace starts: `deps`, and the `task` of its commands. A template stands for any text.
pub(super) fn started(own: &Value, space: &str) -> Vec<String> {
    let needed = own.get("deps").and_then(Value::as_array).into_iter().flatten();
    let named = |one: &Value| one.get("task").and_then(Value::as_str).map(str::to_owned);
    let needed = needed.filter_map(|one| one.as_str().map(str::to_owned).or_else(|| named(one)));
    let called = commands(own).into_iter().filter_map(|one| named(one.get("defer").unwrap_or(one)));
    let whole = |name: String| match name.strip_prefix(':') {
        Some(of_root) => of_root.to_owned(),
        None => format!("{space}{name}"),
    };
    needed.chain(called).map(|name| whole(without_templates(&name))).collect()
}

/// A text with `*` for each `{{…}}`.
fn without_templates(text: &str) -> String {
    let mut parts = text.split("{{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |front, part| front + "*" + part.split_once("}}").map_or("", |(_, rest)| rest))
}

/// The variables that a task requires: `requires: {vars: [VERSION, {name: STAGE, enum: [dev, prod]}]}`.
pub(super) fn required(own: &Value) -> Vec<Parameter> {
    let list = own.get("requires").and_then(|own| own.get("vars")?.as_array()).into_iter().flatten();
    let variable = |one: &Value| {
        let name = one.as_str().or_else(|| one.get("name")?.as_str())?;
        let choices = one.get("enum").and_then(Value::as_array).into_iter().flatten();
        let choices = choices.filter_map(Value::as_str).map(str::to_owned).collect();
        Some(Parameter { is_required: true, choices, ..Parameter::variable(name) })
    };
    list.filter_map(variable).collect()
}
