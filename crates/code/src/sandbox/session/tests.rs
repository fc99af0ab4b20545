//! The parent against interpreters that send arbitrary messages.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt as _, duplex};

use super::*;
use crate::sandbox::catalog::{ResultShape, ToolDescription, ToolServer};

/// Answers each call with its arguments after the time that they name, and keeps what is printed.
#[derive(Default)]
struct Echo {
    printed: Mutex<String>,
}

impl SandboxHost for Echo {
    async fn call(&self, call: ToolCall) -> Result<Value, CallFailure> {
        let wait = call.arguments.get("wait").and_then(Value::as_u64).unwrap_or_default();
        tokio::time::sleep(Duration::from_millis(wait)).await;
        assert!(!call.arguments.contains_key("panic"), "it was asked to");
        Ok(Value::Object(call.arguments))
    }

    fn print(&self, _: PrintedStream, text: &str) {
        self.printed.lock().unwrap().push_str(text);
    }
}

fn catalog() -> Catalog {
    let tool = ToolDescription {
        name: "echo".into(),
        description: None,
        input: json!({"type": "object"}),
        output: ResultShape::Unknown,
    };
    Catalog::new(vec![ToolServer { name: "s".into(), tools: vec![tool], ..ToolServer::default() }])
}

const READY: &str = r#"{"ready":{"system_calls":true,"files":true,"resources":true}}"#;
const COMPILED: &str = r#""compiled""#;
const DONE: &str = r#"{"done":{"result":1}}"#;

fn messages(said: &[&str]) -> Vec<u8> {
    said.iter().flat_map(|message| framed(message).unwrap()).collect()
}

/// The conversation with an interpreter that says these bytes, stays for a while and leaves.
async fn with(bytes: Vec<u8>, limits: &ExecutionLimits, stays: Duration) -> (ExecutionEnd, String) {
    let (host, catalog) = (Arc::new(Echo::default()), catalog());
    let (mut speaks, hears) = duplex(1 << 20);
    let session = SandboxSession::new(&catalog, Arc::clone(&host), limits, false);
    let interpreter = async {
        // The parent hangs up as soon as it has heard enough.
        let _ = speaks.write_all(&bytes).await;
        tokio::time::sleep(stays).await;
        drop(speaks);
    };
    let mut conversation = Box::pin(session.converse("", hears, tokio::io::sink()));
    let conversation = tokio::select! {
        conversation = &mut conversation => conversation,
        () = interpreter => conversation.await,
    };
    let printed = host.printed.lock().unwrap().clone();
    (conversation, printed)
}

fn limits() -> ExecutionLimits {
    ExecutionLimits { time: Duration::from_secs(5), ..ExecutionLimits::default() }
}

async fn ended(said: &[&str]) -> Ended {
    with(messages(said), &limits(), Duration::ZERO).await.0.ended
}

#[tokio::test]
async fn a_conversation_in_its_order_ends_with_the_result() {
    let call = r#"{"call":{"id":7,"tool":0,"arguments":{"a":1}}}"#;
    let print = r#"{"print":{"stream":"out","text":"hello"}}"#;
    let bytes = messages(&[READY, COMPILED, print, call, DONE]);
    let (conversation, printed) = with(bytes, &limits(), Duration::ZERO).await;
    assert_eq!((conversation.ended, printed.as_str()), (Ended::Done(Some(json!(1))), "hello"));
    let [record] = &conversation.journal[..] else { panic!("{:?}", conversation.journal) };
    assert_eq!((record.tool.as_str(), record.arguments.as_str()), ("s.echo", r#"{"a":1}"#));
    // It did not wait for the answer, so that the call was cancelled.
    assert_eq!(record.ended, CallEnd::Unfinished);
}

#[tokio::test]
async fn words_out_of_turn_end_the_conversation() {
    let call = r#"{"call":{"id":0,"tool":0,"arguments":{}}}"#;
    let rejected = r#"{"rejected":[]}"#;
    for said in [
        &[COMPILED][..],
        &[DONE],
        &[call],
        &[READY, call],
        &[READY, DONE],
        &[READY, READY],
        &[READY, COMPILED, COMPILED],
        &[READY, COMPILED, rejected],
        &[READY, COMPILED, r#"{"refused":"late"}"#],
    ] {
        assert_eq!(ended(said).await, Ended::Broken("it spoke out of turn"), "{said:?}");
    }
}

#[tokio::test]
async fn messages_that_are_none_end_the_conversation() {
    for nonsense in
        ["{}", "null", "[]", r#"{"call":{"id":-1}}"#, r#"{"print":{"stream":"x","text":""}}"#, "{\"done\""]
    {
        let ended = ended(&[READY, COMPILED, nonsense]).await;
        assert_eq!(ended, Ended::Broken("it sent a message that is none"), "{nonsense}");
    }
    let (conversation, _) = with(u32::MAX.to_le_bytes().to_vec(), &limits(), Duration::ZERO).await;
    assert_eq!(conversation.ended, Ended::Broken("it sent a message that is too long"));
    let (conversation, _) = with(vec![2, 0, 0, 0, 0xff, 0xfe], &limits(), Duration::ZERO).await;
    assert_eq!(conversation.ended, Ended::Broken("it sent bytes that are no message"));
}

#[tokio::test]
async fn a_tool_that_there_is_not_cannot_be_called() {
    let call = r#"{"call":{"id":0,"tool":1,"arguments":{}}}"#;
    assert_eq!(ended(&[READY, COMPILED, call]).await, Ended::Broken("it called a tool that there is not"));
}

#[tokio::test]
async fn more_calls_at_once_than_it_may_end_the_conversation() {
    let call = r#"{"call":{"id":0,"tool":0,"arguments":{"wait":9000}}}"#;
    let limits = ExecutionLimits { concurrent_calls: 2, ..limits() };
    let (conversation, _) =
        with(messages(&[READY, COMPILED, call, call, call]), &limits, Duration::from_secs(9)).await;
    assert_eq!(conversation.ended, Ended::Broken("it made more calls at once than it may"));
}

#[tokio::test]
async fn all_that_is_printed_is_bounded_and_counted() {
    let limits = ExecutionLimits { output: 5, ..limits() };
    let print = r#"{"print":{"stream":"err","text":"fünf!!!"}}"#;
    let bytes = messages(&[READY, COMPILED, print, print, r#"{"unprinted":100}"#, DONE]);
    let (conversation, printed) = with(bytes, &limits, Duration::ZERO).await;
    assert_eq!((printed.as_str(), conversation.unprinted), ("fünf", 3 + 8 + 100));
}

#[tokio::test]
async fn an_interpreter_that_leaves_or_says_nothing_is_noticed() {
    assert_eq!(ended(&[]).await, Ended::Gone);
    assert_eq!(ended(&[READY, COMPILED]).await, Ended::Gone);
    let limits = ExecutionLimits { time: Duration::from_millis(10), ..limits() };
    let (conversation, _) = with(messages(&[READY, COMPILED]), &limits, Duration::from_secs(9)).await;
    assert_eq!(conversation.ended, Ended::TimeOver);
}

#[tokio::test]
async fn the_clock_stands_while_a_call_is_out() {
    let limits = ExecutionLimits { time: Duration::from_millis(10), ..limits() };
    let call = r#"{"call":{"id":0,"tool":0,"arguments":{"wait":1500}}}"#;
    let (conversation, _) = with(messages(&[READY, COMPILED, call]), &limits, Duration::from_secs(9)).await;
    assert_eq!(conversation.ended, Ended::TimeOver);
    // The call was waited for, and its time is not the program's.
    assert_eq!(conversation.journal[0].ended, CallEnd::Succeeded);
}

/// The program hears of it, and its clock goes on.
#[tokio::test]
async fn a_call_that_panics_has_an_answer() {
    let limits = ExecutionLimits { time: Duration::from_millis(10), ..limits() };
    let call = r#"{"call":{"id":0,"tool":0,"arguments":{"panic":true}}}"#;
    let (conversation, _) = with(messages(&[READY, COMPILED, call]), &limits, Duration::from_secs(9)).await;
    assert_eq!(conversation.ended, Ended::TimeOver);
    let CallEnd::Failed(reason) = &conversation.journal[0].ended else { panic!("{conversation:?}") };
    assert!(reason.contains("report it as a bug"), "{reason}");
}
