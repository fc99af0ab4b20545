//! `cuff runs diff BRANCH`: the last run of the same tool on a branch, from the records of the team or of this machine.

use std::path::Path;

use super::resolve::read;
use crate::calls::RecordedRuns;
use crate::cli::arguments::RunAndEarlier;
use crate::project::Context;
use crate::store::{LATEST, NoSuchRun};
use crate::terminal::{Failed, Ui};

/// Puts the id of a run in the place of a branch, where a word names no run and no tool that ran.
pub(super) fn settle(
    ui: &Ui,
    from: (&Context, Option<&Path>),
    runs: &RecordedRuns,
    typed: &mut RunAndEarlier,
) -> Result<(), Failed> {
    let is_unknown = |word: &str| matches!(runs.find(word), Err(NoSuchRun::Unknown(_)));
    let (run, branch) = match &typed.earlier {
        Some(earlier) if is_unknown(earlier) => (typed.run.clone(), earlier.clone()),
        None if is_unknown(&typed.run) => (LATEST.to_owned(), typed.run.clone()),
        Some(_) | None => return Ok(()),
    };
    let later = read(runs, &run)?;
    #[cfg(feature = "team")]
    let shared = super::shared::last_on(ui, from, &branch, &later);
    #[cfg(not(feature = "team"))]
    let shared = None;
    let _ = (ui, from);
    if let Some(earlier) = shared.or_else(|| runs.last_on(&branch, &later)) {
        *typed = RunAndEarlier { run, earlier: Some(earlier.to_string()), ..*typed };
    }
    Ok(())
}
