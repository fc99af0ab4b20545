//! Imports of what there is not.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, ImportDeclaration, ImportDeclarationSpecifier, ImportSpecifier};
use oxc_semantic::{Reference, Semantic};

use super::denoted::exported;
use super::members::nearest_help;
use crate::sandbox::catalog::Catalog;
use crate::sandbox::finding::CheckFinding;
use crate::sandbox::modules::{PACKAGE, refusal};
use crate::sandbox::span::range;
use crate::sandbox::withheld::WithheldName;

pub(super) fn check(semantic: &Semantic<'_>, catalog: &Catalog) -> Vec<CheckFinding> {
    let mut findings = Vec::new();
    for node in semantic.nodes().iter() {
        match node.kind() {
            AstKind::ImportDeclaration(import) if !import.import_kind.is_type() => {
                match module(&import.source.value, catalog) {
                    Ok(names) => findings.extend(unknown_names(import, &names, semantic)),
                    Err(refusal) => findings.push(at(&import.source, refusal)),
                }
            }
            AstKind::ImportExpression(import) => {
                if let Expression::StringLiteral(specifier) = &import.source
                    && let Err(refusal) = module(&specifier.value, catalog)
                {
                    findings.push(at(&**specifier, refusal));
                }
            }
            _ => {}
        }
    }
    findings
}

fn at(part: &impl oxc_span::GetSpan, (message, help): ImportRefusal) -> CheckFinding {
    let finding = CheckFinding::new(range(part), message);
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Why not, and what to do.
type ImportRefusal = (String, Option<String>);

/// The names that a module exports.
fn module<'c>(specifier: &str, catalog: &'c Catalog) -> Result<Vec<&'c str>, ImportRefusal> {
    if specifier == PACKAGE {
        return Ok(vec!["tools", "results", "search", "describe", "ToolError", "default"]);
    }
    let Some(name) = specifier.strip_prefix(PACKAGE).and_then(|rest| rest.strip_prefix('/')) else {
        return Err((refusal(specifier), None));
    };
    let Some(server) = catalog.server(name) else {
        if let Some(one) = WithheldName::named(catalog.withheld(), name) {
            let message = format!("the server `{}` is withheld from programs", one.name);
            return Err((message, Some(one.why.clone())));
        }
        let known = catalog.servers().iter().map(|server| server.identifier.as_str());
        return Err((refusal(specifier), Some(nearest_help(name, known, "server"))));
    };
    Ok(server.tools.iter().map(|tool| tool.function.as_str()).chain(["default"]).collect())
}

fn unknown_names<'i>(
    import: &'i ImportDeclaration<'_>,
    names: &'i [&str],
    semantic: &'i Semantic<'_>,
) -> impl Iterator<Item = CheckFinding> + 'i {
    let specifiers = import.specifiers.iter().flatten();
    specifiers.filter_map(move |specifier| {
        let ImportDeclarationSpecifier::ImportSpecifier(specifier) = specifier else { return None };
        let name = exported(&specifier.imported);
        if specifier.import_kind.is_type()
            || names.contains(&name.as_str())
            || !is_used_as_value(specifier, semantic)
        {
            return None;
        }
        let message = format!("`{}` exports no `{name}`", import.source.value);
        let help = nearest_help(&name, names.iter().copied(), "export");
        Some(at(&**specifier, (message, Some(help))))
    })
}

/// A name that is used as a type alone is taken out with the types.
fn is_used_as_value(specifier: &ImportSpecifier<'_>, semantic: &Semantic<'_>) -> bool {
    let Some(symbol) = specifier.local.symbol_id.get() else { return true };
    let mut references = semantic.scoping().get_resolved_references(symbol);
    references.any(Reference::is_value)
}
