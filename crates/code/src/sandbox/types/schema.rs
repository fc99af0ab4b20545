//! A JSON Schema as types: 2020-12 and draft-07, and what of others looks alike.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::doc;
use super::expression::{Type, key, literal};
use super::references::{DEEPEST, References};

/// How many schemas of one tool are looked at. The rest is `unknown`.
const MOST_SCHEMAS: usize = 4000;

/// The types of a schema: the whole has this name. Names of types that are there are in `taken`.
pub(super) fn types(schema: &Value, name: &str, taken: &mut BTreeSet<String>) -> String {
    taken.insert(name.to_owned());
    let references = References::new(schema, name);
    let ignores_beside_references = is_old(schema);
    let mut writer =
        Writer { references, taken, left: MOST_SCHEMAS, ignores_beside_references, defined: String::new() };
    let mut text = writer.definition("#", name, schema);
    let mut at = 0;
    while let Some((reference, name, schema)) = writer.references.nth(at) {
        text.push_str(&writer.definition(&reference, &name, schema));
        at += 1;
    }
    text
}

/// Up to draft 7, nothing counts beside a reference.
fn is_old(schema: &Value) -> bool {
    let draft = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
    ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| draft.contains(old))
}

struct Writer<'s, 't> {
    references: References<'s>,
    taken: &'t mut BTreeSet<String>,
    left: usize,
    ignores_beside_references: bool,
    /// The reference whose type is written now.
    defined: String,
}

/// Where a type stands.
#[derive(Clone, Copy)]
struct TypeSpot {
    /// How deep in schemas.
    depth: usize,
    /// How deep in braces.
    indent: usize,
    /// Whether it is the very value that is defined, not a part of it: a type may not be defined by itself alone.
    is_whole: bool,
}

impl TypeSpot {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    /// A part of what is defined.
    fn part(self) -> Self {
        Self { depth: self.depth + 1, is_whole: false, ..self }
    }
}

impl<'s> Writer<'s, '_> {
    fn definition(&mut self, reference: &str, name: &str, schema: &'s Value) -> String {
        reference.clone_into(&mut self.defined);
        let written = self.of(schema, TypeSpot { depth: 0, indent: 1, is_whole: true });
        let doc = if reference == "#" { String::new() } else { doc::of_schema(schema, "  ") };
        format!("{doc}  export type {name} = {};\n", written.text())
    }

    fn of(&mut self, schema: &'s Value, spot: TypeSpot) -> Type {
        let Some(left) = self.left.checked_sub(1) else { return Type::Unknown };
        self.left = left;
        match schema {
            Value::Bool(false) => Type::Never,
            Value::Object(schema) if spot.depth <= DEEPEST => self.of_keywords(schema, spot),
            _ => Type::Unknown,
        }
    }

    fn of_keywords(&mut self, schema: &'s Map<String, Value>, spot: TypeSpot) -> Type {
        let mut all = Vec::new();
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            all.push(self.referred(reference, spot));
            if self.ignores_beside_references {
                return all.remove(0);
            }
        }
        if let Some(value) = schema.get("const") {
            all.push(literal(value));
        } else if let Some(Value::Array(values)) = schema.get("enum") {
            all.push(Type::union(values.iter().map(literal)));
        } else {
            all.push(self.of_type(schema, spot));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(several)) = schema.get(keyword) {
                let several: Vec<Type> = several.iter().map(|one| self.of(one, spot.deeper())).collect();
                all.push(Type::union(several));
            }
        }
        if let Some(Value::Array(several)) = schema.get("allOf") {
            all.extend(several.iter().map(|one| self.of(one, spot.deeper())).collect::<Vec<_>>());
        }
        let whole = Type::intersection(all);
        let is_nullable = schema.get("nullable").and_then(Value::as_bool) == Some(true);
        if is_nullable && whole != Type::Unknown { Type::union([whole, Type::one("null")]) } else { whole }
    }

    fn referred(&mut self, reference: &str, spot: TypeSpot) -> Type {
        if spot.is_whole && self.references.is_circular(&self.defined, reference) {
            return Type::Unknown;
        }
        self.references.type_name(reference, self.taken).map_or(Type::Unknown, Type::One)
    }

    fn of_type(&mut self, schema: &'s Map<String, Value>, spot: TypeSpot) -> Type {
        match schema.get("type") {
            Some(Value::String(name)) => self.of_name(name, schema, spot),
            Some(Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                let types: Vec<Type> = names.map(|name| self.of_name(name, schema, spot)).collect();
                Type::union(types)
            }
            _ if OBJECT.iter().any(|keyword| schema.contains_key(*keyword)) => self.object(schema, spot),
            _ if LIST.iter().any(|keyword| schema.contains_key(*keyword)) => self.list(schema, spot),
            _ => Type::Unknown,
        }
    }

    fn of_name(&mut self, name: &str, schema: &'s Map<String, Value>, spot: TypeSpot) -> Type {
        match name {
            "string" | "boolean" | "null" | "number" => Type::one(name),
            "integer" => Type::one("number"),
            "array" => self.list(schema, spot),
            "object" => self.object(schema, spot),
            _ => Type::Unknown,
        }
    }

    fn list(&mut self, schema: &'s Map<String, Value>, spot: TypeSpot) -> Type {
        let (first, rest) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(first)), rest) => (first, rest),
            (_, Some(Value::Array(first))) => (first, schema.get("additionalItems")),
            (_, Some(items)) => return Type::list(&self.of(items, spot.part())),
            _ => return Type::list(&Type::Unknown),
        };
        // Without `minItems`, all of them are required.
        let least =
            schema.get("minItems").and_then(Value::as_u64).and_then(|least| usize::try_from(least).ok());
        let mut items = Vec::new();
        for (at, item) in first.iter().enumerate() {
            let is_optional = least.is_some_and(|least| at >= least);
            let item = self.of(item, spot.part());
            items.push(if is_optional { format!("({})?", item.text()) } else { item.text() });
        }
        match rest.map(|rest| self.of(rest, spot.part())) {
            Some(Type::Never) => {}
            rest => items.push(Type::rest(&rest.unwrap_or(Type::Unknown))),
        }
        Type::One(format!("[{}]", items.join(", ")))
    }

    fn object(&mut self, schema: &'s Map<String, Value>, spot: TypeSpot) -> Type {
        let properties = schema.get("properties").and_then(Value::as_object);
        let known = |name: &str| properties.is_some_and(|properties| properties.contains_key(name));
        let required: BTreeSet<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let inner = TypeSpot { indent: spot.indent + 1, ..spot.part() };
        let indent = "  ".repeat(inner.indent);
        let (mut members, mut values) = (String::new(), Vec::new());
        for (name, property) in properties.into_iter().flatten() {
            let value = self.of(property, inner);
            let mark = if required.contains(name.as_str()) { "" } else { "?" };
            members.push_str(&doc::of_schema(property, &indent));
            // Writing to a string does not fail.
            let _ = writeln!(members, "{indent}{}{mark}: {};", key(name), value.text());
            values.push(value);
        }
        // A name that is required and that nothing is said of can have any value.
        for name in required.iter().filter(|name| !known(name)) {
            let _ = writeln!(members, "{indent}{}: unknown;", key(name));
            values.push(Type::Unknown);
        }
        let mut names = properties.into_iter().flat_map(Map::keys);
        let is_optional = names.any(|name| !required.contains(name.as_str()));
        if let Some(more) = self.more(schema, inner, values, is_optional) {
            let _ = writeln!(members, "{indent}[key: string]: {};", more.text());
        }
        let close = "  ".repeat(spot.indent);
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        Type::One(match (members.is_empty(), is_closed) {
            (true, true) => "{ [key: string]: never }".to_owned(),
            (true, false) => "{ [key: string]: unknown }".to_owned(),
            (false, _) => format!("{{\n{members}{close}}}"),
        })
    }

    /// The type of members whose names are not known; none where there are no others.
    fn more(
        &mut self,
        schema: &'s Map<String, Value>,
        spot: TypeSpot,
        mut values: Vec<Type>,
        is_optional: bool,
    ) -> Option<Type> {
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let mut more: Vec<Type> = Vec::new();
        for pattern in patterns.into_iter().flat_map(Map::values) {
            more.push(self.of(pattern, spot));
        }
        match schema.get("additionalProperties") {
            None | Some(Value::Bool(false)) => {}
            Some(others) => more.push(self.of(others, spot)),
        }
        if more.is_empty() || more.iter().all(|one| *one == Type::Never) {
            return None;
        }
        // TypeScript has what is said of all members hold for those with a name as well.
        more.append(&mut values);
        if is_optional {
            more.push(Type::one("undefined"));
        }
        Some(Type::union(more))
    }
}

/// Keywords that say that an object is meant, where no type is named.
const OBJECT: [&str; 4] = ["properties", "additionalProperties", "patternProperties", "required"];
/// The same for a list.
const LIST: [&str; 3] = ["items", "prefixItems", "additionalItems"];
