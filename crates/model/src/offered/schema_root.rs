//! The roots of a tool's schemas.
//!
//! A schema that goes out allows all that the server's own allows: arguments that the server takes are never refused.

use serde_json::{Map, Value, json};

use super::fields::object;
use super::result_schema;
use super::shape_misfit::ShapeMisfit;

const OBJECT: &str = "object";

/// Brings the schema of arguments into its form.
pub(super) fn fit_arguments(schema: &mut Value, left_out: &mut Vec<ShapeMisfit>) -> Result<(), ShapeMisfit> {
    let Value::Object(schema) = schema else {
        return Err(ShapeMisfit::new("must be an object"));
    };
    fit(schema, left_out)
}

/// Brings the schema of results into its form. One that clients cannot compile does not fit.
pub(super) fn fit_result(schema: &mut Value, left_out: &mut Vec<ShapeMisfit>) -> Result<(), ShapeMisfit> {
    let Value::Object(fields) = schema else {
        return Err(ShapeMisfit::new("must be an object"));
    };
    fit(fields, left_out)?;
    // Clients keep compiled schemas under their ids, and mistake a second one for the first.
    fields.shift_remove("$id");
    result_schema::check(schema).map_err(ShapeMisfit::new)
}

fn fit(schema: &mut Map<String, Value>, left_out: &mut Vec<ShapeMisfit>) -> Result<(), ShapeMisfit> {
    for (keyword, is_fitting, expected) in [
        ("$schema", Value::is_string as fn(&Value) -> bool, "must be text"),
        ("required", is_texts, "must be a list of texts"),
    ] {
        let Some(value) = schema.get(keyword).filter(|value| !is_fitting(value)) else { continue };
        left_out.extend((!value.is_null()).then(|| ShapeMisfit::new(expected).below(keyword)));
        schema.shift_remove(keyword);
    }
    fit_type(schema).map_err(|misfit| misfit.below("type"))?;
    fit_properties(schema).map_err(|misfit| misfit.below("properties"))
}

fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|texts| texts.iter().all(Value::is_string))
}

/// Says that the value is an object, which it always is.
fn fit_type(schema: &mut Map<String, Value>) -> Result<(), ShapeMisfit> {
    let is_object = |kind: &Value| kind == OBJECT;
    let allows_objects = match schema.get("type") {
        None | Some(Value::Null) => true,
        Some(Value::Array(kinds)) => kinds.iter().any(is_object),
        Some(kind) => is_object(kind),
    };
    if !allows_objects {
        return Err(ShapeMisfit::new("must be object"));
    }
    schema.insert("type".to_owned(), json!(OBJECT));
    Ok(())
}

/// Writes the schema of each property as an object.
fn fit_properties(schema: &mut Map<String, Value>) -> Result<(), ShapeMisfit> {
    let Some(properties) = schema.get_mut("properties") else { return Ok(()) };
    if properties.is_null() {
        schema.shift_remove("properties");
        return Ok(());
    }
    let properties = object(properties).ok_or_else(|| ShapeMisfit::new("must be an object"))?;
    for (name, property) in properties {
        match property {
            Value::Bool(true) | Value::Null => *property = json!({}),
            Value::Bool(false) => *property = json!({"not": {}}),
            _ => {}
        }
        if object(property).is_none() {
            return Err(ShapeMisfit::new("must be a schema").below(name));
        }
    }
    Ok(())
}
