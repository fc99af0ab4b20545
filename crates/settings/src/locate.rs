//! The line of a setting in the text of settings.yml.

use super::parse;
use super::tree::{Content, Node};

/// The line of a key of an instance's `config`, counted from 1; of the item with this text, where the key holds a list,
/// and of the entry with this key, where it holds a mapping.
pub fn line_of_key(text: &str, instance: &str, key: &str, item: &str) -> Option<usize> {
    let (root, _) = parse::parse(text).ok()?;
    let mut node = &root;
    let mut number = node.number;
    for step in ["plugins", instance, "config", key] {
        let Content::Map(map) = &node.content else { return None };
        let entry = map.get(step)?;
        (node, number) = (&entry.value, entry.number);
    }
    number = match &node.content {
        Content::List(items) => {
            let is_it = |one: &&Node| one.value().as_str() == Some(item);
            items.iter().find(is_it).map_or(number, |one| one.number)
        }
        Content::Map(map) => map.get(item).map_or(number, |entry| entry.number),
        Content::Scalar(_) => number,
    };
    let offset = parse::offset(text, number)?;
    Some(text[..offset].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_found_in_each_way_to_write_it() {
        let text = "version: '1'\nplugins:\n  a:\n    config:\n      confirm:\n        - x\n        - 'deploy*'\n  b:\n    config: {confirm: [x, y]}\n  c:\n    config:\n      confirm: a, b\n";
        for (instance, item, expected) in [
            ("a", "deploy*", Some(7)),
            ("a", "none", Some(5)),
            ("b", "y", Some(9)),
            ("c", "b", Some(12)),
            ("d", "b", None),
        ] {
            assert_eq!(line_of_key(text, instance, "confirm", item), expected, "{instance}: {item}");
        }
        assert_eq!(line_of_key("plugins: [", "a", "confirm", "x"), None);
    }
}
