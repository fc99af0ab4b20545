//! The account that is kept of a call: each step is told once, here, and each of the counts, the audit log, the journal and the trace takes
//! what concerns it.
//!
//! So a new step has one place where it is told, and who counts or writes calls knows nothing of how they are made. The output of a
//! call is no step: the record, the reader of findings and the face get it from the
//! [`OutputPipeline`](super::output_pipeline::OutputPipeline), bytes as they come.

use super::request::CallRequest;
use super::step::{CallStep, ToldCall};
#[cfg(feature = "team")]
use super::trace::CallTrace;
use super::{audit, journal};
use crate::metrics::{CountedRun, Underway};
use crate::model::TraceContext;
use crate::project::Project;
use crate::registry::Registry;

/// A call under way, and the account that is kept of it.
#[derive(Debug)]
pub(crate) struct CallAccount<'a> {
    /// The call, as far as it is known.
    pub(crate) call: ToldCall<'a>,
    /// Why a line of the audit log could not be written, for the first that could not.
    pub(crate) unwritten: Option<String>,
    running: Option<CountedRun<'a>>,
    #[cfg(feature = "team")]
    trace: Option<CallTrace<'a>>,
    _underway: Underway<'a>,
}

#[cfg(feature = "team")]
impl Drop for CallAccount<'_> {
    fn drop(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.abandon(&self.call);
        }
    }
}

impl<'a> CallAccount<'a> {
    /// A call came in.
    pub(crate) fn begin(project: &'a Project, registry: &'a Registry, request: &'a CallRequest) -> Self {
        let underway = project.context.metrics.call_begins(request.caller);
        let call = ToldCall { project, registry, request, found: None, is_judged: false };
        Self {
            #[cfg(feature = "team")]
            trace: CallTrace::begin(&call),
            call,
            unwritten: None,
            running: None,
            _underway: underway,
        }
    }

    /// Tells everyone of a step. Returns the reason why the audit log could not take it, where it could not.
    pub(crate) fn tell(&mut self, step: CallStep<'_>) -> Option<String> {
        self.count(step);
        journal::hear(&self.call, step);
        #[cfg(feature = "team")]
        if let Some(trace) = &mut self.trace {
            trace.hear(&self.call, step);
        }
        let unwritten = audit::hear(&self.call, step);
        self.unwritten = self.unwritten.take().or_else(|| unwritten.clone());
        self.call.is_judged |= matches!(step, CallStep::Judged(_));
        unwritten
    }

    /// The span that the work of the call belongs to: its own where it is traced, or else its caller's.
    pub(crate) fn span_of_run(&self) -> Option<TraceContext> {
        #[cfg(feature = "team")]
        if let Some(span) = self.trace.as_ref().and_then(CallTrace::span) {
            return Some(span.clone());
        }
        self.call.request.trace.clone()
    }

    fn count(&mut self, step: CallStep<'_>) {
        let metrics = &self.call.project.context.metrics;
        match step {
            CallStep::Judged(judgement) if judgement.needs_person => {
                metrics.confirmation(judgement.decision);
            }
            CallStep::Started(_) => self.running = Some(metrics.run_begins()),
            CallStep::Ended(report) => {
                self.running = None;
                let Some(found) = self.call.found.filter(|_| !report.is_rehearsal()) else { return };
                if let Some(about) = self.call.project.about_of(found.plugin) {
                    let instance = metrics.instance(&found.name.instance, &about);
                    instance.ran(report.duration, report.success);
                }
            }
            CallStep::Judged(_) | CallStep::Reported(_) => {}
            CallStep::Refused(error) => metrics.refused(&error.code),
        }
    }
}
