//! YAML into a tree, in one pass and within fixed limits.
//!
//! The parser gives positions in its errors alone. So every node gets a number while the tree is built.
//! [`offset`] reads the text once more and fails on purpose at that number: the error says where. The same
//! code does both, so the numbers cannot drift apart.

use std::fmt;

use memchr::memchr2_iter;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::{Number, Value};

use super::tree::{Content, Map, Node, TreeEntry};
use crate::model::shown;

/// The most values that a file may have once its aliases are expanded; a large settings file has hundreds.
const MOST_NODES: usize = 20_000;

/// The deepest that lists and mappings may be nested; settings need five levels.
const MOST_LEVELS: usize = 32;

/// The most `[` and `{` that are given to the parser, whose time grows with the square of those left open.
/// Closing ones do not count against them: inside quotes they close nothing.
const MOST_BRACKETS: usize = 2_000;

/// How many keys say where something odd is: `plugins` and the instance.
const NAMED: usize = 2;

/// Why there is no tree, and where that shows, in bytes.
#[derive(Debug)]
pub(super) enum NoTree {
    Limit(Limit, Option<usize>),
    /// In the parser's words.
    Syntax(String, Option<usize>),
}

/// The tree of a text, and what is odd about it.
pub(super) fn parse(text: &str) -> Result<(Node, Vec<YamlOddity>), NoTree> {
    if let Some(offset) = memchr2_iter(b'[', b'{', text.as_bytes()).nth(MOST_BRACKETS) {
        return Err(NoTree::Limit(Limit::Brackets, Some(offset)));
    }
    let mut reader = SettingsReader::default();
    let error = match Branch(&mut reader).deserialize(serde_yaml::Deserializer::from_str(text)) {
        Ok(root) => return Ok((root, reader.oddities)),
        Err(error) => error,
    };
    let offset = error_offset(text, &error);
    Err(match reader.limit {
        Some(limit) => NoTree::Limit(limit, offset),
        None => NoTree::Syntax(error.to_string(), offset),
    })
}

/// Where in the text the node with this number stands, in bytes.
pub(super) fn offset(text: &str, number: usize) -> Option<usize> {
    let mut reader = SettingsReader { stop: Some(number), ..SettingsReader::default() };
    let here = Branch(&mut reader).deserialize(serde_yaml::Deserializer::from_str(text)).err()?;
    error_offset(text, &here)
}

/// Where in the text the parser's error stands, in bytes.
fn error_offset(text: &str, error: &serde_yaml::Error) -> Option<usize> {
    Some(text.floor_char_boundary(error.location()?.index()))
}

/// Something that YAML allows and settings do not.
#[derive(Debug)]
pub(super) struct YamlOddity {
    /// The first keys of the way to it, at most [`NAMED`], each as it is shown: `plugins` and the instance.
    pub(super) within: Vec<String>,
    pub(super) number: usize,
    pub(super) kind: OddityKind,
}

#[derive(Debug)]
pub(super) enum OddityKind {
    /// The key was there before.
    Duplicate(String),
    /// A key that is no string, as JSON.
    KeyNotText(Value),
    /// `!tag`.
    Tag(String),
    /// `<<` with something that is not a mapping.
    Merge,
}

/// A limit that the text is beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    Nodes,
    Levels,
    Brackets,
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes => write!(out, "settings have more than {MOST_NODES} values"),
            Self::Levels => write!(out, "settings are nested more than {MOST_LEVELS} levels deep"),
            Self::Brackets => write!(out, "settings have more than {MOST_BRACKETS} opening brackets"),
        }
    }
}

/// The state of reading a text.
#[derive(Debug, Default)]
struct SettingsReader {
    /// The number to fail at.
    stop: Option<usize>,
    count: usize,
    levels: usize,
    /// The first keys of the way to what is read, at most [`NAMED`].
    path: Vec<String>,
    oddities: Vec<YamlOddity>,
    limit: Option<Limit>,
}

impl SettingsReader {
    /// The number of the next node; the error is placed at that node by the parser.
    fn number<E: Error>(&mut self) -> Result<usize, E> {
        let number = self.count;
        if self.stop == Some(number) {
            return Err(E::custom("here"));
        }
        if number == MOST_NODES {
            return Err(self.beyond(Limit::Nodes));
        }
        self.count += 1;
        Ok(number)
    }

    fn beyond<E: Error>(&mut self, limit: Limit) -> E {
        self.limit = Some(limit);
        E::custom(limit)
    }

    fn deeper<E: Error>(&mut self) -> Result<(), E> {
        self.levels += 1;
        if self.levels > MOST_LEVELS { Err(self.beyond(Limit::Levels)) } else { Ok(()) }
    }

    fn odd(&mut self, number: usize, kind: OddityKind) {
        let within = self.path.iter().map(|key| shown(key)).collect();
        self.oddities.push(YamlOddity { within, number, kind });
    }
}

/// One value that is about to be read.
struct Branch<'reader>(&'reader mut SettingsReader);

impl Branch<'_> {
    fn scalar<E: Error>(self, value: impl Into<Value>) -> Result<Node, E> {
        Ok(Node { number: self.0.number()?, content: Content::Scalar(value.into()) })
    }
}

impl<'de> DeserializeSeed<'de> for Branch<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Branch<'_> {
    type Value = Node;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Node, E> {
        self.scalar(flag)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
        self.scalar(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Node, E> {
        self.scalar(number)
    }

    // Beyond 64 bits only the rough size matters: no field takes it.
    #[expect(clippy::cast_precision_loss, reason = "it is out of every field's range anyway")]
    fn visit_i128<E: Error>(self, number: i128) -> Result<Node, E> {
        self.visit_f64(number as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "it is out of every field's range anyway")]
    fn visit_u128<E: Error>(self, number: u128) -> Result<Node, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Node, E> {
        // JSON knows no infinity; as text it is named in the message about its type.
        self.scalar(Number::from_f64(number).map_or_else(|| Value::from(number.to_string()), Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        self.scalar(text)
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        self.scalar(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Node, E> {
        self.scalar(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let reader = self.0;
        let number = reader.number()?;
        reader.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(Branch(reader))? {
            items.push(item);
        }
        reader.levels -= 1;
        Ok(Node { number, content: Content::List(items) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let reader = self.0;
        let number = reader.number()?;
        reader.deeper()?;
        let mut map = Map::default();
        while let Some(key) = access.next_key_seed(Branch(reader))? {
            let name = if let Content::Scalar(Value::String(name)) = key.content {
                Some(name)
            } else {
                reader.odd(key.number, OddityKind::KeyNotText(key.value()));
                None
            };
            let above = reader.path.len();
            reader.path.extend(name.as_ref().filter(|_| above < NAMED).cloned());
            let value = access.next_value_seed(Branch(reader))?;
            reader.path.truncate(above);
            if let Some(name) = name
                && let Err(again) = map.add(TreeEntry { key: name, number: key.number, value })
            {
                reader.odd(again.number, OddityKind::Duplicate(again.key));
            }
        }
        reader.levels -= 1;
        let (map, wrong) = map.merge();
        if let Some(wrong) = wrong {
            reader.odd(wrong, OddityKind::Merge);
        }
        Ok(Node { number, content: Content::Map(map) })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Node, A::Error> {
        let (tag, content) = access.variant::<String>()?;
        let node = content.newtype_variant_seed(Branch(self.0))?;
        self.0.odd(node.number, OddityKind::Tag(tag));
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every node of a tree with the text that stands at its place.
    fn places(text: &str) -> Vec<String> {
        let (root, _) = parse(text).unwrap();
        let mut found = Vec::new();
        walk(&root, text, &mut found);
        found
    }

    fn walk(node: &Node, text: &str, found: &mut Vec<String>) {
        let at = |number| {
            let offset = offset(text, number).unwrap();
            let before = &text[..offset];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            let rest: String = text[offset..].chars().take_while(|c| !c.is_whitespace()).collect();
            format!("{line}:{column} {rest}")
        };
        found.push(at(node.number));
        match &node.content {
            Content::Scalar(_) => {}
            Content::List(items) => items.iter().for_each(|item| walk(item, text, found)),
            Content::Map(map) => map.iter().for_each(|entry| {
                found.push(format!("{} key", at(entry.number)));
                walk(&entry.value, text, found);
            }),
        }
    }

    #[test]
    fn every_node_is_found_again_at_its_line_and_column() {
        insta::assert_debug_snapshot!(places(
            "# é🎉\n\"ключ 🎉\": 1\r\nlist:\r\n  - one\n  - {a: 'b', \"c\": [2]}\nempty:\nlast: |\n  text\n"
        ), @r#"
        [
            "2:1 \"ключ",
            "2:1 \"ключ key",
            "2:11 1",
            "3:1 list: key",
            "4:3 -",
            "4:5 one",
            "5:5 {a:",
            "5:6 a: key",
            "5:9 'b',",
            "5:14 \"c\": key",
            "5:19 [2]}",
            "5:20 2]}",
            "6:1 empty: key",
            "6:7 ",
            "7:1 last: key",
            "7:7 |",
        ]
        "#);
    }

    #[test]
    fn aliases_and_merges_are_followed() {
        let text = "base: &base {a: 1, b: 2}\nuse:\n  <<: *base\n  b: 3\nmany:\n  <<: [{x: 1}, *base, {x: 2, y: 3}]\nbad:\n  <<: 1\n";
        let (root, oddities) = parse(text).unwrap();
        insta::assert_snapshot!(root.value(), @r#"{"base":{"a":1,"b":2},"use":{"b":3,"a":1},"many":{"x":1,"a":1,"b":2,"y":3},"bad":{}}"#);
        assert!(matches!(&oddities[..], [YamlOddity { kind: OddityKind::Merge, .. }]));
    }

    #[test]
    fn yaml_that_settings_do_not_allow_is_listed_at_once() {
        let text = "a: 1\na: 2\n3: x\n? [k]\n: v\nt: !set {a: 1}\nu: [!x y]\n";
        let (root, oddities) = parse(text).unwrap();
        insta::assert_snapshot!(root.value(), @r#"{"a":1,"t":{"a":1},"u":["y"]}"#);
        let found: Vec<_> = oddities.iter().map(|odd| format!("{:?} {:?}", odd.within, odd.kind)).collect();
        insta::assert_debug_snapshot!(found, @r#"
        [
            "[] Duplicate(\"a\")",
            "[] KeyNotText(Number(3))",
            "[] KeyNotText(Array [String(\"k\")])",
            "[\"t\"] Tag(\"set\")",
            "[\"u\"] Tag(\"x\")",
        ]
        "#);
    }

    #[test]
    fn hostile_texts_hit_a_limit_and_nothing_else() {
        let laughs: String = std::iter::once("a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned())
            .chain((1..12).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(","))))
            .collect();
        let filled = |unit: &str| unit.repeat(64 * 1024 / unit.len());
        for (text, limit) in [
            (laughs, Limit::Nodes),
            (format!("a: &a [{}]\nb: [{}]", "x, ".repeat(10_000), "*a, ".repeat(10_000)), Limit::Nodes),
            ("- a\n".repeat(MOST_NODES), Limit::Nodes),
            (format!("{}1", "a: [".repeat(60)), Limit::Levels),
            (filled("- "), Limit::Levels),
            (filled("? "), Limit::Levels),
            (filled("["), Limit::Brackets),
            (filled("{b: "), Limit::Brackets),
            (filled("[\"]\", "), Limit::Brackets),
            ("{b: ".repeat(2_000), Limit::Levels),
        ] {
            let start: String = text.chars().take(20).collect();
            assert!(matches!(parse(&text), Err(NoTree::Limit(found, _)) if found == limit), "{start}");
        }
        // Neither valid nor beyond a limit, perhaps: the answer only has to come.
        for unit in [
            "&a ",
            "!a ",
            "a: ",
            "\"",
            "'\n",
            "a\n",
            "#",
            "\t",
            "---\n",
            "|\n",
            "*a,",
            ": ",
            "- - a\n",
            "&a x\n",
            "a: &a b\n",
            "\\",
            "<<: ",
            "x, ",
            "- ? ",
        ] {
            let _ = parse(&filled(unit));
        }
    }
}
