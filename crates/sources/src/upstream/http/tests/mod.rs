//! Servers over HTTP that behave, and servers that do not.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use self::server::{Act, JSON, SESSION, Server, result, usual};
use super::{HttpKind, open};
use crate::Waiting;
use crate::model::{Command, Containment, UpstreamCall, Values};
use crate::settings::{OAuth, ServerTransport, Upstream};
use crate::sys::Clock;
use crate::upstream::message::Reply;
use crate::upstream::{
    Connect, ServerAnswer, ServerStarter, StartedProgram, Unattended, UpstreamContext, UpstreamLimits,
    UpstreamSource,
};

mod self_signed;
mod server;
mod streams;

#[derive(Debug)]
struct Nothing;

impl ServerStarter for Nothing {
    fn start<'a>(
        &'a self,
        _: &'a str,
        _: Command,
        _: Containment,
    ) -> Waiting<'a, Result<StartedProgram, String>> {
        Box::pin(std::future::ready(Err("nothing is started".to_owned())))
    }
}

fn source(url: String) -> UpstreamSource {
    let headers = vec![("x-key".to_owned(), "secret".to_owned())];
    let transport = ServerTransport::Http { url, headers, is_legacy: false, oauth: OAuth::default() };
    let upstream = Upstream::new("shop".to_owned(), true, transport, Values::default());
    let context = UpstreamContext {
        notices: tokio::sync::broadcast::Sender::new(1),
        starter: Arc::new(Nothing),
        clock: Clock::of_system(),
        cache: None,
        logins: None,
        connect: Connect::WhenCalled,
        limits: UpstreamLimits::default(),
    };
    UpstreamSource::new(upstream, context)
}

fn buy() -> UpstreamCall {
    UpstreamCall {
        server: "shop".to_owned(),
        tool: "buy".to_owned(),
        arguments: Map::new(),
        timeout: Duration::from_secs(5),
        definition: None,
        trace: None,
    }
}

async fn call_at(source: &UpstreamSource) -> ServerAnswer {
    source.call_with(&buy(), &Unattended, &CancellationToken::new()).await
}

async fn call<Given: Into<Act>>(
    respond: impl Fn(&str, &Value) -> Given + Send + Sync + 'static,
) -> ServerAnswer {
    let server = Server::start(respond).await;
    call_at(&source(format!("http://{}", server.place))).await
}

fn is(message: &Value, method: &str) -> bool {
    message["method"] == method
}

fn text(answered: &ServerAnswer) -> &str {
    match answered {
        ServerAnswer::Lost(text) | ServerAnswer::Unreachable(text) => text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_session_is_opened_and_answers_come_as_events() {
    let answered = call(|head, message| {
        assert!(head.contains("x-key: secret"), "{head}");
        if head.starts_with("get") {
            return ("405 Method Not Allowed", String::new());
        }
        match message["method"].as_str().unwrap() {
            "initialize" => {
                let greeting = json!({"protocolVersion": "2025-06-18", "capabilities": {}});
                (SESSION, result(message, &greeting))
            }
            "tools/call" => {
                assert!(head.contains("mcp-session-id: s1"), "{head}");
                assert!(head.contains("mcp-protocol-version: 2025-06-18"), "{head}");
                let body = result(message, &json!({"z": 1, "a": 2}));
                (
                    "200 OK\r\ncontent-type: text/event-stream",
                    format!(": hi\n\nevent: message\ndata: {body}\n\n"),
                )
            }
            _ => ("202 Accepted", String::new()),
        }
    })
    .await;
    assert_eq!(answered, ServerAnswer::Result(json!({"z": 1, "a": 2})));
}

#[tokio::test]
async fn a_server_without_sessions_gets_all_with_each_request() {
    let answered = call(|head, message| match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let error =
                json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32022, "message": "old"}});
            ("400 Bad Request\r\ncontent-type: application/json", error.to_string())
        }
        "server/discover" => {
            let greeting = json!({"supportedVersions": ["2026-07-28"], "capabilities": {}});
            (JSON, result(message, &greeting))
        }
        "tools/call" => {
            assert!(head.contains("mcp-method: tools/call") && head.contains("mcp-name: buy"), "{head}");
            assert!(head.contains("mcp-protocol-version: 2026-07-28"), "{head}");
            assert!(!head.contains("mcp-session-id"), "{head}");
            (JSON, result(message, &json!({"resultType": "complete"})))
        }
        _ => (JSON, result(message, &json!({}))),
    })
    .await;
    assert_eq!(answered, ServerAnswer::Result(json!({"resultType": "complete"})));
}

#[tokio::test]
async fn a_redirect_to_another_address_is_not_followed() {
    let answered = call(|_, _| {
        ("307 Temporary Redirect\r\nlocation: http://169.254.169.254/latest/meta-data", String::new())
    })
    .await;
    let ServerAnswer::Unreachable(reason) = answered else { panic!("{answered:?}") };
    let expected = "the server shop is down: it redirects to another address, which cuff does not follow; ";
    assert!(reason.starts_with(expected), "{reason}");
}

fn bought() -> ServerAnswer {
    ServerAnswer::Result(json!({"bought": true}))
}

#[tokio::test]
async fn a_server_that_hangs_on_notifications_blocks_nothing() {
    let server = Server::start(|_, message| {
        if is(message, "tools/call") {
            let ask = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
            let events = format!("data: {ask}\n\ndata: {}\n\n", result(message, &json!({"bought": true})));
            return Act::Say("200 OK\r\ncontent-type: text/event-stream", events);
        }
        // The answer to a ping, and the cancellation of a call.
        if message["method"].is_null() || is(message, "notifications/cancelled") {
            return Act::Hang;
        }
        usual(message)
    })
    .await;
    let source = source(format!("http://{}", server.place));
    let begun = tokio::time::Instant::now();
    for _ in 0..20 {
        assert_eq!(call_at(&source).await, bought());
    }
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_server_that_hangs_when_a_session_is_open_is_waited_for_a_moment_only() {
    let answered =
        call(|_, message| if is(message, "notifications/initialized") { Act::Hang } else { usual(message) });
    assert_eq!(answered.await, bought());
}

#[tokio::test]
async fn one_failed_request_leaves_the_connection_and_other_calls_alone() {
    let count = Arc::new(AtomicUsize::new(0));
    let opened = Arc::new(AtomicUsize::new(0));
    let (counted, openings) = (Arc::clone(&count), Arc::clone(&opened));
    let server = Server::start(move |_, message| {
        if is(message, "initialize") {
            openings.fetch_add(1, Ordering::Relaxed);
        }
        match counted.load(Ordering::Relaxed) {
            _ if !is(message, "tools/call") => usual(message),
            _ if counted.fetch_add(1, Ordering::Relaxed) == 0 => Act::Close,
            _ => usual(message),
        }
    })
    .await;
    let source = source(format!("http://{}", server.place));
    let failed = call_at(&source).await;
    let expected = "the call to the server shop failed: the connection failed: ";
    assert!(text(&failed).starts_with(expected), "{failed:?}");
    assert_eq!(call_at(&source).await, bought());
    assert_eq!(opened.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_server_that_wants_a_login_is_named_in_one_line() {
    let answered = call(|_, _| ("401 Unauthorized\r\nwww-authenticate: Bearer", "{}".to_owned())).await;
    let expected = "the server shop is down: it needs a login (HTTP 401): run `cuff mcp login shop`; \
                    the next try is in 1 s";
    assert_eq!(text(&answered), expected);

    // A key that runs out in a session.
    let answered = call(|_, message| {
        if is(message, "tools/call") { Act::Say("401 Unauthorized", String::new()) } else { usual(message) }
    })
    .await;
    let expected = "the server shop refused the call: it needs a login (HTTP 401): run `cuff mcp login shop`";
    assert_eq!(text(&answered), expected);
}

#[tokio::test]
async fn a_session_that_expired_is_opened_again_once() {
    let opened = Arc::new(AtomicUsize::new(0));
    let openings = Arc::clone(&opened);
    let server = Server::start(move |head, message| {
        if is(message, "initialize") {
            assert!(!head.contains("mcp-session-id"), "{head}");
            let count = openings.fetch_add(1, Ordering::Relaxed);
            let greeting = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}});
            let head = ["200 OK\r\nmcp-session-id: s0", "200 OK\r\nmcp-session-id: s1"][count.min(1)];
            return Act::Say(head, result(message, &greeting));
        }
        if is(message, "tools/call") && head.contains("mcp-session-id: s0") {
            return Act::Say("404 Not Found", String::new());
        }
        usual(message)
    })
    .await;
    let shared = source(format!("http://{}", server.place));
    let (first, second) = tokio::join!(call_at(&shared), call_at(&shared));
    assert_eq!((first, second), (bought(), bought()));
    assert_eq!(opened.load(Ordering::Relaxed), 2, "one new session for both");

    let answered = call(|_, message| {
        if is(message, "tools/call") { Act::Say("404 Not Found", String::new()) } else { usual(message) }
    });
    assert_eq!(text(&answered.await), "the call to the server shop failed: its session ended again at once");
}

#[tokio::test]
async fn a_cancelled_call_closes_its_response() {
    let server = Server::start(|_, message| {
        if is(message, "tools/call") { Act::Stream(": wait\n\n".to_owned()) } else { usual(message) }
    })
    .await;
    let source = source(format!("http://{}", server.place));
    let cancel = CancellationToken::new();
    let call = buy();
    let later = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(server.hung_up.load(Ordering::Relaxed), 0);
        cancel.cancel();
    };
    let (answered, ()) = tokio::join!(source.call_with(&call, &Unattended, &cancel), later);
    assert_eq!(answered, ServerAnswer::Cancelled);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(server.hung_up.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_response_that_is_too_large_fails_its_call_alone() {
    let answered = call(|_, message| {
        if !is(message, "tools/call") {
            return usual(message);
        }
        Act::Say(JSON, "x".repeat(64 * 1024 * 1024 + 1))
    });
    let expected = "the call to the server shop failed: it sent a message of more than 16 MiB";
    assert_eq!(text(&answered.await), expected);
}

#[tokio::test]
async fn bodies_and_statuses_that_are_no_answer_are_excerpted() {
    for (head, body, expected) in [
        (JSON, "<!doctype html>\n<p>Hi", "its answer is not JSON: \"<!doctype html> <p>Hi\""),
        (JSON, "", "its answer is empty"),
        (JSON, "{}", "the answer ended before the result"),
        ("502 Bad Gateway", "no\n upstream", "it answered HTTP 502 Bad Gateway: no upstream"),
        ("503 Service Unavailable", "", "it answered HTTP 503 Service Unavailable"),
        ("403 Forbidden", "not you", "it denies access (HTTP 403): not you"),
    ] {
        let answered =
            call(
                move |_, message| {
                    if is(message, "tools/call") { Act::Say(head, body.to_owned()) } else { usual(message) }
                },
            );
        assert_eq!(text(&answered.await), format!("the call to the server shop failed: {expected}"));
    }
    // An error without an id is of the request that it answers.
    let answered = call(|_, message| {
        let error =
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "no"}}).to_string();
        if is(message, "tools/call") { Act::Say("400 Bad Request", error) } else { usual(message) }
    });
    let rejected = ServerAnswer::Rejected { code: -32000, message: "no".to_owned(), data: None };
    assert_eq!(answered.await, rejected);
}

#[tokio::test]
async fn a_server_without_tls_at_a_https_address_is_one_clear_line() {
    let server = Server::start(|_, message| usual(message)).await;
    let answered = call_at(&source(format!("https://{}", server.place))).await;
    let reason = text(&answered);
    let expected = "the server shop is down: it cannot be reached: received corrupt message";
    assert!(reason.starts_with(expected), "{reason}");
    assert_eq!(reason.lines().count(), 1, "{reason}");
}

#[tokio::test]
async fn a_certificate_that_nobody_else_signed_is_one_clear_line() {
    let answered = call_at(&source(self_signed::start())).await;
    let expected = "the server shop is down: its certificate is not trusted: UnknownIssuer; \
                    the next try is in 1 s";
    assert_eq!(text(&answered), expected);
}

/// A server of 2024-11-05: answers come on the stream that GET opens.
fn old(head: &str, message: &Value, endpoint: &str) -> Act {
    if head.starts_with("get /mcp ") {
        return Act::Stream(format!("event: endpoint\ndata: {endpoint}\n\n"));
    }
    if !head.starts_with("post /messages?s=1 ") {
        return Act::Say("405 Method Not Allowed", "no".to_owned());
    }
    match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let greeting = json!({"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}});
            Act::Push(result(message, &greeting))
        }
        _ => match usual(message) {
            Act::Say(JSON, body) => Act::Push(body),
            other => other,
        },
    }
}

#[tokio::test]
async fn a_server_of_the_transport_before_is_found_out() {
    assert_eq!(call(|head, message| old(head, message, "/messages?s=1")).await, bought());

    let answered = call(|head, message| old(head, message, "https://169.254.169.254/messages?s=1")).await;
    let expected = "the server shop is down: its stream of events names no address of the same origin for messages; \
                    the next try is in 1 s";
    assert_eq!(text(&answered), expected);

    // Without a stream, too, the first failure counts.
    let answered = call(|_, _| ("404 Not Found", "no such page".to_owned())).await;
    let expected =
        "the server shop is down: it answered HTTP 404 Not Found: no such page; the next try is in 1 s";
    assert_eq!(text(&answered), expected);
}

#[tokio::test]
async fn the_transport_before_can_be_asked_for() {
    let server = Server::start(|head, message| {
        let place = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        old(head, message, &format!("http://{place}/messages?s=1"))
    })
    .await;
    let url = format!("http://{}", server.place);
    let mut connection = open(&url, &[], HttpKind::Events, Arc::default(), None).unwrap();
    assert_eq!(connection.greet().await.unwrap().protocol, "2024-11-05");
    let reply = connection.peer.ask("tools/call", json!({"name": "buy"})).await;
    assert_eq!(reply, Ok(Reply::Result(json!({"bought": true}))));
    drop(connection);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(server.hung_up.load(Ordering::Relaxed), 1, "the stream is closed");
}

#[tokio::test]
async fn annotated_arguments_are_headers_and_invalid_annotations_leave_a_tool_out() {
    let server = Server::start(|head, message| match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32022, "message": "old"}})
                .to_string();
            ("400 Bad Request\r\ncontent-type: application/json", error)
        }
        "server/discover" => {
            let greeting = json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}});
            (JSON, result(message, &greeting))
        }
        "tools/list" => {
            let schema =
                |header: &str| json!({"properties": {"to": {"type": "string", "x-mcp-header": header}}});
            let tools = json!({"tools": [
                {"name": "buy", "inputSchema": schema("To")}, {"name": "sell", "inputSchema": schema("a b")},
            ]});
            (JSON, result(message, &tools))
        }
        "tools/call" => {
            assert!(head.contains("mcp-param-to: =?base64?"), "{head}");
            (JSON, result(message, &json!({"bought": true})))
        }
        _ => (JSON, result(message, &json!({}))),
    })
    .await;
    let source = source(format!("http://{}", server.place));
    let listing = source.listed_afresh().await;
    assert_eq!(listing.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["buy"]);
    assert_eq!(
        listing.problems[0].message,
        "the tool \"sell\" of the server shop is not offered: it cannot be called over HTTP: x-mcp-header of \"to\" must \
         be the name of a header, and is \"a b\""
    );
    let mut call = buy();
    call.arguments.insert("to".to_owned(), json!("Zürich"));
    assert_eq!(source.call_with(&call, &Unattended, &CancellationToken::new()).await, bought());
}
