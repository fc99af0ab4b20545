//! `${VAR}` and `${VAR:-default}` in the strings of settings; `${env:VAR}` is the same, as editors write it.
//!
//! The text of the file stays as it is: pins, differences and `init --merge` have the variable and not its value.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::tree::{Content, Node};
use crate::sys::Environment;

/// The expansions in a tree.
#[derive(Debug, Default)]
pub(super) struct ExpandedTree {
    /// The strings as the file has them, by the number of their node.
    written: HashMap<usize, String>,
    /// The variables whose values are in the tree.
    pub(super) variables: BTreeSet<String>,
}

/// The references that editors alone expand, by what stands before their colon.
const OF_EDITORS: [&str; 4] = ["command", "config", "input", "workspaceFolder"];

/// A variable that is not set or that editors alone know, and the number of the node that names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unset {
    pub(super) variable: String,
    pub(super) number: usize,
}

impl ExpandedTree {
    /// Expands every string below a node. A variable that is not set leaves its string alone and is listed.
    pub(super) fn expand(&mut self, node: &mut Node, environment: &Environment) -> Vec<Unset> {
        let number = node.number;
        match &mut node.content {
            Content::Scalar(Value::String(text)) => match self.text(text, environment) {
                Ok(None) => Vec::new(),
                Ok(Some(whole)) => {
                    self.written.insert(number, std::mem::replace(text, whole));
                    Vec::new()
                }
                Err(variable) => vec![Unset { variable, number }],
            },
            Content::Scalar(_) => Vec::new(),
            Content::List(items) => {
                items.iter_mut().flat_map(|item| self.expand(item, environment)).collect()
            }
            Content::Map(map) => {
                map.iter_mut().flat_map(|entry| self.expand(&mut entry.value, environment)).collect()
            }
        }
    }

    /// The string as the file has it, where a node's value came from the environment.
    pub(super) fn written(&self, number: usize) -> Option<&str> {
        self.written.get(&number).map(String::as_str)
    }

    /// The text with the values of its variables; `None` where it has none.
    fn text(&mut self, text: &str, environment: &Environment) -> Result<Option<String>, String> {
        let (mut whole, mut rest, mut is_other) = (String::new(), text, false);
        while let Some((before, after)) = rest.split_once("${") {
            // `$${` stands for `${`.
            if let Some(before) = before.strip_suffix('$') {
                whole.extend([before, "${"]);
                (rest, is_other) = (after, true);
                continue;
            }
            whole.push_str(before);
            if let Some(of_editor) = of_editor(after) {
                return Err(of_editor.to_owned());
            }
            let Some((name, default, after)) = reference(after) else {
                whole.push_str("${");
                rest = after;
                continue;
            };
            let value = environment.variables().find(|(known, _)| *known == name);
            let value = value.and_then(|(_, value)| value.to_str());
            match (value.filter(|value| default.is_none() || !value.is_empty()), default) {
                (Some(value), _) => {
                    self.variables.insert(name.to_owned());
                    whole.push_str(value);
                }
                (None, Some(default)) => whole.push_str(default),
                (None, None) => return Err(name.to_owned()),
            }
            (rest, is_other) = (after, true);
        }
        whole.push_str(rest);
        Ok(is_other.then_some(whole))
    }
}

/// The inside of a reference that editors alone expand.
fn of_editor(text: &str) -> Option<&str> {
    let (inner, _) = text.split_once('}')?;
    let (kind, rest) = inner.split_once(':')?;
    (OF_EDITORS.contains(&kind) && !rest.starts_with('-')).then_some(inner)
}

/// The name and the default of a reference, and what follows it; `None` where this is none.
fn reference(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let (inner, after) = text.split_once('}')?;
    let inner = inner.strip_prefix("env:").unwrap_or(inner);
    let (name, default) =
        inner.split_once(":-").map_or((inner, None), |(name, default)| (name, Some(default)));
    let is_name = name
        .bytes()
        .enumerate()
        .all(|(at, byte)| byte == b'_' || byte.is_ascii_alphabetic() || at > 0 && byte.is_ascii_digit());
    (is_name && !name.is_empty()).then_some((name, default, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_and_everything_else_stays() {
        let environment = Environment::new("/", [("A", "one"), ("B", "two"), ("EMPTY", ""), ("N", "${A}")]);
        for (text, expected) in [
            ("plain $A $(A) ${} ${a b} ${ A}", Ok(None)),
            ("${A}", Ok(Some("one"))),
            ("x${A}y${B}z", Ok(Some("xoneytwoz"))),
            ("${A:-else}", Ok(Some("one"))),
            ("${NONE:-else}${NONE:-}", Ok(Some("else"))),
            ("${EMPTY}", Ok(Some(""))),
            ("${EMPTY:-else}", Ok(Some("else"))),
            ("${N}", Ok(Some("${A}"))),
            ("$${A}", Ok(Some("${A}"))),
            ("x${env:A}${env:NONE:-y}", Ok(Some("xoney"))),
            ("${env:NONE}", Err("NONE".to_owned())),
            ("${input:token}", Err("input:token".to_owned())),
            ("${A}${command:x.y}", Err("command:x.y".to_owned())),
            ("${x:=1} ${command:-y} ${other:z}", Ok(Some("${x:=1} y ${other:z}"))),
            ("${NONE}", Err("NONE".to_owned())),
            ("${A}${NONE}", Err("NONE".to_owned())),
            ("${A", Ok(None)),
            ("${1A}", Ok(None)),
        ] {
            let found = ExpandedTree::default().text(text, &environment);
            assert_eq!(found, expected.map(|whole| whole.map(str::to_owned)), "{text}");
        }
    }
}
