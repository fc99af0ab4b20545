//! Names that nothing defines.

use oxc_ast::AstKind;
use oxc_ast::ast::UnaryOperator;
use oxc_semantic::{Reference, Semantic};

use crate::model::nearest;
use crate::sandbox::absences::{GLOBALS, instead_of};
use crate::sandbox::finding::CheckFinding;
use crate::sandbox::span::range;

pub(super) fn check(semantic: &Semantic<'_>) -> Vec<CheckFinding> {
    let scoping = semantic.scoping();
    let unresolved = scoping.root_unresolved_references();
    // A program that makes globals of its own, or runs text, may have any.
    if unresolved.iter().any(|(name, _)| matches!(name.as_str(), "globalThis" | "eval" | "Function")) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (name, references) in unresolved {
        let name = name.as_str();
        if GLOBALS.contains(&name) {
            continue;
        }
        let references =
            references.iter().map(|id| scoping.get_reference(*id)).filter(|reference| reference.is_value());
        let references: Vec<&Reference> = references.collect();
        // A program that asks whether there is such a name is prepared for its absence.
        if references.iter().any(|reference| is_asked_for(semantic, reference)) {
            continue;
        }
        findings.extend(references.iter().map(|reference| {
            let span = semantic.reference_span(reference);
            finding(semantic, name).at(range(&span))
        }));
    }
    findings
}

fn is_asked_for(semantic: &Semantic<'_>, reference: &Reference) -> bool {
    matches!(
        semantic.nodes().parent_kind(reference.node_id()),
        AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof
    )
}

fn finding(semantic: &Semantic<'_>, name: &str) -> CheckFinding {
    let finding = CheckFinding::new(0..0, format!("`{name}` is not defined"));
    if let Some(instead) = instead_of(name) {
        return CheckFinding::new(0..0, format!("`{name}` is not available")).help(instead);
    }
    let own = semantic.scoping().symbol_names();
    match nearest(name, GLOBALS.iter().copied().chain(own)) {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")),
        None => finding,
    }
}
