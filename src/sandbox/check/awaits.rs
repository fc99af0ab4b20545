//! Calls of tools whose result is used before it is there, or by nobody.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, IdentifierReference, MemberExpression, Program,
    Statement, UnaryOperator,
};
use oxc_semantic::{NodeId, SymbolId};

use super::denoted::{Denoted, Names};
use crate::sandbox::finding::Finding;
use crate::sandbox::span::range;

/// The members of a promise.
const OF_PROMISES: [&str; 3] = ["then", "catch", "finally"];

/// The calls of tools, as nodes.
pub(super) fn calls<'p>(names: &Names<'p, '_>) -> Vec<(NodeId, &'p CallExpression<'p>)> {
    let calls = names.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::CallExpression(call) => match names.denoted(&call.callee)? {
            Denoted::Tool(..) => Some((node.id(), call)),
            _ => None,
        },
        _ => None,
    });
    calls.collect()
}

pub(super) fn check(names: &Names<'_, '_>, program: &Program<'_>) -> Vec<Finding> {
    calls(names).into_iter().filter_map(|(node, call)| forgotten(names, program, node, call)).collect()
}

/// The use of a call's result that nothing waits for.
enum Use {
    Nobody,
    Value,
    Fine,
}

fn forgotten(
    names: &Names<'_, '_>,
    program: &Program<'_>,
    node: NodeId,
    call: &CallExpression<'_>,
) -> Option<Finding> {
    let (parent, child) = around(names, node);
    let span = range(call);
    let text = match used(names, parent, child) {
        Use::Fine => return None,
        Use::Nobody if is_whole_program(program) => return None,
        Use::Nobody => "nobody waits for this call",
        Use::Value => "this is a promise, and its result is used at once",
    };
    Some(Finding::new(span, text).help("put `await` before the call"))
}

/// The node that uses an expression, past what changes nothing about it, and the expression as it is used there.
fn around(names: &Names<'_, '_>, node: NodeId) -> (NodeId, NodeId) {
    let (mut child, mut parent) = (node, names.nodes().parent_id(node));
    while matches!(
        names.nodes().kind(parent),
        AstKind::ParenthesizedExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::ChainExpression(_)
    ) {
        (child, parent) = (parent, names.nodes().parent_id(parent));
    }
    (parent, child)
}

fn used(names: &Names<'_, '_>, parent: NodeId, child: NodeId) -> Use {
    match names.nodes().kind(parent) {
        AstKind::ExpressionStatement(_) => Use::Nobody,
        AstKind::StaticMemberExpression(member) if OF_PROMISES.contains(&member.property.name.as_str()) => {
            Use::Fine
        }
        AstKind::StaticMemberExpression(_)
        | AstKind::SpreadElement(_)
        | AstKind::TemplateLiteral(_)
        | AstKind::IfStatement(_)
        | AstKind::WhileStatement(_)
        | AstKind::DoWhileStatement(_)
        | AstKind::SwitchStatement(_)
        | AstKind::BinaryExpression(_) => Use::Value,
        AstKind::ComputedMemberExpression(member) if is_same(names, &member.object, child) => Use::Value,
        AstKind::ForOfStatement(each) if !each.r#await && is_same(names, &each.right, child) => Use::Value,
        AstKind::ConditionalExpression(choice) if is_same(names, &choice.test, child) => Use::Value,
        AstKind::UnaryExpression(unary) if unary.operator != UnaryOperator::Void => Use::Value,
        AstKind::VariableDeclarator(declarator) => match &declarator.id {
            BindingPattern::BindingIdentifier(name) => {
                name.symbol_id.get().map_or(Use::Fine, |symbol| used_as_value(names, symbol))
            }
            _ => Use::Value,
        },
        AstKind::CallExpression(call) if is_argument(names, call, child) && reads_values(call) => Use::Value,
        _ => Use::Fine,
    }
}

/// Whether a name that holds a promise is used as if it were the result: `r.title`, where nothing waits for `r`.
fn used_as_value(names: &Names<'_, '_>, symbol: SymbolId) -> Use {
    if names.scoping().symbol_is_mutated(symbol) {
        return Use::Fine;
    }
    let mut references = names.scoping().get_resolved_references(symbol);
    let is_read = references.any(|reference| {
        let (parent, child) = around(names, reference.node_id());
        match names.nodes().kind(parent) {
            AstKind::StaticMemberExpression(member) => {
                is_same(names, &member.object, child) && !OF_PROMISES.contains(&member.property.name.as_str())
            }
            AstKind::VariableDeclarator(declarator) => {
                matches!(declarator.id, BindingPattern::ObjectPattern(_))
            }
            AstKind::ForOfStatement(each) => !each.r#await && is_same(names, &each.right, child),
            _ => false,
        }
    });
    if is_read { Use::Value } else { Use::Fine }
}

fn is_same(names: &Names<'_, '_>, expression: &Expression<'_>, node: NodeId) -> bool {
    let kind = names.nodes().kind(node);
    range(expression) == range(&kind)
}

fn is_argument(names: &Names<'_, '_>, call: &CallExpression<'_>, node: NodeId) -> bool {
    let span = range(&names.nodes().kind(node));
    call.arguments
        .iter()
        .any(|argument| !matches!(argument, Argument::SpreadElement(_)) && range(argument) == span)
}

/// Whether a function looks at its arguments at once, so that a promise among them is a slip.
fn reads_values(call: &CallExpression<'_>) -> bool {
    let Some(member) = call.callee.as_member_expression() else { return false };
    let MemberExpression::StaticMemberExpression(member) = member else { return false };
    let Expression::Identifier(object) = &member.object else { return false };
    let of = |object: &IdentifierReference<'_>, name: &str| object.name == name;
    of(object, "console")
        || of(object, "JSON")
        || of(object, "Math")
        || (of(object, "Object") && member.property.name != "is")
}

/// A program that is nothing but this expression returns it.
fn is_whole_program(program: &Program<'_>) -> bool {
    let mut acts = program.body.iter().filter(|statement| {
        !matches!(
            statement,
            Statement::ImportDeclaration(_)
                | Statement::TSTypeAliasDeclaration(_)
                | Statement::TSInterfaceDeclaration(_)
        )
    });
    matches!((acts.next(), acts.next()), (Some(Statement::ExpressionStatement(_)), None))
}
