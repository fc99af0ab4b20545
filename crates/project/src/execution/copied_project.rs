//! The copy of a project that a run on a runner has: made before it, and its results taken back after it.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::runner_client::ClientHost;
use crate::model::{Ending, NotStarted, Outcome, Runner, RunnerFiles, Wildcard, counted, listed, shown};
use crate::sys::{CopiedFiles, CopyResults, ReturnedFiles};

/// How many files a note names.
const MOST_NAMES: usize = 10;

/// A copy of the project for one run.
#[derive(Debug)]
pub(super) struct CopiedProject {
    files: Arc<CopiedFiles>,
    results: Vec<Wildcard>,
}

impl CopiedProject {
    /// The copy that a runner wants; `None`: it sees the files.
    ///
    /// # Errors
    /// Where they cannot be packed.
    pub(super) async fn of(runner: &Runner, host: ClientHost<'_>) -> Result<Option<Self>, NotStarted> {
        let RunnerFiles::Copied { results } = &runner.files else { return Ok(None) };
        let (root, environment) = (host.root.to_owned(), host.environment.clone());
        let packed = spawn_blocking(move || CopiedFiles::pack(&root, &environment)).await;
        let packed = packed.unwrap_or_else(|error| Err(error.to_string()));
        let failed = |why: String| {
            let name = shown(&runner.name);
            NotStarted::Other(format!("its files cannot be copied to the runner `{name}`: {why}"))
        };
        let results = results.iter().filter_map(|pattern| Wildcard::of(pattern)).collect();
        Ok(Some(Self { files: Arc::new(packed.map_err(failed)?), results }))
    }

    /// The files of the copy.
    pub(super) fn files(&self) -> &CopiedFiles {
        &self.files
    }

    /// Writes what came back, and says so in a note for the log. A success whose results are missing is none.
    pub(super) async fn take_back(
        self,
        (runner, host): (&Runner, ClientHost<'_>),
        outcome: Outcome,
        archive: Option<Result<ReturnedFiles, String>>,
    ) -> (Outcome, String) {
        let Self { files, results } = self;
        let (root, mark) = (host.root.to_owned(), runner.name.clone());
        let taken = match archive {
            // A tool that was ended or lost gives nothing back.
            None if !matches!(outcome.ending, Ending::Exited(_)) => return (outcome, String::new()),
            None => Err("nothing came".to_owned()),
            Some(Err(why)) => Err(why),
            Some(Ok(archive)) => {
                let taken = spawn_blocking(move || files.receive(&root, archive, &results, &mark)).await;
                taken.unwrap_or_else(|error| Err(error.to_string()))
            }
        };
        let name = shown(&runner.name);
        match taken {
            Ok(results) => (outcome, note(&name, &results)),
            Err(why) => {
                let lost = format!(
                    "The files that the tool changed did not come back from the runner `{name}`: {why}"
                );
                let note = format!("[{lost}]\n");
                let is_success = outcome.ending == Ending::Exited(0);
                let ending = if is_success { Ending::Disconnected(lost) } else { outcome.ending };
                (Outcome { ending, ..outcome }, note)
            }
        }
    }
}

/// The lines about what came back; empty where nothing did.
fn note(runner: &str, results: &CopyResults) -> String {
    let mut lines = String::new();
    let names = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
        listed(&names, MOST_NAMES)
    };
    let CopyResults { written, conflicts, gone } = results;
    if !written.is_empty() {
        let count = counted(written.len() as u64, "file");
        lines.extend(["[", &count, " came back from ", runner, ": ", &names(written), "]\n"]);
    }
    for (here, beside) in conflicts.iter().take(MOST_NAMES) {
        let (here, beside) = (shown(here), shown(beside));
        lines.extend([
            "[",
            &here,
            " changed here meanwhile and stays; the one of ",
            runner,
            " is ",
            &beside,
            "]\n",
        ]);
    }
    if let Some(more) = conflicts.len().checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        lines.extend([
            "[",
            &more.to_string(),
            " more files changed here meanwhile and stay: they end with .from-",
            runner,
            "]\n",
        ]);
    }
    if !gone.is_empty() {
        let count = counted(gone.len() as u64, "file");
        lines.extend(["[", &count, " removed on ", runner, " and left here: ", &names(gone), "]\n"]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_what_came_back_and_what_stayed() {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let results = CopyResults {
            written: owned(&["a", "b\n"]),
            conflicts: vec![("c".to_owned(), "c.from-box".to_owned())],
            gone: owned(&["d"]),
        };
        let expected = "[2 files came back from box: a, b\\u{a}]\n\
                        [c changed here meanwhile and stays; the one of box is c.from-box]\n\
                        [1 file removed on box and left here: d]\n";
        assert_eq!(note("box", &results), expected);
        assert_eq!(note("box", &CopyResults::default()), "");
    }
}
