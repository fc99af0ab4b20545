//! Wishes for other languages, regions and time zones, where the text of the program shows them: programs have English and
//! UTC alone. `prelude/locale.js` refuses the others when they are called.

use oxc_ast::ast::{Argument, CallExpression, Expression, MemberExpression, ObjectPropertyKind};

use super::denoted::DenotedNames;
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

/// The options of all these methods, each with the only words that it takes; empty: `locale.js` looks at its value.
const OPTIONS: &[(&str, &[&str])] = &[
    ("caseFirst", &["false"]),
    (
        "currency",
        &["USD", "EUR", "GBP", "INR", "CNY", "CAD", "AUD", "MXN", "BRL", "NZD", "ILS", "JPY", "KRW"],
    ),
    ("currencyDisplay", &["symbol"]),
    ("dateStyle", &["full", "long", "medium", "short"]),
    ("day", &["numeric", "2-digit"]),
    ("hour", &["numeric", "2-digit"]),
    ("hour12", &["true"]),
    ("ignorePunctuation", &["false"]),
    ("maximumFractionDigits", &[]),
    ("minimumFractionDigits", &[]),
    ("minimumIntegerDigits", &[]),
    ("minute", &["numeric", "2-digit"]),
    ("month", &["numeric", "2-digit", "long", "short"]),
    ("notation", &["standard"]),
    ("numeric", &["true", "false"]),
    ("second", &["numeric", "2-digit"]),
    ("sensitivity", &["base", "accent", "variant"]),
    ("signDisplay", &["auto"]),
    ("style", &["decimal", "percent", "currency"]),
    ("timeStyle", &["medium", "short"]),
    ("timeZone", &["UTC", "Etc/UTC", "GMT"]),
    ("usage", &["sort", "search"]),
    ("useGrouping", &["true", "false"]),
    ("weekday", &["long", "short"]),
    ("year", &["numeric", "2-digit"]),
];

const HELP: &str = "programs have the locale en-US and the time zone UTC; write others by hand";

pub(super) fn check(names: &DenotedNames<'_, '_>) -> Vec<CheckFinding> {
    names.calls().flat_map(wishes).collect()
}

fn wishes(call: &CallExpression<'_>) -> Vec<CheckFinding> {
    let Some(name) = call.callee.get_member_expr().and_then(MemberExpression::static_property_name) else {
        return Vec::new();
    };
    let Some((_, at)) = METHODS.iter().find(|(method, _)| *method == name) else { return Vec::new() };
    let given = |at: usize| call.arguments.get(at).and_then(Argument::as_expression);
    let locale = given(*at).and_then(|locale| other_locale(locale, name));
    locale.into_iter().chain(given(at + 1).and_then(|options| other_option(options, name))).collect()
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

/// The first option that the text of the program shows and that is not available, or not with this value.
fn other_option(options: &Expression<'_>, method: &str) -> Option<CheckFinding> {
    let Expression::ObjectExpression(object) = options.get_inner_expression() else { return None };
    object.properties.iter().find_map(|property| {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        let name = property.key.static_name()?;
        let value = property.value.get_inner_expression();
        let (word, written) = match value {
            Expression::StringLiteral(text) => (text.value.to_string(), format!("\"{}\"", text.value)),
            Expression::BooleanLiteral(is) => (is.value.to_string(), is.value.to_string()),
            _ => return None,
        };
        let with = match OPTIONS.iter().find(|(option, _)| *option == name) {
            Some((_, words)) if words.is_empty() || words.contains(&word.as_str()) => return None,
            Some(_) if name == "timeZone" => format!("the time zone `{word}`"),
            Some(_) => format!("`{name}: {written}`"),
            None => format!("the option `{name}`"),
        };
        let message = format!("`{method}` with {with} is not available");
        Some(CheckFinding::new(range(value), message).help(HELP))
    })
}
