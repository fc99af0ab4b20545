//! The paths of a gateway: those of MCP over HTTP, and those that the commands of a session ask.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode, header};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::answers::{bad, json as answer, refused, result};
use super::execution;
use super::lease::SessionLease;
use super::record::GatewayRecord;
use super::requests::{decoded, not_posted, object, option};
use super::types::Types;
use crate::calls::{self, Addressed, CallOptions, Detach, RunError};
use crate::code::{hit_list, not_found, server_list, settings_problems, tool_list, tried_servers};
use crate::execution::Sink;
use crate::http::{Bodies, HttpAnswer, HttpClient, Routes, Visit, say, with};
use crate::mcp::http::Paths;
use crate::model::{Caller, Spelling, Stream, shown, visible};
use crate::project::Live;
use crate::sys::Clock;
use crate::sys::journal::{Journal, Level};

/// The content type of types: a file of declarations.
const TYPESCRIPT: &str = "text/typescript; charset=utf-8";
/// How many tools a search finds where nothing else is wanted.
const DEFAULT_HITS: usize = 10;
/// The paths that are got.
const GOT: [&str; 6] = ["/status", "/servers", "/tools", "/types", "/runtime/tools.ts", "/search"];

/// The paths of a gateway, and all that their answers come from.
pub(super) struct GatewayPaths {
    pub(super) mcp: Paths,
    pub(super) live: Arc<Live>,
    pub(super) types: Arc<Types>,
    /// `None` where the owner of the session is known, or a person watches.
    pub(super) lease: Option<Arc<SessionLease>>,
    pub(super) record: GatewayRecord,
    pub(super) journal: Journal,
    pub(super) clock: Clock,
    pub(super) bodies: Bodies,
    /// Cancels what is under way.
    pub(super) calls: CancellationToken,
}

impl Routes for GatewayPaths {
    async fn answer(&self, request: Request<Incoming>, visit: Visit<'_>) -> HttpAnswer {
        let path = request.uri().path().to_owned();
        if path == "/ready" {
            return say(StatusCode::OK, "ready\n");
        }
        let is_own = GOT.contains(&path.as_str()) || path == "/exec" || path.starts_with("/tools/");
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

    async fn own(&self, request: Request<Incoming>, client: &HttpClient) -> HttpAnswer {
        let (parts, body) = request.into_parts();
        let called = parts.uri.path().strip_prefix("/tools/");
        if called.is_some() || parts.uri.path() == "/exec" {
            if let Some(answer) = not_posted(&parts) {
                return answer;
            }
            let (body, _room) = match self.bodies.read(body).await {
                Ok(read) => read,
                Err(unread) => return unread.answer(),
            };
            return match (object(&body), called) {
                (Ok(arguments), Some(tool)) => self.call(&decoded(tool), arguments, client).await,
                (Ok(program), None) => self.execute(Value::Object(program), client).await,
                (Err(why), _) => bad(&why),
            };
        }
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return with(say(StatusCode::METHOD_NOT_ALLOWED, "it takes GET\n"), header::ALLOW, "GET, HEAD");
        }
        let query = parts.uri.query();
        match parts.uri.path() {
            "/status" => self.status(option(query, "test").is_some_and(|test| test != "false")).await,
            "/servers" => answer(StatusCode::OK, &json!({ "servers": self.servers(false).await.0 })),
            "/tools" => self.tools(option(query, "server")).await,
            "/search" => self.search(query),
            _ => {
                let wanted = option(query, "filter").unwrap_or_default();
                let wanted = wanted.split(',').map(str::trim).filter(|name| !name.is_empty());
                self.types(wanted.map(str::to_owned).collect()).await
            }
        }
    }

    async fn status(&self, test: bool) -> HttpAnswer {
        let (servers, problems) = self.servers(test).await;
        let GatewayRecord { session, url, pid, ready_ms, directory, version, owner, .. } = &self.record;
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
        let project = match self.live.project_or_empty() {
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
        // Servers that still connect are not waited for.
        let registry = match project.catalog.last_list() {
            Some(registry) => registry,
            None => Arc::new(project.recalled()),
        };
        let servers =
            if test { tried_servers(&project, &registry).await } else { server_list(&project, &registry) };
        let problems = settings_problems(&project);
        (servers, problems)
    }

    async fn tools(&self, server: Option<String>) -> HttpAnswer {
        let types = self.types.wanted(server.as_slice()).await;
        let project = match self.live.project_or_empty() {
            Ok(project) => project,
            Err(why) => return refused(&RunError::from(why)),
        };
        match tool_list(&project, &types.catalog, server.as_deref()) {
            Ok(tools) => self.listed(&tools),
            Err(unlisted) => not_listed(unlisted),
        }
    }

    /// A list of tools, and the servers of which none can be there yet.
    fn listed(&self, tools: &[Value]) -> HttpAnswer {
        let mut shape = json!({ "tools": tools });
        let connecting = self.types.connecting_servers();
        if !connecting.is_empty() {
            shape["connecting_servers"] = json!(connecting);
        }
        answer(StatusCode::OK, &shape)
    }

    async fn types(&self, wanted: Vec<String>) -> HttpAnswer {
        let types = self.types.wanted(&wanted).await;
        if let Some(unlisted) = not_found(&types.catalog, &wanted) {
            return not_listed(unlisted);
        }
        let text = types.filtered(wanted);
        with(say(StatusCode::OK, text.to_string()), header::CONTENT_TYPE, TYPESCRIPT)
    }

    fn search(&self, query: Option<&str>) -> HttpAnswer {
        let Some(words) = option(query, "q") else { return bad("it takes `?q=WORDS`") };
        let limit = option(query, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(DEFAULT_HITS);
        let types = self.types.now();
        let hits = types.index().search(&types.catalog, &words, limit);
        self.listed(&hit_list(&hits))
    }

    /// Executes a program, which ends with its connection.
    async fn execute(&self, program: Value, client: &HttpClient) -> HttpAnswer {
        let program = match execution::program(program, &self.record.session) {
            Ok(program) => program,
            Err(why) => return bad(&why),
        };
        // A tool that found the token is no agent: it does not get what programs may do.
        if client.is_inside_run().await {
            let why = json!({ "success": false, "error": "a process inside a run executes no programs" });
            return answer(StatusCode::FORBIDDEN, &why);
        }
        let project = match self.live.project_or_empty() {
            Ok(project) => project,
            Err(why) => return refused(&RunError::from(why)),
        };
        let cancel = self.calls.child_token();
        let _ended = cancel.clone().drop_guard();
        match execution::execute(&project, program, cancel).await {
            Ok(shape) => answer(StatusCode::OK, &shape),
            Err(error) => {
                let why = json!({ "success": false, "error": format!("no sandbox can be started: {error}") });
                answer(StatusCode::SERVICE_UNAVAILABLE, &why)
            }
        }
    }

    /// Makes a call, which ends with its connection.
    async fn call(&self, tool: &str, arguments: Map<String, Value>, client: &HttpClient) -> HttpAnswer {
        let project = match self.live.project() {
            Ok(project) => project,
            Err(why) => return refused(&RunError::from(why)),
        };
        let caller = if client.is_inside_run().await { Caller::Run } else { Caller::Agent };
        let request = calls::CallRequest {
            tool: Addressed::ByAgent(tool.to_owned(), Spelling::Portable),
            arguments,
            caller,
            colours: false,
            asker: None,
            conversation: None,
            parent: None,
            detach: Detach::default(),
            correlation: None,
            trace: None,
            is_mcp: false,
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

/// There is no such server or tool, with what to do next.
fn not_listed((error, help): (String, String)) -> HttpAnswer {
    answer(StatusCode::NOT_FOUND, &json!({ "success": false, "error": error, "help": help }))
}

/// Nobody hears of a call before its end.
struct Unwatched;

impl Sink for Unwatched {
    fn write(&mut self, _: Stream, _: &[u8]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
