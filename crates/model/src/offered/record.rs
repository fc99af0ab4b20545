//! The fields of each kind of definition.

use serde_json::Value;

use super::shape::{Need, ShapeField, ValueShape};
use crate::message_text::UNREADABLE;

/// A kind of definition, each with fields of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferedKind {
    /// An entry of `tools/list`.
    Tool,
    /// An entry of `prompts/list`.
    Prompt,
    /// An entry of `resources/list`.
    Resource,
    /// An entry of `resources/templates/list`.
    Template,
}

/// A definition that every client takes.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedDefinition {
    /// The definition.
    pub value: Value,
    /// The reason for each field that was left out, though the server meant something by it.
    pub left_out: Vec<String>,
}

impl OfferedDefinition {
    /// The definition that goes out for one that came in. Fields that the protocol does not name stay as they are.
    ///
    /// # Errors
    /// The reason why no definition with the same meaning is valid.
    pub fn of(kind: OfferedKind, raw: &Value) -> Result<Self, String> {
        if let Some(reason) = raw.get(UNREADABLE).and_then(Value::as_str) {
            return Err(format!("it {reason}"));
        }
        let (mut value, mut left_out) = (raw.clone(), Vec::new());
        let shape = ValueShape::Record(match kind {
            OfferedKind::Tool => TOOL,
            OfferedKind::Prompt => PROMPT,
            OfferedKind::Resource => RESOURCE,
            OfferedKind::Template => TEMPLATE,
        });
        shape.fit(&mut value, &mut left_out).map_err(|misfit| misfit.to_string())?;
        let left_out = left_out.iter().map(ToString::to_string).collect();
        Ok(Self { value, left_out })
    }
}

const NAME: ShapeField = ShapeField("name", ValueShape::Name, Need::Required);
const TITLE: ShapeField = optional("title", ValueShape::Text);
const DESCRIPTION: ShapeField = optional("description", ValueShape::Text);
const MIME_TYPE: ShapeField = optional("mimeType", ValueShape::Text);
const ICONS: ShapeField = optional(
    "icons",
    ValueShape::List(&ValueShape::Record(&[
        ShapeField("src", ValueShape::Text, Need::Required),
        optional("mimeType", ValueShape::Text),
        optional("sizes", ValueShape::List(&ValueShape::Text)),
        optional("theme", ValueShape::OneOf(&["light", "dark"])),
    ])),
);
const META: ShapeField = optional("_meta", ValueShape::Object);
const ANNOTATIONS: ShapeField = optional(
    "annotations",
    ValueShape::Record(&[
        optional("audience", ValueShape::List(&ValueShape::OneOf(&["user", "assistant"]))),
        optional("priority", ValueShape::Fraction),
        optional("lastModified", ValueShape::Moment),
    ]),
);

const TOOL: &[ShapeField] = &[
    NAME,
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    ShapeField("inputSchema", ValueShape::Arguments, Need::Required),
    optional("outputSchema", ValueShape::Result),
    optional(
        "annotations",
        ValueShape::Record(&[
            TITLE,
            optional("readOnlyHint", ValueShape::Flag),
            optional("destructiveHint", ValueShape::Flag),
            optional("idempotentHint", ValueShape::Flag),
            optional("openWorldHint", ValueShape::Flag),
        ]),
    ),
    ShapeField(
        "execution",
        ValueShape::Record(&[ShapeField("taskSupport", ValueShape::TaskSupport, Need::Meant)]),
        Need::Meant,
    ),
];

const PROMPT: &[ShapeField] = &[
    NAME,
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    // Without one of its arguments it would be another prompt.
    ShapeField(
        "arguments",
        ValueShape::List(&ValueShape::Record(&[
            NAME,
            TITLE,
            DESCRIPTION,
            optional("required", ValueShape::Flag),
        ])),
        Need::Meant,
    ),
];

const RESOURCE: &[ShapeField] = &[
    ShapeField("uri", ValueShape::Name, Need::Required),
    ShapeField("name", ValueShape::Text, Need::Required),
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    MIME_TYPE,
    optional("size", ValueShape::Integer),
    ANNOTATIONS,
];

const TEMPLATE: &[ShapeField] = &[
    ShapeField("uriTemplate", ValueShape::Name, Need::Required),
    ShapeField("name", ValueShape::Text, Need::Required),
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    MIME_TYPE,
    ANNOTATIONS,
];

const fn optional(name: &'static str, shape: ValueShape) -> ShapeField {
    ShapeField(name, shape, Need::Optional)
}
