//! Types out, and what is TypeScript's own into JavaScript: enums, namespaces, parameter properties.

use std::path::Path;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_diagnostics::OxcDiagnostic;
use oxc_semantic::Scoping;
use oxc_transformer::{TransformOptions, Transformer};

use super::emit::{self, Emitted};
use super::keep;
use super::shape;
use crate::sandbox::call_site::CallSite;
use crate::sandbox::code_frame::NAME;

/// Turns a program that was checked into JavaScript.
pub(in crate::sandbox) fn transform<'a>(
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
