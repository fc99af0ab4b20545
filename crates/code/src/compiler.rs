//! The check by the TypeScript compiler, where one is installed: of the project, else on the search path.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::tools::{Tools, types};
use crate::model::{Command, Probe, Probed, Values, Word};
use crate::project::Project;
use crate::sandbox::{CheckFinding, offset, unfenced};
use crate::sources::project::Prober as _;
use crate::sys::{Scratch, programs};

/// The compiler's name, and how long it may take.
const COMPILER: &str = "tsc";
const PATIENCE: Duration = Duration::from_mins(2);

/// The settings of a check. The globals are those that programs have.
const SETTINGS: &str = r#"{"compilerOptions":{"strict":true,"noEmit":true,"target":"ESNext","module":"ESNext","moduleResolution":"bundler","lib":["ESNext"],"types":[],"pretty":false},"files":["types.d.ts","script.ts"]}"#;

/// Errors of the compiler that are none here: a program may return, and is a module.
const ALLOWED: [&str; 2] = ["TS1108", "TS2306"];

/// The findings of the compiler.
#[derive(Debug)]
pub enum CompilerFindings {
    /// There is no compiler.
    NoCompiler,
    /// It could not be asked: why.
    Failed(String),
    /// All that it found.
    Found(Vec<CheckFinding>),
}

/// Has a program checked by the compiler. It runs nothing of the program.
pub async fn compile(project: &Project, source: &str) -> CompilerFindings {
    let environment = &project.context.environment;
    let mut search_path = OsString::from(project.settings.root.join("node_modules/.bin"));
    search_path.push(":");
    search_path.push(programs::inherited_search_path(environment));
    let Some(compiler) = programs::find(COMPILER, &search_path, &project.settings.root) else {
        return CompilerFindings::NoCompiler;
    };
    let tools = Tools::for_source(project, source).await;
    // A program is the body of a module.
    let program = format!("{}\nexport {{}};\n", unfenced(source));
    let declared = types(&tools.catalog, &[]);
    let files =
        [("script.ts", program.as_str()), ("types.d.ts", declared.as_str()), ("tsconfig.json", SETTINGS)];
    match Scratch::with(&files) {
        Ok(scratch) => ask(project, &compiler, scratch.path(), source).await,
        Err(error) => CompilerFindings::Failed(format!("there is no room for its files: {error}")),
    }
}

async fn ask(project: &Project, compiler: &Path, folder: &Path, source: &str) -> CompilerFindings {
    let program = Word::fixed(compiler.display().to_string());
    let command = Command::new(program)
        .arguments(["-p", "tsconfig.json"].map(Word::fixed))
        .directory(folder)
        .timeout(PATIENCE);
    match project.catalog.prober.probe("toolscript", &Values::default(), &Probe { command }).await {
        Probed::Ended { out, .. } => {
            let text = String::from_utf8_lossy(&out).into_owned();
            CompilerFindings::Found(text.lines().filter_map(|line| finding(line, source)).collect())
        }
        Probed::Nothing { why, .. } => CompilerFindings::Failed(why),
    }
}

/// A line of the compiler: `script.ts(3,5): error TS2322: Type …`. Lines that go on with indentation explain the one before.
fn finding(line: &str, source: &str) -> Option<CheckFinding> {
    let (place, rest) = line.strip_prefix("script.ts(")?.split_once("): error ")?;
    let (code, message) = rest.split_once(": ")?;
    if ALLOWED.contains(&code) {
        return None;
    }
    let (row, column) = place.split_once(',')?;
    let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
    // The compiler counts from one.
    let start = offset(source, row.checked_sub(1)?, column.saturating_sub(1)).unwrap_or(source.len());
    let word =
        source[start..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(source.len() - start);
    Some(CheckFinding::new(
        start..start + word.max(1).min(source.len() - start),
        format!("{message} ({code})"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_compiler_is_a_finding_at_its_place() {
        let source = "const a = '🚀';\nconst b: number = \"é\"; b.nope\n";
        let line = "script.ts(2,24): error TS2339: Property 'nope' does not exist on type 'number'.";
        let found = finding(line, source).unwrap();
        assert_eq!(&source[found.span.clone()], "b");
        assert_eq!(found.message, "Property 'nope' does not exist on type 'number'. (TS2339)");
        for other in
            ["", "  indented", "types.d.ts(1,1): error TS1: x", "script.ts(1,1): error TS1108: A 'return'"]
        {
            assert!(finding(other, source).is_none(), "{other}");
        }
        assert!(finding("script.ts(99,99): error TS1: x", source).is_some(), "a place behind the end");
    }
}
