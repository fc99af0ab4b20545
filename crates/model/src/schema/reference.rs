//! References within a schema. Nothing is fetched.

use serde_json::Value;

/// How many references may lead to one another.
const LONGEST_CHAIN: usize = 16;

/// The schema that a local reference names: `#`, `#/$defs/label`, `#label`; `None` for any other.
pub fn named<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let fragment = unescaped(reference.strip_prefix('#')?)?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return root.pointer(&fragment);
    }
    let groups = ["$defs", "definitions"].into_iter().filter_map(|key| root.get(key)?.as_object());
    let mut named = groups.flat_map(|group| group.values());
    named.find(|schema| schema.get("$anchor").and_then(Value::as_str) == Some(fragment.as_str()))
}

/// The schema itself, or the one that its local references lead to.
pub fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let mut current = schema;
    for _ in 0..LONGEST_CHAIN {
        let reference = current.get("$ref").and_then(Value::as_str);
        match reference.and_then(|reference| named(root, reference)) {
            Some(next) => current = next,
            None => break,
        }
    }
    current
}

/// A fragment without its percent signs; `None` where that is no text.
fn unescaped(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
