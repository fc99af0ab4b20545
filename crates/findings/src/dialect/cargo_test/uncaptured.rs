//! Panics of tests whose output is not captured (`--nocapture`): they stand among the lines of the tests.

use super::super::Line;
use super::super::panic::Panic;
use super::block::TestOutput;
use crate::model::{Diagnostic, Severity};

/// How many panics of one binary are remembered.
const MOST: usize = 1000;

/// The panics since a binary began, one a test.
#[derive(Debug, Default)]
pub(super) struct Uncaptured {
    panics: Vec<Diagnostic>,
    /// The output of the last one, while its reason goes on.
    block: Option<TestOutput>,
}

impl Uncaptured {
    /// Whether the next line may belong to a panic.
    pub(super) fn is_open(&self) -> bool {
        self.block.is_some()
    }

    /// Reads a line before the failures; `source` is the id of the format.
    pub(super) fn read(&mut self, line: &Line<'_>, source: &str) {
        if let Some(panic) = Panic::of(line.text) {
            self.block = None;
            let is_known = self.panics.iter().any(|known| name(known) == panic.thread);
            if !is_known && self.panics.len() < MOST {
                self.panics.push(Diagnostic::new(Severity::Error, panic.thread, line.log, source));
                self.block = Some(TestOutput::new(panic.thread, false));
            }
        }
        if let (Some(block), Some(open)) = (&mut self.block, self.panics.last_mut()) {
            block.read(line, open);
            if !block.is_telling() {
                self.block = None;
            }
        }
    }

    /// The panic of the test of this name, which failed.
    pub(super) fn take(&mut self, test: &str) -> Option<Diagnostic> {
        let at = self.panics.iter().position(|known| name(known) == test)?;
        Some(self.panics.swap_remove(at))
    }
}

fn name(known: &Diagnostic) -> &str {
    known.message.lines().next().unwrap_or_default()
}
