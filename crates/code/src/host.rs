//! The calls of a program, made as those of code.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::answer;
use super::observed::Shapes;
use super::only::Only;
use super::search::search;
use super::tools::{Tools, types};
use crate::calls::{Addressed, CallRequest, ClientLine, run_listed};
use crate::execution::Sink;
use crate::model::{Caller, Chunk, Report, RunId, Spelling, Stream, TraceContext, shown, visible_lines};
use crate::project::Project;
use crate::sandbox::{CallFailure, Catalog, HostQuestion, PrintedStream, SandboxHost, ToolCall};
use crate::store::{NoSuchRun, Recording, Store};

/// How long calls that were cancelled are waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the output of a program goes.
pub type OnPrint = Box<dyn Fn(PrintedStream, &str) + Send + Sync>;

/// Makes the calls of one program.
pub(super) struct ToolHost {
    pub(super) project: Arc<Project>,
    pub(super) tools: Arc<Tools>,
    pub(super) only: Only,
    pub(super) session: String,
    /// The person in front of the face, where there is one.
    pub(super) client: ClientLine,
    pub(super) script: Option<RunId>,
    /// The span that its calls belong to.
    pub(super) trace: Option<TraceContext>,
    pub(super) recording: Mutex<Option<Recording>>,
    /// Takes what the program prints, as it comes.
    pub(super) printed: OnPrint,
    pub(super) shapes: Mutex<Shapes>,
    pub(super) stop: CancellationToken,
    /// Calls end by themselves once they are cancelled, and write how.
    pub(super) calls: Mutex<JoinSet<()>>,
}

impl SandboxHost for ToolHost {
    async fn call(&self, call: ToolCall) -> Result<Value, CallFailure> {
        let failed = |message: String| CallFailure { message, data: None };
        let Some((name, found)) = self.tools.found(&call.server, &call.tool) else {
            return Err(failed(format!("there is no tool {}", call.label())));
        };
        let names = self.tools.names_of(&call.server, &call.tool);
        if let Some(refusal) = self.only.refusal(name, &names, found) {
            return Err(failed(refusal));
        }
        let name = name.clone();
        let is_observed = found
            .tool
            .role
            .definition()
            .is_some_and(|one| !one.raw().get("outputSchema").is_some_and(Value::is_object));
        let request = self.request(name.to_string(), call.arguments);
        let cancel = self.stop.child_token();
        // Where nobody waits for the answer any more, the call is cancelled and still writes its end.
        let _guard = cancel.clone().drop_guard();
        let (reply, answer) = oneshot::channel();
        let (project, tools) = (Arc::clone(&self.project), Arc::clone(&self.tools));
        held(&self.calls).spawn(async move {
            let report = run_listed(&project, &tools.registry, request, &mut Silent, &cancel).await;
            // A program that has ended hears no answer.
            let _ = reply.send(report);
        });
        let report: Report = match answer.await {
            Ok(report) => report.map_err(|error| answer::refused(&error))?,
            Err(_) => return Err(failed(format!("{name} was not carried out: cuff failed"))),
        };
        let value = answer::value(&report)?;
        if is_observed {
            held(&self.shapes).observe(&name, &value);
        }
        Ok(value)
    }

    async fn ask(&self, question: HostQuestion) -> Result<Value, CallFailure> {
        match question {
            HostQuestion::Recall(run) => recall(&self.project, &self.session, run.as_deref()),
            HostQuestion::Search(words, limit) => Ok(found(&self.tools.catalog, &words, limit)),
            HostQuestion::Describe(name) => described(&self.tools.catalog, &name),
        }
    }

    fn print(&self, stream: PrintedStream, text: &str) {
        let of = match stream {
            PrintedStream::Out => Stream::Out,
            PrintedStream::Err => Stream::Err,
        };
        if let Some(recording) = &mut *held(&self.recording) {
            recording.push(Chunk::new(of, text.as_bytes()));
        }
        (self.printed)(stream, text);
    }
}

impl ToolHost {
    fn request(&self, tool: String, arguments: Map<String, Value>) -> CallRequest {
        let tool = Addressed::ByAgent(tool, Spelling::Dotted);
        CallRequest {
            asker: self.client.asker.clone(),
            conversation: self.client.conversation.clone(),
            parent: self.script,
            correlation: self.script.map(|id| id.to_string()),
            trace: self.trace.clone(),
            ..CallRequest::new(tool, arguments, Caller::Code)
        }
    }

    /// Waits until every call has written its end. Those that nobody waits for were cancelled.
    pub(super) async fn settle(&self) {
        self.stop.cancel();
        let mut calls = std::mem::take(&mut *held(&self.calls));
        // One that takes longer is dropped, and its supervisor ends what it started.
        let _ = tokio::time::timeout(PATIENCE, async { while calls.join_next().await.is_some() {} }).await;
    }
}

/// Nobody watches a run that a program makes; its record has what it printed.
struct Silent;

impl Sink for Silent {
    fn write(&mut self, _: Stream, _: &[u8]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

pub(super) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most that are found at once.
const MOST: usize = 100;

/// The tools that match, each with the first line of what it does.
fn found(catalog: &Catalog, words: &str, limit: u32) -> Value {
    let limit = usize::try_from(limit).unwrap_or(MOST).min(MOST);
    let hits = search(catalog, words, limit);
    let row = |hit: &super::search::Hit<'_>| {
        let about = hit.tool.described.description.as_deref().unwrap_or_default();
        let first = about.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        json!({
            "tool": format!("{}.{}", hit.server.identifier, hit.tool.function),
            "description": visible_lines(first),
        })
    };
    hits.iter().map(row).collect()
}

/// The types of a tool or of a server.
fn described(catalog: &Catalog, name: &str) -> Result<Value, CallFailure> {
    let (server, tool) = name.split_once('.').map_or((name, None), |(server, tool)| (server, Some(tool)));
    let known = catalog.server(server).filter(|server| tool.is_none_or(|tool| server.tool(tool).is_some()));
    if known.is_none() {
        let message = format!("there is no tool {}; `await search(\"words\")` finds some", shown(name));
        return Err(CallFailure { message, data: None });
    }
    let text = types(catalog, &[name.to_owned()]);
    // The declarations of every program are known.
    let own = text.split_once("declare module \"toolscript\" {").map_or(text.as_str(), |(own, _)| own);
    Ok(own.trim_end().into())
}

/// The result of an earlier program: of the last one that returned something, or of a run by its id or an end of it. Runs
/// of other sessions and projects are not there.
fn recall(project: &Project, session: &str, run: Option<&str>) -> Result<Value, CallFailure> {
    let failed = |message: String| CallFailure { message, data: None };
    let store = project.runs.store.as_ref();
    let store = store.ok_or_else(|| failed("no results are kept: there is no folder for them".to_owned()))?;
    let Some(run) = run else {
        let ids = store.ids().map_err(|error| failed(error.to_string()))?;
        let mut ours = ids.into_iter().filter(|id| is_of_session(store, project, session, *id));
        let latest = ours.find_map(|id| store.result(id));
        return latest
            .ok_or_else(|| failed("no earlier program of this session has returned anything".to_owned()));
    };
    let found = store.find(run, &|id| is_of_session(store, project, session, id));
    let id = found.map_err(|none| {
        failed(match none {
            NoSuchRun::Ambiguous(..) => {
                format!("`{run}` is the beginning or end of several runs; give more of it")
            }
            _ => format!("there is no program `{run}` in this session"),
        })
    })?;
    store.result(id).ok_or_else(|| failed(format!("the program `{run}` has returned nothing")))
}

fn is_of_session(store: &Store, project: &Project, session: &str, id: RunId) -> bool {
    store.beginning(id).is_some_and(|run| {
        run.project == project.settings.root.display().to_string()
            && run.script.is_some_and(|script| script.session == session)
    })
}
