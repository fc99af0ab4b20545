//! A module as the body of a function: so `return` and `await` stand wherever people put them.

use oxc_allocator::{Allocator, ArenaVec, TakeIn as _};
use oxc_ast::ast::{ExportDefaultDeclarationKind, Expression, Program, Statement};
use oxc_ast::builder::AstBuilder;
use oxc_span::GetSpan as _;

/// Leaves the statements of a function's body in the program, and returns the imports. An export is a
/// declaration like any other. The function returns the default export, or the value of a program that is
/// nothing but one expression.
pub(super) fn shape<'a>(allocator: &'a Allocator, program: &mut Program<'a>) -> ArenaVec<'a, Statement<'a>> {
    let builder = AstBuilder::new(allocator);
    program.hashbang = None;
    program.directives.clear();
    let mut imports = ArenaVec::new_in(&allocator);
    let mut body = ArenaVec::new_in(&allocator);
    let mut returned = None;
    for statement in program.body.take_in(&allocator) {
        match statement {
            Statement::ImportDeclaration(_) => imports.push(statement),
            Statement::ExportDeclaration(export) => body.push(Statement::from(export.unbox().declaration)),
            Statement::ExportNamedDeclaration(_) => {}
            Statement::ExportDefaultDeclaration(export) => {
                returned = value(export.unbox().declaration, &mut body, &builder);
            }
            _ => body.push(statement),
        }
    }
    if let [Statement::ExpressionStatement(only)] = body.as_mut_slice() {
        returned = Some(only.expression.take_in(&allocator));
        body.clear();
    }
    if let Some(value) = returned {
        body.push(Statement::new_return_statement(value.span(), Some(value), &builder));
    }
    program.body = body;
    imports
}

/// The value of a default export. A function that has a name is declared as well.
fn value<'a>(
    exported: ExportDefaultDeclarationKind<'a>,
    body: &mut ArenaVec<'a, Statement<'a>>,
    builder: &AstBuilder<'a>,
) -> Option<Expression<'a>> {
    match exported {
        ExportDefaultDeclarationKind::FunctionDeclaration(mut function) => {
            let Some(id) = &function.id else {
                function.r#type = oxc_ast::ast::FunctionType::FunctionExpression;
                return Some(Expression::FunctionExpression(function));
            };
            let name = Expression::new_identifier(id.span, id.name, builder);
            body.push(Statement::FunctionDeclaration(function));
            Some(name)
        }
        ExportDefaultDeclarationKind::ClassDeclaration(class) => {
            body.push(Statement::ClassDeclaration(class));
            None
        }
        ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => None,
        other => Some(other.into_expression()),
    }
}
