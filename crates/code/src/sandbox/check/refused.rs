//! Syntax that a program cannot have.

use oxc_ast::AstKind;
use oxc_ast::ast::{ExportDefaultDeclarationKind, NumericLiteral, Program, Statement};
use oxc_semantic::Semantic;

use crate::sandbox::finding::CheckFinding;
use crate::sandbox::span::range;

pub(super) fn check(program: &Program<'_>, semantic: &Semantic<'_>) -> Vec<CheckFinding> {
    let mut findings: Vec<CheckFinding> =
        semantic.nodes().iter().filter_map(|node| refused(node.kind())).collect();
    findings.extend(after_default_export(program));
    findings
}

fn refused(kind: AstKind<'_>) -> Option<CheckFinding> {
    let (span, message, help) = match kind {
        AstKind::Decorator(decorator) => (
            range(decorator),
            "decorators are not supported",
            "call the function that the decorator is by hand",
        ),
        AstKind::AccessorProperty(accessor) => (
            range(accessor),
            "`accessor` is not supported",
            "write a getter and a setter around a private field",
        ),
        AstKind::NumericLiteral(literal) if !is_exact(literal) => (
            range(literal),
            "no number is exactly this one: above 2^53 only some integers are",
            "write a BigInt, with `n` behind the digits, or a text",
        ),
        AstKind::ExportAllDeclaration(export) => {
            (range(export), "nothing can be exported from elsewhere", RETURN)
        }
        AstKind::ExportFromDeclaration(export) if !export.export_kind.is_type() => {
            (range(export), "nothing can be exported from elsewhere", RETURN)
        }
        AstKind::TSExportAssignment(export) => (range(export), "`export =` is not supported", RETURN),
        AstKind::TSImportEqualsDeclaration(import) => {
            (range(import), "`import … =` is not supported", "write `import { tools } from \"toolscript\"`")
        }
        _ => return None,
    };
    Some(CheckFinding::new(span, message).help(help))
}

/// Whether a number is the one that its digits say; only whole ones are looked at.
fn is_exact(literal: &NumericLiteral<'_>) -> bool {
    let digits = literal.raw.map(|raw| raw.replace('_', "")).unwrap_or_default();
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // The digits may be those that the language writes for this number.
    let is_written = || [format!("{:.0}", literal.value), literal.value.to_string()].contains(&digits);
    !is_whole || digits.starts_with('0') || is_written()
}

const RETURN: &str = "a program hands its result over with `return`";

/// A default export is what the program returns, so that nothing can be done after it.
fn after_default_export(program: &Program<'_>) -> Option<CheckFinding> {
    let mut statements = program.body.iter();
    let export = statements.find_map(|statement| match statement {
        Statement::ExportDefaultDeclaration(export) => Some(export),
        _ => None,
    })?;
    match &export.declaration {
        ExportDefaultDeclarationKind::ClassDeclaration(class) => {
            return Some(
                CheckFinding::new(range(&**class), "a class cannot be the result of a program").help(RETURN),
            );
        }
        ExportDefaultDeclarationKind::FunctionDeclaration(_) => return None,
        _ => {}
    }
    let acts = statements.find(|statement| {
        !matches!(
            statement,
            Statement::FunctionDeclaration(_)
                | Statement::TSTypeAliasDeclaration(_)
                | Statement::TSInterfaceDeclaration(_)
                | Statement::ImportDeclaration(_)
                | Statement::ExportNamedDeclaration(_)
                | Statement::EmptyStatement(_)
        )
    })?;
    let message = "`export default` is the result of the program, and this comes after it";
    Some(CheckFinding::new(range(acts), message).help("move `export default` to the end, or write `return`"))
}
