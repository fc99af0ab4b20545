//! The record of a run of several tools: the log of each that has ended, one behind another, and the findings of all.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::calls::parent_trace::ParentTrace;
use crate::calls::record::{begin_several, end_parent, send};
use crate::model::{Chunk, Ending, Findings, Report, RunId, Stream, TraceContext, visible};
use crate::project::Project;
use crate::store::Recording;

/// A run of several tools that is being recorded. Each of its calls has a record of its own as well, which names it.
#[derive(Debug)]
pub struct SeveralRuns {
    recording: Result<Recording, Option<String>>,
    findings: Findings,
    trace: ParentTrace,
}

impl SeveralRuns {
    /// Begins to record. The words are those of the command line, and the runner is the one that they name.
    pub fn begin(project: &Project, name: &str, words: &[String], runner: Option<&str>) -> Self {
        let recording = begin_several(project, name, words, runner);
        let id = recording.as_ref().ok().map(Recording::id);
        Self {
            trace: ParentTrace::begin(project, (name, id), project.at_terminal(), None),
            recording,
            findings: Findings::default(),
        }
    }

    /// For runs that are only shown: they leave no record.
    pub fn unrecorded() -> Self {
        Self { recording: Err(None), findings: Findings::default(), trace: ParentTrace::default() }
    }

    /// The id of the run, which its calls name; `None` where it is not recorded.
    pub fn id(&self) -> Option<RunId> {
        self.recording.as_ref().ok().map(Recording::id)
    }

    /// The span that its calls belong to, where it is traced.
    pub fn span(&self) -> Option<TraceContext> {
        self.trace.span()
    }

    /// Whether another process was asked to end it.
    pub fn was_stopped(&self) -> bool {
        self.recording.as_ref().is_ok_and(Recording::was_stopped)
    }

    /// Whether any call that ended had errors.
    pub fn has_errors(&self) -> bool {
        self.findings.errors > 0
    }

    /// A call of it has ended: its log and its findings follow those before it, under its name.
    pub fn ended(&mut self, project: &Project, name: &str, report: &Report) {
        if let Some(at) = self.append_log(project, &visible(name), report) {
            self.findings.follow(report.findings.clone(), at);
        }
    }

    /// A call of it was lost and is made once more: its log follows those before it, and its findings are not those of the end.
    pub fn lost(&mut self, project: &Project, name: &str, report: &Report) {
        self.append_log(project, &format!("{}, first try", visible(name)), report);
    }

    /// Appends the log of a call under a heading. Returns the lines and bytes before it.
    fn append_log(&mut self, project: &Project, heading: &str, report: &Report) -> Option<(u64, u64)> {
        let Ok(recording) = &mut self.recording else { return None };
        let before = recording.printed();
        // The last log may have no line feed at its end.
        let feed = if before.lines > 0 { "\n" } else { "" };
        recording.push(Chunk::new(Stream::Out, format!("{feed}── {heading} ──\n").as_bytes()));
        let heading = recording.printed();
        let log = project.runs.store.as_ref().zip(report.run_id).and_then(|(store, id)| store.log(id).ok());
        let copied = log.map(|log| {
            log.each_with_stream(0..log.bytes(), &mut |stream, bytes| {
                recording.push(Chunk::new(stream, bytes));
                ControlFlow::Continue(())
            })
        });
        if let Some(Err(error)) = copied {
            let note = format!("[the rest of this log could not be read: {error}]\n");
            recording.push(Chunk::new(Stream::Out, note.as_bytes()));
        }
        Some((heading.lines, heading.out + heading.err))
    }

    /// Ends the record; `Some`: why it is not whole.
    pub fn end(
        self,
        project: &Project,
        ending: Ending,
        error: Option<String>,
        took: Duration,
    ) -> Option<String> {
        self.trace.end(project, &ending, error.as_deref());
        let lost = match self.recording {
            Ok(recording) => end_parent(&project.context, (recording, &self.findings), (ending, error), took),
            Err(why) => why,
        };
        send(project);
        lost
    }
}
