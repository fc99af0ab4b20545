//! Servers that behave, and servers that do not.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use self::fake::{Act, Fake, answer, say};
use super::*;
use crate::model::UpstreamCall;
use crate::project::ProjectView;
use crate::sys::{Cache, Environment};
use crate::{Freshness, Source, Waiting};

mod definitions;
mod fake;

fn buy() -> UpstreamCall {
    let arguments = json!({"item": "tea"}).as_object().unwrap().clone();
    UpstreamCall {
        server: "shop".to_owned(),
        tool: "buy".to_owned(),
        arguments,
        timeout: Duration::from_secs(10),
        definition: None,
        trace: None,
    }
}

async fn call(source: &UpstreamSource) -> ServerAnswer {
    source.call_with(&buy(), &Unattended, &CancellationToken::new()).await
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

/// Remembers all that a call hears, and answers every question.
#[derive(Default, Debug)]
struct Recorder(Mutex<Vec<String>>, Option<Value>);

impl Conversation for Recorder {
    fn progress(&self, raw: &Value) {
        self.0.lock().unwrap().push(format!("progress {raw}"));
    }

    fn message(&self, raw: &Value) {
        self.0.lock().unwrap().push(format!("message {raw}"));
    }

    fn ask<'a>(
        &'a self,
        server: &'a str,
        questions: &'a Map<String, Value>,
    ) -> Waiting<'a, Map<String, Value>> {
        self.0.lock().unwrap().push(format!("ask {server} {}", json!(questions)));
        Box::pin(async {
            // A person takes longer than the call may.
            tokio::time::sleep(Duration::from_mins(1)).await;
            let answer = self.1.clone();
            questions.keys().filter_map(|key| Some((key.clone(), answer.clone()?))).collect()
        })
    }

    fn elicitation(&self) -> Option<&Value> {
        self.1.as_ref()
    }

    fn log_level(&self) -> Option<&str> {
        Some("info")
    }
}

#[tokio::test(start_paused = true)]
async fn raw_json_comes_through_as_it_was_sent() {
    const TOOL: &str = r##"{"zeta":1,"name":"buy","execution":{"taskSupport":"optional"},"inputSchema":{"type":"object","properties":{"b":{"type":"string","x-vendor":[1,2.5]},"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}},"outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true,"vendor":null},"icons":[{"src":"data:,"}],"_meta":{"z":{"y":[]},"a":"ü"}}"##;
    const RESULT: &str = r#"{"structuredContent":[{"z":1,"a":[null,1e100]}],"content":[{"type":"image","data":"AAAA","mimeType":"image/png","annotations":{"audience":["user"]}},{"type":"resource_link","uri":"x:y","name":"n","unknown":true},{"type":"hologram","depth":3}],"isError":true,"_meta":{"z":0,"a":{"b":1}},"vendorField":"kept"}"#;
    let (source, _) = Fake::new(|message| match message["method"].as_str() {
        Some("tools/list") => say(message, &format!(r#"{{"tools":[{TOOL}]}}"#)),
        Some("tools/call") => say(message, RESULT),
        _ => None,
    })
    .source(Connect::WhenCalled, None);
    let listing = source.listed_afresh().await;
    assert_eq!(listing.tools[0].definition.raw().to_string(), TOOL);
    let left_out = "the tool \"buy\" of the server shop is offered without what clients refuse: its `outputSchema.type` must be \
                    object";
    assert_eq!(listing.problems, [crate::model::Problem::warning(left_out)]);
    let ServerAnswer::Result(result) = call(&source).await else { panic!() };
    // The same text but for the spelling of a float.
    assert_eq!(result.to_string(), RESULT.replace("1e100", "1e+100"));
    assert!(
        matches!(source.health(), UpstreamHealth::Connected { name: Some(name), .. } if name == "shop-server")
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_crashes_at_start_is_tried_less_and_less_often() {
    let mut fake = Fake::new(|_| None);
    fake.dies_at_start = true;
    fake.stderr = "\u{1b}[31mno token\u{1b}[0m\n".to_owned();
    let (source, fake) = fake.source(Connect::AtOnce, None);
    let first = call(&source).await;
    assert_eq!(
        text(&first),
        "the server shop is down: its program ended with exit code 3; its last line on standard error: no token; \
         the next try is in 1 s"
    );
    assert_eq!(source.last_lines(), ["no token"]);
    tokio::time::sleep(Duration::from_mins(5)).await;
    let starts = fake.starts.load(Ordering::Relaxed);
    assert!((8..=13).contains(&starts), "{starts}");
    assert_eq!(fake.alive.load(Ordering::Relaxed), 0);
    assert_eq!(source.problems().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_in_a_call_comes_back() {
    let died = AtomicBool::new(false);
    let (source, fake) = Fake::new(move |message| {
        (is(message, "tools/call") && !died.swap(true, Ordering::Relaxed)).then_some(Act::Die)
    })
    .source(Connect::WhenCalled, None);
    let lost = call(&source).await;
    assert_eq!(text(&lost), "the connection to the server shop was lost: its program ended with exit code 3");
    assert!(matches!(call(&source).await, ServerAnswer::Unreachable(_)), "fails at once while it is down");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(matches!(call(&source).await, ServerAnswer::Result(_)));
    assert_eq!(fake.starts.load(Ordering::Relaxed), 2);
    drop(source);
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(fake.alive.load(Ordering::Relaxed), 0, "nothing is left running");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_in_initialize_is_ended() {
    let (source, fake) = Fake::new(|message| is(message, "initialize").then(|| Act::Say(Vec::new())))
        .source(Connect::WhenCalled, None);
    let answered = call(&source).await;
    let expected = "the server shop is down: it did not answer within 30 s; the next try is in 1 s";
    assert_eq!(text(&answered), expected);
    assert_eq!(fake.alive.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn noise_and_floods_and_strays_harm_nothing() {
    let mut fake = Fake::new(|message| {
        is(message, "tools/call").then(|| {
            let mut lines = vec![
                "Listening on port 3000".to_owned(),
                r#"{"jsonrpc":"2.0","id":1,"#.to_owned(),
                r#"{"log":"x"}"#.to_owned(),
                r#"{"jsonrpc":"2.0","id":4711,"result":{}}"#.to_owned(),
                r#"{"jsonrpc":"2.0","id":"never","result":{}}"#.to_owned(),
                r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#.to_owned(),
                r#"{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{}}"#.to_owned(),
            ];
            lines.push(answer(message, r#"{"content":[]}"#));
            Act::Say(lines)
        })
    });
    fake.stderr = "x".repeat(1000).repeat(2000) + &"\nline".repeat(1000);
    let (source, _) = fake.source(Connect::WhenCalled, None);
    assert_eq!(call(&source).await, ServerAnswer::Result(json!({"content": []})));
    let problems = source.problems();
    assert_eq!(
        problems[0].message,
        "the server shop prints noise on standard output: 3 lines, first \"Listening on port 3000\""
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(source.last_lines().len(), 201);
}

#[tokio::test(start_paused = true)]
async fn large_results_come_through_and_too_large_ones_end_the_connection() {
    for (megabytes, is_taken) in [(12, true), (17, false)] {
        let (source, _) = Fake::new(move |message| {
            let result = || format!(r#"{{"text":"{}"}}"#, "x".repeat(megabytes * 1024 * 1024));
            is(message, "tools/call").then(|| Act::Say(vec![answer(message, &result())]))
        })
        .source(Connect::WhenCalled, None);
        match call(&source).await {
            ServerAnswer::Result(result) if is_taken => {
                assert_eq!(result["text"].as_str().unwrap().len(), megabytes * 1024 * 1024);
            }
            ServerAnswer::Lost(reason) => assert_eq!(
                reason,
                "the connection to the server shop was lost: it sent a message of more than 16 MiB"
            ),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn lists_are_paged_bounded_and_checked() {
    let (source, _) = Fake::new(|message| {
        let cursor = message["params"]["cursor"].as_u64().unwrap_or(0);
        let tools: Vec<_> =
            (0..1000).map(|at| json!({"name": format!("t{cursor}_{at}"), "inputSchema": {}})).collect();
        let page = json!({"tools": tools, "nextCursor": cursor + 1}).to_string();
        is(message, "tools/list").then(|| Act::Say(vec![answer(message, &page)]))
    })
    .source(Connect::WhenCalled, None);
    let listing = source.listed_afresh().await;
    assert_eq!(listing.tools.len(), 5_000);
    assert_eq!(
        listing.problems[0].message,
        "the server shop lists more than 5000 tools; the first 5000 are offered"
    );

    let tools =
        r#"{"tools":[{"name":"a b","inputSchema":{}},{"name":"a b","inputSchema":{}},{"inputSchema":{}},
        {"name":"c","inputSchema":[]},{"name":"d"},7]}"#
            .replace('\n', "");
    let (source, _) =
        Fake::new(move |message| is(message, "tools/list").then(|| Act::Say(vec![answer(message, &tools)])))
            .source(Connect::WhenCalled, None);
    let listing = source.listed_afresh().await;
    assert_eq!(listing.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["a b"]);
    let messages: Vec<_> = listing.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the tool 3 of the server shop is not offered: it has no `name`",
            "the tool \"c\" of the server shop is not offered: its `inputSchema` must be an object",
            "the tool \"d\" of the server shop is not offered: it has no `inputSchema`",
            "the tool 6 of the server shop is not offered: it must be an object",
            "the server shop lists the tool \"a b\" twice; the first is offered",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_storm_of_changes_asks_for_few_lists() {
    let lists = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&lists);
    let (source, _) = Fake::new(move |message| {
        if !is(message, "tools/list") {
            return None;
        }
        let count = counted.fetch_add(1, Ordering::Relaxed);
        let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
        let tools = format!(r#"{{"tools":[{{"name":"t{count}","inputSchema":{{}}}}]}}"#);
        let mut lines = vec![changed.to_owned(); 500];
        lines.push(answer(message, &tools));
        Some(Act::Say(lines))
    })
    .source(Connect::AtOnce, None);
    source.begin();
    tokio::time::sleep(Duration::from_mins(5)).await;
    let count = lists.load(Ordering::Relaxed);
    assert!((5..25).contains(&count), "{count}");
    assert_eq!(source.generation(), count as u64);
}

#[tokio::test(start_paused = true)]
async fn a_call_without_end_times_out_and_is_cancelled() {
    let cancelled = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&cancelled);
    let (source, _) = Fake::new(move |message| {
        if is(message, "notifications/cancelled") {
            heard.lock().unwrap().push(message["params"]["requestId"].clone());
        }
        is(message, "tools/call").then(|| {
            let token = &message["params"]["_meta"]["progressToken"];
            let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress",
                "params": {"progressToken": token, "progress": 1}});
            Act::Say(vec![progress.to_string(); 10_000])
        })
    })
    .source(Connect::WhenCalled, None);
    let recorder = Recorder::default();
    let answered = source.call_with(&buy(), &recorder, &CancellationToken::new()).await;
    assert_eq!(answered, ServerAnswer::TimedOut(Duration::from_secs(10)));
    assert!(recorder.0.lock().unwrap().len() > 10);

    let cancel = CancellationToken::new();
    let (call, token) = (buy(), cancel.clone());
    let later = async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        token.cancel();
    };
    let (answered, ()) = tokio::join!(source.call_with(&call, &recorder, &cancel), later);
    assert_eq!(answered, ServerAnswer::Cancelled);
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(*cancelled.lock().unwrap(), [json!(3), json!(4)]);
}

#[tokio::test(start_paused = true)]
async fn questions_reach_the_person_in_both_eras() {
    let yes = json!({"action": "accept", "content": {"size": 2}});
    // The old era: the server asks in the middle of the call.
    let (source, _) = Fake::new(|message| {
        if message["id"] == "q" {
            let result = json!({"got": message["result"]}).to_string();
            return Some(Act::Say(vec![format!(r#"{{"jsonrpc":"2.0","id":3,"result":{result}}}"#)]));
        }
        let ask = r#"{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"size?"}}"#;
        is(message, "tools/call").then(|| Act::Say(vec![ask.to_owned()]))
    })
    .source(Connect::WhenCalled, None);
    let recorder = Recorder(Mutex::default(), Some(yes.clone()));
    let answered = source.call_with(&buy(), &recorder, &CancellationToken::new()).await;
    assert_eq!(answered, ServerAnswer::Result(json!({"got": yes})));
    assert_eq!(*recorder.0.lock().unwrap(), [r#"ask shop {"question":{"message":"size?"}}"#]);

    // The new era: a result asks for input, and the call is sent again.
    let (source, _) = modern(|message| {
        let params = &message["params"];
        let meta = |name: &str| params["_meta"][format!("io.modelcontextprotocol/{name}")].clone();
        assert_eq!(meta("protocolVersion"), "2026-07-28");
        assert_eq!(meta("logLevel"), "info");
        let can = json!({"elicitation": {"action": "accept", "content": {"size": 2}}});
        assert_eq!(meta("clientCapabilities"), can, "those of the client of this very call");
        match params["requestState"].as_str() {
            // It is not ready, and wants no more than the same request again.
            None => json!({"resultType": "input_required", "requestState": "later"}),
            Some("later") => asks(&["a", "b"]),
            Some(_) => json!({"resultType": "complete", "got": params["inputResponses"]}),
        }
    });
    let answered = source.call_with(&buy(), &recorder, &CancellationToken::new()).await;
    let got = json!({"resultType": "complete", "got": {"a": yes, "b": yes}});
    assert_eq!(answered, ServerAnswer::Result(got));
}

/// A server of the new era, and its results of calls.
fn modern(call: impl Fn(&Value) -> Value + Send + Sync + 'static) -> (UpstreamSource, Arc<Fake>) {
    let fake = Fake::new(move |message| match message["method"].as_str() {
        Some("initialize") => {
            let error = r#"{"code":-32601,"message":"no such method"}"#;
            Some(Act::Say(vec![format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, message["id"])]))
        }
        Some("server/discover") => {
            say(message, r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#)
        }
        Some("tools/call") => say(message, &call(message).to_string()),
        _ => None,
    });
    fake.source(Connect::WhenCalled, None)
}

/// A result that asks for input, by these keys.
fn asks(keys: &[&str]) -> Value {
    let question = json!({"method": "elicitation/create", "params": {"message": "size?"}});
    let requests: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), question.clone())).collect();
    json!({"resultType": "input_required", "requestState": "s", "inputRequests": requests})
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_for_what_nobody_offers_is_refused() {
    for (method, capability) in [
        ("elicitation/create", "elicitation"),
        ("sampling/createMessage", "sampling"),
        ("roots/list", "roots"),
    ] {
        let count = Arc::new(AtomicUsize::new(0));
        let calls = Arc::clone(&count);
        let (source, _) = modern(move |message| {
            calls.fetch_add(1, Ordering::Relaxed);
            let can = &message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
            assert_eq!(*can, json!({}), "nobody waits for this call");
            let asked = json!({"a": {"method": method, "params": {"message": "?"}}});
            json!({"resultType": "input_required", "inputRequests": asked})
        });
        let expected = ServerAnswer::Rejected {
            code: -32021,
            message: format!("it asks for {capability}, which no client here offers"),
            data: Some(json!({"requiredCapabilities": {capability: {}}})),
        };
        assert_eq!(call(&source).await, expected);
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_run_at_once_than_the_limit() {
    let seen = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&seen);
    let (source, _) = Fake::new(move |message| {
        is(message, "tools/call").then(|| {
            counted.fetch_add(1, Ordering::Relaxed);
            Act::Say(Vec::new())
        })
    })
    .source(Connect::WhenCalled, None);
    let source = Arc::new(source);
    for _ in 0..40 {
        let source = Arc::clone(&source);
        tokio::spawn(async move { call(&source).await });
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(seen.load(Ordering::Relaxed), 16);
}

#[tokio::test(start_paused = true)]
async fn a_list_on_disk_starts_nothing() {
    let base = tempfile::tempdir().unwrap();
    let environment = Environment::new("/", [("XDG_CACHE_HOME", base.path().to_str().unwrap())]);
    let cache = || Cache::of(&environment, "upstream");
    let (source, fake) = Fake::new(|_| None).source(Connect::Never, cache());
    assert!(source.listing().is_none());
    assert!(matches!(call(&source).await, ServerAnswer::Unreachable(_)));
    assert_eq!(fake.starts.load(Ordering::Relaxed), 0);

    let (source, _) = Fake::new(|_| None).source(Connect::WhenCalled, cache());
    let fresh = source.listed_afresh().await;
    for connect in [Connect::Never, Connect::WhenCalled] {
        let (source, fake) = Fake::new(|_| None).source(connect, cache());
        assert_eq!(source.listing(), Some(Arc::clone(&fresh)));
        let found = source.refresh(Freshness::Current, &ProjectView::since(SystemTime::UNIX_EPOCH)).await;
        assert_eq!(found.tools[0].original, "buy");
        assert!(Arc::ptr_eq(&found, &source.snapshot().unwrap()), "the very same value");
        assert_eq!(fake.starts.load(Ordering::Relaxed), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_seen_before_is_started_after_the_first_list_and_at_once_for_a_call() {
    let base = tempfile::tempdir().unwrap();
    let environment = Environment::new("/", [("XDG_CACHE_HOME", base.path().to_str().unwrap())]);
    let begun = || {
        let (source, fake) = Fake::new(|_| None).source(Connect::AtOnce, Cache::of(&environment, "upstream"));
        source.begin();
        (source, fake)
    };
    let (unknown, fake) = begun();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(fake.starts.load(Ordering::Relaxed), 1);
    unknown.connected().await;

    let (known, fake) = begun();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(known.health(), UpstreamHealth::Connecting);
    assert_eq!(known.listing(), unknown.listing());
    assert_eq!(fake.starts.load(Ordering::Relaxed), 0);
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert_eq!(fake.starts.load(Ordering::Relaxed), 1);

    let (known, fake) = begun();
    tokio::time::sleep(Duration::from_millis(1)).await;
    let begun = tokio::time::Instant::now();
    assert!(matches!(call(&known).await, ServerAnswer::Result(_)));
    assert_eq!((fake.starts.load(Ordering::Relaxed), begun.elapsed()), (1, Duration::ZERO));
}
