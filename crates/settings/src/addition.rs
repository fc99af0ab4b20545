//! More for an instance that stands in a settings file: keys that its config lacks, and patterns for lists that it has.

use serde_json::{Map, Value, json};

use super::compose::{self, NewInstance};
use super::insertion::{self, CONFIG, ClosingPlace, New};
use super::not_merged::NotMerged;
use super::parse;
use super::tree::{self, Content, Node};

/// The text with an entry's config put into that of the instance of its name, below this key of the root.
///
/// # Errors
/// When it is written in a way that has no place for it.
pub(super) fn with(text: &str, entry: &NewInstance, key: &str) -> Result<String, NotMerged> {
    let mut text = text.to_owned();
    for pair in &entry.config {
        let single = NewInstance { config: vec![pair.clone()], ..entry.clone() };
        let grown = |text: &str| parse::parse(text).map(|(root, _)| root);
        let root = grown(&text).map_err(|_| NotMerged::because("it is not valid YAML"))?;
        let mut expected = root.value();
        let plugins = expected.get_mut(key).and_then(Value::as_object_mut);
        let is_known = plugins.is_some_and(|plugins| add(plugins, &single));
        let is_it = |text: &String| grown(text).is_ok_and(|root| root.value() == expected);
        let tries = if is_known { tries(&text, &root, key, &single)? } else { Vec::new() };
        let found = tries.into_iter().find(is_it);
        text = found.ok_or_else(|| {
            NotMerged::because(format!("what `{}` is to get has no place there", entry.name))
        })?;
    }
    Ok(text)
}

/// Puts an entry's config to that of the instance of its name; `false` if there is no room for it.
pub(super) fn add(plugins: &mut Map<String, Value>, entry: &NewInstance) -> bool {
    let empty = |value: &mut Value| {
        if value.is_null() {
            *value = json!({});
        }
    };
    let Some(instance) = plugins.get_mut(&entry.name) else { return false };
    empty(instance);
    let Some(instance) = instance.as_object_mut() else { return false };
    let config = instance.entry(CONFIG).or_insert(Value::Null);
    empty(config);
    let Some(config) = config.as_object_mut() else { return false };
    for (field, value) in &entry.config {
        match (config.get_mut(field.name), value) {
            (None, value) => _ = config.insert(field.name.to_owned(), value.clone()),
            (Some(Value::Array(old)), Value::Array(more)) => old.extend(more.iter().cloned()),
            (Some(Value::String(old)), Value::Array(more)) => old.push_str(&comma_separated(more)),
            (Some(_), _) => return false,
        }
    }
    true
}

fn comma_separated(more: &[Value]) -> String {
    more.iter().filter_map(Value::as_str).flat_map(|more| [", ", more]).collect()
}

/// Texts that may have the entry's one pair where it belongs.
fn tries(text: &str, root: &Node, key: &str, entry: &NewInstance) -> Result<Vec<String>, NotMerged> {
    let Some((field, value)) = entry.config.first() else { return Ok(Vec::new()) };
    let (mut node, mut in_braces, mut last) = (root, false, None);
    for (depth, key) in [key, &entry.name, CONFIG, field.name].into_iter().enumerate() {
        let found = if let Content::Map(map) = &node.content { map.get(key) } else { None };
        in_braces |= text[insertion::at(text, node)?..].starts_with('{');
        let Some(found) = found else { break };
        (node, last) = (&found.value, Some((depth, found)));
    }
    match (last, value) {
        (Some((3, there)), Value::Array(more)) => listed(text, there, more),
        (Some((depth, there)), _) => {
            let explained = !text.contains(&compose::explanation(field));
            let new = New::Key { field, value, explained, within_new: depth < 2 };
            let places = insertion::under(text, there, in_braces)?;
            Ok(places.iter().map(|place| place.filled(text, &new)).collect())
        }
        (None, _) => Ok(Vec::new()),
    }
}

/// The text with more at the end of a list, however that is written.
fn listed(text: &str, there: &tree::TreeEntry, more: &[Value]) -> Result<Vec<String>, NotMerged> {
    let at = insertion::at(text, &there.value)?;
    let put = |at: usize, new: &str| format!("{}{new}{}", &text[..at], &text[at..]);
    let filled = match &there.value.content {
        Content::List(_) if text[at..].starts_with('[') => {
            insertion::closed(text, at).map(|ClosingPlace { end, comma, .. }| {
                let words = more.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
                let front = if comma {
                    " "
                } else if text[..end].ends_with('[') {
                    ""
                } else {
                    ", "
                };
                put(end, &format!("{front}{words}"))
            })
        }
        Content::List(items) => match items.last() {
            Some(last) => {
                let last = insertion::at(text, last)?;
                let line = text[..last].rfind('\n').map_or(0, |feed| feed + 1);
                let end = text[last..].find('\n').map(|length| last + length + 1);
                let (front, feed) = (&text[line..last], insertion::feed(text));
                let word = |word: &Value| compose::text_of(word.as_str().unwrap_or_default());
                let line = |more: &Value| format!("{front}{}{feed}", word(more));
                let lines: String = more.iter().map(line).collect();
                Some(match end {
                    Some(end) => put(end, &lines),
                    None => format!("{text}{feed}{lines}"),
                })
            }
            None => None,
        },
        Content::Scalar(Value::String(old)) => {
            let start = at + usize::from(text[at..].starts_with(['"', '\'']));
            let is_plain = text[start..].starts_with(old.as_str());
            is_plain.then(|| put(start + old.len(), &comma_separated(more)))
        }
        Content::Scalar(_) | Content::Map(_) => None,
    };
    Ok(filled.into_iter().collect())
}
