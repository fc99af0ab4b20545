//! A syntax tree of TypeScript in, JavaScript out, with the way back from its lines to the source's.

mod emit;
mod keep;
mod shape;

use std::path::Path;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_diagnostics::OxcDiagnostic;
use oxc_semantic::Scoping;
use oxc_transformer::{TransformOptions, Transformer};

use super::call_site::CallSite;
use super::code_frame::NAME;
pub(super) use emit::Emitted;

/// Turns a program that was checked into JavaScript: types out, and enums, namespaces and parameter properties as the
/// language has them.
pub(super) fn transform<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: Scoping,
    call_sites: &[CallSite],
) -> Result<Emitted, Vec<OxcDiagnostic>> {
    let transformer = Transformer::new(allocator, Path::new(NAME), &TransformOptions::default());
    let lowered = transformer.build_with_scoping(scoping, program);
    let errors: Vec<OxcDiagnostic> = lowered.diagnostics.errors().cloned().collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let imports = shape::shape(allocator, program);
    keep::keep_called(allocator, program, call_sites);
    Ok(emit::emit(program, imports))
}

#[cfg(test)]
mod tests;
