//! The trace of a call: a span for the call, and one for the process or the request that it came to. They are noted when the call
//! ends, and a process of cuff's own sends them.
//!
//! Names of spans and attributes are those of OpenTelemetry's conventions for generative AI, MCP, CI/CD and processes.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::push::shared_name;
use super::step::{CallStep, ToldCall};
use super::trace_variables::{caller, collector};
use crate::model::{Command, Ending, Report, Revision, Role, RunId, TraceContext, shown};
use crate::project::build_server::revision;
use crate::project::{Context, Project};
use crate::store::{Outbox, RecordedSpan, SpanRole, WaitingTrace};
use crate::sys::random;

/// The longest text of an attribute, in bytes.
const LONGEST_TEXT: usize = 1024;
/// The most words of a command that a span has.
const MOST_WORDS: usize = 32;

/// The results of the conventions for CI/CD.
pub(super) const SUCCESS: &str = "success";
const FAILURE: &str = "failure";
const CANCELLATION: &str = "cancellation";

/// A span that has begun.
#[derive(Debug)]
pub(super) struct OpenSpan {
    pub(super) context: TraceContext,
    parent: Option<u64>,
    pub(super) name: String,
    role: SpanRole,
    start: u64,
    attributes: Map<String, Value>,
}

impl OpenSpan {
    /// A span within another one, or the first one of a trace. `None` where the caller's trace is not recorded.
    pub(super) fn begin(context: &Context, parent: Option<&TraceContext>, role: SpanRole) -> Option<Self> {
        let random = u64::from_ne_bytes(random::secret().ok()?);
        let span = match parent {
            Some(parent) if !parent.is_sampled() => return None,
            Some(parent) => parent.with_span(random.max(1)),
            None => TraceContext::root(u128::from_ne_bytes(random::secret().ok()?), random)?,
        };
        Some(Self {
            context: span,
            parent: parent.map(|parent| parent.span),
            name: String::new(),
            role,
            start: nanoseconds(context),
            attributes: Map::new(),
        })
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.attributes.insert(name.to_owned(), value.into());
    }

    pub(super) fn end(mut self, context: &Context, end: &SpanEnd) -> RecordedSpan {
        if let Some(kind) = &end.error_type {
            self.set("error.type", kind.as_str());
        }
        RecordedSpan {
            trace: self.context.trace_id(),
            span: format!("{:016x}", self.context.span),
            parent: self.parent.map(|parent| format!("{parent:016x}")),
            name: self.name,
            role: self.role,
            start: self.start,
            end: nanoseconds(context),
            attributes: self.attributes,
            error: end.error_type.as_ref().map(|_| cut(end.error.as_deref().unwrap_or_default()).to_owned()),
        }
    }
}

/// The end of a span.
#[derive(Debug, Default)]
pub(super) struct SpanEnd {
    /// The class of its error, one of few; `None` for success.
    pub(super) error_type: Option<String>,
    /// The error, as the record has it.
    pub(super) error: Option<String>,
}

impl SpanEnd {
    fn of_report(report: &Report) -> Self {
        let error_type = (!report.success).then(|| match report.ending {
            Some(Ending::Exited(code)) => code.to_string(),
            Some(Ending::Answered { is_error: true }) => "tool_error".to_owned(),
            _ => report.error_code.clone().unwrap_or_else(|| "_OTHER".to_owned()),
        });
        Self { error_type, error: report.error.clone() }
    }
}

/// A call that is traced.
#[derive(Debug)]
pub(crate) struct CallTrace<'a> {
    project: &'a Project,
    collector: String,
    /// The span of the call, until its end.
    call: Option<OpenSpan>,
    /// The span of its process or request, while that goes on.
    run: Option<OpenSpan>,
    ended: Vec<RecordedSpan>,
}

impl<'a> CallTrace<'a> {
    /// Begins the span of a call; `None` where traces are off.
    pub(super) fn begin(call: &ToldCall<'a>) -> Option<Self> {
        let (project, request) = (call.project, call.request);
        let context = &project.context;
        let collector = collector(&context.environment)?;
        if context.is_contained() {
            return None;
        }
        let parent = request.trace.clone().or_else(|| caller(&context.environment));
        let role = if request.is_mcp { SpanRole::Server } else { SpanRole::Internal };
        let mut span = OpenSpan::begin(context, parent.as_ref(), role)?;
        if request.is_mcp {
            span.set("mcp.method.name", "tools/call");
        }
        span.set("gen_ai.operation.name", "execute_tool");
        span.set("cuff.caller", request.caller.name());
        of_project(&mut span, project);
        Some(Self { project, collector, call: Some(span), run: None, ended: Vec::new() })
    }

    /// The span that the work of the call belongs to.
    pub(super) fn span(&self) -> Option<&TraceContext> {
        self.run.as_ref().or(self.call.as_ref()).map(|span| &span.context)
    }

    /// Takes note of a step.
    pub(super) fn hear(&mut self, call: &ToldCall<'_>, step: CallStep<'_>) {
        match step {
            CallStep::Judged(judgement) => {
                if let Some(span) = &mut self.call {
                    span.set("cuff.decision", judgement.decision);
                }
            }
            CallStep::Started(started) => self.start(call, started),
            CallStep::Ended(report) => {
                if let Some(mut run) = self.run.take() {
                    if let Some(Ending::Exited(code)) = report.ending {
                        run.set("process.exit.code", code);
                    }
                    self.ended.push(run.end(&self.project.context, &SpanEnd::of_report(report)));
                }
            }
            CallStep::Reported(report) => {
                let Some(span) = &mut self.call else { return };
                if let Some(id) = report.run_id {
                    span.set("cicd.pipeline.task.run.id", id.to_string());
                }
                if let Some(contained) = &report.contained {
                    span.set("cuff.contained", contained.word());
                }
                if report.is_rehearsal() {
                    span.set("cuff.dry_run", true);
                }
                if report.findings.errors > 0 {
                    span.set("cuff.errors", report.findings.errors);
                }
                self.end(call, result(report), &SpanEnd::of_report(report));
            }
            CallStep::Refused(error) => {
                let end = SpanEnd { error_type: Some(error.code.clone()), error: None };
                self.end(call, "error", &end);
            }
        }
    }

    /// A process is about to be started, or another server about to be asked.
    fn start(&mut self, call: &ToldCall<'_>, started: Option<(&Command, Option<RunId>)>) {
        let Some(found) = call.found else { return };
        let context = &self.project.context;
        let parent = self.call.as_ref().map(|span| &span.context);
        let Some(mut span) = OpenSpan::begin(context, parent, SpanRole::Client) else { return };
        match started {
            Some((command, _)) => {
                let secrets = self.project.secrets_of(&command.environment);
                let words = command.words();
                let words: Vec<Value> =
                    words.iter().take(MOST_WORDS).map(|word| json!(cut(&secrets.redact(word)))).collect();
                let program = Path::new(&command.program.text).file_name().unwrap_or_default();
                let program = secrets.redact(&program.to_string_lossy()).into_owned();
                span.set("process.executable.name", program.as_str());
                span.set("process.command_args", words);
                if let Some(runner) = &command.runner {
                    span.set("cuff.runner", runner.name.as_str());
                }
                span.name = program;
            }
            None if matches!(found.tool.role, Role::Relay(_)) => {
                span.name = format!("tools/call {}", shown(&found.tool.original));
                span.set("mcp.method.name", "tools/call");
                span.set("gen_ai.operation.name", "execute_tool");
                span.set("gen_ai.tool.name", cut(&found.tool.original));
                span.set("cuff.server", found.name.instance.as_str());
            }
            None => return,
        }
        self.run = Some(span);
    }

    fn end(&mut self, call: &ToldCall<'_>, result: &str, end: &SpanEnd) {
        let Some(mut span) = self.call.take() else { return };
        let context = &self.project.context;
        let method = if call.request.is_mcp { "tools/call" } else { "execute_tool" };
        // A word that names no tool is one of many.
        let name = call.found.map(|found| found.name.to_string());
        span.name = name.as_ref().map_or_else(|| method.to_owned(), |name| format!("{method} {name}"));
        let typed = || self.project.secrets_of(&[]).redact(&shown(call.request.tool.name())).into_owned();
        let name = name.unwrap_or_else(typed);
        span.set("gen_ai.tool.name", cut(&name));
        if let Some(found) = call.found {
            span.set("cicd.pipeline.task.name", found.shown_at_root());
        }
        span.set("cicd.pipeline.task.run.result", result);
        let state = span.context.state.clone();
        let mut spans = vec![span.end(context, end)];
        // A run that nobody waits for any more has no end of its own.
        spans.extend(self.run.take().map(|run| run.end(context, end)));
        spans.append(&mut self.ended);
        note(self.project, std::mem::take(&mut self.collector), state, spans);
    }

    /// Ends the span of a call that nobody waits for any more.
    pub(super) fn abandon(&mut self, call: &ToldCall<'_>) {
        let end = SpanEnd { error_type: Some(CANCELLATION.to_owned()), error: None };
        self.end(call, CANCELLATION, &end);
    }
}

pub(super) fn of_project(span: &mut OpenSpan, project: &Project) {
    let root = &project.settings.root;
    span.set("vcs.repository.name", shared_name(project));
    let Revision { commit, branch } = revision(root, &project.context.environment);
    for (name, value) in [("vcs.ref.head.revision", commit), ("vcs.ref.head.name", branch)] {
        if let Some(value) = value {
            span.set(name, cut(&value));
        }
    }
}

/// Notes spans that have ended. Where that cannot be written, nothing else is the worse for it.
pub(super) fn note(project: &Project, collector: String, state: String, spans: Vec<RecordedSpan>) {
    let context = &project.context;
    let Some(outbox) = Outbox::of(&context.environment, &project.settings.root) else { return };
    let Ok(random) = random::secret() else { return };
    let id = RunId::new(context.clock.milliseconds(), random);
    let _ = outbox.note(id, &WaitingTrace { collector, state, spans });
}

fn result(report: &Report) -> &'static str {
    match &report.ending {
        Some(ending) => of_ending(ending, report.success),
        None if report.success => SUCCESS,
        None => FAILURE,
    }
}

pub(super) fn of_ending(ending: &Ending, success: bool) -> &'static str {
    match ending {
        _ if success => SUCCESS,
        Ending::Exited(_) | Ending::Signalled(_) | Ending::Answered { .. } => FAILURE,
        Ending::TimedOut(_) => "timeout",
        Ending::Cancelled => CANCELLATION,
        Ending::Rejected(_) | Ending::Disconnected(_) | Ending::NotStarted(_) | Ending::Lost => "error",
    }
}

/// The beginning of a text that an attribute has room for.
pub(super) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_TEXT)]
}

fn nanoseconds(context: &Context) -> u64 {
    let since = context.clock.now().duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
