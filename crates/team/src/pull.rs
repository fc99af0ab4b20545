//! Puts a record of the team into the run store of this machine, where logs and errors of runs are read.

use std::path::Path;

use super::record::SharedRecord;
use super::team_store::TeamError;
use crate::model::{Beginning, Chunk, End, Ending, Leftovers, Printed, RecordState, RunId};
use crate::store::Store;

/// Keeps a record as a run of the project at this root. A run that is here already stays as it is.
///
/// # Errors
/// When the run store cannot be written.
pub fn pull(record: SharedRecord, runs: &Store, root: &Path) -> Result<RunId, TeamError> {
    let here = |error: &dyn std::fmt::Display| TeamError::Here(error.to_string());
    let SharedRecord { run, findings, log, .. } = record;
    if runs.beginning(run.id).is_some() {
        return Ok(run.id);
    }
    let project = root.display().to_string();
    let beginning = Beginning { project, parent: None, is_pulled: true, ..run.beginning };
    let mut recording = runs.begin(run.id, beginning).map_err(|error| here(&error))?;
    for (stream, bytes) in &log {
        recording.push(Chunk::new(*stream, bytes));
    }
    let printed = recording.printed();
    let end = match run.state {
        RecordState::Ended(end) => {
            let lost = end.printed.lost.clone().or(printed.lost.clone());
            End { printed: Printed { lost, ..printed }, ..*end }
        }
        RecordState::Running(_) | RecordState::Interrupted => interrupted(printed),
    };
    recording.end(&end, &findings).map_err(|error| here(&error))?;
    Ok(run.id)
}

/// The end of a run whose own end is not known.
fn interrupted(printed: Printed) -> End {
    End {
        ending: Ending::Lost,
        success: false,
        duration: 0,
        at: None,
        error: None,
        error_code: None,
        leftovers: Leftovers::default(),
        changed_later: Vec::new(),
        contained: None,
        denied: Vec::new(),
        printed,
    }
}
