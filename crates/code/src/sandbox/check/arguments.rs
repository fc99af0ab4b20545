//! Arguments that a tool does not take: missing, unknown, or of another type.

use std::ops::Range;

use oxc_ast::ast::{Argument, CallExpression, Expression};
use serde_json::{Map, Value};

use super::denoted::{Denoted, DenotedNames};
use super::literal::Literal;
use crate::model::nearest;
use crate::model::schema::{misfits, resolved, without_nulls};
use crate::sandbox::catalog::{NamedServer, NamedTool};
use crate::sandbox::finding::CheckFinding;
use crate::sandbox::span::range;

/// How many parameters are named in a hint.
const MOST_LISTED: usize = 8;

pub(super) fn check(names: &DenotedNames<'_, '_>) -> Vec<CheckFinding> {
    let findings = names.calls().flat_map(|call| match names.denoted(&call.callee) {
        Some(Denoted::Tool(server, tool)) => judged(call, server, tool),
        Some(Denoted::Server(server)) => vec![
            CheckFinding::new(range(&call.callee), format!("`{}` is a server, not a tool", server.name))
                .help(format!("call one of its tools: `{}.TOOL({{ … }})`", server.identifier)),
        ],
        _ => Vec::new(),
    });
    findings.collect()
}

fn judged(call: &CallExpression<'_>, server: &NamedServer, tool: &NamedTool) -> Vec<CheckFinding> {
    let label = format!("{}.{}", server.name, tool.described.name);
    let schema = &tool.described.input;
    let literal = match call.arguments.as_slice() {
        [] => Literal { value: Value::Object(Map::new()), ..Literal::default() },
        [one] => match one {
            Argument::SpreadElement(_) => return Vec::new(),
            one => match one.to_expression().get_inner_expression() {
                Expression::ObjectExpression(object) => Literal::of(object),
                other if is_no_object(other) => return vec![positional(range(other), &label, schema)],
                _ => return Vec::new(),
            },
        },
        [_, second, ..] => {
            if call.arguments.iter().any(|argument| matches!(argument, Argument::SpreadElement(_))) {
                return Vec::new();
            }
            return vec![positional(range(second), &label, schema)];
        }
    };
    let whole = call.arguments.first().map_or_else(|| range(call), range);
    let mut findings: Vec<CheckFinding> = Vec::new();
    for misfit in misfits(schema, &without_nulls(schema, literal.value.clone())) {
        if literal.is_unsure(&misfit.place) {
            continue;
        }
        let span = literal.span(&misfit.place).unwrap_or_else(|| whole.clone());
        let finding = CheckFinding::new(span, format!("{label}: {}", misfit.sentence()));
        findings.push(match misfit.help {
            Some(help) => finding.help(help),
            None => hinted(finding, schema),
        });
    }
    if findings.is_empty() {
        findings.extend(slips(&literal, schema, &label, &whole));
    }
    findings
}

/// Names that no schema refuses, and that are so near to a parameter that it was meant.
fn slips(literal: &Literal, schema: &Value, label: &str, whole: &Range<usize>) -> Vec<CheckFinding> {
    let schema = resolved(schema, schema);
    let (Some(known), Some(given)) =
        (schema.get("properties").and_then(Value::as_object), literal.value.as_object())
    else {
        return Vec::new();
    };
    let is_open = schema.get("additionalProperties").is_some_and(|more| more != &Value::Bool(false));
    if is_open || schema.get("patternProperties").is_some() {
        return Vec::new();
    }
    let free = |name: &&str| !given.contains_key(*name);
    let unknown = given
        .keys()
        .chain(&literal.holes)
        .filter(|name| !known.contains_key(*name) && !name.contains(['.', '[']));
    let slip = |name: &String| {
        let meant = nearest(name, known.keys().map(String::as_str).filter(free))?;
        let span = literal.span(name).unwrap_or_else(|| whole.clone());
        Some(
            CheckFinding::new(span, format!("{label} has no argument `{name}`"))
                .help(format!("did you mean `{meant}`?")),
        )
    };
    unknown.filter_map(slip).collect()
}

/// Whether an expression is certainly no object with named arguments.
fn is_no_object(expression: &Expression<'_>) -> bool {
    matches!(
        expression,
        Expression::StringLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::TemplateLiteral(_)
            | Expression::ArrayExpression(_)
            | Expression::BigIntLiteral(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
    )
}

fn positional(span: Range<usize>, label: &str, schema: &Value) -> CheckFinding {
    hinted(CheckFinding::new(span, format!("{label} takes one object with named arguments")), schema)
}

/// With the parameters, where there are few.
fn hinted(finding: CheckFinding, schema: &Value) -> CheckFinding {
    let schema = resolved(schema, schema);
    let Some(known) = schema.get("properties").and_then(Value::as_object).filter(|known| !known.is_empty())
    else {
        return finding;
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|names| names.iter().any(|one| one == name));
    let written = |name: &String| if is_required(name) { name.clone() } else { format!("{name}?") };
    let mut shown: Vec<String> = known.keys().filter(|name| is_required(name)).map(written).collect();
    shown.extend(known.keys().filter(|name| !is_required(name)).map(written));
    if shown.len() > MOST_LISTED {
        shown.truncate(MOST_LISTED);
        shown.push("…".to_owned());
    }
    finding.help(format!("it takes {{ {} }}", shown.join(", ")))
}
