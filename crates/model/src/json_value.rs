//! Values of JSON, as in settings and calls.

use serde_json::Value;

/// A quoted number is a number: the original settings format takes both.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    // JSON knows no integers: some languages write 5 as 5.0.
    value.as_u64().or_else(|| {
        let whole = value.as_f64().filter(|number| number.fract() == 0.0)?;
        format!("{whole:.0}").parse().ok()
    })
}

/// A value as it is named in messages: `the number 3`, `a list`.
pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "nothing".into(),
        Value::Bool(flag) => format!("{flag}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.chars().count() <= 40 => format!("the string {text:?}"),
        Value::String(_) => "a string".into(),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "a mapping".into(),
    }
}
