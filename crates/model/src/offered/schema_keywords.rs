//! The keywords of JSON Schema that clients act on, and the form of each.

/// The form of a keyword's value.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeywordForm {
    /// The keyword only describes.
    Anything,
    Text,
    Flag,
    Number,
    /// A number above 0.
    Divisor,
    /// A whole number from 0.
    Count,
    Types,
    List,
    /// A list with one value at least.
    Values,
    /// A list of texts, no two of them equal.
    Texts,
    TextsByName,
    Schema,
    /// A list with one schema at least.
    Schemas,
    SchemaByName,
    SchemaByPattern,
    Dependencies,
    Pattern,
    Reference,
    /// Clients differ in it, or refuse it.
    Nothing,
}

/// The form of a keyword. One that no standard has is a description to all clients.
pub(super) fn form(keyword: &str) -> KeywordForm {
    match keyword {
        "$schema" | "$comment" | "format" | "title" | "description" | "contentMediaType"
        | "contentEncoding" => KeywordForm::Text,
        "uniqueItems" | "nullable" | "deprecated" | "readOnly" | "writeOnly" => KeywordForm::Flag,
        "examples" => KeywordForm::List,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => KeywordForm::Number,
        "multipleOf" => KeywordForm::Divisor,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => KeywordForm::Count,
        "type" => KeywordForm::Types,
        "enum" => KeywordForm::Values,
        "required" => KeywordForm::Texts,
        "dependentRequired" => KeywordForm::TextsByName,
        "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "items"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else" => KeywordForm::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => KeywordForm::Schemas,
        "properties" | "dependentSchemas" | "$defs" | "definitions" => KeywordForm::SchemaByName,
        "patternProperties" => KeywordForm::SchemaByPattern,
        "dependencies" => KeywordForm::Dependencies,
        "pattern" => KeywordForm::Pattern,
        "$ref" => KeywordForm::Reference,
        // `$id`, anchors and dynamic references; `id` is the one of draft 4.
        "id" => KeywordForm::Nothing,
        other if other.starts_with('$') => KeywordForm::Nothing,
        _ => KeywordForm::Anything,
    }
}
