//! TOML as Codex keeps it: an entry is a table of its own, added at the end.

use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, TableLike, TomlError};

use super::obstacle::Obstacle;

/// The entries of a table.
pub(super) fn entries(text: &str, table: &str) -> Result<Map<String, Value>, Obstacle> {
    let document = read(text)?;
    let Some(servers) = document.get(table) else { return Ok(Map::new()) };
    let Some(servers) = servers.as_table_like() else {
        return Err(Obstacle::Shape(format!("its `{table}` is no table")));
    };
    Ok(shape(servers))
}

/// The text with this entry, added or replaced.
pub(super) fn put(text: &str, table: &str, name: &str, entry: &Value) -> Result<String, Obstacle> {
    let block = block(table, name, entry);
    if entries(text, table)?.contains_key(name) {
        return replace(text, table, name, &block);
    }
    let text = match text {
        "" => block,
        whole if whole.ends_with('\n') => format!("{whole}\n{block}"),
        // A file without a last line feed stays one, so that the entry can be taken out without a trace.
        cut => format!("{cut}\n\n{}", block.trim_end()),
    };
    match entries(&text, table) {
        Ok(entries) if entries.get(name) == Some(entry) => Ok(text),
        Ok(_) | Err(_) => Err(Obstacle::Shape(format!(
            "its `{table}` is written in one line, which takes no table behind it"
        ))),
    }
}

/// The text without this entry.
pub(super) fn take(text: &str, table: &str, name: &str) -> Result<String, Obstacle> {
    let entry = entries(text, table)?.remove(name).unwrap_or_default();
    let block = block(table, name, &entry);
    let before = text.strip_suffix(&block).or_else(|| text.strip_suffix(block.trim_end()));
    let before = before.map(|before| before.strip_suffix('\n').unwrap_or(before));
    let candidates =
        before.into_iter().flat_map(|before| [Some(before), before.strip_suffix('\n')]).flatten();
    for candidate in candidates {
        if put(candidate, table, name, &entry).is_ok_and(|again| again == text) {
            return Ok(candidate.to_owned());
        }
    }
    let mut document = read(text)?;
    if let Some(servers) = document.get_mut(table).and_then(Item::as_table_like_mut) {
        servers.remove(name);
    }
    Ok(document.to_string())
}

/// Replaces the existing entry, and keeps the text before it.
fn replace(text: &str, table: &str, name: &str, block: &str) -> Result<String, Obstacle> {
    let mut document = read(text)?;
    let mut fresh = read(block)?;
    let new = fresh.get_mut(table).and_then(Item::as_table_like_mut).and_then(|servers| servers.remove(name));
    let servers = document.get_mut(table).and_then(Item::as_table_like_mut);
    if let (Some(servers), Some(new)) = (servers, new) {
        let (Some(old), Some(new)) =
            (servers.get_mut(name).and_then(Item::as_table_like_mut), new.as_table_like())
        else {
            return Err(Obstacle::Shape(format!("its entry `{name}` is no table")));
        };
        // A date has no word in JSON: it is not looked at, and stays.
        let gone = |key: &str, item: &Item| !new.contains_key(key) && !value(item).is_null();
        let stale: Vec<String> =
            old.iter().filter(|(key, item)| gone(key, item)).map(|(key, _)| key.to_owned()).collect();
        for key in stale {
            old.remove(&key);
        }
        for (key, item) in new.iter() {
            let same = old.get(key).is_some_and(|known| value(known) == value(item));
            if !same {
                old.insert(key, item.clone());
            }
        }
    }
    Ok(document.to_string())
}

fn block(table: &str, name: &str, entry: &Value) -> String {
    let mut lines = vec![format!("[{table}.{name}]")];
    let known = |(_, value): &(&String, &Value)| !value.is_null();
    for (key, value) in entry.as_object().into_iter().flatten().filter(known) {
        lines.push(format!("{key} = {}", written(value)));
    }
    lines.join("\n") + "\n"
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => toml_edit::Value::from(text.as_str()).to_string(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(written).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(map) => {
            let pairs: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{} = {}", toml_edit::Key::new(key.as_str()), written(value)))
                .collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Value::Null => "\"\"".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn read(text: &str) -> Result<DocumentMut, Obstacle> {
    text.parse().map_err(|error: TomlError| {
        let (line, column) = place(text, error.span().map_or(0, |span| span.start));
        Obstacle::Broken { line, column, what: error.message().to_owned() }
    })
}

/// Line and column of a byte, both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

fn shape(table: &dyn TableLike) -> Map<String, Value> {
    table.iter().map(|(key, item)| (key.to_owned(), value(item))).collect()
}

fn value(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        return Value::Object(shape(table));
    }
    if let Some(values) = item.as_array() {
        return values.iter().map(|one| value(&Item::Value(one.clone()))).collect();
    }
    if let Some(text) = item.as_str() {
        return text.into();
    }
    let number = item.as_integer().map(Value::from).or_else(|| item.as_float().map(Value::from));
    number.or_else(|| item.as_bool().map(Value::from)).unwrap_or(Value::Null)
}
