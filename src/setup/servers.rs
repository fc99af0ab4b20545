//! MCP servers for settings.yml: entries without literal secrets.

use serde_json::{Map, Value};

use crate::project::secrets;
use crate::settings::ServerEntry;

/// The keys whose values may be secrets.
const WITH_SECRETS: [&str; 2] = ["env", "headers"];

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
