//! Wishes for other languages, regions and time zones, where the text of the program shows them: programs have English and
//! UTC alone. `prelude/locale.js` refuses the others when they are called.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, MemberExpression, ObjectPropertyKind};
use oxc_semantic::Semantic;

use crate::sandbox::finding::CheckFinding;
use crate::sandbox::span::range;

/// The methods, and which of their arguments is the locale. The options are the next one.
const METHODS: [(&str, usize); 6] = [
    ("localeCompare", 1),
    ("toLocaleDateString", 0),
    ("toLocaleLowerCase", 0),
    ("toLocaleString", 0),
    ("toLocaleTimeString", 0),
    ("toLocaleUpperCase", 0),
];

const LOCALES: [&str; 3] = ["en", "en-us", "und"];
const ZONES: [&str; 3] = ["UTC", "Etc/UTC", "GMT"];

const HELP: &str = "programs have the locale en-US and the time zone UTC; write others by hand";

pub(super) fn check(semantic: &Semantic<'_>) -> Vec<CheckFinding> {
    let calls = semantic.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::CallExpression(call) => Some(call),
        _ => None,
    });
    calls.flat_map(wishes).collect()
}

fn wishes(call: &CallExpression<'_>) -> Vec<CheckFinding> {
    let Some(name) = call.callee.get_member_expr().and_then(MemberExpression::static_property_name) else {
        return Vec::new();
    };
    let Some((_, at)) = METHODS.iter().find(|(method, _)| *method == name) else { return Vec::new() };
    let given = |at: usize| call.arguments.get(at).and_then(Argument::as_expression);
    let locale = given(*at).and_then(|locale| other_locale(locale, name));
    locale.into_iter().chain(given(at + 1).and_then(|options| other_zone(options, name))).collect()
}

fn other_locale(locale: &Expression<'_>, method: &str) -> Option<CheckFinding> {
    let Expression::StringLiteral(text) = locale.get_inner_expression() else { return None };
    if LOCALES.contains(&text.value.to_lowercase().as_str()) {
        return None;
    }
    // Most languages change the case of letters as English does.
    let cases =
        ["tr", "az", "lt", "el"].iter().any(|language| text.value.to_lowercase().starts_with(language));
    let is_case = method.ends_with("Case");
    let message = format!("`{method}` with the locale `{}` is not available", text.value);
    (!is_case || cases).then(|| CheckFinding::new(range(&**text), message).help(HELP))
}

fn other_zone(options: &Expression<'_>, method: &str) -> Option<CheckFinding> {
    let Expression::ObjectExpression(object) = options.get_inner_expression() else { return None };
    object.properties.iter().find_map(|property| {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        let Expression::StringLiteral(zone) = property.value.get_inner_expression() else { return None };
        let is_other = property.key.static_name().is_some_and(|name| name == "timeZone")
            && !ZONES.contains(&&*zone.value);
        let message = format!("`{method}` with the time zone `{}` is not available", zone.value);
        is_other.then(|| CheckFinding::new(range(&**zone), message).help(HELP))
    })
}
