//! Servers and tools that there are not.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, Expression, ObjectPattern};
use oxc_span::GetSpan;

use super::denoted::{Denoted, DenotedNames};
use crate::model::{distance, nearest};
use crate::sandbox::catalog::NamedServer;
use crate::sandbox::finding::CheckFinding;
use crate::sandbox::span::range;
use crate::sandbox::withheld::WithheldName;

/// Keys that the language and its libraries ask for by themselves.
const ASKED: [&str; 7] = ["then", "toJSON", "constructor", "valueOf", "toString", "inspect", "length"];

/// How many names are listed where none is near.
const MOST_LISTED: usize = 12;

pub(super) fn check(names: &DenotedNames<'_, '_>) -> Vec<CheckFinding> {
    let mut findings = Vec::new();
    for node in names.nodes().iter() {
        match node.kind() {
            AstKind::StaticMemberExpression(member) => {
                findings.extend(unknown(names, &member.object, &member.property.name, &member.property));
            }
            AstKind::ComputedMemberExpression(member) => {
                if let Expression::StringLiteral(key) = &member.expression {
                    findings.extend(unknown(names, &member.object, &key.value, &**key));
                }
            }
            AstKind::VariableDeclarator(declarator) => {
                if let (BindingPattern::ObjectPattern(pattern), Some(init)) =
                    (&declarator.id, &declarator.init)
                    && let Some(of) = names.denoted(init)
                {
                    in_pattern(names, pattern, of, &mut findings);
                }
            }
            _ => {}
        }
    }
    findings
}

fn unknown(
    names: &DenotedNames<'_, '_>,
    object: &Expression<'_>,
    key: &str,
    part: &impl GetSpan,
) -> Option<CheckFinding> {
    missing(names, names.denoted(object)?, key, part)
}

fn in_pattern<'c>(
    names: &DenotedNames<'_, 'c>,
    pattern: &ObjectPattern<'_>,
    of: Denoted<'c>,
    findings: &mut Vec<CheckFinding>,
) {
    for property in &pattern.properties {
        let Some(key) = property.key.static_name() else { continue };
        findings.extend(missing(names, of, &key, &property.key));
        if let (BindingPattern::ObjectPattern(inner), Some(of)) = (&property.value, names.member(of, &key)) {
            in_pattern(names, inner, of, findings);
        }
    }
}

fn missing<'c>(
    names: &DenotedNames<'_, 'c>,
    of: Denoted<'c>,
    key: &str,
    part: &impl GetSpan,
) -> Option<CheckFinding> {
    if ASKED.contains(&key) || names.member(of, key).is_some() {
        return None;
    }
    if let Some(one) = withheld(names, of, key) {
        let what = if matches!(of, Denoted::Tools) { "server" } else { "tool" };
        let finding =
            CheckFinding::new(range(part), format!("the {what} `{}` is withheld from programs", one.name));
        return Some(finding.help(&one.why));
    }
    if let Denoted::Server(NamedServer { name, problem: Some(problem), .. }) = of {
        let finding = CheckFinding::new(range(part), format!("the server `{name}` has no tool `{key}` now"));
        return Some(finding.help(problem));
    }
    let (message, help) = match of {
        Denoted::Package | Denoted::Tool(..) => return None,
        Denoted::Tools => {
            let known = names.catalog.servers().iter().map(|server| server.identifier.as_str());
            (format!("there is no server `{key}`"), nearest_help(key, known, "server"))
        }
        Denoted::Server(server) => {
            (format!("the server `{}` has no tool `{key}`", server.name), nearest_tool(key, server))
        }
    };
    Some(CheckFinding::new(range(part), message).help(help))
}

/// The server or tool of this name that programs do not get.
fn withheld<'n>(names: &'n DenotedNames<'_, '_>, of: Denoted<'n>, key: &str) -> Option<&'n WithheldName> {
    match of {
        Denoted::Tools => WithheldName::named(names.catalog.withheld(), key),
        Denoted::Server(server) => WithheldName::named(&server.withheld, key),
        Denoted::Package | Denoted::Tool(..) => None,
    }
}

fn nearest_tool(key: &str, server: &NamedServer) -> String {
    nearest_help(key, server.tools.iter().map(|tool| tool.function.as_str()), "tool")
}

/// The name that was meant, or all of them where they are few.
pub(super) fn nearest_help<'n>(typed: &str, known: impl Iterator<Item = &'n str>, what: &str) -> String {
    let mut known: Vec<&str> = known.collect();
    // Capitals are no difference, and neither is a part of a name.
    let lower = typed.to_lowercase();
    let lowered: Vec<String> = known.iter().map(|name| name.to_lowercase()).collect();
    let at = |meant: &str| lowered.iter().position(|name| name == meant);
    let meant = nearest(&lower, lowered.iter().map(String::as_str)).and_then(at);
    let meant = meant.or_else(|| lowered.iter().position(|name| lower.len() > 3 && name.contains(&lower)));
    if let Some(meant) = meant.and_then(|at| known.get(at)) {
        return format!("did you mean `{meant}`?");
    }
    if known.is_empty() {
        return format!("there is no {what} at all");
    }
    let all = known.len();
    known.sort_by_key(|name| distance(typed, name));
    known.truncate(MOST_LISTED);
    let shown = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let rest = if all > known.len() { format!(" and {} more", all - known.len()) } else { String::new() };
    format!("there is {shown}{rest}")
}
