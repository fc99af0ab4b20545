//! TypeScript in, a program out, or all that is wrong with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use oxc_allocator::Allocator;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use super::bounds;
use super::catalog::Catalog;
use super::check::{self, Checked};
use super::dialect;
use super::finding::CheckFinding;
use super::program::PreparedProgram;
use super::transform;

/// How many findings are reported.
const MOST_FINDINGS: usize = 20;

/// Reads and checks a program, and turns it into JavaScript. Nothing of it is run.
///
/// A source can take any stack, memory and time to read. So this is for the process of the interpreter, which has an end
/// to each.
///
/// # Errors
/// Everything that is wrong with it, in the order of the source.
pub(super) fn compile(source: &str, catalog: &Catalog) -> Result<PreparedProgram, Vec<CheckFinding>> {
    bounds::check(source).map_err(|finding| vec![finding])?;
    let plain = dialect::unfenced(source);
    // A panic leaves nothing behind that is looked at again.
    let mut findings = match catch_unwind(AssertUnwindSafe(|| read(source, &plain, catalog))) {
        Ok(Ok(program)) => return Ok(program),
        Ok(Err(findings)) => findings,
        Err(_) => {
            let message = "the program cannot be read: the parser failed";
            let help = "write it in another way, and report this as a bug";
            vec![CheckFinding::new(0..0, message).help(help)]
        }
    };
    findings.sort_by_key(|finding| finding.span.start);
    findings.dedup();
    findings.truncate(MOST_FINDINGS);
    Err(findings)
}

/// Reads a program without its fence; `source` is the user's own text.
fn read(source: &str, plain: &str, catalog: &Catalog) -> Result<PreparedProgram, Vec<CheckFinding>> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        allow_return_outside_function: true,
        preserve_parens: false,
        ..ParseOptions::default()
    };
    let kind = SourceType::ts().with_module(true);
    let parsed = Parser::new(&allocator, plain, kind).with_options(options).parse();
    let errors: Vec<CheckFinding> = parsed.diagnostics.errors().map(finding).collect();
    if !errors.is_empty() || parsed.panicked {
        return Err(errors);
    }
    let mut program = parsed.program;
    let (scoping, calls, call_sites) = {
        let builder = SemanticBuilder::new().with_build_nodes(true).with_check_syntax_error(true);
        let built = builder.with_enum_eval(true).with_excess_capacity(1.0).build(&program);
        let errors: Vec<CheckFinding> = built.diagnostics.errors().map(finding).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let Checked { findings, calls, call_sites } = check::check(&program, &built.semantic, catalog);
        if !findings.is_empty() {
            return Err(findings);
        }
        (built.semantic.into_scoping(), calls, call_sites)
    };
    let emitted = transform::transform(&allocator, &mut program, scoping, &call_sites);
    let emitted = emitted.map_err(|errors| errors.iter().map(finding).collect::<Vec<_>>())?;
    Ok(PreparedProgram { source: source.to_owned(), emitted, calls, call_sites })
}

/// A finding of the parser.
fn finding(error: &OxcDiagnostic) -> CheckFinding {
    let whole = |number: u32| usize::try_from(number).unwrap_or_default();
    let label = error.labels.first();
    let span = label.map_or(0..0, |label| whole(label.offset())..whole(label.offset() + label.len()));
    let finding = CheckFinding::new(span, sentence(&error.message));
    match &error.help {
        Some(help) => finding.help(help.clone()),
        None => finding,
    }
}

/// A message as ours are: it begins small.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => message.to_owned(),
    }
}
