//! A client that tries a server: what an agent's host would do first, and what it must not get wrong.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// The most pages of a list that are read.
const MOST_PAGES: usize = 1000;

/// A server that is spoken with, line by line.
pub trait ServerLine {
    /// Says a line; `false` when nobody listens.
    fn say(&mut self, line: &str) -> bool;
    /// The next line, as long as one may wait for it.
    fn hear(&mut self) -> Option<String>;
    /// Hangs up: whether it then said nothing more, and ended well.
    fn hang_up(&mut self) -> Result<(), String>;
}

/// A test and its result: a few words on what was seen, or why it is wrong.
pub type TestResult = (&'static str, Result<String, String>);

/// Tries everything in turn and tells of each; whether all of it was right.
pub fn self_test(server: &mut dyn ServerLine, tell: &mut dyn FnMut(TestResult)) -> bool {
    let mut client = TestClient { server, asked: 0, meta: None, instructions: String::new() };
    let mut right = true;
    let mut note = |what, came: Result<String, String>| {
        right &= came.is_ok();
        tell((what, came));
    };
    note("initialize (2025-11-25)", client.handshake());
    let listed = client.list();
    note("tools/list, all pages", listed.as_ref().map(|tools| said_of(tools)).map_err(Clone::clone));
    note(
        "a cursor that leads nowhere is refused",
        client.refused("tools/list", &json!({"cursor": "x"}), -32602),
    );
    note("an unknown method is refused", client.refused("tools/no", &json!({}), -32601));
    note("parameters of another type are refused", client.refused("tools/call", &json!({"name": 5}), -32602));
    note("what is not JSON is answered", client.nonsense());
    note("an unknown tool is a failed call", client.unknown());
    if let Ok(tools) = &listed {
        note("a wrong argument is named", client.wrong_argument(tools));
        note("a tool that only reads answers", client.read(tools));
    }
    client.meta = Some(json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "cuff", "version": env!("CARGO_PKG_VERSION")},
        "io.modelcontextprotocol/clientCapabilities": {},
    }));
    note("server/discover (2026-07-28)", client.discover());
    let again = client.list();
    note("the same tools in both eras", same(&listed, again));
    note("it ends when the client hangs up, and has said nothing but JSON-RPC", client.hang_up());
    right
}

/// How many tools there are, and how many of them no plugin has found.
fn said_of(tools: &[Value]) -> String {
    let own = names(tools).into_iter().filter(|name| is_own(name)).count();
    let projects = tools.len() - own;
    let of_project = match projects {
        0 => String::new(),
        1 => "1 of the project, ".to_owned(),
        some => format!("{some} of the project, those that list its tools among them, "),
    };
    format!("{} tools: {of_project}{own} of cuff's own", tools.len())
}

/// Whether a tool is cuff's own, by its name: no instance is called `runs`.
fn is_own(name: &str) -> bool {
    !name.contains('.') && !name.contains("__") || name.starts_with("runs.") || name.starts_with("runs__")
}

fn same(before: &Result<Vec<Value>, String>, now: Result<Vec<Value>, String>) -> Result<String, String> {
    let (Ok(before), now) = (before, now?) else { return Err("there was no list before".into()) };
    if names(before) == names(&now) { Ok(said_of(&now)) } else { Err("other tools than before".into()) }
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default()).collect()
}

struct TestClient<'s> {
    server: &'s mut dyn ServerLine,
    asked: u64,
    meta: Option<Value>,
    /// The server's instructions, which also say why it has nothing to offer.
    instructions: String,
}

impl TestClient<'_> {
    fn handshake(&mut self) -> Result<String, String> {
        let client = json!({"name": "cuff --self-test", "version": env!("CARGO_PKG_VERSION")});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let hello = self.result("initialize", &params)?;
        if !self.server.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()) {
            return Err("it does not listen".into());
        }
        needs(hello["protocolVersion"] == "2025-11-25", "another protocol version came back")?;
        hello["instructions"].as_str().unwrap_or_default().clone_into(&mut self.instructions);
        needs(!self.instructions.is_empty(), "it gives no instructions")?;
        let server = &hello["serverInfo"];
        Ok(format!("{} {}", text(&server["name"]), text(&server["version"])))
    }

    fn discover(&mut self) -> Result<String, String> {
        let found = self.result("server/discover", &json!({}))?;
        let versions = found["supportedVersions"].as_array().ok_or("it names no versions")?;
        needs(versions.contains(&json!("2026-07-28")), "it does not speak 2026-07-28")?;
        Ok(versions.iter().map(text).collect::<Vec<_>>().join(", "))
    }

    /// Every page, and what has to be true of each tool.
    fn list(&mut self) -> Result<Vec<Value>, String> {
        let (mut tools, mut params) = (Vec::new(), json!({}));
        for _ in 0..MOST_PAGES {
            let page = self.result("tools/list", &params)?;
            tools.extend(page["tools"].as_array().ok_or("it has no list")?.iter().cloned());
            let Some(cursor) = page["nextCursor"].as_str() else {
                sound(&tools)?;
                needs(!tools.is_empty(), &format!("it offers nothing: {}", self.instructions))?;
                return Ok(tools);
            };
            params = json!({ "cursor": cursor });
        }
        Err(format!("more than {MOST_PAGES} pages"))
    }

    fn unknown(&mut self) -> Result<String, String> {
        let result = self.result("tools/call", &json!({"name": "no.such_tool", "arguments": {}}))?;
        failed(&result)
    }

    fn wrong_argument(&mut self, tools: &[Value]) -> Result<String, String> {
        // A tool of another server might take it, and do something.
        let mut own = tools.iter().filter(|tool| is_own(&text(&tool["name"])));
        let Some(tool) = own.next() else { return Ok("nothing is offered to try it with".into()) };
        let wrong = json!({"no_such_argument": 1});
        let result = self.result("tools/call", &json!({"name": tool["name"], "arguments": wrong}))?;
        let said = failed(&result)?;
        needs(said.contains("no_such_argument"), "the message does not name it").map(|()| text(&tool["name"]))
    }

    /// Only what says of itself that it changes nothing is called, and the dispatcher to list. Other servers' tools say so too,
    /// and are not believed.
    fn read(&mut self, tools: &[Value]) -> Result<String, String> {
        let reads =
            |tool: &&Value| tool["annotations"]["readOnlyHint"] == true && is_own(&text(&tool["name"]));
        let reads = tools.iter().find(reads);
        let dispatcher = tools.iter().find(|tool| tool["name"] == "cuff");
        let (tool, arguments) = match (reads, dispatcher) {
            (Some(tool), _) => (tool, json!({})),
            (None, Some(tool)) => (tool, json!({"action": "list"})),
            (None, None) => return Ok("there is none".into()),
        };
        let result = self.result("tools/call", &json!({"name": tool["name"], "arguments": arguments}))?;
        needs(result["structuredContent"]["success"] == true, "it did not succeed")?;
        needs(result["content"][0]["text"].is_string(), "its answer has no text")?;
        Ok(text(&tool["name"]))
    }

    fn nonsense(&mut self) -> Result<String, String> {
        needs(self.server.say("{nonsense"), "it does not listen")?;
        let answer = self.message()?;
        needs(answer["error"]["code"] == -32700, "not by the error that JSON-RPC has for it")?;
        Ok("-32700".into())
    }

    fn refused(&mut self, method: &str, params: &Value, code: i64) -> Result<String, String> {
        let answer = self.ask(method, params)?;
        needs(answer["error"]["code"] == code, &format!("not with {code}: {}", text(&answer)))?;
        Ok(code.to_string())
    }

    fn hang_up(&mut self) -> Result<String, String> {
        self.server.hang_up().map(|()| "exit code 0".into())
    }

    fn result(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let answer = self.ask(method, params)?;
        match answer.get("result") {
            Some(result) => Ok(result.clone()),
            None => Err(format!("{method} failed: {}", text(&answer["error"]["message"]))),
        }
    }

    /// The answer to a request; what the server tells besides is passed over.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.asked += 1;
        let mut params = params.clone();
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        let request = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        needs(self.server.say(&request.to_string()), "it does not listen")?;
        loop {
            let message = self.message()?;
            if message["id"] == self.asked {
                return Ok(message);
            }
            needs(message.get("method").is_some(), &format!("an answer to nothing: {}", text(&message)))?;
        }
    }

    fn message(&mut self) -> Result<Value, String> {
        let line = self.server.hear().ok_or("no answer came")?;
        let message: Value = serde_json::from_str(&line).map_err(|_| format!("no JSON came: {line}"))?;
        needs(message["jsonrpc"] == "2.0", "what came is not JSON-RPC").map(|()| message)
    }
}

fn sound(tools: &[Value]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for tool in tools {
        let name = text(&tool["name"]);
        let fits = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        needs(!name.is_empty() && name.len() <= 64 && name.chars().all(fits), &format!("{name} is no name"))?;
        needs(tool["inputSchema"]["type"] == "object", &format!("{name} has no schema"))?;
        needs(tool["description"].is_string(), &format!("{name} has no description"))?;
        needs(seen.insert(name.clone()), &format!("{name} is there twice"))?;
    }
    Ok(())
}

/// The error text of a call that failed.
fn failed(result: &Value) -> Result<String, String> {
    needs(result["isError"] == true, "it did not fail")?;
    needs(result["structuredContent"]["error_code"].is_string(), "it has no error code")?;
    Ok(text(&result["structuredContent"]["error"]))
}

fn needs(is_so: bool, otherwise: &str) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
