//! JSON into a tree. The number of each node is the place of its value, or of its key, in the text, in bytes.

use serde_json::Value;

use super::problem::ProblemDraft;
use super::syntax::Placed;
use super::tree::{Content, Map, Node, TreeEntry};

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
    // The check bounds the depth as well.
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let offset = text.floor_char_boundary((line + error.column().saturating_sub(1)).min(text.len()));
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let draft = ProblemDraft::error(format!("the file is not valid JSON: {what}")).label("here");
        return Err(Box::new((
            draft.help("correct the file here; JSON has no comments and no trailing commas"),
            Some(offset),
        )));
    }
    let mut reader = JsonReader { text, at: 0, within: Vec::new(), duplicates: Vec::new() };
    let root = reader.node();
    Ok((root, reader.duplicates))
}

/// Reads a text that is valid JSON.
struct JsonReader<'a> {
    text: &'a str,
    at: usize,
    within: Vec<String>,
    duplicates: Vec<Duplicate>,
}

impl JsonReader<'_> {
    fn node(&mut self) -> Node {
        let number = self.start();
        let content = match self.byte() {
            Some(b'{') => Content::Map(self.object()),
            Some(b'[') => Content::List(self.list()),
            _ => Content::Scalar(self.scalar()),
        };
        Node { number, content }
    }

    fn object(&mut self) -> Map {
        let mut map = Map::default();
        self.at += 1;
        while self.start() < self.text.len() && self.byte() != Some(b'}') {
            let number = self.at;
            let Value::String(key) = self.scalar() else { break };
            self.past(b':');
            self.within.push(key);
            let value = self.node();
            let key = self.within.pop().unwrap_or_default();
            self.past(b',');
            if let Err(TreeEntry { key, number, .. }) = map.add(TreeEntry { key, number, value }) {
                self.duplicates.push(Duplicate { within: self.within.clone(), key, offset: number });
            }
        }
        self.past(b'}');
        map
    }

    fn list(&mut self) -> Vec<Node> {
        let mut items = Vec::new();
        self.at += 1;
        while self.start() < self.text.len() && self.byte() != Some(b']') {
            items.push(self.node());
            self.past(b',');
        }
        self.past(b']');
        items
    }

    /// A string, a number, a truth value or null.
    fn scalar(&mut self) -> Value {
        let rest = &self.text[self.at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let value = values.next().and_then(Result::ok).unwrap_or_default();
        // Should a value ever not be read, the next step still goes on.
        self.at += values.byte_offset().max(rest.chars().next().map_or(0, char::len_utf8));
        value
    }

    /// Where the next token begins.
    fn start(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    /// Steps over this byte, where it comes next.
    fn past(&mut self, byte: u8) {
        self.start();
        self.at += usize::from(self.byte() == Some(byte));
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
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
        assert!(parse(&"[".repeat(5000)).is_err(), "the depth is bounded");
    }
}
