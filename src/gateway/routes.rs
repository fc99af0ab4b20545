//! The paths of a gateway: those of MCP over HTTP, and those that the commands of a session ask.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode, header};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::answers::{bad, json as answer, refused, result};
use super::lease::Lease;
use super::names::{Filter, portable};
use super::record::Record;
use super::requests::{decoded, object, option};
use super::server_list;
use super::types::Types;
use crate::calls::{self, Addressed, CallOptions, Colours, Detach, RunError};
use crate::http::{Answer, Bodies, Client, JSON, Routes, Visit, say, with};
use crate::mcp::http::Paths;
use crate::execution::Sink;
use crate::model::{Caller, Spelling, Stream, shown, visible};
use crate::project::Live;
use crate::sandbox::Output;
use crate::sys::Clock;
use crate::sys::journal::{Journal, Level};

/// Where types are served: a file of declarations.
const TYPESCRIPT: &str = "text/typescript; charset=utf-8";
/// The paths that are got.
const GOT: [&str; 5] = ["/status", "/servers", "/tools", "/types", "/runtime/tools.ts"];

/// The paths of a gateway, and all that their answers come from.
pub(super) struct GatewayPaths {
    pub(super) mcp: Paths,
    pub(super) live: Arc<Live>,
    pub(super) types: Arc<Types>,
    /// `None` where the owner of the session is known, or a person watches.
    pub(super) lease: Option<Arc<Lease>>,
    pub(super) record: Record,
    pub(super) journal: Journal,
    pub(super) clock: Clock,
    pub(super) bodies: Bodies,
    /// Cancels what is under way.
    pub(super) calls: CancellationToken,
}

impl Routes for GatewayPaths {
    async fn answer(&self, request: Request<Incoming>, visit: Visit<'_>) -> Answer {
        let path = request.uri().path().to_owned();
        if path == "/ready" {
            return say(StatusCode::OK, "ready\n");
        }
        let is_own = GOT.contains(&path.as_str()) || path.starts_with("/tools/");
        if !is_own {
            if visit.token().is_ok() {
                self.renew();
            }
            return self.mcp.answer(request, visit).await;
        }
        if let Err(refused) = visit.token() {
            return refused.answer();
        }
        self.renew();
        let (begun, method) = (self.clock.instant(), request.method().clone());
        let line = request.uri().path_and_query().map_or(path, ToString::to_string);
        let answer = self.own(request, visit.client).await;
        self.log(&method, &line, answer.status(), begun);
        answer
    }

    async fn idle(&self) {
        // A session that is over waits for nothing.
    }

    async fn end(&self) {
        self.calls.cancel();
        self.mcp.end().await;
    }
}

impl GatewayPaths {
    fn renew(&self) {
        if let Some(lease) = &self.lease {
            lease.renew();
        }
    }

    fn log(&self, method: &Method, line: &str, status: StatusCode, begun: Instant) {
        let took = (self.clock.instant() - begun).as_millis();
        let fields = [("status", json!(status.as_u16())), ("duration_ms", json!(took))];
        let fields: Map<String, Value> =
            fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        self.journal.write(Level::Info, &format!("{method} {}", shown(line)), &fields);
    }

    async fn own(&self, request: Request<Incoming>, client: &Client) -> Answer {
        let (parts, body) = request.into_parts();
        if let Some(tool) = parts.uri.path().strip_prefix("/tools/") {
            return match posted(&parts) {
                Ok(()) => self.call(&decoded(tool), body, client).await,
                Err(answer) => answer,
            };
        }
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return with(say(StatusCode::METHOD_NOT_ALLOWED, "it takes GET\n"), header::ALLOW, "GET, HEAD");
        }
        let query = parts.uri.query();
        let filter = option(query, "filter").map(|list| Filter::new(&list)).unwrap_or_default();
        match parts.uri.path() {
            "/status" => self.status(option(query, "test").is_some_and(|test| test != "false")).await,
            "/servers" => answer(StatusCode::OK, &json!({ "servers": self.servers(false).await.0 })),
            "/tools" => answer(StatusCode::OK, &self.tools(&filter)),
            _ => {
                let text = self.types.now().filtered(filter);
                with(say(StatusCode::OK, text.to_string()), header::CONTENT_TYPE, TYPESCRIPT)
            }
        }
    }

    async fn status(&self, test: bool) -> Answer {
        let (servers, problems) = self.servers(test).await;
        let Record { session, url, pid, ready_ms, directory, version, owner, .. } = &self.record;
        let types = self.types.now();
        let tools: usize = types.catalog.servers().iter().map(|server| server.tools.len()).sum();
        let uptime = self.clock.milliseconds().saturating_sub(*ready_ms);
        let mut shape = json!({
            "healthy": true, "session": session, "url": url, "pid": pid, "version": version, "directory": directory,
            "uptime_ms": uptime, "tools": tools, "servers": servers, "problems": problems,
        });
        if let Some(owner) = owner {
            shape["owner_pid"] = json!(owner.pid);
        }
        answer(StatusCode::OK, &shape)
    }

    /// The servers, and what is wrong with the settings.
    async fn servers(&self, test: bool) -> (Vec<Value>, Vec<Value>) {
        let project = match self.live.engine() {
            Ok(project) => project,
            Err(why) => {
                let error = RunError::from(why);
                let mut problem = json!({ "message": visible(&error.message) });
                if let Some(help) = error.help {
                    problem["help"] = json!(help);
                }
                return (Vec::new(), vec![problem]);
            }
        };
        // Whoever is still connecting is not waited for.
        let registry = match project.last_list() {
            Some(registry) => registry,
            None => Arc::new(project.recalled()),
        };
        let servers = if test {
            server_list::tested(&project, &registry).await
        } else {
            server_list::known(&project, &registry)
        };
        let problem = |complaint: &crate::settings::SettingsProblem| {
            let mut problem = json!({
                "message": visible(&complaint.message), "path": complaint.location.to_string(),
            });
            if let Some(help) = &complaint.help {
                problem["help"] = json!(help);
            }
            problem
        };
        (servers, project.complaints().iter().map(problem).collect())
    }

    fn tools(&self, filter: &Filter) -> Value {
        let types = self.types.now();
        let all = types.catalog.servers().iter().flat_map(|of| of.tools.iter().map(move |tool| (of, tool)));
        let shape = all.filter(|(server, tool)| filter.takes(server, tool)).map(|(server, tool)| {
            let mut shape = json!({
                "name": portable(server, tool), "server": server.name, "tool": tool.described.name,
                "function": format!("{}.{}", server.identifier, tool.function),
                "inputSchema": tool.described.input,
            });
            if let Some(description) = &tool.described.description {
                shape["description"] = json!(description);
            }
            if let Output::Declared(schema) = &tool.described.output {
                shape["outputSchema"] = schema.clone();
            }
            shape
        });
        json!({ "tools": shape.collect::<Vec<_>>() })
    }

    /// Makes a call, which ends with its connection.
    async fn call(&self, tool: &str, body: Incoming, client: &Client) -> Answer {
        let (body, _room) = match self.bodies.read(body).await {
            Ok(read) => read,
            Err(unread) => return unread.answer(),
        };
        let arguments = match object(&body) {
            Ok(arguments) => arguments,
            Err(why) => return bad(&why),
        };
        let project = match self.live.engine() {
            Ok(project) => project,
            Err(why) => return refused(&RunError::from(why)),
        };
        let caller = if client.is_inside_run().await { Caller::Run } else { Caller::Agent };
        let request = calls::Request {
            tool: Addressed::ByAgent(tool.to_owned(), Spelling::Portable),
            arguments,
            caller,
            colours: Colours::Unwanted,
            asker: None,
            conversation: None,
            aside: Detach::default(),
            correlation: None,
            options: CallOptions::default(),
        };
        let cancel = self.calls.child_token();
        let _ended = cancel.clone().drop_guard();
        match calls::run(&project, request, &mut Unwatched, &cancel).await {
            Ok(report) => result(&report),
            Err(error) => refused(&error),
        }
    }
}

/// Nobody hears of a call before its end.
struct Unwatched;

impl Sink for Unwatched {
    fn write(&mut self, _: Stream, _: &[u8]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Whether a request posts JSON: a form of a page does not.
fn posted(parts: &Parts) -> Result<(), Answer> {
    if parts.method != Method::POST {
        let answer = say(StatusCode::METHOD_NOT_ALLOWED, "it takes POST\n");
        return Err(with(answer, header::ALLOW, "POST"));
    }
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(JSON));
    if is_json { Ok(()) } else { Err(say(StatusCode::UNSUPPORTED_MEDIA_TYPE, "it takes application/json\n")) }
}
