//! Promises whose result is used before it is there, or by nobody.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentOperator, BinaryOperator, BindingPattern, Expression, LogicalOperator, Program,
    Statement, UnaryOperator,
};
use oxc_semantic::{NodeId, SymbolId};

use super::denoted::{Denoted, DenotedNames};
use crate::sandbox::finding::CheckFinding;
use crate::sandbox::span::range;

/// The members of a promise.
const OF_PROMISES: [&str; 3] = ["then", "catch", "finally"];

/// The functions of `Promise` that make one.
const MAKERS: [&str; 7] = ["all", "allSettled", "any", "race", "reject", "resolve", "try"];

/// Functions that look at the value of their argument at once, so that a promise there is a slip.
const READERS: [&str; 13] = [
    "BigInt",
    "Boolean",
    "Date",
    "Map",
    "Number",
    "Set",
    "String",
    "decodeURIComponent",
    "encodeURIComponent",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
];

/// The same, as members of these objects.
const OBJECTS_OF_READERS: [&str; 5] = ["Array", "JSON", "Math", "Object", "console"];

/// Methods that look at once at what a function returns for each item, so that a promise is a yes each time.
const DECIDERS: [&str; 10] = [
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "some",
    "sort",
    "toSorted",
];

/// How many names may lead to one another.
const LONGEST_CHAIN: usize = 16;

pub(super) fn check(names: &DenotedNames<'_, '_>, program: &Program<'_>) -> Vec<CheckFinding> {
    let uses = Uses { names, is_whole_program: is_whole_program(program) };
    let forgotten = names.nodes().iter().filter_map(|node| uses.forgotten(node.id()));
    let undecided = names.nodes().iter().filter_map(|node| uses.undecided(node.id()));
    forgotten.chain(undecided).collect()
}

/// The use of a promise.
#[derive(PartialEq, Eq)]
enum Use {
    /// Nothing is done with it.
    Nobody,
    /// It is taken for the result.
    Value,
    Fine,
}

/// Looks at how promises are used.
struct Uses<'n, 'p, 'c> {
    names: &'n DenotedNames<'p, 'c>,
    is_whole_program: bool,
}

impl Uses<'_, '_, '_> {
    /// The finding about a node that makes a promise, if what uses it does not wait for it.
    fn forgotten(&self, node: NodeId) -> Option<CheckFinding> {
        let is_tool = match self.names.nodes().kind(node) {
            AstKind::CallExpression(call) => {
                let is_tool = matches!(self.names.denoted(&call.callee), Some(Denoted::Tool(..)));
                if !is_tool && !self.makes_promise(&call.callee) {
                    return None;
                }
                is_tool
            }
            AstKind::NewExpression(new) if self.is_global(&new.callee, "Promise") => false,
            _ => return None,
        };
        let text = match self.of(node, LONGEST_CHAIN) {
            Use::Fine => return None,
            // Others go on by themselves, and the program waits for the calls that they make.
            Use::Nobody if !is_tool || self.is_whole_program => return None,
            Use::Nobody => "nobody waits for this call",
            Use::Value => "this is a promise, and its result is used at once",
        };
        let span = range(&self.names.nodes().kind(node));
        Some(CheckFinding::new(span, text).help("put `await` before the call"))
    }

    /// The finding about an async function that decides for each item, where nobody waits for its word.
    fn undecided(&self, node: NodeId) -> Option<CheckFinding> {
        let AstKind::CallExpression(call) = self.names.nodes().kind(node) else { return None };
        let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
            return None;
        };
        let method = member.property.name.as_str();
        if !DECIDERS.contains(&method) || self.names.denoted(&call.callee).is_some() {
            return None;
        }
        let given = call.arguments.first().and_then(Argument::as_expression)?;
        let is_async = match given.get_inner_expression() {
            Expression::ArrowFunctionExpression(arrow) => arrow.r#async,
            Expression::FunctionExpression(function) => function.r#async,
            Expression::Identifier(_) => self.makes_promise(given),
            _ => false,
        };
        is_async.then(|| {
            let text =
                format!("`{method}` does not wait for this async function: it gets a promise for each item");
            let help = "wait first, with `await Promise.all(items.map(…))`, and decide by what comes";
            CheckFinding::new(range(given), text).help(help)
        })
    }

    /// Whether a call of this makes a promise: a function of `Promise`, or an async function of the program.
    fn makes_promise(&self, callee: &Expression<'_>) -> bool {
        match callee.get_inner_expression() {
            Expression::StaticMemberExpression(member) => {
                MAKERS.contains(&member.property.name.as_str()) && self.is_global(&member.object, "Promise")
            }
            Expression::Identifier(name) => {
                self.names.symbol(name).is_some_and(|symbol| self.is_async(symbol))
            }
            _ => false,
        }
    }

    fn is_async(&self, symbol: SymbolId) -> bool {
        let scoping = self.names.scoping();
        if scoping.symbol_is_mutated(symbol) {
            return false;
        }
        match self.names.nodes().kind(scoping.symbol_declaration(symbol)) {
            AstKind::Function(function) => function.r#async && !function.generator,
            AstKind::VariableDeclarator(declarator) => {
                let is_name = matches!(declarator.id, BindingPattern::BindingIdentifier(_));
                is_name
                    && match declarator.init.as_ref().map(Expression::get_inner_expression) {
                        Some(Expression::ArrowFunctionExpression(arrow)) => arrow.r#async,
                        Some(Expression::FunctionExpression(function)) => {
                            function.r#async && !function.generator
                        }
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    fn is_global(&self, expression: &Expression<'_>, wanted: &str) -> bool {
        let Expression::Identifier(name) = expression.get_inner_expression() else { return false };
        name.name == wanted && self.names.symbol(name).is_none()
    }

    /// How the promise is used that the value of this node is.
    fn of(&self, node: NodeId, steps: usize) -> Use {
        let Some(steps) = steps.checked_sub(1) else { return Use::Fine };
        let (parent, child) = self.around(node);
        let is = |expression: &Expression<'_>| range(expression) == range(&self.names.nodes().kind(child));
        match self.names.nodes().kind(parent) {
            AstKind::ExpressionStatement(_) => Use::Nobody,
            AstKind::StaticMemberExpression(member)
                if OF_PROMISES.contains(&member.property.name.as_str()) =>
            {
                self.of_method(parent, steps)
            }
            AstKind::TemplateLiteral(_) if self.is_tagged(parent) => Use::Fine,
            AstKind::StaticMemberExpression(_)
            | AstKind::SpreadElement(_)
            | AstKind::TemplateLiteral(_)
            | AstKind::IfStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_)
            | AstKind::SwitchStatement(_)
            | AstKind::SwitchCase(_)
            | AstKind::ForInStatement(_) => Use::Value,
            AstKind::BinaryExpression(binary) if binary.operator != BinaryOperator::Instanceof => Use::Value,
            AstKind::ComputedMemberExpression(member) if is(&member.object) => Use::Value,
            AstKind::ForOfStatement(each) if !each.r#await && is(&each.right) => Use::Value,
            AstKind::ForStatement(each) if each.test.as_ref().is_some_and(is) => Use::Value,
            AstKind::ConditionalExpression(choice) if is(&choice.test) => Use::Value,
            AstKind::LogicalExpression(both) if is(&both.left) => match both.operator {
                // Where it may be nothing, it is a promise that was kept.
                LogicalOperator::Coalesce => self.of(parent, steps),
                LogicalOperator::And | LogicalOperator::Or => Use::Value,
            },
            AstKind::ConditionalExpression(_) | AstKind::LogicalExpression(_) => self.of(parent, steps),
            AstKind::UnaryExpression(unary) if unary.operator != UnaryOperator::Void => Use::Value,
            AstKind::AssignmentExpression(assignment) if is(&assignment.right) => match assignment.operator {
                operator if operator.is_logical() || operator == AssignmentOperator::Assign => Use::Fine,
                _ => Use::Value,
            },
            AstKind::VariableDeclarator(declarator) => match &declarator.id {
                BindingPattern::BindingIdentifier(name) => {
                    name.symbol_id.get().map_or(Use::Fine, |symbol| self.of_name(symbol, steps))
                }
                _ => Use::Value,
            },
            AstKind::CallExpression(call) if is(&call.callee) => Use::Value,
            AstKind::CallExpression(call) if self.reads_values(&call.callee) => Use::Value,
            AstKind::NewExpression(new) if self.reads_values(&new.callee) => Use::Value,
            AstKind::ObjectProperty(_) | AstKind::ArrayExpression(_) if self.is_in_value(parent) => {
                Use::Value
            }
            _ => Use::Fine,
        }
    }

    /// How the promise is used that `then` and its like make of one.
    fn of_method(&self, member: NodeId, steps: usize) -> Use {
        let call = self.names.nodes().parent_id(member);
        match self.names.nodes().kind(call) {
            AstKind::CallExpression(_) => match self.of(call, steps) {
                // What follows is done by itself.
                Use::Nobody => Use::Fine,
                used => used,
            },
            _ => Use::Fine,
        }
    }

    /// Whether a name that holds a promise is used as if it were the result.
    fn of_name(&self, symbol: SymbolId, steps: usize) -> Use {
        if self.names.scoping().symbol_is_mutated(symbol) {
            return Use::Fine;
        }
        let mut references = self.names.scoping().get_resolved_references(symbol);
        let is_read = references.any(|reference| self.of(reference.node_id(), steps) == Use::Value);
        if is_read { Use::Value } else { Use::Fine }
    }

    /// Whether a part of a list or an object becomes JSON as it stands there: an argument of a tool, the result of the
    /// program, or what is printed.
    fn is_in_value(&self, mut node: NodeId) -> bool {
        loop {
            let parent = self.names.nodes().parent_id(node);
            match self.names.nodes().kind(parent) {
                AstKind::ObjectExpression(_)
                | AstKind::ObjectProperty(_)
                | AstKind::ArrayExpression(_)
                | AstKind::ParenthesizedExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSSatisfiesExpression(_) => node = parent,
                AstKind::CallExpression(call) => {
                    let is_tool = matches!(self.names.denoted(&call.callee), Some(Denoted::Tool(..)));
                    return is_tool
                        || self.is_of(&call.callee, "JSON")
                        || self.is_of(&call.callee, "console");
                }
                AstKind::ReturnStatement(_) => {
                    let mut around = self.names.nodes().ancestor_kinds(parent);
                    return !around.any(|kind| {
                        matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_))
                    });
                }
                _ => return false,
            }
        }
    }

    /// The node that uses an expression, past what changes nothing about it, and the expression as it is used there.
    fn around(&self, node: NodeId) -> (NodeId, NodeId) {
        let (mut child, mut parent) = (node, self.names.nodes().parent_id(node));
        while matches!(
            self.names.nodes().kind(parent),
            AstKind::ParenthesizedExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSSatisfiesExpression(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::TSTypeAssertion(_)
                | AstKind::ChainExpression(_)
        ) {
            (child, parent) = (parent, self.names.nodes().parent_id(parent));
        }
        (parent, child)
    }

    fn is_tagged(&self, template: NodeId) -> bool {
        matches!(self.names.nodes().parent_kind(template), AstKind::TaggedTemplateExpression(_))
    }

    /// Whether a function looks at its arguments at once.
    fn reads_values(&self, callee: &Expression<'_>) -> bool {
        let is_reader = |name: &&str| self.is_global(callee, name);
        READERS.iter().any(is_reader) || OBJECTS_OF_READERS.iter().any(|object| self.is_of(callee, object))
    }

    /// Whether a function is a member of this global, and not one that takes values as they are.
    fn is_of(&self, callee: &Expression<'_>, object: &str) -> bool {
        let Expression::StaticMemberExpression(member) = callee.get_inner_expression() else { return false };
        let is_passed_on =
            matches!((object, member.property.name.as_str()), ("Object", "is") | ("Array", "of"));
        !is_passed_on && self.is_global(&member.object, object)
    }
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
