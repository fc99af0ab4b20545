//! Structured files: TOML, YAML, JSON and JSON with comments, all read into one tree.

use std::sync::Arc;

use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table, Value as Toml};

use crate::model::File;

/// The format of a file, by its name.
#[derive(Debug, Clone, Copy)]
pub(in crate::plugins) enum ManifestFormat {
    Toml,
    Yaml,
    /// Comments and trailing commas are allowed.
    Json,
}

impl ManifestFormat {
    pub(super) fn of(name: &str) -> Self {
        let ends = |ending: &str| name.ends_with(ending);
        match () {
            () if ends(".yml") || ends(".yaml") => Self::Yaml,
            () if ends(".json") || ends(".jsonc") => Self::Json,
            () => Self::Toml,
        }
    }
}

/// The reason why a text cannot be parsed.
#[derive(Debug, Clone)]
pub(super) struct ParseError {
    pub(super) message: String,
    pub(super) line: Option<usize>,
}

/// A file that was parsed.
#[derive(Debug)]
pub(in crate::plugins) struct TaskManifest {
    pub(in crate::plugins) value: Arc<Value>,
    /// Its path, from the project's root.
    pub(in crate::plugins) file: String,
    lines: Arc<[String]>,
}

/// The content of a file, as all sources that want it share it.
type Parsed = Result<(Arc<Value>, Arc<[String]>), ParseError>;

impl TaskManifest {
    /// Reads a file with this text, once for all sources that want it.
    pub(super) fn read(of: &File, text: &str, file: String) -> Result<Self, ParseError> {
        let (value, lines) = of.kept.get_or_make(|| -> Parsed {
            let value = parse(ManifestFormat::of(&file), text)?;
            Ok((value.into(), trimmed(text)))
        })?;
        Ok(Self { value, file, lines })
    }

    /// The value behind these keys.
    pub(in crate::plugins) fn get(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().try_fold(&*self.value, |value, key| value.get(key))
    }

    /// The names and values behind these keys.
    pub(in crate::plugins) fn entries(&self, keys: &[&str]) -> Vec<(&str, &Value)> {
        let map = self.get(keys).and_then(Value::as_object);
        map.into_iter().flatten().map(|(name, value)| (name.as_str(), value)).collect()
    }

    /// The text behind these keys.
    pub(in crate::plugins) fn str(&self, keys: &[&str]) -> Option<&str> {
        self.get(keys)?.as_str()
    }

    /// The line that defines a key, where one line alone does.
    pub(in crate::plugins) fn line(&self, key: &str) -> Option<usize> {
        let defines = |line: &String| {
            let line = line.trim_start_matches('[');
            let quote = line.starts_with(['"', '\'']);
            let line = if quote { &line[1..] } else { line };
            // The last part of a table's name counts: `[tool.poe.tasks.test]`.
            let behind = |at: usize| line[at + key.len()..].trim_start_matches(['"', '\'', ' ']);
            let stands =
                |at: usize| at == 0 || line[..at].ends_with('.') && !line[..at].contains(['=', ' ', '"']);
            let ends = |at: usize| match behind(at).strip_prefix(':') {
                Some(rest) => !rest.starts_with(char::is_alphanumeric),
                None => behind(at).starts_with(['=', ']']),
            };
            line.match_indices(key).any(|(at, _)| stands(at) && ends(at))
        };
        let mut found = self.lines.iter().enumerate().filter(|(_, line)| defines(line));
        let (first, _) = found.next()?;
        found.next().is_none().then_some(first + 1)
    }
}

/// The lines of a text, without the blanks around them.
fn trimmed(text: &str) -> Arc<[String]> {
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// Parses a text.
pub(super) fn parse(format: ManifestFormat, text: &str) -> Result<Value, ParseError> {
    match format {
        ManifestFormat::Toml => toml(text),
        ManifestFormat::Yaml if nests_deeply(text) => {
            Err(ParseError { message: "it is nested too deeply".to_owned(), line: None })
        }
        ManifestFormat::Yaml => {
            serde_yaml::from_str(text).or_else(|error| without_tags(text).ok_or(error)).map_err(|error| {
                let line = error.location().map(|place| place.line());
                ParseError { message: error.to_string(), line }
            })
        }
        ManifestFormat::Json => serde_json::from_str(&plain_json(text))
            .map_err(|error| ParseError { message: error.to_string(), line: Some(error.line()) }),
    }
}

/// The values of a text in YAML with tags, such as `!reset`, without these.
fn without_tags(text: &str) -> Option<Value> {
    fn plain(value: serde_yaml::Value) -> Option<Value> {
        Some(match value {
            serde_yaml::Value::Tagged(tagged) => plain(tagged.value)?,
            serde_yaml::Value::Sequence(list) => {
                list.into_iter().map(plain).collect::<Option<Vec<_>>>()?.into()
            }
            serde_yaml::Value::Mapping(entries) => {
                let entry = |(key, value)| match plain(key)? {
                    Value::String(key) => Some((key, plain(value)?)),
                    key => Some((key.to_string(), plain(value)?)),
                };
                entries.into_iter().map(entry).collect::<Option<Map<_, _>>>()?.into()
            }
            other => serde_json::to_value(other).ok()?,
        })
    }
    plain(serde_yaml::from_str(text).ok()?)
}

/// Whether a text opens so many lists and mappings within each other that reading it as YAML would take minutes.
fn nests_deeply(text: &str) -> bool {
    const DEEPEST: usize = 200;
    let mut depth = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    }) || text.lines().any(|line| line.split_whitespace().take_while(|word| *word == "-").count() > DEEPEST)
}

fn toml(text: &str) -> Result<Value, ParseError> {
    let document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        ParseError { message: error.message().replace('\n', "; "), line }
    })?;
    Ok(of_table(document.as_table()))
}

fn of_table(table: &Table) -> Value {
    table.iter().map(|(key, item)| (key.to_owned(), of_item(item))).collect::<Map<_, _>>().into()
}

fn of_item(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => of_value(value),
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(of_table).collect(),
    }
}

fn of_value(value: &Toml) -> Value {
    match value {
        Toml::String(text) => text.value().as_str().into(),
        Toml::Integer(number) => (*number.value()).into(),
        Toml::Float(number) => (*number.value()).into(),
        Toml::Boolean(is) => (*is.value()).into(),
        Toml::Datetime(time) => time.value().to_string().into(),
        Toml::Array(values) => values.iter().map(of_value).collect(),
        Toml::InlineTable(table) => {
            table.iter().map(|(key, value)| (key.to_owned(), of_value(value))).collect::<Map<_, _>>().into()
        }
    }
}

/// The same JSON without comments and trailing commas; line breaks stay where they are.
fn plain_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => string_end(rest),
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").map_or(rest.len(), |at| at + 4);
                out.extend(rest[..end].chars().filter(|c| *c == '\n'));
                rest = &rest[end..];
                continue;
            }
            '}' | ']' => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.replace_range(kept - 1..kept, "");
                }
                1
            }
            c => c.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// The end of the string that a text begins with.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn three_formats_give_one_tree() {
        let expected = json!({"a": {"b": ["x", 1, true]}, "c": "//"});
        for (format, text) in [
            (ManifestFormat::Toml, "c = '//'\n[a]\nb = ['x', 1, true] # y\n"),
            (ManifestFormat::Yaml, "c: //\na:\n  b: [x, 1, true]\n"),
            (ManifestFormat::Json, "{\"a\": {\"b\": [\"x\", 1, true,],}, // y\n/* z */ \"c\": \"//\"\n,}"),
        ] {
            // Keys stand in any order.
            assert_eq!(parse(format, text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn an_error_has_its_line() {
        for (format, text) in [
            (ManifestFormat::Toml, "a = 1\nb ==\n"),
            (ManifestFormat::Yaml, "a: 1\nb: [\n"),
            (ManifestFormat::Json, "{\"a\": 1,\n\"b\": x}"),
        ] {
            let line = parse(format, text).unwrap_err().line.unwrap();
            assert!((2..=3).contains(&line), "{text}: {line}");
        }
    }

    #[test]
    fn a_definition_has_its_line_where_there_is_one() {
        let text = "[tool.poe.tasks]\ntest = 'x'\n'lint:fix' = 'y'\n[tool.poe.tasks.serve]\nhelp = 'test = 1'\nhelp = 1";
        let manifest = TaskManifest { value: Value::Null.into(), file: String::new(), lines: trimmed(text) };
        let lines = ["test", "lint:fix", "serve", "help", "none"].map(|key| manifest.line(key));
        assert_eq!(lines, [Some(2), Some(3), Some(4), None, None]);
    }
}
