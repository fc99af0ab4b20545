//! Mistakes in a program, from its syntax tree alone: before anything of it runs, and so before it has changed
//! anything.
//!
//! A check says nothing where it is not sure. The policy and the tools themselves judge each call again.

mod arguments;
mod awaits;
mod called;
mod denoted;
mod globals;
mod imports;
mod literal;
mod locale;
mod members;
mod refused;

use std::ops::Range;

use oxc_ast::ast::Program;
use oxc_semantic::Semantic;

use super::call_site::CallSite;
use super::catalog::Catalog;
use super::finding::CheckFinding;
use super::span::range;
use denoted::{Denoted, DenotedNames};

/// The result of checking a program.
pub(super) struct Checked {
    /// Everything that is wrong with it.
    pub(super) findings: Vec<CheckFinding>,
    /// The calls of tools, as bytes of the source.
    pub(super) calls: Vec<Range<usize>>,
    /// All calls.
    pub(super) call_sites: Vec<CallSite>,
}

/// Looks for everything that is wrong with a program.
pub(super) fn check(program: &Program<'_>, semantic: &Semantic<'_>, catalog: &Catalog) -> Checked {
    let names = DenotedNames::new(semantic, catalog);
    let mut findings = refused::check(program, semantic);
    findings.extend(imports::check(semantic, catalog));
    findings.extend(members::check(&names));
    findings.extend(arguments::check(&names));
    findings.extend(awaits::check(&names, program));
    findings.extend(globals::check(semantic));
    findings.extend(locale::check(&names));
    let calls = names.calls().filter(|call| matches!(names.denoted(&call.callee), Some(Denoted::Tool(..))));
    let calls = calls.map(range).collect();
    Checked { findings, calls, call_sites: called::call_sites(&names) }
}

#[cfg(test)]
mod tests;
