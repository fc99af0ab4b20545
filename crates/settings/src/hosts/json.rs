//! JSON as clients keep it, with comments and trailing commas. A new entry comes first in its object, so that
//! nothing else changes.
//!
//! The crate `jsonc-parser` edits such files too, and is not used: of the 16 files of the tests, 10 are not as they were before once the
//! entry is taken out again, a comment behind a brace gets to the entry, and a byte order mark is an error to it.

use serde_json::ser::PrettyFormatter;
use serde_json::{Map, Serializer, Value, json};

use super::layout::{JsonLayout, JsonMember, Object};
use super::obstacle::Obstacle;

/// The text of a new file.
pub(super) const EMPTY: &str = "{}\n";
/// The indent of a level if the file has none.
const UNIT: &str = "  ";

/// The entries of a table.
pub(super) fn entries(text: &str, table: &str) -> Result<Map<String, Value>, Obstacle> {
    if is_blank(text) {
        return Ok(Map::new());
    }
    match JsonLayout::read(text)?.value.get_mut(table).map(Value::take) {
        None => Ok(Map::new()),
        Some(Value::Object(entries)) => Ok(entries),
        Some(_) => Err(no_object(table)),
    }
}

/// The text with this entry, added or replaced.
pub(super) fn put(text: &str, table: &str, name: &str, entry: &Value) -> Result<String, Obstacle> {
    if is_blank(text) {
        return put(EMPTY, table, name, entry);
    }
    let layout = JsonLayout::read(text)?;
    let root = layout.root();
    let Some(servers) = root.member(table) else {
        let place = FirstMember { layout: &layout, object: &root, is_root: true };
        return Ok(place.first(table, &json!({ name: entry })));
    };
    if !layout.text[servers.value.clone()].starts_with('{') {
        return Err(no_object(table));
    }
    let servers = layout.object(servers.value.start);
    let Some(there) = servers.member(name) else {
        let place = FirstMember { layout: &layout, object: &servers, is_root: false };
        return Ok(place.first(name, entry));
    };
    let shown = if text[there.value.clone()].contains('\n') {
        pretty(entry, layout.indent(there.start), unit(&layout), line_feed(text))
    } else {
        entry.to_string()
    };
    Ok(spliced(text, there.value.clone(), &shown))
}

/// The text without this entry.
pub(super) fn take(text: &str, table: &str, name: &str) -> Result<String, Obstacle> {
    let layout = JsonLayout::read(text)?;
    let root = layout.root();
    let Some(servers) = root.member(table) else { return Ok(text.to_owned()) };
    let inner = layout.object(servers.value.start);
    let Some(there) = inner.member(name) else { return Ok(text.to_owned()) };
    let entry = layout.value[table][name].clone();
    // The earlier text is one that becomes this text when the entry is added again.
    let whole = if inner.members.len() == 1 { undone(&layout, servers) } else { Vec::new() };
    for candidate in undone(&layout, there).into_iter().chain(whole) {
        if put(&candidate, table, name, &entry).is_ok_and(|again| again == text) {
            return Ok(candidate);
        }
    }
    Ok(without(&layout, &inner, there))
}

/// The possible texts before this member was added.
fn undone(layout: &JsonLayout, member: &JsonMember) -> Vec<String> {
    let text = layout.text;
    let line = text[..member.start].trim_end_matches([' ', '\t']).len();
    let feed =
        text[..line].strip_suffix('\n').map(|before| before.strip_suffix('\r').unwrap_or(before).len());
    let comma = text[member.value.end..].starts_with(',').then_some(member.value.end + 1);
    let end = comma.unwrap_or(member.value.end);
    let rest = &text[end..];
    let space = rest.starts_with(' ').then_some(end + 1);
    // The line that was begun for a brace that stood behind the other one.
    let blank = rest.len() - rest.trim_start().len();
    let base = layout.indent(member.start).strip_suffix(unit(layout)).unwrap_or_default();
    let own = rest.strip_prefix(line_feed(text)).and_then(|rest| rest.strip_prefix(base));
    let own = own.map(|rest| text.len() - rest.len()).filter(|at| *at <= end + blank);
    let starts = [Some(member.start), feed].into_iter().flatten();
    let ends = [Some(end), space, own];
    starts
        .flat_map(|start| ends.into_iter().flatten().map(move |end| spliced(text, start..end, "")))
        .collect()
}

/// The text without a member that others have changed. Its neighbours and their comments stay as they are.
fn without(layout: &JsonLayout, object: &Object, member: &JsonMember) -> String {
    let text = layout.text;
    let start = text[..member.start].trim_end().len().max(object.open + 1);
    // A comment before it stays, and so must the end of its line.
    let start = if layout.bare[..member.start].trim_end().len() == start { start } else { member.start };
    if let Some(comma) = member.comma {
        let kept = &text[member.value.end..comma];
        return spliced(text, start..comma + 1, kept.trim_end());
    }
    let cut = spliced(text, start..member.value.end, "");
    let before = object.members.iter().rev().find(|other| other.start < member.start);
    match before.and_then(|other| other.comma) {
        Some(comma) => spliced(&cut, comma..comma + 1, ""),
        None => cut,
    }
}

/// A member that becomes the first of an object.
struct FirstMember<'a> {
    layout: &'a JsonLayout<'a>,
    object: &'a Object,
    is_root: bool,
}

impl FirstMember<'_> {
    fn first(&self, key: &str, value: &Value) -> String {
        let Self { layout, object, is_root } = self;
        let JsonLayout { text, bare, .. } = layout;
        let (open, close) = (object.open + 1, object.close);
        let (key, feed, unit) = (json!(key), line_feed(text), unit(layout));
        let is_empty = object.members.is_empty();
        let is_blank = text[open..close].trim().is_empty();
        let is_spread = text[open..close].contains('\n') || (*is_root && is_blank);
        if !is_spread {
            let comma = if is_empty { "" } else { ", " };
            return spliced(text, open..open, &format!("{key}: {value}{comma}"));
        }
        let base = layout.indent(object.open);
        let indent = match object.members.first() {
            Some(first) if bare[..first.start].trim_end_matches([' ', '\t']).ends_with('\n') => {
                layout.indent(first.start).to_owned()
            }
            _ => format!("{base}{unit}"),
        };
        // The entry in an existing empty object stays on one line. So removing it can distinguish that object
        // from one that cuff made.
        let is_open = !is_root || text[open..close].contains('\n');
        let shown = if is_empty && is_open { value.to_string() } else { pretty(value, &indent, unit, feed) };
        let comma = if is_empty { "" } else { "," };
        let behind = if is_empty && !text[open..close].contains('\n') {
            format!("{feed}{base}")
        } else {
            String::new()
        };
        let at = open + behind_brace(&text[open..close]);
        spliced(text, at..at, &format!("{feed}{indent}{key}: {shown}{comma}{behind}"))
    }
}

/// How much of the line behind a brace belongs to it: a comment, if nothing else is there.
fn behind_brace(inner: &str) -> usize {
    let line = inner.lines().next().unwrap_or_default();
    let is_comment = line.trim_start().starts_with("//");
    if (is_comment || line.trim().is_empty()) && inner.len() > line.len() { line.len() } else { 0 }
}

fn pretty(value: &Value, indent: &str, unit: &str, feed: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(unit.as_bytes());
    let written = serde::Serialize::serialize(value, &mut Serializer::with_formatter(&mut bytes, formatter));
    match (written, String::from_utf8(bytes)) {
        (Ok(()), Ok(text)) => text.replace('\n', &format!("{feed}{indent}")),
        (Err(_), _) | (_, Err(_)) => value.to_string(),
    }
}

/// The indent of a level in this file.
fn unit<'a>(layout: &JsonLayout<'a>) -> &'a str {
    let root = layout.root();
    let first = root.members.first().map(|first| layout.indent(first.start));
    first.filter(|indent| !indent.is_empty()).unwrap_or(UNIT)
}

fn line_feed(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn spliced(text: &str, range: std::ops::Range<usize>, with: &str) -> String {
    [&text[..range.start], with, &text[range.end..]].concat()
}

fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

fn no_object(table: &str) -> Obstacle {
    Obstacle::Shape(format!("its `{table}` is no object"))
}
