//! `cuff read`: the findings in what any program printed.

use std::path::Path;

use super::arguments::Form;
use super::findings::{for_people, print_as};
use crate::calls::SourceExcerpts;
use crate::diagnostics::Reader;
use crate::model::{Chunk, Stream, counted};
use crate::project::Context;
use crate::sys::{files, input};
use crate::terminal::{Failed, Ui, exit};

/// Reads standard input to its end and prints what was found there; ends with 1 where errors or failed tests were.
pub(super) fn read(ui: &Ui, context: &Context, form: &Form) -> Result<u8, Failed> {
    if Ui::hears_a_person() {
        ui.note(
            "reading what you type or paste, until Ctrl-D; `tool 2>&1 | cuff read` reads what a tool prints",
        );
    }
    let root = context.environment.directory();
    let is_there = |path: &Path| files::stamp(path).is_some();
    let mut reader = Reader::new(root, Path::new("."), Vec::new()).seeing(is_there).compiling(true);
    let mut lines = 0;
    input::each_piece(|piece| {
        let chunk = Chunk::new(Stream::Both, piece);
        lines += chunk.line_feeds();
        reader.push(chunk);
    })?;
    let findings = reader.finish();
    if let Some(format) = form.format() {
        print_as(ui, &findings, None, format)?;
    } else {
        let text = for_people(&findings, &mut SourceExcerpts::of(root, None), None);
        if text.is_empty() {
            ui.note(format!("no errors were found in {}", counted(lines, "line")));
        } else {
            ui.styled(text.join("\n"))?;
        }
        if findings.incomplete && findings.errors == 0 {
            ui.note("note: some of the output may be errors that cuff does not count; `--json` says `diagnostics_incomplete`");
        }
    }
    let has_failed = findings.tests.is_some_and(|tests| tests.failed + tests.broken > 0);
    // Tests that passed may print anything.
    let is_open = findings.incomplete && findings.tests.is_none();
    let is_bad = findings.errors > 0 || has_failed || is_open;
    Ok(if is_bad { exit::FAILURE } else { exit::SUCCESS })
}
