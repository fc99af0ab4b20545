//! A call as a stream of events, for all who keep account of calls: the counts, the audit log and the journal.
//!
//! Each step of a call is told once, here, and each of the three takes what concerns it. So a new step has one place where it is
//! told, and who counts or writes calls knows nothing of how they are made. The output of a call is no event: the record, the reader
//! of findings and the face get it from the [`OutputPipeline`](super::output_pipeline::OutputPipeline), bytes as they come.

use super::request::CallRequest;
use super::{audit, journal};
use crate::calls::error::RunError;
use crate::metrics::{CountedRun, Underway};
use crate::model::{Command, Report, RunId};
use crate::project::Project;
use crate::registry::{Registered, Registry};

/// A step of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CallEvent<'a> {
    /// The gate decided, or a person did.
    Judged(&'a Judgement),
    /// Its process is about to be started, or another server is about to be asked. `None`: no process, or only a rehearsal.
    Started(Option<(&'a Command, Option<RunId>)>),
    /// Its process, or the other server, is done with it.
    Ended(&'a Report),
    /// Its caller gets this report.
    Reported(&'a Report),
    /// Its caller gets this error: nothing was started.
    Refused(&'a RunError),
}

/// A decision about a call, as the audit log has it.
#[derive(Debug, Clone)]
pub(crate) struct Judgement {
    /// One word: `permitted`, `granted`, `refused`, `denied`, `asked`, `confirmation_required`.
    pub(crate) decision: &'static str,
    /// The rule that decided, in words.
    pub(crate) rule: String,
    /// Whether the call required a person's yes.
    pub(crate) needs_person: bool,
}

/// A call under way, and the account that is kept of it.
#[derive(Debug)]
pub(crate) struct CallEvents<'a> {
    pub(crate) project: &'a Project,
    pub(crate) registry: &'a Registry,
    pub(crate) request: &'a CallRequest,
    /// The tool, once it is found.
    pub(crate) found: Option<&'a Registered>,
    is_judged: bool,
    running: Option<CountedRun<'a>>,
    _underway: Underway<'a>,
}

impl<'a> CallEvents<'a> {
    /// A call came in.
    pub(crate) fn begin(project: &'a Project, registry: &'a Registry, request: &'a CallRequest) -> Self {
        let underway = project.context.metrics.call_begins(request.caller);
        Self { project, registry, request, found: None, is_judged: false, running: None, _underway: underway }
    }

    /// Tells everyone. Returns the reason why the audit log could not take it, where it could not.
    pub(crate) fn tell(&mut self, event: CallEvent<'_>) -> Option<String> {
        self.count(event);
        journal::hear(self, event);
        let unwritten = audit::hear(self, event);
        self.is_judged |= matches!(event, CallEvent::Judged(_));
        unwritten
    }

    /// Whether a decision about it was told.
    pub(crate) fn is_judged(&self) -> bool {
        self.is_judged
    }

    fn count(&mut self, event: CallEvent<'_>) {
        let metrics = &self.project.context.metrics;
        match event {
            CallEvent::Judged(judgement) if judgement.needs_person => {
                metrics.confirmation(judgement.decision)
            }
            CallEvent::Judged(_) => {}
            CallEvent::Started(_) => self.running = Some(metrics.run_begins()),
            CallEvent::Ended(report) => {
                self.running = None;
                let Some(found) = self.found.filter(|_| !report.is_rehearsal()) else { return };
                if let Some(about) = self.project.about_of(found.plugin) {
                    let instance = metrics.instance(&found.name.instance, &about);
                    instance.ran(report.duration, report.success);
                }
            }
            CallEvent::Reported(_) => {}
            CallEvent::Refused(error) => metrics.refused(&error.code),
        }
    }
}
