//! Values and schemas, and the resulting messages.

use serde_json::{Value, json};

use super::{SchemaError, misfits};

/// The messages for a value, and the help.
fn said(schema: &Value, value: &Value) -> String {
    let found = misfits(schema, value);
    let help: Vec<String> = found.iter().filter_map(|misfit| misfit.help.clone()).collect();
    format!("{}{}{}", SchemaError::summary(&found), if help.is_empty() { "" } else { " | " }, help.join("; "))
}

#[test]
fn each_keyword_says_what_is_wrong_and_where() {
    let issue = json!({
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 1, "maxLength": 5, "pattern": "^[a-z]+$"},
            "labels": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": true},
            "state": {"enum": ["open", "closed"]},
            "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10},
            "milestone": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "to": {"$ref": "#/$defs/person"},
            "kind": {"const": "bug"},
            "at": {"prefixItems": [{"type": "number"}], "items": false},
            "old": {"items": [{"type": "number"}], "additionalItems": {"type": "boolean"}},
            "not_five": {"not": {"const": 5}},
        },
        "required": ["title"],
        "additionalProperties": false,
        "$defs": {"person": {
            "type": "object", "required": ["name"],
            "properties": {"name": {"type": "string"}, "boss": {"$ref": "#/$defs/person"}},
        }},
    });
    for (given, expected) in [
        (json!({}), ""),
        (json!({"labels": ["a", 5]}), "`labels[1]` must be a string, not 5"),
        (json!({"labels": "a"}), "`labels` must be a list, not \"a\""),
        (json!({"labels": ["a", "b", "c"]}), "`labels` must have at most 2 items, not 3"),
        (json!({"labels": ["a", "a"]}), "`labels[1]` is in the list already"),
        (json!({"labls": []}), "`labls` is not known here | did you mean `labels`?"),
        (
            json!({"title": ""}),
            "`title` must have at least 1 character, not 0; `title` must match the pattern ^[a-z]+$",
        ),
        (json!({"title": "éüöäß"}), "`title` must match the pattern ^[a-z]+$"),
        (
            json!({"state": "opn"}),
            "`state` must be one of \"open\", \"closed\", not \"opn\" | did you mean \"open\"?",
        ),
        (json!({"count": 0}), "`count` must be at least 1, not 0"),
        (json!({"count": 10}), "`count` must be less than 10, not 10"),
        (json!({"count": 5.0}), ""),
        (json!({"count": 5.5}), "`count` must be a whole number, not 5.5"),
        (json!({"count": true}), "`count` must be a whole number, not true"),
        (json!({"milestone": null}), ""),
        (json!({"milestone": "x"}), "`milestone` must be a whole number or null, not \"x\""),
        (json!({"to": {"name": "a", "boss": {"name": "b", "boss": {}}}}), "`to.boss.boss.name` is missing"),
        (json!({"kind": "x"}), "`kind` must be \"bug\", not \"x\""),
        (json!({"at": [1, 2]}), "`at[1]` is not allowed"),
        (json!({"old": [1, 2]}), "`old[1]` must be true or false, not 2"),
        (json!({"not_five": 5}), "`not_five` must not be 5"),
        (json!({"not_five": 5.0}), "`not_five` must not be 5.0"),
    ] {
        let mut whole = json!({"title": "a"});
        whole.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
        assert_eq!(said(&issue, &whole), expected, "{given}");
    }
    assert_eq!(said(&issue, &json!({"x": 1})), "`title` is missing; `x` is not known here");
    assert_eq!(said(&issue, &json!([])), "the arguments must be an object, not a list");
}

#[test]
fn alternatives_report_the_nearest_one() {
    let pet = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind"]},
        {"type": "string"},
    ]});
    for (schema, given, expected) in [
        (&pet, json!({"kind": "cat", "lives": "9"}), "`lives` must be a whole number, not \"9\""),
        (&pet, json!("dog"), ""),
        (&pet, json!(5), "the arguments must be an object or a string, not 5"),
        (
            &json!({"oneOf": [{"type": "integer"}, {"minimum": 3}]}),
            json!(5),
            "the arguments must fit one of its alternatives alone, not 2",
        ),
        (
            &json!({"anyOf": [{"maximum": 1}, {"minimum": 9}]}),
            json!(5),
            "the arguments must fit one of its alternatives: must be at most 1, not 5, or must be at least 9, not 5",
        ),
        (
            &json!({"allOf": [{"minimum": 6}, {"maximum": 4}]}),
            json!(5),
            "the arguments must be at least 6, not 5; the arguments must be at most 4, not 5",
        ),
        (
            &json!({"if": {"type": "string"}, "then": {"const": "a"}, "else": {"const": 1}}),
            json!("b"),
            "the arguments must be \"a\", not \"b\"",
        ),
        (
            &json!({"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": "null"}}),
            json!({"x-a": 1, "b": 1}),
            "`x-a` must be a string, not 1; `b` must be null, not 1",
        ),
    ] {
        assert_eq!(said(schema, &given), expected, "{schema} {given}");
    }
}

#[test]
fn unknown_keywords_and_references_accept_any_value() {
    for (schema, given) in [
        (json!(null), json!(5)),
        (json!("string"), json!(5)),
        (json!({"type": 5}), json!(5)),
        (json!({"type": "strng"}), json!(5)),
        (json!({"type": ["integer", "x"]}), json!("a")),
        (json!({"enum": "a"}), json!(5)),
        (json!({"required": true, "properties": []}), json!({})),
        (json!({"minimum": "9"}), json!(5)),
        (json!({"pattern": "(?<=a)b"}), json!("c")),
        (json!({"pattern": "(a{1000}){1000}"}), json!("c")),
        (json!({"minLength": -1}), json!("")),
        (json!({"$ref": "https://example.com/schema"}), json!(5)),
        (json!({"$ref": "#/$defs/none"}), json!(5)),
        (json!({"$ref": "#"}), json!(5)),
        (json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]}), json!(5)),
        (json!({"not": {"format": "email"}}), json!("a")),
        (json!({"not": {"$ref": "https://example.com/schema"}}), json!("a")),
        (json!({"oneOf": [{"type": "string"}, {"type": "string", "format": "email"}]}), json!("a")),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "type": "string",
                "definitions": {"a": true}}),
            json!(5),
        ),
        (json!({"$ref": "#small", "$defs": {"a": {"$anchor": "small", "maximum": 9}}}), json!(5)),
        (json!({"$ref": "#/$defs/a%20b~1c", "$defs": {"a b/c": {"maximum": 9}}}), json!(5)),
        (json!({"const": 18_446_744_073_709_551_615_u64}), json!(18_446_744_073_709_551_615_u64)),
    ] {
        assert_eq!(said(&schema, &given), "", "{schema} {given}");
    }
    let mut deep = json!({"type": "string"});
    for _ in 0..100 {
        deep = json!({"allOf": [deep]});
    }
    assert_eq!(said(&deep, &json!(5)), "");
    // Each level doubles the work.
    let wide = json!({"$defs": {"a": {"anyOf": [{"allOf": [{"$ref": "#/$defs/a"}]}, {"$ref": "#/$defs/a"}, {"type": "null"}]}}, "$ref": "#/$defs/a"});
    assert_eq!(said(&wide, &json!(5)), "");
}
