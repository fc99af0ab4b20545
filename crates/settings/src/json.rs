//! JSON into a tree. The number of each node is the place of its value, or of its key, in the text, in bytes.

use std::fmt;

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::problem::ProblemDraft;
use super::syntax::Placed;
use super::tree::{Content, Map, Node, TreeEntry};

/// How deep lists and objects may be nested, since each level is read once more.
const DEEPEST: usize = 128;

/// A key that an object has twice.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Duplicate {
    /// The keys of the objects around it, the outermost first.
    pub(super) within: Vec<String>,
    pub(super) key: String,
    /// Where the second one begins, in bytes.
    pub(super) offset: usize,
}

/// The tree of a text, and the keys that are there twice.
///
/// # Errors
/// When it is not valid JSON.
pub(super) fn parse(text: &str) -> Result<(Node, Vec<Duplicate>), Box<Placed>> {
    let wrong = |error: serde_json::Error| {
        let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let offset = text.floor_char_boundary((line + error.column().saturating_sub(1)).min(text.len()));
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let draft = ProblemDraft::error(format!("the file is not valid JSON: {what}")).label("here");
        Box::new((
            draft.help("correct the file here; JSON has no comments and no trailing commas"),
            Some(offset),
        ))
    };
    let whole: &RawValue = serde_json::from_str(text).map_err(wrong)?;
    let mut reader =
        JsonReader { text, depth: 0, is_too_deep: false, within: Vec::new(), duplicates: Vec::new() };
    let root = reader.node(whole);
    if reader.is_too_deep {
        let draft = ProblemDraft::error(format!("the file is nested more than {DEEPEST} levels deep"));
        return Err(Box::new((draft.help("settings need few levels; check the brackets"), None)));
    }
    Ok((root, reader.duplicates))
}

/// Reads a text that is valid JSON.
struct JsonReader<'a> {
    text: &'a str,
    /// How many lists and objects are around what is read.
    depth: usize,
    /// Whether something is deeper than it may be.
    is_too_deep: bool,
    within: Vec<String>,
    duplicates: Vec<Duplicate>,
}

impl JsonReader<'_> {
    fn node(&mut self, value: &RawValue) -> Node {
        let number = self.place(value);
        if self.depth > DEEPEST {
            self.is_too_deep = true;
            return Node { number, content: Content::Scalar(Value::Null) };
        }
        self.depth += 1;
        let content = match value.get().as_bytes().first() {
            Some(b'{') => Content::Map(self.object(value)),
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
                Content::List(items.into_iter().map(|item| self.node(item)).collect())
            }
            _ => Content::Scalar(serde_json::from_str(value.get()).unwrap_or_default()),
        };
        self.depth -= 1;
        Node { number, content }
    }

    fn object(&mut self, object: &RawValue) -> Map {
        let mut map = Map::default();
        for (key, value) in json_entries(object) {
            let number = self.place(key);
            self.within.push(serde_json::from_str(key.get()).unwrap_or_default());
            let value = self.node(value);
            let key = self.within.pop().unwrap_or_default();
            if let Err(TreeEntry { key, number, .. }) = map.add(TreeEntry { key, number, value }) {
                self.duplicates.push(Duplicate { within: self.within.clone(), key, offset: number });
            }
        }
        map
    }

    /// Where a part of the text begins.
    fn place(&self, part: &RawValue) -> usize {
        (part.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }
}

/// A key of an object, and its value, as they are written.
type JsonEntry<'t> = (&'t RawValue, &'t RawValue);

/// The entries of an object, in their order, with those of the same key; of any other value none.
pub fn json_entries(object: &RawValue) -> Vec<JsonEntry<'_>> {
    struct InOrder;
    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<JsonEntry<'de>>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            std::iter::from_fn(|| map.next_entry().transpose()).collect()
        }
    }
    serde_json::Deserializer::from_str(object.get()).deserialize_map(InOrder).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place and the text of each key and value.
    fn places(text: &str) -> Vec<String> {
        fn walk(text: &str, node: &Node, all: &mut Vec<String>) {
            let word = |at: usize| text[at..].chars().take(3).collect::<String>();
            all.push(word(node.number));
            match &node.content {
                Content::Map(map) => map.iter().for_each(|entry| {
                    all.push(format!("{}={}", entry.key, word(entry.number)));
                    walk(text, &entry.value, all);
                }),
                Content::List(items) => items.iter().for_each(|item| walk(text, item, all)),
                Content::Scalar(_) => {}
            }
        }
        let mut all = Vec::new();
        walk(text, &parse(text).unwrap().0, &mut all);
        all
    }

    #[test]
    fn each_node_knows_where_it_stands() {
        let text = " {\n\t\"a\" : [1, \"x\\\"]}\", {}],\"ü\":{\"b\": true} , \"\\u0063\":null}\r\n";
        let expected = [
            " {\n\t",
            "a=\"a\"",
            "[1,",
            "1, ",
            "\"x\\",
            "{}]",
            "ü=\"ü\"",
            "{\"b",
            "b=\"b\"",
            "tru",
            "c=\"\\u",
            "nul",
        ];
        let expected: Vec<String> = expected.iter().map(|word| word.trim_start().chars().collect()).collect();
        let found = places(text);
        assert_eq!(found[1..], expected[1..]);
        assert_eq!(parse(text).unwrap().0.value(), serde_json::from_str::<Value>(text).unwrap());
        for text in ["[]", "{}", " 1 ", "\"x\"", "null", "[[],[[1]]]", "-1.5e3", "{\"a\":{},\"b\":[]}"] {
            assert_eq!(
                parse(text).unwrap().0.value(),
                serde_json::from_str::<Value>(text).unwrap(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_key_that_is_there_twice_is_found_and_the_first_one_counts() {
        let (root, duplicates) =
            parse(r#"{"a": {"x": 1, "x": 2}, "b": [{"y": 1}, {"y": 1}], "a": 3}"#).unwrap();
        assert_eq!(root.value(), serde_json::json!({"a": {"x": 1}, "b": [{"y": 1}, {"y": 1}]}));
        let found: Vec<_> =
            duplicates.iter().map(|one| (one.within.join("."), one.key.as_str(), one.offset)).collect();
        assert_eq!(found, [("a".to_owned(), "x", 15), (String::new(), "a", 51)]);
    }

    #[test]
    fn a_mistake_has_a_place() {
        for (text, offset, what) in [
            ("", 0, "EOF while parsing a value"),
            ("{\"a\": 1,\n \"b\": x}", 15, "expected value"),
            ("{\"a\": 1,}", 8, "key must be a string"),
            ("{} {}", 3, "trailing characters"),
            ("// no\n{}", 0, "expected value"),
            ("{\"ü\": \u{7f}}", 7, "expected value"),
        ] {
            let (draft, at) = *parse(text).unwrap_err();
            assert_eq!((draft.message.contains(what), at), (true, Some(offset)), "{text}: {}", draft.message);
        }
        let deep = ["[".repeat(60_000), "]".repeat(60_000)].concat();
        assert!(parse(&deep).is_err(), "the depth is bounded");
    }
}
