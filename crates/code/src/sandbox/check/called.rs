//! The calls of a program, for errors about what is no function.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, ChainElement, Expression, IdentifierReference};

use super::denoted::DenotedNames;
use crate::sandbox::call_site::CallSite;
use crate::sandbox::span::range;

/// All calls that name what they call.
pub(super) fn call_sites(names: &DenotedNames<'_, '_>) -> Vec<CallSite> {
    names.calls().filter_map(|call| site(names, call)).collect()
}

fn site(names: &DenotedNames<'_, '_>, call: &CallExpression<'_>) -> Option<CallSite> {
    match &call.callee {
        Expression::StaticMemberExpression(member) => {
            let is_known = match member.object.get_inner_expression() {
                Expression::Super(_) => true,
                Expression::Identifier(name) => names.symbol(name).is_none(),
                object => is_cut_short(object),
            };
            Some(CallSite {
                whole: range(call),
                at: range(&member.property).start,
                callee: range(&**member),
                object: range(member.object.get_inner_expression()),
                property: Some(member.property.name.to_string()),
                is_kept: !is_known && names.denoted(&member.object).is_none(),
            })
        }
        Expression::Identifier(name) => Some(CallSite {
            whole: range(call),
            at: range(&**name).start,
            callee: range(&**name),
            object: range(&**name),
            property: None,
            // `eval` must stay as it is.
            is_kept: names.symbol(name).is_some() && !is_function(names, name),
        }),
        _ => None,
    }
}

/// Whether a name is declared as a function, and so is one unless it was set to something else.
fn is_function(names: &DenotedNames<'_, '_>, name: &IdentifierReference<'_>) -> bool {
    let Some(symbol) = names.symbol(name) else { return false };
    let is_one = match names.nodes().kind(names.scoping().symbol_declaration(symbol)) {
        AstKind::Function(_) | AstKind::ImportSpecifier(_) => true,
        AstKind::VariableDeclarator(declarator) => matches!(
            declarator.init.as_ref().map(Expression::get_inner_expression),
            Some(Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
        ),
        _ => false,
    };
    is_one && !names.scoping().symbol_is_mutated(symbol)
}

/// Whether a part of an expression has `?.`: what follows is left out with it, and must stay in one chain.
fn is_cut_short(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::StaticMemberExpression(member) => member.optional || is_cut_short(&member.object),
        Expression::ComputedMemberExpression(member) => member.optional || is_cut_short(&member.object),
        Expression::CallExpression(call) => call.optional || is_cut_short(&call.callee),
        Expression::TSNonNullExpression(inner) => is_cut_short(&inner.expression),
        Expression::ChainExpression(chain) => {
            !matches!(chain.expression, ChainElement::TSNonNullExpression(_))
        }
        _ => false,
    }
}
