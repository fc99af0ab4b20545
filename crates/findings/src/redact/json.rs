//! Secrets out of JSON.

use serde_json::Value;

use super::Secrets;

/// The same value, without secrets in its texts and names.
pub fn redacted_json(value: Value, secrets: &Secrets) -> Value {
    let redact = |text: String| secrets.redact(&text).into_owned();
    match value {
        Value::String(text) => Value::String(redact(text)),
        Value::Array(items) => items.into_iter().map(|item| redacted_json(item, secrets)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            Value::Object(fields.map(|(name, value)| (redact(name), redacted_json(value, secrets))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_and_names_lose_their_secrets_at_every_depth() {
        let secrets = Secrets::new([("TOKEN", "hush-hush")]);
        let value = json!({"a": ["x hush-hush y", {"hush-hush": 1.50}], "n": null});
        let expected = json!({"a": ["x [redacted:TOKEN] y", {"[redacted:TOKEN]": 1.50}], "n": null});
        assert_eq!(redacted_json(value, &secrets), expected);
    }
}
