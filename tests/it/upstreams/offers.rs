//! Prompts, resources and completions of other MCP servers, under cuff's names and under their own.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::served::{
    approve, approved, ask, asking, call, directly, everything, of_method, of_newest, suite, with_cuff,
};
use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

/// A server that has one resource on its list, answers for every other, and says its secret wherever it can.
const SHOP: &str = r#"
const secret = process.env.SHOP_TOKEN;
const say = (message) => console.log(JSON.stringify({jsonrpc: "2.0", ...message}));
const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion, capabilities: {tools: {}, prompts: {}, resources: {}, logging: {}},
    serverInfo: {name: "shop", version: "1"},
  }),
  "tools/list": () => ({tools: [{name: "buy", inputSchema: {type: "object"}}]}),
  "tools/call": () => {
    setTimeout(() => say({method: "notifications/message", params: {level: "error", data: "later " + secret}}), 100);
    return {content: [{type: "resource_link", name: "bill", uri: "shop://bills/7"}], _meta: {x: 1}};
  },
  "prompts/list": () => ({prompts: [{name: "greet", description: secret}]}),
  "prompts/get": () => ({messages: [{role: "user", content: {type: "text", text: "say " + secret}}]}),
  "resources/list": () => ({resources: [{name: "key", uri: "shop://key"}]}),
  "resources/templates/list": () => ({resourceTemplates: []}),
  "resources/read": ({uri}) => ({contents: [{uri, text: "it is " + secret, vendor: {field: [1]}}], more: true}),
};
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id === undefined) return;
  if (params?.uri === "shop://closed") {
    return say({id, error: {code: -32002, message: "closed with " + secret, data: {uri: params.uri, secret}}});
  }
  say(answers[method] ? {id, result: answers[method](params)} : {id, error: {code: -32601, message: "no"}});
});
"#;

/// The entries of a list.
fn entries(session: &mut McpSession, list: &str, key: &str) -> Vec<Value> {
    let mut answer = ask(session, list, json!({}));
    let Value::Array(entries) = answer["result"][key].take() else { panic!("{answer}") };
    entries
}

#[test]
fn lists_are_equal_apart_from_names() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words.clone())]);
    let mut direct = directly(&project, &words);
    for mut cuff in [with_cuff(&project, &asking()), of_newest(&project, &asking(), &json!({}))] {
        for (list, key, name, prefix) in [
            ("prompts/list", "prompts", "name", "everything."),
            ("resources/list", "resources", "uri", "everything+"),
            ("resources/templates/list", "resourceTemplates", "uriTemplate", "everything+"),
        ] {
            let mut expected = entries(&mut direct, list, key);
            assert!(expected.len() > 1, "{list}: {expected:?}");
            for entry in &mut expected {
                entry[name] = json!(format!("{prefix}{}", entry[name].as_str().unwrap()));
            }
            // On a busy machine the server may not have answered yet, and its offers are there once it has.
            let end = Instant::now() + Duration::from_mins(1);
            let mut here = entries(&mut cuff, list, key);
            while here.is_empty() && Instant::now() < end {
                thread::sleep(Duration::from_millis(100));
                here = entries(&mut cuff, list, key);
            }
            assert_eq!(json!(here).to_string(), json!(expected).to_string(), "{list}");
        }
        cuff.leave();
    }
    direct.leave();
}

#[test]
fn prompts_and_resources_are_had_by_both_names() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words.clone())]);
    let mut direct = directly(&project, &words);
    let mut cuff = with_cuff(&project, &asking());
    let arguments = json!({"city": "Bern", "state": "BE"});
    let expected = ask(&mut direct, "prompts/get", json!({"name": "args-prompt", "arguments": arguments}));
    for name in ["args-prompt", "everything.args-prompt"] {
        let here = ask(&mut cuff, "prompts/get", json!({"name": name, "arguments": arguments}));
        assert_eq!(here["result"].to_string(), expected["result"].to_string(), "{name}");
    }
    let uri = entries(&mut direct, "resources/list", "resources")[0]["uri"].as_str().unwrap().to_owned();
    let expected = ask(&mut direct, "resources/read", json!({"uri": uri}))["result"].take();
    assert!(expected["contents"][0]["text"].as_str().unwrap().len() > 100, "{expected}");
    for given in [uri.clone(), format!("everything+{uri}")] {
        let here = ask(&mut cuff, "resources/read", json!({"uri": given}))["result"].take();
        let mut expected = expected.clone();
        expected["contents"][0]["uri"] = json!(given);
        assert_eq!(here.to_string(), expected.to_string(), "{given}");
    }
    // One that a template stands for.
    for uri in ["demo://resource/dynamic/text/3", "everything+demo://resource/dynamic/text/3"] {
        let here = ask(&mut cuff, "resources/read", json!({"uri": uri}))["result"].take();
        assert_eq!(here["contents"][0]["uri"], uri);
        assert!(here["contents"][0]["text"].as_str().unwrap().starts_with("Resource 3"), "{here}");
    }
    for (reference, argument, context) in [
        (("ref/prompt", "name", "completable-prompt"), ("department", "S"), json!({})),
        (("ref/prompt", "name", "completable-prompt"), ("name", ""), json!({"department": "Sales"})),
        (
            ("ref/resource", "uri", "demo://resource/dynamic/text/{resourceId}"),
            ("resourceId", "4"),
            json!({}),
        ),
    ] {
        let (kind, field, name) = reference;
        let params = |name: String| {
            let argument = json!({"name": argument.0, "value": argument.1});
            let reference = json!({"type": kind, field: name});
            json!({"ref": reference, "argument": argument, "context": {"arguments": context}})
        };
        let expected = ask(&mut direct, "completion/complete", params(name.to_owned()))["result"].take();
        assert!(!expected["completion"]["values"].as_array().unwrap().is_empty(), "{name}: {expected}");
        let prefix = if field == "name" { "everything." } else { "everything+" };
        for given in [name.to_owned(), format!("{prefix}{name}")] {
            let here = ask(&mut cuff, "completion/complete", params(given.clone()))["result"].take();
            assert_eq!(here.to_string(), expected.to_string(), "{given}");
        }
    }
    cuff.leave();
    direct.leave();
}

#[test]
fn a_name_that_two_servers_have_must_be_qualified() {
    let Some(words) = everything() else { return };
    let project = approved(&[("one", words.clone()), ("two", words)]);
    let mut cuff = with_cuff(&project, &json!({}));
    // The second server may connect a moment later.
    while entries(&mut cuff, "prompts/list", "prompts").len() < 8 {
        thread::sleep(Duration::from_millis(50));
    }
    let unclear = ask(&mut cuff, "prompts/get", json!({"name": "simple-prompt"}));
    let why = "simple-prompt is ambiguous; say which: one.simple-prompt, two.simple-prompt";
    assert_eq!(unclear["error"], json!({"code": -32602, "message": why}));
    let got = ask(&mut cuff, "prompts/get", json!({"name": "two.simple-prompt"}));
    assert!(got["result"]["messages"].is_array(), "{got}");
    let unknown = ask(&mut cuff, "resources/read", json!({"uri": "none://here"}));
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(unknown["error"]["data"], json!({"uri": "none://here"}), "{unknown}");
    cuff.leave();
}

#[test]
fn changes_of_a_resource_come_in_a_session() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words)]);
    let mut cuff = with_cuff(&project, &json!({}));
    let uris = ["demo://resource/dynamic/text/1", "everything+demo://resource/dynamic/text/2"];
    // On a busy machine the server connects a moment later.
    while entries(&mut cuff, "resources/list", "resources").is_empty() {
        thread::sleep(Duration::from_millis(50));
    }
    for uri in uris {
        let answer = ask(&mut cuff, "resources/subscribe", json!({"uri": uri}));
        assert_eq!(answer["result"], json!({}), "{answer}");
    }
    // The server tells of all that were subscribed to, now and every five seconds.
    let toggle = json!({"name": "everything.toggle_subscriber_updates", "arguments": {}});
    cuff.begin("tools/call", toggle);
    for uri in uris {
        let is_notification = |message: &Value| {
            message["method"] == "notifications/resources/updated" && message["params"]["uri"] == uri
        };
        cuff.hear_until(is_notification);
    }
    assert_eq!(ask(&mut cuff, "resources/unsubscribe", json!({"uri": uris[1]}))["result"], json!({}));
    // Of two rounds more, each has the first alone.
    for _ in 0..2 {
        let said = cuff.hear_until(|message| message["method"] == "notifications/resources/updated");
        assert_eq!(said.last().unwrap()["params"]["uri"], uris[0]);
    }
    cuff.leave();
}

#[test]
fn changes_of_a_resource_come_to_a_listener() {
    let uri = "suite+test://watched-resource";
    for era in ["sessions", "newest"] {
        let Some(words) = suite(era) else { return };
        let project = approved(&[("suite", words)]);
        let mut cuff = of_newest(&project, &json!({}), &json!({}));
        let wanted = json!({"resourceSubscriptions": [uri], "promptsListChanged": true});
        let id = cuff.begin("subscriptions/listen", json!({"notifications": wanted}));
        let accepted = cuff.hear();
        assert_eq!(accepted["method"], "notifications/subscriptions/acknowledged", "{accepted}");
        assert_eq!(accepted["params"]["notifications"], wanted);
        let subscription = json!({"io.modelcontextprotocol/subscriptionId": id});
        // The server may hear of the subscription a moment after the client.
        let notification = loop {
            cuff.begin("tools/call", json!({"name": "test_trigger_resource_change", "arguments": {}}));
            let is_notification = |message: &Value| message["method"] == "notifications/resources/updated";
            let said = cuff.hear_until(|message| is_notification(message) || message.get("result").is_some());
            if let Some(notification) = said.into_iter().find(is_notification) {
                break notification;
            }
            thread::sleep(Duration::from_millis(100));
        };
        assert_eq!(notification["params"], json!({"_meta": subscription, "uri": uri}), "{era}");
        cuff.leave();
    }
}

#[test]
fn nobody_sees_a_servers_secrets() {
    let project = Project::empty();
    project.write("server.cjs", SHOP);
    approve(&project, &[("shop", vec!["node".to_owned(), "server.cjs".to_owned()])]);
    let mut cuff = with_cuff(&project, &json!({}));
    let hidden = "[redacted:SHOP_TOKEN]";
    let listed = ask(&mut cuff, "prompts/list", json!({}));
    let mut all = vec![listed.clone()];
    assert_eq!(listed["result"]["prompts"], json!([{"name": "shop.greet", "description": hidden}]));
    let got = ask(&mut cuff, "prompts/get", json!({"name": "greet"}));
    assert_eq!(got["result"]["messages"][0]["content"]["text"], format!("say {hidden}"));
    let read = ask(&mut cuff, "resources/read", json!({"uri": "shop+shop://key"}));
    let content =
        json!({"uri": "shop+shop://key", "text": format!("it is {hidden}"), "vendor": {"field": [1]}});
    assert_eq!(read["result"].to_string(), json!({"contents": [content], "more": true}).to_string());
    // A link of a tool's may lead to what no list has.
    let link = call(&mut cuff, "buy", &json!({}))["result"]["content"][0].take();
    let linked = ask(&mut cuff, "resources/read", json!({"uri": link["uri"]}));
    assert_eq!(linked["result"]["contents"][0]["uri"], "shop://bills/7");
    let closed = ask(&mut cuff, "resources/read", json!({"uri": "shop+shop://closed"}));
    let data = json!({"uri": "shop+shop://closed", "secret": hidden});
    let error = json!({"code": -32002, "message": format!("shop: closed with {hidden}"), "data": data});
    assert_eq!(closed["error"], error);
    // A message that it sends after the call.
    call(&mut cuff, "buy", &json!({}));
    let said = cuff.hear_until(|message| message["method"] == "notifications/message");
    let notification = of_method(&said, "notifications/message");
    assert_eq!(notification[0]["data"], format!("later {hidden}"));
    all.extend([got, read, linked, closed]);
    all.extend(said);
    assert!(!json!(all).to_string().contains("open-sesame"), "{all:?}");
    cuff.leave();
}
