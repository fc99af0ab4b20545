//! The forms that fields have, and the way of a value into its form.

use serde_json::Value;

use super::fields::object;
use super::shape_misfit::ShapeMisfit;
use super::{moment, schema_root};

/// The form of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum ValueShape {
    Text,
    /// Text that is not empty.
    Name,
    Flag,
    Integer,
    /// A number from 0 to 1.
    Fraction,
    /// A point in time, with its offset.
    Moment,
    OneOf(&'static [&'static str]),
    /// The support of a tool for tasks, which cuff does not offer: it must not depend on them.
    TaskSupport,
    List(&'static ValueShape),
    Record(&'static [ShapeField]),
    Object,
    /// A JSON Schema of arguments, which are an object.
    Arguments,
    /// A JSON Schema of structured results, which are an object. Clients compile it.
    Result,
}

/// A field: its name, its form, and the need for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapeField(pub(super) &'static str, pub(super) ValueShape, pub(super) Need);

/// The need for a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    /// The member may be absent. One that is there and has another form cannot be left out without another meaning.
    Meant,
    /// The member is left out where it has another form.
    Optional,
}

impl ValueShape {
    /// Brings a value into this form. Takes a note of each field that is left out for it.
    pub(super) fn fit(self, value: &mut Value, left_out: &mut Vec<ShapeMisfit>) -> Result<(), ShapeMisfit> {
        let is_fitting = match self {
            Self::Text => value.is_string(),
            Self::Name => value.as_str().is_some_and(|name| !name.is_empty()),
            Self::Flag => value.is_boolean(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Fraction => value.as_f64().is_some_and(|number| (0.0..=1.0).contains(&number)),
            Self::Moment => value.as_str().is_some_and(moment::is_moment),
            Self::OneOf(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::TaskSupport => matches!(value.as_str(), Some("forbidden" | "optional")),
            Self::Object => object(value).is_some(),
            Self::List(of) => return list(*of, value, left_out),
            Self::Record(members) => return record(members, value, left_out),
            Self::Arguments => return schema_root::fit_arguments(value, left_out),
            Self::Result => return schema_root::fit_result(value, left_out),
        };
        if is_fitting { Ok(()) } else { Err(ShapeMisfit::new(self.expected())) }
    }

    fn expected(self) -> String {
        let what = match self {
            Self::Text => "text",
            Self::Name => "text that is not empty",
            Self::Flag => "true or false",
            Self::Integer => "a whole number",
            Self::Fraction => "a number from 0 to 1",
            Self::Moment => "a date and time with its offset",
            Self::OneOf(words) => return format!("must be {}", words.join(" or ")),
            Self::TaskSupport => return "must not be required: cuff offers no tasks".to_owned(),
            Self::List(_) => "a list",
            Self::Record(_) | Self::Object | Self::Arguments | Self::Result => "an object",
        };
        format!("must be {what}")
    }
}

fn list(of: ValueShape, value: &mut Value, left_out: &mut Vec<ShapeMisfit>) -> Result<(), ShapeMisfit> {
    let Value::Array(values) = value else {
        return Err(ShapeMisfit::new("must be a list"));
    };
    for (at, value) in values.iter_mut().enumerate() {
        fit_below(&format!("[{at}]"), of, value, left_out)?;
    }
    Ok(())
}

fn record(
    members: &[ShapeField],
    value: &mut Value,
    left_out: &mut Vec<ShapeMisfit>,
) -> Result<(), ShapeMisfit> {
    let Some(fields) = object(value) else {
        return Err(ShapeMisfit::new("must be an object"));
    };
    for ShapeField(name, shape, need) in members {
        // Many libraries write `null` for a field that they do not have.
        if fields.get(*name).is_some_and(Value::is_null) {
            fields.shift_remove(*name);
        }
        match (fields.get_mut(*name), need) {
            (None, Need::Required) => return Err(ShapeMisfit::new(format!("has no `{name}`"))),
            (None, Need::Meant | Need::Optional) => {}
            (Some(value), need) => match fit_below(name, *shape, value, left_out) {
                Ok(()) => {}
                Err(misfit) if *need == Need::Optional => {
                    fields.shift_remove(*name);
                    left_out.push(misfit);
                }
                Err(misfit) => return Err(misfit),
            },
        }
    }
    Ok(())
}

/// Brings a part of a value into its form.
fn fit_below(
    name: &str,
    shape: ValueShape,
    value: &mut Value,
    left_out: &mut Vec<ShapeMisfit>,
) -> Result<(), ShapeMisfit> {
    let mut inner = Vec::new();
    let fitted = shape.fit(value, &mut inner);
    // Where the whole is left out, so are its parts.
    left_out.extend(inner.into_iter().filter(|_| fitted.is_ok()).map(|misfit| misfit.below(name)));
    fitted.map_err(|misfit| misfit.below(name))
}
