//! As much of a value as a program's text tells.

use std::ops::Range;

use oxc_ast::ast::{
    ArrayExpressionElement, Expression, ObjectExpression, ObjectPropertyKind, PropertyKind, UnaryOperator,
};
use serde_json::{Map, Number, Value};

use crate::model::schema::within;
use crate::sandbox::span::range;

/// A value with holes: parts that are only known once the program runs.
#[derive(Debug, Default)]
pub(super) struct Literal {
    pub(super) value: Value,
    /// The places of parts that are not known. They are missing in the value.
    pub(super) holes: Vec<String>,
    /// The places of objects that have more than is known.
    pub(super) open: Vec<String>,
    /// Where each part stands in the source.
    pub(super) spans: Vec<(String, Range<usize>)>,
}

impl Literal {
    /// Reads an object.
    pub(super) fn of(object: &ObjectExpression<'_>) -> Self {
        let mut literal = Self::default();
        literal.value = Value::Object(literal.object(object, ""));
        literal
    }

    /// Where the part at this place stands, or the nearest one around it.
    pub(super) fn span(&self, place: &str) -> Option<Range<usize>> {
        let around = self.spans.iter().filter(|(known, _)| is_at_or_below(place, known));
        around.max_by_key(|(known, _)| known.len()).map(|(_, span)| span.clone())
    }

    /// Whether nothing can be said of this place, since it or a part of it is not known.
    pub(super) fn is_unsure(&self, place: &str) -> bool {
        let is_hole =
            self.holes.iter().any(|hole| is_at_or_below(hole, place) || is_at_or_below(place, hole));
        is_hole || (self.open.iter().any(|open| is_at_or_below(place, open)) && !self.has(place))
    }

    /// Whether the part at this place is written out.
    fn has(&self, place: &str) -> bool {
        self.spans.iter().any(|(known, _)| known == place)
    }

    fn object(&mut self, object: &ObjectExpression<'_>, place: &str) -> Map<String, Value> {
        let mut map = Map::new();
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                self.open.push(place.to_owned());
                continue;
            };
            let Some(name) = property.key.static_name().filter(|_| property.kind == PropertyKind::Init)
            else {
                self.open.push(place.to_owned());
                continue;
            };
            let inner = within(place, &name);
            self.spans.push((inner.clone(), range(&**property)));
            match self.known(&property.value, &inner) {
                KnownType::Value(value) => drop(map.insert(name.into_owned(), value)),
                // As JSON has it: a property without a value is not there.
                KnownType::Undefined => {}
                KnownType::No => self.holes.push(inner),
            }
        }
        map
    }

    fn known(&mut self, expression: &Expression<'_>, place: &str) -> KnownType {
        let value = match expression.get_inner_expression() {
            Expression::NullLiteral(_) => Value::Null,
            Expression::BooleanLiteral(literal) => literal.value.into(),
            Expression::StringLiteral(literal) => literal.value.as_str().into(),
            Expression::NumericLiteral(literal) => return number(literal.value),
            Expression::TemplateLiteral(template) => match template.quasis.as_slice() {
                [only] => match &only.value.cooked {
                    Some(text) => text.as_str().into(),
                    None => return KnownType::No,
                },
                _ => return KnownType::No,
            },
            Expression::UnaryExpression(unary) => return negated(unary.operator, &unary.argument),
            Expression::Identifier(name) if name.name == "undefined" => return KnownType::Undefined,
            Expression::ObjectExpression(object) => Value::Object(self.object(object, place)),
            Expression::ArrayExpression(array) => {
                let mut items = Vec::new();
                for (at, item) in array.elements.iter().enumerate() {
                    let inner = format!("{place}[{at}]");
                    let item = match item {
                        ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => {
                            return KnownType::No;
                        }
                        item => item.to_expression(),
                    };
                    self.spans.push((inner.clone(), range(item)));
                    match self.known(item, &inner) {
                        KnownType::Value(value) => items.push(value),
                        // A list with a gap would be another list.
                        KnownType::Undefined | KnownType::No => return KnownType::No,
                    }
                }
                items.into()
            }
            _ => return KnownType::No,
        };
        KnownType::Value(value)
    }
}

enum KnownType {
    Value(Value),
    Undefined,
    No,
}

fn number(value: f64) -> KnownType {
    // A whole number is one to a schema, in any notation.
    let whole = (value.fract() == 0.0 && value.abs() < 9e15)
        .then(|| format!("{value:.0}").parse::<i64>().ok())
        .flatten();
    whole
        .map(Number::from)
        .or_else(|| Number::from_f64(value))
        .map_or(KnownType::No, |number| KnownType::Value(number.into()))
}

fn negated(operator: UnaryOperator, argument: &Expression<'_>) -> KnownType {
    match (operator, argument) {
        (UnaryOperator::UnaryNegation, Expression::NumericLiteral(literal)) => number(-literal.value),
        (UnaryOperator::LogicalNot, Expression::NumericLiteral(literal)) => {
            KnownType::Value((literal.value == 0.0).into())
        }
        (UnaryOperator::Void, _) => KnownType::Undefined,
        _ => KnownType::No,
    }
}

/// Whether a place is another one, or a part of it: `a.b[1]` of `a.b`.
fn is_at_or_below(place: &str, other: &str) -> bool {
    place
        .strip_prefix(other)
        .is_some_and(|rest| other.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}
