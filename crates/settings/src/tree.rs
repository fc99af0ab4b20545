//! Settings as a tree of numbered nodes, so that they can be found again in the text.

use std::collections::HashMap;

use serde_json::Value;

/// A value and its number.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) number: usize,
    pub(super) content: Content,
}

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Null, a truth value, a number or a string.
    Scalar(Value),
    List(Vec<Node>),
    Map(Map),
}

/// A mapping in the order of the file, without its duplicates.
#[derive(Debug, Clone, Default)]
pub(super) struct Map {
    entries: Vec<TreeEntry>,
    /// The places of the keys.
    places: HashMap<String, usize>,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(super) struct TreeEntry {
    pub(super) key: String,
    pub(super) number: usize,
    pub(super) value: Node,
}

impl Node {
    /// The value without its numbers.
    pub(super) fn value(&self) -> Value {
        match &self.content {
            Content::Scalar(value) => value.clone(),
            Content::List(items) => items.iter().map(Self::value).collect(),
            Content::Map(map) => Value::Object(map.values()),
        }
    }

    /// The value as messages name it.
    pub(super) fn kind(&self) -> &'static str {
        match &self.content {
            Content::Map(_) => "a mapping",
            Content::List(_) => "a list",
            Content::Scalar(Value::String(_)) => "a string",
            Content::Scalar(Value::Bool(_)) => "a truth value",
            Content::Scalar(Value::Null) => "nothing",
            Content::Scalar(_) => "a number",
        }
    }

    /// Null, or a key with nothing behind it.
    pub(super) fn is_null(&self) -> bool {
        matches!(self.content, Content::Scalar(Value::Null))
    }
}

impl Map {
    pub(super) fn iter(&self) -> impl Iterator<Item = &TreeEntry> {
        self.entries.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut TreeEntry> {
        self.entries.iter_mut()
    }

    pub(super) fn get(&self, key: &str) -> Option<&TreeEntry> {
        self.entries.get(*self.places.get(key)?)
    }

    pub(super) fn values(&self) -> serde_json::Map<String, Value> {
        self.entries.iter().map(|entry| (entry.key.clone(), entry.value.value())).collect()
    }

    /// Adds an entry; hands it back when its key is there.
    pub(super) fn add(&mut self, entry: TreeEntry) -> Result<(), TreeEntry> {
        if self.get(&entry.key).is_some() {
            return Err(entry);
        }
        self.places.insert(entry.key.clone(), self.entries.len());
        self.entries.push(entry);
        Ok(())
    }

    /// Takes `<<` out and adds what it names, where the mapping does not say otherwise itself.
    pub(super) fn merge(self) -> (Self, Option<usize>) {
        if self.get("<<").is_none() {
            return (self, None);
        }
        let (merges, own): (Vec<_>, Vec<_>) = self.entries.into_iter().partition(|entry| entry.key == "<<");
        let mut whole = Self::default();
        let mut wrong = None;
        for entry in own {
            let _ = whole.add(entry);
        }
        for merge in merges {
            let sources = match merge.value.content {
                Content::List(items) => items,
                content @ (Content::Map(_) | Content::Scalar(_)) => {
                    vec![Node { number: merge.number, content }]
                }
            };
            for source in sources {
                match source.content {
                    // The first to name a key wins, as the YAML merge key's definition has it.
                    Content::Map(map) => map.entries.into_iter().for_each(|entry| {
                        let _ = whole.add(entry);
                    }),
                    Content::List(_) | Content::Scalar(_) => wrong = Some(merge.number),
                }
            }
        }
        (whole, wrong)
    }
}
