//! MCP servers for settings.yml: entries without literal secrets.

use serde_json::{Map, Value};

use crate::project::secrets;
use crate::settings::{OAuth, ServerEntry};

/// The keys whose values may be secrets.
const WITH_SECRETS: [&str; 3] = ["env", "headers", "oauth"];

/// A secret that was replaced by a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The key of the value: `env.TOKEN`.
    pub key: String,
    /// The variable that is to have the value.
    pub variable: String,
}

/// The entry with a variable in the place of each literal that looks like a secret.
pub fn without_secrets(mut entry: ServerEntry) -> (ServerEntry, Vec<Replaced>) {
    let mut replaced = Vec::new();
    for key in WITH_SECRETS {
        let Some(Value::Object(values)) = entry.keys.get_mut(key) else { continue };
        for (name, value) in values {
            let Some(text) = value.as_str() else { continue };
            if text.contains("${") || !secrets::is_secret(name, text) {
                continue;
            }
            let variable = if key == "env" { name.clone() } else { variable(&entry.name, name) };
            let scheme = ["Bearer ", "Basic "].into_iter().find(|scheme| text.starts_with(scheme));
            *value = Value::from(format!("{}${{{variable}}}", scheme.unwrap_or_default()));
            replaced.push(Replaced { key: format!("{key}.{name}"), variable });
        }
    }
    (entry, replaced)
}

/// A variable for a header of a server: `GITHUB_AUTHORIZATION`.
fn variable(server: &str, header: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    format!("{server}_{header}").chars().map(plain).collect()
}

/// An entry of a client's file, in the form of settings.yml, and its parts that differ or are missing there.
///
/// # Errors
/// When it is switched off, or has neither a command nor an address.
pub fn imported(name: &str, entry: &Map<String, Value>) -> Result<(ServerEntry, Vec<String>), &'static str> {
    if entry.get("disabled") == Some(&Value::Bool(true)) {
        return Err("it is switched off");
    }
    if !entry.contains_key("command") && !entry.contains_key("url") {
        return Err("it has neither `command` nor `url`");
    }
    let (mut keys, mut config, mut notes) = (Map::new(), Map::new(), Vec::new());
    for (key, value) in entry {
        match (key.as_str(), value) {
            ("command" | "args" | "env" | "cwd" | "url" | "headers", value) => {
                _ = keys.insert(key.clone(), in_our_words(value, &mut notes));
            }
            ("oauth", Value::Object(pairs)) if entry.contains_key("url") => {
                let known = pairs.iter().filter(|(name, _)| OAuth::knows(name));
                let known: Map<_, _> = known.map(|(name, value)| (name.clone(), value.clone())).collect();
                let unknown = pairs.keys().filter(|name| !OAuth::knows(name));
                let left = |name| format!("`oauth.{name}` is left out: settings.yml has no such key");
                notes.extend(unknown.map(left));
                _ = keys.insert(key.clone(), in_our_words(&Value::Object(known), &mut notes));
            }
            ("type", Value::String(kind)) if kind == "sse" => {
                _ = keys.insert("transport".into(), value.clone());
            }
            ("type" | "disabled", _) => {}
            ("timeout", Value::Number(number)) => {
                let seconds = number.as_u64().map(|number| number.div_ceil(1000).max(1));
                _ = config.insert("default_timeout".into(), Value::from(seconds));
            }
            ("includeTools", value) => _ = config.insert("include_tools".into(), value.clone()),
            ("excludeTools", value) => _ = config.insert("exclude_tools".into(), value.clone()),
            _ => notes.push(format!("`{key}` is left out: settings.yml has no such key")),
        }
    }
    if !config.is_empty() {
        keys.insert("config".into(), Value::Object(config));
    }
    let (entry, replaced) = without_secrets(ServerEntry { name: name.to_owned(), keys });
    let literal = replaced.iter().map(|one| {
        let Replaced { key, variable } = one;
        format!("`{key}` looks like a secret, so `${{{variable}}}` is in its place; set {variable} before cuff starts")
    });
    notes.extend(literal);
    Ok((entry, notes))
}

/// A value with the variables of VS Code as settings.yml writes them.
fn in_our_words(value: &Value, notes: &mut Vec<String>) -> Value {
    match value {
        Value::String(text) => {
            let mut text = text.replace("${workspaceFolder}", ".").replace("${env:", "${");
            while let Some((before, rest)) =
                text.split_once("${input:").map(|(a, b)| (a.to_owned(), b.to_owned()))
            {
                let (input, after) = rest.split_once('}').unwrap_or((&rest, ""));
                let name = variable("", input).trim_start_matches('_').to_owned();
                notes.push(format!(
                    "cuff asks for no inputs: set {name} before it starts in the place of `{input}`"
                ));
                text = format!("{before}${{{name}}}{after}");
            }
            Value::from(text)
        }
        Value::Array(items) => items.iter().map(|item| in_our_words(item, notes)).collect(),
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, value)| (key.clone(), in_our_words(value, notes)));
            Value::Object(pairs.collect())
        }
        other => other.clone(),
    }
}

/// An entry of these keys, without those that have nothing.
pub fn entry(name: &str, keys: impl IntoIterator<Item = (&'static str, Value)>) -> ServerEntry {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    let keys = keys.into_iter().filter(|(_, value)| !is_empty(value));
    let keys: Map<String, Value> = keys.map(|(key, value)| (key.to_owned(), value)).collect();
    ServerEntry { name: name.to_owned(), keys }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_entry_of_a_client_is_written_in_our_words() {
        let imported = |entry: Value| {
            let (entry, notes) = imported("s", entry.as_object().unwrap())?;
            Ok::<_, &str>((Value::Object(entry.keys), notes.join("; ")))
        };
        for (entry, expected, said) in [
            (json!({"type": "stdio", "command": "x", "args": []}), json!({"command": "x", "args": []}), ""),
            (json!({"type": "sse", "url": "http://x"}), json!({"transport": "sse", "url": "http://x"}), ""),
            (
                json!({"command": "${workspaceFolder}/x", "env": {"A": "${env:B}", "C": "${input:my-key}"}}),
                json!({"command": "./x", "env": {"A": "${B}", "C": "${MY_KEY}"}}),
                "set MY_KEY before it starts in the place of `my-key`",
            ),
            (
                json!({"command": "x", "timeout": 1500, "includeTools": ["a"], "oauth": {}}),
                json!({"command": "x", "config": {"default_timeout": 2, "include_tools": ["a"]}}),
                "`oauth` is left out",
            ),
            (
                json!({"url": "https://x", "oauth": {"clientId": "id", "clientSecret": "abc", "authServerMetadataUrl": "y"}}),
                json!({"url": "https://x", "oauth": {"clientId": "id", "clientSecret": "${S_CLIENTSECRET}"}}),
                "`oauth.authServerMetadataUrl` is left out",
            ),
            (
                json!({"command": "x", "env": {"TOKEN": "abc"}}),
                json!({"command": "x", "env": {"TOKEN": "${TOKEN}"}}),
                "set TOKEN before",
            ),
        ] {
            let (keys, notes) = imported(entry.clone()).unwrap();
            assert_eq!(keys, expected, "{entry}");
            assert_eq!((notes.is_empty(), notes.contains(said)), (said.is_empty(), true), "{entry}: {notes}");
        }
        assert_eq!(imported(json!({"command": "x", "disabled": true})), Err("it is switched off"));
        assert_eq!(imported(json!({"serverUrl": "x"})), Err("it has neither `command` nor `url`"));
    }

    #[test]
    fn a_literal_that_looks_like_a_secret_becomes_a_variable() {
        let env = json!({"API_KEY": "abc123", "DEBUG": "1", "T": "ghp_abcdef", "TOKEN": "${TOKEN}"});
        let headers = json!({"Authorization": "Bearer abc", "X-Api-Key": "abc", "Accept": "a/b"});
        let (entry, replaced) =
            without_secrets(entry("my-git", [("env", env), ("headers", headers), ("cwd", Value::Null)]));
        assert_eq!(
            Value::Object(entry.keys),
            json!({
                "env": {"API_KEY": "${API_KEY}", "DEBUG": "1", "T": "${T}", "TOKEN": "${TOKEN}"},
                "headers": {"Authorization": "Bearer ${MY_GIT_AUTHORIZATION}", "X-Api-Key": "${MY_GIT_X_API_KEY}", "Accept": "a/b"},
            })
        );
        let replaced: Vec<_> = replaced.iter().map(|one| format!("{}={}", one.key, one.variable)).collect();
        assert_eq!(
            replaced,
            [
                "env.API_KEY=API_KEY",
                "env.T=T",
                "headers.Authorization=MY_GIT_AUTHORIZATION",
                "headers.X-Api-Key=MY_GIT_X_API_KEY"
            ]
        );
    }
}
