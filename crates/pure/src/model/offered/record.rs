//! The fields of each kind of definition.

use serde_json::Value;

use super::shape::{Member, Need, Shape};
use crate::model::message_text::UNREADABLE;

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
        let shape = Shape::Record(match kind {
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

const NAME: Member = Member("name", Shape::Name, Need::Required);
const TITLE: Member = optional("title", Shape::Text);
const DESCRIPTION: Member = optional("description", Shape::Text);
const MIME_TYPE: Member = optional("mimeType", Shape::Text);
const ICONS: Member = optional(
    "icons",
    Shape::List(&Shape::Record(&[
        Member("src", Shape::Text, Need::Required),
        optional("mimeType", Shape::Text),
        optional("sizes", Shape::List(&Shape::Text)),
        optional("theme", Shape::OneOf(&["light", "dark"])),
    ])),
);
const META: Member = optional("_meta", Shape::Object);
const ANNOTATIONS: Member = optional(
    "annotations",
    Shape::Record(&[
        optional("audience", Shape::List(&Shape::OneOf(&["user", "assistant"]))),
        optional("priority", Shape::Fraction),
        optional("lastModified", Shape::Moment),
    ]),
);

const TOOL: &[Member] = &[
    NAME,
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    Member("inputSchema", Shape::Arguments, Need::Required),
    optional("outputSchema", Shape::Result),
    optional(
        "annotations",
        Shape::Record(&[
            TITLE,
            optional("readOnlyHint", Shape::Flag),
            optional("destructiveHint", Shape::Flag),
            optional("idempotentHint", Shape::Flag),
            optional("openWorldHint", Shape::Flag),
        ]),
    ),
    Member(
        "execution",
        Shape::Record(&[Member("taskSupport", Shape::TaskSupport, Need::Meant)]),
        Need::Meant,
    ),
];

const PROMPT: &[Member] = &[
    NAME,
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    // Without one of its arguments it would be another prompt.
    Member(
        "arguments",
        Shape::List(&Shape::Record(&[NAME, TITLE, DESCRIPTION, optional("required", Shape::Flag)])),
        Need::Meant,
    ),
];

const RESOURCE: &[Member] = &[
    Member("uri", Shape::Name, Need::Required),
    Member("name", Shape::Text, Need::Required),
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    MIME_TYPE,
    optional("size", Shape::Integer),
    ANNOTATIONS,
];

const TEMPLATE: &[Member] = &[
    Member("uriTemplate", Shape::Name, Need::Required),
    Member("name", Shape::Text, Need::Required),
    TITLE,
    DESCRIPTION,
    ICONS,
    META,
    MIME_TYPE,
    ANNOTATIONS,
];

const fn optional(name: &'static str, shape: Shape) -> Member {
    Member(name, shape, Need::Optional)
}
