//! Streams that break off, sessions that end, and calls whose headers are out of date.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::server::{Act, JSON, Server, result, usual};
use super::{bought, call, call_at, is, source, text};

/// The head of a stream that ends with its body.
const EVENTS: &str = "200 OK\r\ncontent-type: text/event-stream";

/// The session's id of the usual answers.
const IN_SESSION: &str = "mcp-session-id: s1";

/// A server that breaks off the answer of each call after one event, and goes on with it as `resume` says. Returns the
/// answer of a call, and the ids that streams were asked for again with.
async fn broken_off(
    first: &'static str,
    resume: impl Fn(usize, &Value) -> Act + Send + Sync + 'static,
) -> (crate::upstream::ServerAnswer, Vec<String>) {
    let (called, asked) = (Arc::new(Mutex::new(Value::Null)), Arc::new(Mutex::new(Vec::new())));
    let (kept, ids) = (Arc::clone(&called), Arc::clone(&asked));
    let answered = call(move |head, message| {
        let last = head.lines().find_map(|line| line.strip_prefix("last-event-id: "));
        if let Some(last) = last {
            assert!(head.starts_with("get ") && head.contains(IN_SESSION), "{head}");
            let mut ids = ids.lock().unwrap();
            ids.push(last.to_owned());
            return resume(ids.len(), &kept.lock().unwrap());
        }
        if is(message, "tools/call") {
            kept.lock().unwrap().clone_from(message);
            return Act::Say(EVENTS, first.to_owned());
        }
        usual(message)
    })
    .await;
    let asked = asked.lock().unwrap().clone();
    (answered, asked)
}

#[tokio::test]
async fn an_answer_that_breaks_off_goes_on_where_it_ended() {
    let begun = Instant::now();
    let (answered, asked) = broken_off("id: e1\nretry: 200\ndata: \n\n", |count, called| match count {
        1 => Act::Say(
            EVENTS,
            "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n\ndata: unfini".to_owned(),
        ),
        2 => Act::Close,
        _ => Act::Say(EVENTS, format!("data: {}\n\n", result(called, &json!({"bought": true})))),
    })
    .await;
    assert_eq!((answered, asked), (bought(), ["e1", "e2", "e2"].map(str::to_owned).to_vec()));
    assert!(begun.elapsed() >= Duration::from_millis(600), "the server's time is waited for");
}

#[tokio::test]
async fn an_answer_that_nobody_goes_on_with_fails_its_call_and_is_not_asked_for_twice() {
    let (answered, asked) = broken_off("data: {}\n\n", |_, _| Act::Say(EVENTS, String::new())).await;
    assert_eq!(text(&answered), "the call to the server shop failed: the answer ended before the result");
    assert!(asked.is_empty(), "an event without an id says nothing");

    let refuses = |_: usize, _: &Value| Act::Say("405 Method Not Allowed", String::new());
    let (answered, asked) = broken_off("id: e1\nretry: 1\ndata: \n\n", refuses).await;
    let expected = "the call to the server shop failed: the answer broke off, and the server does not go on with it \
                    (HTTP 405 Method Not Allowed)";
    assert_eq!((text(&answered), asked.len()), (expected, 1));

    let silent = |_: usize, _: &Value| Act::Say(EVENTS, String::new());
    let (answered, asked) = broken_off("id: e1\nretry: 1\ndata: \n\n", silent).await;
    let expected = "the call to the server shop failed: its stream of events breaks off again and again";
    assert_eq!((text(&answered), asked.len()), (expected, 10));
}

#[tokio::test]
async fn the_stream_of_a_session_goes_on_where_it_ended() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let ids = Arc::clone(&asked);
    let server = Server::start(move |head, message| {
        if !head.starts_with("get ") {
            return usual(message);
        }
        let last = head.lines().find_map(|line| line.strip_prefix("last-event-id: "));
        let mut ids = ids.lock().unwrap();
        ids.push(last.map(str::to_owned));
        match ids.len() {
            1 => Act::Say(EVENTS, "id: g1\nretry: 50\ndata: \n\n".to_owned()),
            _ => Act::Stream(String::new()),
        }
    })
    .await;
    let source = source(format!("http://{}", server.place));
    assert_eq!(call_at(&source).await, bought());
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(*asked.lock().unwrap(), [None, Some("g1".to_owned())]);
}

#[tokio::test]
async fn a_session_is_ended_within_a_bounded_time() {
    let ended = Arc::new(AtomicUsize::new(0));
    for hangs in [false, true] {
        let count = Arc::clone(&ended);
        let server = Server::start(move |head, message| {
            if !head.starts_with("delete ") {
                return usual(message);
            }
            assert!(head.contains(IN_SESSION) && head.contains("mcp-protocol-version: 2025-06-18"), "{head}");
            count.fetch_add(1, Ordering::Relaxed);
            if hangs { Act::Hang } else { Act::Say("200 OK", String::new()) }
        })
        .await;
        let source = source(format!("http://{}", server.place));
        assert_eq!(call_at(&source).await, bought());
        let begun = Instant::now();
        source.close().await;
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        assert_eq!(call_at(&source).await, bought(), "the next call connects again");
        // Dropped while the runtime lives on, it is ended as well.
        drop(source);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert_eq!(ended.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_session_that_is_refused_with_400_is_opened_again() {
    let (opened, called) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (openings, calls) = (Arc::clone(&opened), Arc::clone(&called));
    let answered = call(move |_, message| {
        if is(message, "initialize") {
            openings.fetch_add(1, Ordering::Relaxed);
        }
        if is(message, "tools/call") && calls.fetch_add(1, Ordering::Relaxed) == 0 {
            let error = json!({"code": -32000, "message": "Bad Request: No valid session ID provided"});
            let body = json!({"jsonrpc": "2.0", "id": message["id"], "error": error});
            return Act::Say("400 Bad Request", body.to_string());
        }
        usual(message)
    });
    assert_eq!(answered.await, bought());
    assert_eq!((opened.load(Ordering::Relaxed), called.load(Ordering::Relaxed)), (2, 2));
}

#[tokio::test]
async fn a_call_whose_headers_are_out_of_date_is_sent_once_more() {
    let (listed, called) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (lists, calls) = (Arc::clone(&listed), Arc::clone(&called));
    let respond = move |head: &str, message: &Value| match message["method"].as_str().unwrap_or_default() {
        "server/discover" => {
            let greeting = json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}});
            Act::Say(JSON, result(message, &greeting))
        }
        "tools/list" => {
            // Another version of the server wants a header.
            let property = match lists.fetch_add(1, Ordering::Relaxed) {
                0 => json!({"type": "string"}),
                _ => json!({"type": "string", "x-mcp-header": "To"}),
            };
            let tool =
                json!({"name": "buy", "inputSchema": {"type": "object", "properties": {"to": property}}});
            Act::Say(JSON, result(message, &json!({"tools": [tool]})))
        }
        "tools/call" => {
            calls.fetch_add(1, Ordering::Relaxed);
            if head.contains("mcp-param-to: me") {
                return Act::Say(JSON, result(message, &json!({"bought": true})));
            }
            let error = json!({"code": -32020, "message": "Header mismatch: Mcp-Param-To is missing"});
            let body = json!({"jsonrpc": "2.0", "id": message["id"], "error": error});
            Act::Say("400 Bad Request", body.to_string())
        }
        _ => Act::Say(JSON, result(message, &json!({}))),
    };
    let server = Server::start(respond).await;
    let source = source(format!("http://{}", server.place));
    let mut buy = super::buy();
    buy.arguments.insert("to".to_owned(), json!("me"));
    let cancel = tokio_util::sync::CancellationToken::new();
    let answered = source.call_with(&buy, &crate::upstream::Unattended, &cancel).await;
    assert_eq!(answered, bought());
    assert_eq!(called.load(Ordering::Relaxed), 2);
    // Once, and not for ever.
    buy.arguments.insert("to".to_owned(), json!("you"));
    let answered = source.call_with(&buy, &crate::upstream::Unattended, &cancel).await;
    assert!(matches!(answered, crate::upstream::ServerAnswer::Rejected { code: -32020, .. }), "{answered:?}");
    assert_eq!(called.load(Ordering::Relaxed), 4);
}
