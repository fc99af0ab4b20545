//! The trace of several calls that one command or one program makes: a pipeline, in the words of the conventions for CI/CD.

#[cfg(feature = "team")]
use super::trace::{OpenSpan, SUCCESS, SpanEnd, cut, note, of_ending, of_project};
#[cfg(feature = "team")]
use super::trace_variables::{caller, collector};
use crate::model::{Caller, Ending, RunId, TraceContext};
use crate::project::Project;
#[cfg(feature = "team")]
use crate::store::SpanRole;

/// The span around several calls.
#[derive(Debug, Default)]
pub struct ParentTrace {
    /// The span of whoever asked for them, or their own where they are traced.
    outer: Option<TraceContext>,
    #[cfg(feature = "team")]
    traced: Option<(String, OpenSpan)>,
}

impl ParentTrace {
    /// Begins the span of a run under this name, if traces are on. `outer`: the span of its caller, where a request named it.
    pub fn begin(
        project: &Project,
        (name, id): (&str, Option<RunId>),
        caller: Caller,
        outer: Option<TraceContext>,
    ) -> Self {
        #[cfg(feature = "team")]
        let traced = traced(project, (name, id), caller, outer.as_ref());
        #[cfg(not(feature = "team"))]
        let _ = (project, name, id, caller);
        Self {
            outer,
            #[cfg(feature = "team")]
            traced,
        }
    }

    /// The span that the calls belong to.
    pub fn span(&self) -> Option<TraceContext> {
        #[cfg(feature = "team")]
        if let Some((_, span)) = &self.traced {
            return Some(span.context.clone());
        }
        self.outer.clone()
    }

    /// Ends it.
    pub fn end(self, project: &Project, ending: &Ending, error: Option<&str>) {
        #[cfg(feature = "team")]
        if let Some((collector, mut span)) = self.traced {
            let result = of_ending(ending, matches!(ending, Ending::Exited(0)));
            span.set("cicd.pipeline.result", result);
            let error_type = (result != SUCCESS).then(|| result.to_owned());
            let secrets = project.secrets_of(&[]);
            let end = SpanEnd { error_type, error: error.map(|error| secrets.redact(error).into_owned()) };
            let state = span.context.state.clone();
            note(project, collector, state, vec![span.end(&project.context, &end)]);
        }
        #[cfg(not(feature = "team"))]
        let _ = (project, ending, error);
    }
}

#[cfg(feature = "team")]
fn traced(
    project: &Project,
    (name, id): (&str, Option<RunId>),
    who: Caller,
    outer: Option<&TraceContext>,
) -> Option<(String, OpenSpan)> {
    let context = &project.context;
    let collector = collector(&context.environment).filter(|_| !context.is_contained())?;
    let of_environment = caller(&context.environment);
    let mut span = OpenSpan::begin(context, outer.or(of_environment.as_ref()), SpanRole::Server)?;
    let secrets = project.secrets_of(&[]);
    let name = secrets.redact(name);
    span.name = format!("RUN {}", cut(&name));
    span.set("cicd.pipeline.name", cut(&name));
    span.set("cicd.pipeline.action.name", "RUN");
    if let Some(id) = id {
        span.set("cicd.pipeline.run.id", id.to_string());
    }
    span.set("cuff.caller", who.name());
    of_project(&mut span, project);
    Some((collector, span))
}
