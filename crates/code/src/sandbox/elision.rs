//! Large values, made small: what is left is valid JSON, and says how much is missing.

use serde_json::{Map, Value};

/// A value that may have been made small.
#[derive(Debug, Clone, PartialEq)]
pub struct Elided {
    /// The value, with parts left out if it was large.
    pub value: Value,
    /// Whether something is missing.
    pub is_cut: bool,
}

/// How much of a value is kept: items of a list, members of an object, characters of a text, and how deep.
#[derive(Debug, Clone, Copy)]
struct Room {
    items: usize,
    characters: usize,
    depth: usize,
}

/// From generous to hardly anything.
const ROOMS: [Room; 8] = [
    Room { items: 200, characters: 4000, depth: 16 },
    Room { items: 100, characters: 1000, depth: 10 },
    Room { items: 50, characters: 400, depth: 8 },
    Room { items: 20, characters: 200, depth: 6 },
    Room { items: 10, characters: 120, depth: 5 },
    Room { items: 5, characters: 80, depth: 4 },
    Room { items: 3, characters: 60, depth: 3 },
    Room { items: 1, characters: 40, depth: 2 },
];

/// The value, or as much of it as fits into so many bytes of JSON. A few bytes always come through.
pub fn elided(value: Value, budget: usize) -> Elided {
    if is_within(&value, budget) {
        return Elided { value, is_cut: false };
    }
    let mut small = Value::Null;
    for room in ROOMS {
        small = cut(&value, room);
        if is_within(&small, budget) {
            break;
        }
    }
    Elided { value: small, is_cut: true }
}

fn is_within(value: &Value, budget: usize) -> bool {
    value.to_string().len() <= budget
}

fn cut(value: &Value, room: Room) -> Value {
    let inner = Room { depth: room.depth.saturating_sub(1), ..room };
    match value {
        Value::String(text) => match text.char_indices().nth(room.characters) {
            Some((at, _)) => {
                format!("{}… {} more characters", &text[..at], text[at..].chars().count()).into()
            }
            None => value.clone(),
        },
        Value::Array(items) if !items.is_empty() && room.depth == 0 => {
            format!("… {} items", items.len()).into()
        }
        Value::Object(members) if !members.is_empty() && room.depth == 0 => {
            format!("… {} members", members.len()).into()
        }
        Value::Array(items) => {
            let mut kept: Vec<Value> = items.iter().take(room.items).map(|item| cut(item, inner)).collect();
            if items.len() > room.items {
                kept.push(format!("… {} more items", items.len() - room.items).into());
            }
            kept.into()
        }
        Value::Object(members) => {
            // The names are text as well.
            let name = |name: &String| name.chars().take(room.characters).collect::<String>();
            let kept = members.iter().take(room.items).map(|(key, member)| (name(key), cut(member, inner)));
            let mut kept: Map<String, Value> = kept.collect();
            if members.len() > room.items {
                kept.insert("…".to_owned(), format!("{} more members", members.len() - room.items).into());
            }
            kept.into()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn small_values_stay_as_they_are() {
        let value = json!({"a": [1, "x", null]});
        assert_eq!(elided(value.clone(), 100), Elided { value, is_cut: false });
    }

    #[test]
    fn large_values_say_what_is_missing() {
        let value = json!({
            "list": (0..1000).collect::<Vec<_>>(), "text": "é".repeat(5000), "deep": {"a": {"b": {"c": {"d": [1, 2]}}}},
        });
        let Elided { value: small, is_cut } = elided(value.clone(), 600);
        assert!(is_cut && small.to_string().len() <= 600);
        assert_eq!(small["list"].as_array().unwrap().last().unwrap(), "… 980 more items");
        assert!(small["text"].as_str().unwrap().ends_with("… 4800 more characters"));
        assert_eq!(small["deep"], value["deep"]);
        let deep = json!([[[[[[[1, 2]]]]], "x".repeat(300)], 1]);
        let text = format!("{}… 240 more characters", "x".repeat(60));
        assert_eq!(elided(deep, 120).value, json!([[["… 1 items"], text], 1]));
        for size in [100, 1000, 10_000, 100_000] {
            let wide: Map<String, Value> = (0..size).map(|at| (format!("key {at}"), json!(at))).collect();
            let small = elided(wide.into(), 500);
            assert!(small.value.to_string().len() <= 500 && small.is_cut);
        }
    }
}
