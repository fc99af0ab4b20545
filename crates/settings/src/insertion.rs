//! Where in the text of a settings file new instances may go. Whether they do is found out by reading the result.
//!
//! The crate `yaml-edit` finds the same places for blocks, braces and line feeds of Windows, and is not used: the binary would grow by 380 kB, it
//! refuses `plugins:` without a value, and adds a line feed at the end.

use serde_json::Value;

use super::compose::{self, Indent, NewInstance, ServerEntry};
use super::not_merged::NotMerged;
use super::parse;
use super::tree::{self, Content, Node};
use crate::model::Field;

/// The key of an instance that its plugin reads.
pub(super) const CONFIG: &str = "config";

/// A place for new instances.
#[derive(Debug)]
pub(super) enum InstancePlace {
    /// As lines of their own.
    Lines(LinePlace),
    /// Before a closing brace.
    Braces(Braces),
}

/// A place between lines.
#[derive(Debug)]
pub(super) struct LinePlace {
    at: usize,
    indent: Indent,
    /// `plugins:`, where that is new as well, and an empty line.
    front: String,
    /// The text that stood for "no instances", which goes.
    instead_of: std::ops::Range<usize>,
}

/// A place in a mapping that is written in braces.
#[derive(Debug)]
pub(super) struct Braces {
    /// Where what is there ends, and whether with a comma or as nothing at all.
    end: usize,
    needs_comma: bool,
    at: usize,
    /// The text before each new instance.
    front: String,
    /// The key that is new as well.
    within: Option<&'static str>,
}

/// The places for instances under a key of the root, the best first.
///
/// # Errors
/// When the mapping there is written in a way that has none.
pub(super) fn places(text: &str, root: &Node, key: &'static str) -> Result<Vec<InstancePlace>, NotMerged> {
    let Content::Map(map) = &root.content else { return Err(NotMerged::because("it is no mapping")) };
    let start = at(text, root)?;
    let in_braces = text[start..].starts_with('{');
    match map.get(key) {
        None if in_braces => Ok(vec![InstancePlace::Braces(braces(text, start, Some(key))?)]),
        None => Ok(vec![InstancePlace::Lines(at_the_end(text, column(text, start), key))]),
        Some(entry) => under(text, entry, in_braces),
    }
}

/// The places in the mapping under a key that is there.
pub(super) fn under(
    text: &str,
    entry: &tree::TreeEntry,
    in_braces: bool,
) -> Result<Vec<InstancePlace>, NotMerged> {
    let start = parse::offset(text, entry.number).ok_or_else(not_found)?;
    let value = at(text, &entry.value)?;
    if value < start {
        return Err(NotMerged::because(format!("`{}` is an alias of what stands elsewhere", entry.key)));
    }
    let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length + 1);
    let children = matches!(&entry.value.content, Content::Map(map) if map.iter().next().is_some());
    let gone =
        if children || in_braces { value..value } else { nothing(text, value.min(text.len()), line_end) };
    if text[value..].starts_with('{') && gone.is_empty() {
        return Ok(vec![InstancePlace::Braces(braces(text, value, None)?)]);
    }
    if in_braces {
        return Err(NotMerged::because(format!("`{}` stands in braces, and is none itself", entry.key)));
    }
    Ok(below(text, line_end, column(text, start), &gone).map(InstancePlace::Lines).into())
}

/// The words for "no instances" at the value's place: `{}`, `null`, `~`; else an empty range.
fn nothing(text: &str, value: usize, line_end: usize) -> std::ops::Range<usize> {
    let rest = &text[value..line_end.max(value)];
    let inner = rest.strip_prefix('{').map(str::trim_start);
    let length = match inner.and_then(|inner| inner.strip_prefix('}')) {
        Some(after) => rest.len() - after.len(),
        None => ["null", "Null", "NULL", "~"]
            .iter()
            .find(|word| rest.starts_with(**word))
            .map_or(0, |word| word.len()),
    };
    value..value + length
}

/// The places below a line: after the last line that is indented deeper than the key, and before the next that is not.
fn below(text: &str, from: usize, key: usize, gone: &std::ops::Range<usize>) -> [LinePlace; 2] {
    let (mut end, mut next, mut child) = (from, text.len(), None);
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let content = line.trim();
        let indent = line.len() - line.trim_start_matches(' ').len();
        if content.starts_with('#') && indent > key {
            end = at + line.len();
        } else if !content.is_empty() && !content.starts_with('#') {
            if indent <= key {
                next = at;
                break;
            }
            child.get_or_insert(indent);
            end = at + line.len();
        }
        at += line.len();
    }
    let level = child.map_or(2, |child| child - key);
    let indent = Indent { key: key + level, level };
    // The empty line between two instances; there may be one already.
    let front = |at: usize| {
        let is_apart = child.is_none() || text[..at].trim_end_matches([' ', '\r']).ends_with("\n\n");
        if is_apart { String::new() } else { "\n".to_owned() }
    };
    [end, next].map(|at| LinePlace { at, indent, front: front(at), instead_of: gone.clone() })
}

/// The place behind all that there is, where the key itself is new.
fn at_the_end(text: &str, root: usize, key: &str) -> LinePlace {
    let ends = |line: &str| line.trim_end() == "...";
    let mut at = 0;
    for line in text.split_inclusive('\n').take_while(|line| !ends(line)) {
        at += line.len();
    }
    let front = format!("\n{}{key}:\n", " ".repeat(root));
    LinePlace { at, indent: Indent { key: root + 2, level: 2 }, front, instead_of: at..at }
}

/// The place in the braces that open here.
fn braces(text: &str, open: usize, within: Option<&'static str>) -> Result<Braces, NotMerged> {
    let not_closed = || NotMerged::because("the end of its braces cannot be told");
    let ClosingPlace { end, comma, close } = closed(text, open).ok_or_else(not_closed)?;
    let line = text[..close].rfind('\n').map_or(0, |feed| feed + 1);
    // A closing brace on a line of its own has the entries on lines of theirs.
    let (at, front) = if line > open && text[line..close].trim().is_empty() {
        let last = text[..end].rfind('\n').map_or(0, |feed| feed + 1);
        let indent = text[last..].len() - text[last..].trim_start_matches(' ').len();
        (line, " ".repeat(indent))
    } else {
        (end, String::new())
    };
    Ok(Braces { end, needs_comma: !comma && end > open + 1, at, front, within })
}

/// Where a mapping in braces, or a list in brackets, ends.
pub(super) struct ClosingPlace {
    /// Behind the last thing in it.
    pub(super) end: usize,
    /// Whether that is a comma.
    pub(super) comma: bool,
    close: usize,
}

/// Finds the closing brace; quotes and comments count as YAML has them.
pub(super) fn closed(text: &str, open: usize) -> Option<ClosingPlace> {
    let (mut depth, mut fresh, mut before) = (0_usize, true, ' ');
    let mut found = ClosingPlace { end: open + 1, comma: false, close: open };
    let mut rest = text[open..].char_indices();
    while let Some((at, c)) = rest.next() {
        let at = open + at;
        let mut end = at + c.len_utf8();
        match c {
            '#' if before.is_whitespace() => {
                before = '\n';
                rest.find(|(_, c)| *c == '\n')?;
                continue;
            }
            '"' | '\'' if fresh => end = open + quoted(&mut rest, c)?,
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(ClosingPlace { close: at, ..found });
                }
            }
            _ => {}
        }
        before = c;
        if !c.is_whitespace() {
            fresh = "{[,:".contains(c);
            if at > open {
                (found.end, found.comma) = (end, c == ',');
            }
        }
    }
    None
}

/// Reads up to the end of what is quoted, and says where that is.
fn quoted(rest: &mut std::str::CharIndices<'_>, quote: char) -> Option<usize> {
    loop {
        let (at, c) = rest.next()?;
        if c == '\\' && quote == '"' {
            rest.next()?;
        } else if c == quote {
            if quote == '\'' && rest.as_str().starts_with('\'') {
                rest.next()?;
                continue;
            }
            return Some(at + 1);
        }
    }
}

impl InstancePlace {
    /// The text with this in that place.
    pub(super) fn filled(&self, text: &str, new: &New<'_>) -> String {
        let feed = feed(text);
        match self {
            Self::Lines(LinePlace { at, indent, front, instead_of }) => {
                let begun = !text[..*at].is_empty() && !text[..*at].ends_with('\n');
                let lines = new.lines(front, *indent);
                let lines = format!("{}{lines}", if begun { "\n" } else { "" }).replace('\n', feed);
                let before = &text[..instead_of.start.min(*at)];
                let between = text.get(instead_of.end..*at).unwrap_or_default();
                format!("{before}{between}{lines}{}", &text[*at..])
            }
            Self::Braces(Braces { end, needs_comma, at, front, within }) => {
                let by_lines = at > end;
                let separator = if by_lines { format!(",{feed}{front}") } else { ", ".to_owned() };
                let joined = new.pairs().join(&separator);
                let joined = within.map_or(joined.clone(), |key| format!("{key}: {{{joined}}}"));
                let comma = if *needs_comma { "," } else { "" };
                let new = match by_lines {
                    true => format!("{front}{joined}{feed}"),
                    false if text[..*end].ends_with('{') => joined,
                    false => format!(" {joined}"),
                };
                format!("{}{comma}{}{new}{}", &text[..*end], &text[*end..*at], &text[*at..])
            }
        }
    }
}

/// An addition to a text.
#[derive(Debug)]
pub(super) enum New<'a> {
    Instances(&'a [NewInstance]),
    Servers(&'a [ServerEntry]),
    /// A key of a config, and whether its `config:` is new as well.
    Key {
        field: &'static Field,
        value: &'a Value,
        explained: bool,
        within_new: bool,
    },
}

impl New<'_> {
    fn lines(&self, front: &str, indent: Indent) -> String {
        match *self {
            Self::Instances(entries) => format!("{front}{}", compose::instances(entries, indent)),
            Self::Servers(entries) => format!("{front}{}", compose::servers(entries, indent)),
            Self::Key { field, value, explained, within_new } => {
                let config = format!("{}{CONFIG}:\n", " ".repeat(indent.key));
                let (config, deeper) = if within_new { (&*config, indent.level) } else { ("", 0) };
                format!("{config}{}", compose::key_lines(field, value, explained, indent.key + deeper))
            }
        }
    }

    fn pairs(&self) -> Vec<String> {
        match *self {
            Self::Instances(entries) => {
                let pair = |entry: &NewInstance| format!("{}: {}", entry.name, flow(&compose::value(entry)));
                entries.iter().map(pair).collect()
            }
            Self::Servers(entries) => {
                let pair =
                    |entry: &ServerEntry| format!("{}: {}", entry.name, flow(&compose::server_value(entry)));
                entries.iter().map(pair).collect()
            }
            Self::Key { field, value, within_new, .. } => {
                let pair = format!("{}: {}", field.name, flow(value));
                vec![if within_new { format!("{CONFIG}: {{{pair}}}") } else { pair }]
            }
        }
    }
}

/// How the lines of a text end.
pub(super) fn feed(text: &str) -> &'static str {
    if text.split('\n').next().is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}

/// A value in one line.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let plain = |key: &str| key.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
            let name = |key: &str| if plain(key) { key.to_owned() } else { Value::from(key).to_string() };
            let pairs: Vec<_> =
                map.iter().map(|(key, value)| format!("{}: {}", name(key), flow(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

pub(super) fn at(text: &str, node: &Node) -> Result<usize, NotMerged> {
    parse::offset(text, node.number).ok_or_else(not_found)
}

/// The indentation of the text at this place.
fn column(text: &str, at: usize) -> usize {
    at - text[..at].rfind('\n').map_or(0, |feed| feed + 1)
}

fn not_found() -> NotMerged {
    NotMerged::because("its parts cannot be found in the text")
}
