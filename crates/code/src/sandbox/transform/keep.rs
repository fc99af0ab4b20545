//! Keeps the value that a call was made of, so that an error about what is no function can say what it was.

use std::collections::HashMap;

use oxc_allocator::{Allocator, TakeIn as _};
use oxc_ast::ast::{AssignmentOperator, AssignmentTarget, CallExpression, Expression, NumberBase, Program};
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::{GetSpan as _, SPAN};

use crate::sandbox::call_site::CallSite;
use crate::sandbox::span::range;

/// The list that has these values, by the numbers of the calls.
const KEPT: &str = "$called$";

/// Writes `($called$[3] = issues).map(…)` for the fourth call of the program, `issues.map(…)`.
pub(super) fn keep_called<'a>(allocator: &'a Allocator, program: &mut Program<'a>, sites: &[CallSite]) {
    let numbered = sites.iter().enumerate().filter(|(_, site)| site.is_kept);
    let numbers = numbered.map(|(number, site)| ((site.object.start, site.object.end), number)).collect();
    NameKeeper { builder: AstBuilder::new(allocator), allocator, numbers }.visit_program(program);
}

struct NameKeeper<'a> {
    builder: AstBuilder<'a>,
    allocator: &'a Allocator,
    /// The numbers of calls by the objects whose property is called, or the names that are.
    numbers: HashMap<(usize, usize), usize>,
}

impl<'a> VisitMut<'a> for NameKeeper<'a> {
    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        walk_mut::walk_call_expression(self, call);
        let object = match &mut call.callee {
            Expression::StaticMemberExpression(member) => &mut member.object,
            Expression::Identifier(_) => &mut call.callee,
            _ => return,
        };
        let span = range(&object.span());
        if let Some(number) = self.numbers.remove(&(span.start, span.end)) {
            self.keep(object, number);
        }
    }
}

impl<'a> NameKeeper<'a> {
    fn keep(&self, object: &mut Expression<'a>, number: usize) {
        let (builder, span) = (&self.builder, object.span());
        let number = u32::try_from(number).map_or(f64::NAN, f64::from);
        let number = Expression::new_numeric_literal(SPAN, number, None, NumberBase::Decimal, builder);
        let list = Expression::new_identifier(SPAN, KEPT, builder);
        let place = AssignmentTarget::new_computed_member_expression(SPAN, list, number, false, builder);
        let value = object.take_in(&self.allocator);
        *object =
            Expression::new_assignment_expression(span, AssignmentOperator::Assign, place, value, builder);
    }
}
