//! A server on a socket of this machine.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::model::{Command, UpstreamCall, Values};
use crate::settings::{Transport, Upstream};
use crate::sources::Waiting;
use crate::sources::upstream::{
    Answered, Connect, Started, Starter, Unattended, UpstreamContext, UpstreamLimits, UpstreamSource,
};
use crate::sys::Clock;

#[derive(Debug)]
struct Nothing;

impl Starter for Nothing {
    fn start<'a>(&'a self, _server: &'a str, _command: Command) -> Waiting<'a, Result<Started, String>> {
        Box::pin(std::future::ready(Err("nothing is started".to_owned())))
    }
}

/// The head of a response and its body, for a request's head and body.
type Respond = fn(&str, &Value) -> (&'static str, String);

async fn serve(mut stream: TcpStream, respond: Respond) {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let Ok(count @ 1..) = stream.read(&mut chunk).await else { return };
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() < length.map_or(0, |length| length.parse().unwrap()) {
            continue;
        }
        let (extra, body) = respond(&head, &serde_json::from_str(body).unwrap_or_default());
        let text =
            format!("HTTP/1.1 {extra}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
        let _ = stream.write_all(text.as_bytes()).await;
        return;
    }
}

async fn call(respond: Respond) -> Answered {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, respond));
        }
    });
    let headers = vec![("x-key".to_owned(), "secret".to_owned())];
    let transport = Transport::Http { url, headers };
    let upstream = Upstream { name: "shop".to_owned(), enabled: true, transport, config: Values::default() };
    let source = UpstreamSource::new(
        upstream,
        UpstreamContext {
            starter: Arc::new(Nothing),
            clock: Clock::of_system(),
            cache: None,
            connect: Connect::WhenCalled,
            limits: UpstreamLimits::default(),
        },
    );
    let call = UpstreamCall {
        server: "shop".to_owned(),
        tool: "buy".to_owned(),
        arguments: Map::new(),
        timeout: Duration::from_secs(5),
    };
    source.call_with(&call, &Unattended, &CancellationToken::new()).await
}

fn result(message: &Value, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string()
}

const JSON: &str = "200 OK\r\ncontent-type: application/json\r\nmcp-session-id: s1";

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
                (JSON, result(message, &greeting))
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
    assert_eq!(answered, Answered::Result(json!({"z": 1, "a": 2})));
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
    assert_eq!(answered, Answered::Result(json!({"resultType": "complete"})));
}

#[tokio::test]
async fn a_redirect_to_another_address_is_not_followed() {
    let answered = call(|_, _| {
        ("307 Temporary Redirect\r\nlocation: http://169.254.169.254/latest/meta-data", String::new())
    })
    .await;
    let Answered::Unreachable(reason) = answered else { panic!("{answered:?}") };
    let expected = "the server shop is down: it redirects to another address, which cuff does not follow; ";
    assert!(reason.starts_with(expected), "{reason}");
}
