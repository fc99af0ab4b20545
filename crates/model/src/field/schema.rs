//! Fields as JSON Schema.

use serde_json::{Map, Value, json};

use super::{Default, Field, ValueKind};
use crate::{LONGEST_TIMEOUT, containment_settings, limits, plain_commands, workspace};

impl Field {
    /// The JSON Schema (2020-12) of the values that this field takes.
    pub fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ValueKind::Text | ValueKind::CommandLine | ValueKind::Directory => json!({"type": "string"}),
            ValueKind::Choice(choices) | ValueKind::Program(choices) => {
                json!({"type": "string", "enum": choices})
            }
            ValueKind::Integer(least, u64::MAX) => json!({"type": "integer", "minimum": least}),
            ValueKind::Integer(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
            ValueKind::Flag => json!({"type": "boolean"}),
            ValueKind::TextList => json!({"type": "array", "items": {"type": "string"}}),
            ValueKind::TextMap => json!({"type": "object", "additionalProperties": {"type": "string"}}),
            ValueKind::RunnerNames => {
                json!({"type": ["string", "object"], "additionalProperties": {"type": "string"}})
            }
            ValueKind::Patterns => json!({"type": ["string", "array"], "items": {"type": "string"}}),
            ValueKind::Matchers => json!({"type": ["object", "array"], "items": {"type": "object"}}),
            ValueKind::EnvironmentNames => limits::schema_of_env(),
            ValueKind::ToolLimits => limits::schema_of_tools(),
            ValueKind::Containment => containment_settings::schema(),
            ValueKind::Words => {
                json!({"type": ["string", "array"], "items": {"type": "string"}, "minItems": 1})
            }
            ValueKind::PlainCommands => plain_commands::schema(),
            ValueKind::Packages => workspace::schema(),
            ValueKind::PatternsOrAll => {
                json!({"type": ["boolean", "string", "array"], "items": {"type": "string"}})
            }
        };
        schema["description"] = json!(self.about);
        if let Some(default) = self.default_value() {
            schema["default"] = default;
        }
        schema
    }

    /// The JSON Schema of the arguments of a tool, which every session reads: without the bounds that nobody comes near, a month
    /// and a number below 0.
    pub fn arguments_schema(fields: &[&Self]) -> Value {
        let mut schema = Self::object_schema(fields);
        let properties = schema["properties"].as_object_mut().into_iter().flat_map(Map::values_mut);
        for property in properties.filter_map(Value::as_object_mut) {
            property.retain(|key, bound| {
                !(key == "maximum" && *bound == json!(LONGEST_TIMEOUT)
                    || key == "minimum" && *bound == json!(0))
            });
        }
        schema
    }

    /// The JSON Schema of an object with these fields and no others.
    pub fn object_schema(fields: &[&Self]) -> Value {
        let properties: Map<_, _> = fields.iter().map(|field| (field.name.into(), field.schema())).collect();
        let required: Vec<_> =
            fields.iter().filter(|f| f.default == Default::Required).map(|f| f.name).collect();
        let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}
