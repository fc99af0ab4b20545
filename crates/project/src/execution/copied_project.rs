//! The copy of a project that a run on a runner has: made before it, and its results taken back after it.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::containing::HiddenPaths;
use super::runner_client::ClientHost;
use crate::model::{
    Containment, Ending, NotStarted, Outcome, Profile, Runner, RunnerFiles, Wildcard, counted, listed, shown,
};
use crate::sys::{CopiedFiles, CopyResults, LeftOut, ReturnedFiles};

/// How many files a note names.
const MOST_NAMES: usize = 10;

/// The exit codes by which a shell says that a signal ended its program.
const OF_SIGNALS: std::ops::RangeInclusive<i32> = 129..=192;

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
        let RunnerFiles::Copied { results, hide, show } = &runner.files else { return Ok(None) };
        let (root, environment) = (host.root.to_owned(), host.environment.clone());
        let rules = Containment { hide: hide.clone(), show: show.clone(), ..Containment::of(Profile::Test) };
        let packed = spawn_blocking(move || {
            let hidden = HiddenPaths::below(&root, &rules, &environment);
            CopiedFiles::pack(&root, &environment, |path| hidden.contains(path))
        })
        .await;
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

    /// The line for the log about files that are not sent; empty where all are.
    pub(super) fn note(&self, runner: &Runner) -> String {
        let mut line = String::new();
        name_left_out(&mut line, &["not sent to ", &shown(&runner.name)].concat(), self.files.left_out());
        line
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
        let name = shown(&runner.name);
        match outcome.ending {
            // A tool that was ended may have written files by half.
            Ending::Cancelled | Ending::TimedOut(_) => {
                return (outcome, format!("[nothing came back from {name}: the tool was ended]\n"));
            }
            Ending::Exited(code) if OF_SIGNALS.contains(&code) => {
                return (outcome, format!("[nothing came back from {name}: a signal ended the tool]\n"));
            }
            Ending::Exited(_) => {}
            _ => return (outcome, String::new()),
        }
        let taken = match archive {
            None => Err("nothing came".to_owned()),
            Some(Err(why)) => Err(why),
            Some(Ok(archive)) => {
                let taken = spawn_blocking(move || files.receive(&root, archive, &results, &mark)).await;
                taken.unwrap_or_else(|error| Err(error.to_string()))
            }
        };
        match taken {
            Ok(results) => {
                let note = note(&name, &results);
                let Some(why) = results.broken else { return (outcome, note) };
                unreturned(
                    outcome,
                    &note,
                    &format!("Not all files came back from the runner `{name}`: {why}"),
                )
            }
            Err(why) => {
                let lost = format!(
                    "The files that the tool changed did not come back from the runner `{name}`: {why}"
                );
                unreturned(outcome, "", &lost)
            }
        }
    }
}

/// The outcome of a tool whose files were lost, for this reason, and the note with the reason behind it.
fn unreturned(outcome: Outcome, note: &str, lost: &str) -> (Outcome, String) {
    let is_success = outcome.ending == Ending::Exited(0);
    let ending = if is_success { Ending::Disconnected(lost.to_owned()) } else { outcome.ending };
    (Outcome { ending, ..outcome }, format!("{note}[{lost}]\n"))
}

/// Adds a line that names paths that were left out, with the reason of each.
fn name_left_out(lines: &mut String, what: &str, left_out: &[LeftOut]) {
    if !left_out.is_empty() {
        let names: Vec<String> = left_out
            .iter()
            .map(|LeftOut { name, why }| format!("{} ({})", shown(name), shown(why)))
            .collect();
        lines.extend(["[", what, ": ", &listed(&names, MOST_NAMES), "]\n"]);
    }
}

/// The lines about what came back; empty where nothing did.
fn note(runner: &str, results: &CopyResults) -> String {
    let mut lines = String::new();
    let names = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
        listed(&names, MOST_NAMES)
    };
    let CopyResults { written, conflicts, gone, left_out, .. } = results;
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
    name_left_out(&mut lines, &["not taken from ", runner].concat(), left_out);
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
            left_out: vec![LeftOut { name: "e\n".to_owned(), why: "it is odd".to_owned() }],
            broken: None,
        };
        let expected = "[2 files came back from box: a, b\\u{a}]\n\
                        [c changed here meanwhile and stays; the one of box is c.from-box]\n\
                        [1 file removed on box and left here: d]\n\
                        [not taken from box: e\\u{a} (it is odd)]\n";
        assert_eq!(note("box", &results), expected);
        assert_eq!(note("box", &CopyResults::default()), "");
    }
}
