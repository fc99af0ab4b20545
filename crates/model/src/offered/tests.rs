use serde_json::{Value, json};

use super::*;

fn offered(kind: OfferedKind, raw: &Value) -> String {
    match OfferedDefinition::of(kind, raw) {
        Ok(offered) => {
            let value = offered.value.to_string();
            [value].into_iter().chain(offered.left_out).collect::<Vec<_>>().join("; ")
        }
        Err(reason) => format!("withheld: {reason}"),
    }
}

fn tool(fields: &Value) -> Value {
    let mut tool = json!({"name": "t", "inputSchema": {"type": "object"}});
    for (name, value) in fields.as_object().into_iter().flatten() {
        tool[name] = value.clone();
    }
    tool
}

#[test]
fn what_the_protocol_allows_stays_as_it_is() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": {"n": {"type": ["integer", "null"], "minimum": 0, "x-unit": "ms"}, "all": {"$ref": "#/$defs/all"}},
        "required": ["n"], "$defs": {"all": {"type": "array", "items": {"$ref": "#"}}},
        "additionalProperties": false,
    });
    let whole = json!({
        "name": "t", "title": "T", "description": "Does.", "inputSchema": schema, "outputSchema": schema,
        "annotations": {"title": "T", "readOnlyHint": true, "x": 1}, "icons": [{"src": "a:b", "sizes": ["any"]}],
        "_meta": {"a/b": null}, "execution": {"taskSupport": "optional"}, "unknown": [null, {"x": false}],
    });
    assert_eq!(offered(OfferedKind::Tool, &whole), whole.to_string());
    let resource = json!({
        "uri": "a:b", "name": "b", "size": 7, "mimeType": "text/plain",
        "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2025-01-12T15:00:58Z"},
    });
    assert_eq!(offered(OfferedKind::Resource, &resource), resource.to_string());
    let prompt = json!({"name": "p", "arguments": [{"name": "a", "required": true}]});
    assert_eq!(offered(OfferedKind::Prompt, &prompt), prompt.to_string());
}

#[test]
fn each_tool_is_repaired_where_the_meaning_stays_and_else_withheld() {
    let all = [
        json!({"title": null, "description": null, "annotations": null, "_meta": null, "icons": null}),
        json!({"outputSchema": null, "execution": null}),
        json!({"annotations": [], "_meta": []}),
        json!({"description": ["a", "b"], "annotations": {"readOnlyHint": "yes", "openWorldHint": null}}),
        json!({"icons": [{"mimeType": "image/png"}]}),
        json!({"inputSchema": {}}),
        json!({"inputSchema": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}),
        json!({"inputSchema": {"type": ["null", "object"], "properties": null, "required": null}}),
        json!({"inputSchema": {"type": "object", "properties": []}}),
        json!({"inputSchema": {"properties": {"a": true, "b": false, "c": null, "d": []}, "required": true}}),
        json!({"inputSchema": {"type": "object", "properties": {"a": "string"}}}),
        json!({"inputSchema": {"type": "string"}}),
        json!({"inputSchema": true}),
        json!({"inputSchema": null}),
        json!({"name": ""}),
        json!({"execution": {"taskSupport": "required"}}),
        json!({"execution": {"taskSupport": null}}),
        json!({"outputSchema": {"$id": "x", "properties": {"a": true}}}),
        json!({"outputSchema": {"type": "array"}}),
        json!({"outputSchema": {"properties": {"a": {"pattern": "("}}}}),
        json!({"outputSchema": {"properties": {"a": {"$ref": "#/$defs/none"}}}}),
    ];
    let shown: Vec<String> =
        all.into_iter().map(|fields| offered(OfferedKind::Tool, &tool(&fields))).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    {"name":"t","inputSchema":{"type":"object"}}
    {"name":"t","inputSchema":{"type":"object"}}
    {"name":"t","inputSchema":{"type":"object"},"annotations":{},"_meta":{}}
    {"name":"t","inputSchema":{"type":"object"},"annotations":{}}; its `description` must be text; its `annotations.readOnlyHint` must be true or false
    {"name":"t","inputSchema":{"type":"object"}}; its `icons[0]` has no `src`
    {"name":"t","inputSchema":{"type":"object"}}
    {"name":"t","inputSchema":{"anyOf":[{"required":["a"]},{"required":["b"]}],"type":"object"}}
    {"name":"t","inputSchema":{"type":"object"}}
    {"name":"t","inputSchema":{"type":"object","properties":{}}}
    {"name":"t","inputSchema":{"properties":{"a":{},"b":{"not":{}},"c":{},"d":{}},"type":"object"}}; its `inputSchema.required` must be a list of texts
    withheld: its `inputSchema.properties.a` must be a schema
    withheld: its `inputSchema.type` must be object
    withheld: its `inputSchema` must be an object
    withheld: it has no `inputSchema`
    withheld: its `name` must be text that is not empty
    withheld: its `execution.taskSupport` must not be required: cuff offers no tasks
    {"name":"t","inputSchema":{"type":"object"},"execution":{}}
    {"name":"t","inputSchema":{"type":"object"},"outputSchema":{"properties":{"a":{}},"type":"object"}}
    {"name":"t","inputSchema":{"type":"object"}}; its `outputSchema.type` must be object
    {"name":"t","inputSchema":{"type":"object"}}; its `outputSchema` has a keyword that clients cannot compile: `pattern`
    {"name":"t","inputSchema":{"type":"object"}}; its `outputSchema` has a reference that leads nowhere: #/$defs/none
    "#);
}

#[test]
fn an_offer_of_another_kind_is_repaired_or_withheld_likewise() {
    let all = [
        (
            OfferedKind::Prompt,
            json!({"name": "p", "title": 7, "arguments": [{"name": "a", "description": null}]}),
        ),
        (OfferedKind::Prompt, json!({"name": "p", "arguments": null})),
        (OfferedKind::Prompt, json!({"name": "p", "arguments": [{"description": "a"}]})),
        (
            OfferedKind::Resource,
            json!({"uri": "a:b", "name": "b", "size": 1.5, "annotations": {"priority": 2}}),
        ),
        (OfferedKind::Resource, json!({"uri": "a:b", "name": null})),
        (OfferedKind::Resource, json!({"uri": 7, "name": "b"})),
        (
            OfferedKind::Template,
            json!({"uriTemplate": "a:{b}", "name": "b", "annotations": {"audience": ["all"]}}),
        ),
        (OfferedKind::Template, json!(null)),
    ];
    let shown: Vec<String> = all.into_iter().map(|(kind, raw)| offered(kind, &raw)).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    {"name":"p","arguments":[{"name":"a"}]}; its `title` must be text
    {"name":"p"}
    withheld: its `arguments[0]` has no `name`
    {"uri":"a:b","name":"b","annotations":{}}; its `size` must be a whole number; its `annotations.priority` must be a number from 0 to 1
    withheld: it has no `name`
    withheld: its `uri` must be text that is not empty
    {"uriTemplate":"a:{b}","name":"b","annotations":{}}; its `annotations.audience[0]` must be user or assistant
    withheld: it must be an object
    "#);
}

/// Each is a keyword's value that the validator of some client refuses.
#[test]
fn a_schema_that_some_client_cannot_compile_is_left_out() {
    for schema in [
        json!({"type": "text"}),
        json!({"type": []}),
        json!({"enum": []}),
        json!({"minimum": "1"}),
        json!({"exclusiveMinimum": true}),
        json!({"multipleOf": 0}),
        json!({"minLength": -1}),
        json!({"required": true}),
        json!({"items": [{}]}),
        json!({"items": null}),
        json!({"anyOf": []}),
        json!({"anyOf": {}}),
        json!({"not": "x"}),
        json!({"nullable": true}),
        json!({"type": ["string", "null"], "nullable": false}),
        json!({"id": "x"}),
        json!({"$id": "x"}),
        json!({"$anchor": "x"}),
        json!({"$dynamicRef": "#x"}),
        json!({"$ref": 7}),
        json!({"$ref": "https://example.com/x"}),
        json!({"$ref": "#/properties/a"}),
        json!({"$ref": "#/x-own/broken"}),
        json!({"patternProperties": {"(": {}}}),
        json!({"pattern": "["}),
        json!({"dependencies": {"a": "b"}}),
        json!({"dependentRequired": {"a": "b"}}),
    ] {
        let schema =
            json!({"type": "object", "properties": {"a": schema}, "x-own": {"broken": {"type": "text"}}});
        let offered =
            OfferedDefinition::of(OfferedKind::Tool, &tool(&json!({"outputSchema": schema}))).unwrap();
        assert_eq!((offered.value.get("outputSchema"), offered.left_out.len()), (None, 1), "{schema}");
    }
}
