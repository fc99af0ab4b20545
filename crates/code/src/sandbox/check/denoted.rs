//! The servers and tools that expressions denote, through imports, constants and destructuring.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, CallExpression, ChainElement, Expression, IdentifierReference, ImportDeclaration,
    ModuleExportName, ObjectPattern,
};
use oxc_semantic::{AstNodes, NodeId, Scoping, Semantic, SymbolId};

use crate::sandbox::catalog::{Catalog, NamedServer, NamedTool};
use crate::sandbox::modules::PACKAGE;

/// How many names may lead to one another.
const LONGEST_CHAIN: usize = 16;

/// The meaning of an expression.
#[derive(Debug, Clone, Copy)]
pub(super) enum Denoted<'c> {
    /// Everything that `toolscript` exports.
    Package,
    /// All servers.
    Tools,
    Server(&'c NamedServer),
    Tool(&'c NamedServer, &'c NamedTool),
}

/// Knows what the names of a program stand for.
pub(super) struct DenotedNames<'p, 'c> {
    pub(super) semantic: &'p Semantic<'p>,
    pub(super) catalog: &'c Catalog,
}

impl<'p, 'c> DenotedNames<'p, 'c> {
    pub(super) fn new(semantic: &'p Semantic<'p>, catalog: &'c Catalog) -> Self {
        Self { semantic, catalog }
    }

    pub(super) fn nodes(&self) -> &'p AstNodes<'p> {
        self.semantic.nodes()
    }

    pub(super) fn scoping(&self) -> &'p Scoping {
        self.semantic.scoping()
    }

    /// All calls of the program.
    pub(super) fn calls(&self) -> impl Iterator<Item = &'p CallExpression<'p>> {
        self.nodes().iter().filter_map(|node| match node.kind() {
            AstKind::CallExpression(call) => Some(call),
            _ => None,
        })
    }

    /// The definition of a name; `None` where nothing in the program defines it: it is the language's own.
    pub(super) fn symbol(&self, name: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping().get_reference(name.reference_id.get()?).symbol_id()
    }

    /// The server or tool that an expression denotes; `None` if it is neither, or if that is not known.
    pub(super) fn denoted(&self, expression: &Expression<'_>) -> Option<Denoted<'c>> {
        self.of_expression(expression, LONGEST_CHAIN)
    }

    fn of_expression(&self, expression: &Expression<'_>, steps: usize) -> Option<Denoted<'c>> {
        let steps = steps.checked_sub(1)?;
        match expression.get_inner_expression() {
            Expression::Identifier(name) => self.of_name(name, steps),
            Expression::StaticMemberExpression(member) => {
                self.member(self.of_expression(&member.object, steps)?, &member.property.name)
            }
            Expression::ComputedMemberExpression(member) => {
                let Expression::StringLiteral(key) = &member.expression else { return None };
                self.member(self.of_expression(&member.object, steps)?, &key.value)
            }
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::StaticMemberExpression(member) => {
                    self.member(self.of_expression(&member.object, steps)?, &member.property.name)
                }
                _ => None,
            },
            Expression::AwaitExpression(awaited) => match &awaited.argument {
                Expression::ImportExpression(import) => match &import.source {
                    Expression::StringLiteral(specifier) => self.module(&specifier.value),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// A member of what is denoted.
    pub(super) fn member(&self, of: Denoted<'c>, key: &str) -> Option<Denoted<'c>> {
        match of {
            Denoted::Package => matches!(key, "tools" | "default").then_some(Denoted::Tools),
            Denoted::Tools => self.catalog.server(key).map(Denoted::Server),
            Denoted::Server(server) => server.tool(key).map(|tool| Denoted::Tool(server, tool)),
            Denoted::Tool(..) => None,
        }
    }

    fn module(&self, specifier: &str) -> Option<Denoted<'c>> {
        if specifier == PACKAGE {
            return Some(Denoted::Package);
        }
        let server = specifier.strip_prefix(PACKAGE)?.strip_prefix('/')?;
        self.catalog.server(server).map(Denoted::Server)
    }

    fn of_name(&self, name: &IdentifierReference<'_>, steps: usize) -> Option<Denoted<'c>> {
        match self.symbol(name) {
            Some(symbol) => self.of_symbol(symbol, steps),
            None => (name.name == "tools").then_some(Denoted::Tools),
        }
    }

    fn of_symbol(&self, symbol: SymbolId, steps: usize) -> Option<Denoted<'c>> {
        if self.scoping().symbol_is_mutated(symbol) {
            return None;
        }
        let declaration = self.scoping().symbol_declaration(symbol);
        match self.nodes().kind(declaration) {
            AstKind::ImportSpecifier(import) => {
                let module = self.module(&self.import(declaration)?.source.value)?;
                self.member(module, &exported(&import.imported))
            }
            AstKind::ImportDefaultSpecifier(_) => {
                match self.module(&self.import(declaration)?.source.value)? {
                    Denoted::Package => Some(Denoted::Tools),
                    module => Some(module),
                }
            }
            AstKind::ImportNamespaceSpecifier(_) => self.module(&self.import(declaration)?.source.value),
            AstKind::VariableDeclarator(declarator) => {
                let value = self.of_expression(declarator.init.as_ref()?, steps)?;
                match &declarator.id {
                    BindingPattern::BindingIdentifier(_) => Some(value),
                    BindingPattern::ObjectPattern(pattern) => self.destructured(pattern, symbol, value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The part of a value that a name in a pattern gets.
    fn destructured(
        &self,
        pattern: &ObjectPattern<'_>,
        symbol: SymbolId,
        of: Denoted<'c>,
    ) -> Option<Denoted<'c>> {
        pattern.properties.iter().find_map(|property| {
            let value = self.member(of, &property.key.static_name()?)?;
            match &property.value {
                BindingPattern::BindingIdentifier(name) => {
                    (name.symbol_id.get() == Some(symbol)).then_some(value)
                }
                BindingPattern::ObjectPattern(inner) => self.destructured(inner, symbol, value),
                _ => None,
            }
        })
    }

    fn import(&self, specifier: NodeId) -> Option<&'p ImportDeclaration<'p>> {
        match self.nodes().parent_kind(specifier) {
            AstKind::ImportDeclaration(import) => Some(import),
            _ => None,
        }
    }
}

/// The name that something is imported by.
pub(super) fn exported(name: &ModuleExportName<'_>) -> String {
    name.name().to_string()
}
