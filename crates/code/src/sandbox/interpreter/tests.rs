use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::sandbox::protocol::Thrown;
use crate::sandbox::{
    Catalog, InterpreterMessage, Isolation, PrintedStream, ResultShape, StartLimits, StartMessage,
    ToolDescription, ToolServer, answer,
};
use crate::sys::Clock;

/// A parent that answers calls at once: with what they were called with, or in the order that a test wants.
struct Fake {
    start: RefCell<Option<String>>,
    said: RefCell<Vec<InterpreterMessage>>,
    answers: RefCell<VecDeque<String>>,
    waited: Cell<Duration>,
    begun: std::time::Instant,
    is_gone: Cell<bool>,
}

impl Parent for Fake {
    fn receive(&self, patience: Option<Duration>) -> Received {
        if let Some(start) = self.start.take() {
            return Received::Message(start);
        }
        if let Some(answer) = self.answers.borrow_mut().pop_front() {
            return Received::Message(answer);
        }
        let Some(patience) = patience else { return Received::Gone };
        self.waited.set(self.waited.get() + patience);
        Received::Nothing
    }

    fn send(&self, message: &str) {
        let said: InterpreterMessage =
            serde_json::from_str(message).unwrap_or_else(|error| panic!("{error}: {message}"));
        if let InterpreterMessage::Call { id, tool, arguments } = &said {
            let arguments = Value::from(arguments.clone());
            let data = json!({"status": 404});
            match tool {
                0 => self.answers.borrow_mut().push_back(answer(*id, Ok(&arguments))),
                1 => self.answers.borrow_mut().push_back(answer(*id, Err(("it failed", Some(&data))))),
                // The last call is answered first.
                2 => self.answers.borrow_mut().push_front(answer(*id, Ok(&arguments))),
                _ => {}
            }
        }
        self.said.borrow_mut().push(said);
    }

    fn is_gone(&self) -> bool {
        self.is_gone.get()
    }

    fn elapsed(&self) -> Duration {
        self.waited.get() + Clock::of_system().instant().duration_since(self.begun)
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }

    fn lock_down(&self, _: &StartLimits) -> Result<Isolation, String> {
        Ok(Isolation::default())
    }
}

fn limits() -> StartLimits {
    StartLimits {
        time: Duration::from_millis(400),
        memory: 32 << 20,
        stack: 256 << 10,
        concurrent_calls: 4,
        message: 1 << 20,
        output: 10_000,
    }
}

/// All that a program says, up to its end, without the first two words.
fn said_within(source: &str, limits: StartLimits) -> Vec<InterpreterMessage> {
    let tool = |name: &str| ToolDescription {
        name: name.into(),
        description: None,
        input: json!({"type": "object"}),
        output: ResultShape::Unknown,
    };
    let tools = ["create_issue", "fail", "last_first", "never"].map(tool);
    let catalog = Catalog::new(vec![ToolServer {
        name: "git-hub".into(),
        tools: tools.into(),
        ..ToolServer::default()
    }]);
    let start = StartMessage {
        source: source.into(),
        servers: catalog.start_servers(source),
        withheld: Vec::new(),
        limits,
        is_check: false,
    };
    let fake = Rc::new(Fake {
        start: RefCell::new(Some(serde_json::to_string(&start).unwrap())),
        said: RefCell::default(),
        answers: RefCell::default(),
        waited: Cell::default(),
        begun: Clock::of_system().instant(),
        is_gone: Cell::default(),
    });
    let parent: Rc<dyn Parent> = Rc::clone(&fake) as _;
    run(&parent);
    drop(parent);
    let mut said = fake.said.take();
    assert_eq!(said.remove(0), InterpreterMessage::Ready(Isolation::default()));
    match said.remove(0) {
        InterpreterMessage::Compiled => said,
        other => panic!("{source}: {other:?}"),
    }
}

fn said(source: &str) -> Vec<InterpreterMessage> {
    said_within(source, limits())
}

#[track_caller]
fn result(source: &str) -> Value {
    match said(source).pop() {
        Some(InterpreterMessage::Done { result }) => result.unwrap_or(Value::Null),
        other => panic!("{source}: {other:?}"),
    }
}

#[track_caller]
fn failure(source: &str) -> Thrown {
    match said(source).pop() {
        Some(InterpreterMessage::Failed(thrown)) => thrown,
        other => panic!("{source}: {other:?}"),
    }
}

/// The output of a program, for each stream.
fn printed(source: &str) -> (String, String) {
    let (mut out, mut err) = (String::new(), String::new());
    for said in said(source) {
        match said {
            InterpreterMessage::Print { stream: PrintedStream::Out, text } => out.push_str(&text),
            InterpreterMessage::Print { stream: PrintedStream::Err, text } => err.push_str(&text),
            InterpreterMessage::Failed(thrown) => panic!("{source}: {thrown:?}"),
            _ => {}
        }
    }
    (out, err)
}

#[test]
fn results_come_as_plain_values() {
    for (source, expected) in [
        ("return 1", json!(1)),
        ("", Value::Null),
        ("return undefined", Value::Null),
        ("async () => 'called'", json!("called")),
        ("export default function () { return { a: this === undefined } }", json!({"a": true})),
        (
            "return { a: [1n, new Map([['k', new Set([1])]]), new Map([[1, 2]])] }",
            json!({"a": [1, {"k": [1]}, [[1, 2]]]}),
        ),
        (
            "return [NaN, undefined, () => 1, new Date(0)]",
            json!([null, null, null, "1970-01-01T00:00:00.000Z"]),
        ),
        (
            "return [new Uint8Array([1, 2]), new TypeError('x')]",
            json!([[1, 2], {"name": "TypeError", "message": "x"}]),
        ),
        ("return 'half \\ud83d of it'", json!("half \u{fffd} of it")),
        ("return await Promise.all([1, Promise.resolve(2)])", json!([1, 2])),
    ] {
        assert_eq!(result(source), expected, "{source}");
    }
    for (source, message) in [
        ("const a: any = {}; a.a = a; return a", "circular reference"),
        (
            "return { x: (async () => 1)() }",
            "`x` of the result is a promise; put `await` before the call that made it",
        ),
        ("return { toJSON() { throw new Error('mine') } }", "mine"),
    ] {
        let thrown = failure(source);
        assert_eq!((thrown.kind.as_str(), thrown.message.as_str()), ("result", message), "{source}");
    }
    assert_eq!(failure("return 'x'.repeat(1 << 21)").kind, "size");
}

#[test]
fn tools_are_called_by_every_name_that_they_have() {
    for source in [
        "return await tools.gitHub.createIssue({ title: 'ü' })",
        "return await tools['git-hub']['create_issue']({ title: 'ü' })",
        "import { tools } from 'toolscript'; return await tools.gitHub.create_issue({ title: 'ü' })",
        "import all from 'toolscript'; return await all.gitHub.createIssue({ title: 'ü' })",
        "import { createIssue } from 'toolscript/git-hub'; return await createIssue({ title: 'ü' })",
        "import * as gh from 'toolscript/gitHub'; return await gh.createIssue({ title: 'ü' })",
        "import gh from 'toolscript/gitHub'; return await gh.createIssue({ title: 'ü' })",
        "const { createIssue } = await import('toolscript/gitHub'); return await createIssue({ title: 'ü' })",
    ] {
        assert_eq!(result(source), json!({"title": "ü"}), "{source}");
    }
    assert_eq!(result("return await tools.gitHub.createIssue()"), json!({}));
    assert_eq!(
        result("return Object.keys(tools.gitHub)"),
        json!(["createIssue", "fail", "lastFirst", "never"])
    );
    assert_eq!(
        result("return [String(tools.gitHub.fail.name), 'x' in tools, 'gitHub' in tools]"),
        json!(["fail", false, true])
    );
    for (source, message) in [
        (
            "const key = 'creatIssue'; await (tools.gitHub as any)[key]({})",
            "the server `git-hub` has no tool `creatIssue`; did you mean `createIssue`?",
        ),
        ("const key = 'github'; (tools as any)[key]", "there is no server `github`; did you mean `gitHub`?"),
        ("const t: any = tools; t.gitHub = 1", "`gitHub` cannot be set: tools are read-only"),
        (
            "const given: any = ['a', 'b']; await tools.gitHub.fail(...given)",
            "git-hub.fail takes one object with named arguments, not 2 values",
        ),
        (
            "const given: any = 'a'; await tools.gitHub.fail(given)",
            "git-hub.fail takes one object with named arguments, not a string",
        ),
        (
            "await tools.gitHub.fail({ a: { b: 0 / 0 } })",
            "the argument `b` is NaN, which JSON has no word for",
        ),
        ("await tools.gitHub.fail({ a: () => 1 })", "the argument `a` is a function; pass a value"),
        (
            "const x = 'fs'; await import(x)",
            "`fs` cannot be imported: a program has no files; call a tool that reads or writes them",
        ),
        ("const x = 'toolscript/nope'; await import(x)", "there is no server `nope`"),
    ] {
        let thrown = failure(source);
        assert_eq!((thrown.name.as_str(), thrown.message.as_str()), ("TypeError", message), "{source}");
    }
}

#[test]
fn calls_go_out_together_and_answers_come_in_any_order() {
    let calls = "[1, 2, 3, 4, 5, 6, 7, 8, 9].map(at => tools.gitHub.lastFirst({ at }))";
    let source = format!("return (await Promise.all({calls})).map(x => x.at)");
    assert_eq!(result(&source), json!([1, 2, 3, 4, 5, 6, 7, 8, 9]));
    // No more than may be out at once, and the rest in their order.
    let said = said(&source);
    let ids: Vec<u64> = said
        .iter()
        .filter_map(|said| if let InterpreterMessage::Call { id, .. } = said { Some(*id) } else { None })
        .collect();
    assert_eq!(ids, (0..9).collect::<Vec<_>>());
    // A call that nobody waits for is over before the program is.
    let said = self::said(
        "void tools.gitHub.createIssue({}).then(() => tools.gitHub.createIssue({ then: 1 })); return 'early'",
    );
    assert_eq!(said.iter().filter(|said| matches!(said, InterpreterMessage::Call { .. })).count(), 2);
    assert_eq!(said.last(), Some(&InterpreterMessage::Done { result: Some(json!("early")) }));
}

#[test]
fn errors_say_what_where_and_which_tool() {
    let source =
        "const x: number = 1;\nasync function f() {\n  await tools.gitHub.fail({ id: x })\n}\nawait f()";
    let thrown = failure(source);
    assert_eq!(
        (thrown.kind.as_str(), thrown.name.as_str(), thrown.message.as_str()),
        ("thrown", "ToolError", "it failed")
    );
    assert_eq!((thrown.tool.as_deref(), thrown.data), (Some("git-hub.fail"), Some(json!({"status": 404}))));
    let places: Vec<&str> = thrown.frames.iter().map(|frame| &source[frame.offset..]).collect();
    assert_eq!(places, ["tools.gitHub.fail({ id: x })\n}\nawait f()", "f()"]);
    assert_eq!(thrown.frames[0].function.as_deref(), Some("f"));
    let caught = "try { await tools.gitHub.fail({}) } catch (e: any) { return [e instanceof ToolError, e.name, e.tool, e.data, e.message] }";
    assert_eq!(result(caught), json!([true, "ToolError", "git-hub.fail", {"status": 404}, "it failed"]));
    for (source, kind, name, message) in [
        ("throw new TypeError('x', { cause: new Error('y') })", "thrown", "TypeError", "x"),
        ("throw 'text'", "thrown", "", "text"),
        ("throw { a: 1 }", "thrown", "", "{ a: 1 }"),
        ("throw null", "thrown", "", "null"),
        ("void Promise.reject(new Error('lost')); return 1", "unhandled", "Error", "lost"),
        ("void tools.gitHub.fail({}); return 1", "unhandled", "ToolError", "it failed"),
        (
            "setTimeout(() => { throw new Error('late') }, 1); await new Promise(() => {})",
            "thrown",
            "Error",
            "late",
        ),
        ("await new Promise(() => {})", "deadlock", "", ""),
        ("const f = () => f(); f()", "thrown", "RangeError", "Maximum call stack size exceeded"),
        (
            "const a: any = []; for (;;) a.push(new Array(10000).fill(1))",
            "thrown",
            "InternalError",
            "out of memory",
        ),
        ("return eval('nope')", "thrown", "ReferenceError", "nope is not defined"),
        ("await Promise.any([Promise.reject(new Error('a'))])", "thrown", "AggregateError", ""),
        ("throw new Proxy(new Error('x'), { get() { throw new Error('trap') } })", "thrown", "Error", ""),
        (
            "throw Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } })",
            "thrown",
            "Error",
            "",
        ),
    ] {
        let thrown = failure(source);
        assert_eq!(
            (thrown.kind.as_str(), thrown.name.as_str(), thrown.message.as_str()),
            (kind, name, message),
            "{source}"
        );
    }
    assert_eq!(failure("throw new Error('x', { cause: new TypeError('y') })").cause.unwrap().message, "y");
    assert_eq!(
        result(
            "const p = Promise.reject(1); await new Promise(r => setTimeout(r, 5)); p.catch(() => {}); return 2"
        ),
        json!(2)
    );
}

/// Where no memory is left for an error, the engine throws `null`.
#[test]
fn running_out_of_memory_differs_from_a_thrown_null() {
    for source in [
        "const f: any = () => Promise.resolve().then(f); await f()",
        "const f: any = () => Promise.resolve().then(f); await f(); throw 1",
        "let o: any = {}; for (;;) o = { o }",
    ] {
        let said = said_within(source, StartLimits { time: Duration::from_secs(20), ..limits() });
        let Some(InterpreterMessage::Failed(thrown)) = said.last() else { panic!("{source}: {said:?}") };
        assert_eq!(thrown.kind, "memory", "{source}");
    }
    assert_eq!(failure("throw null").kind, "thrown");
}

#[test]
fn time_is_over_wherever_a_program_is() {
    for source in [
        "while (true) {}",
        "for (;;) await 0",
        "for (;;) { try { for (;;) {} } finally { continue } }",
        "return /(a+)+$/.test('a'.repeat(40) + 'b')",
        "await new Promise(r => setTimeout(r, 10_000))",
        "setInterval(() => {}, 1); await new Promise(() => {})",
        "JSON.stringify({ toJSON() { for (;;) {} } })",
        "[3, 2, 1].sort(() => { for (;;) {} })",
        "new Proxy({}, { get() { for (;;) {} } } as any).x",
        "return { toJSON() { for (;;) {} } }",
        "throw { toString() { for (;;) {} }, get message() { for (;;) {} } }",
    ] {
        let thrown = match said(source).pop() {
            Some(InterpreterMessage::Failed(thrown)) => thrown,
            other => panic!("{source}: {other:?}"),
        };
        // Some errors are described without running anything of the program.
        assert!(thrown.kind == "time" || source.starts_with("throw"), "{source}: {thrown:?}");
    }
    // While a tool is at work time stands, and the parent is the one to end it.
    assert_eq!(said("await tools.gitHub.never({})").len(), 1);
}

#[test]
fn printed_values_look_as_people_expect() {
    for (source, expected) in [
        ("console.log('a', 1, null, undefined, true, 5n, -0, NaN)", "a 1 null undefined true 5n -0 NaN\n"),
        ("console.log()", "\n"),
        (
            "console.log({ a: 1, 'b c': ['x', \"it's\"], d: { e: { f: {} } } })",
            "{ a: 1, 'b c': [ 'x', \"it's\" ], d: { e: { f: {} } } }\n",
        ),
        (
            "console.log([1, , 3], new Map([['a', { b: 1 }]]), new Set())",
            "[ 1, <empty>, 3 ] Map(1) { 'a' => { b: 1 } } Set(0) {}\n",
        ),
        ("const a: any = { n: 1 }; a.self = a; console.log(a)", "{ n: 1, self: [Circular] }\n"),
        (
            "class P { x = 1 } console.log(new P(), P, () => 1, async function f() {})",
            "P { x: 1 } [class P] [Function (anonymous)] [AsyncFunction: f]\n",
        ),
        (
            "console.log({ get a() { throw 1 }, set b(x: any) {}, [Symbol('s')]: 2 })",
            "{ a: [Getter], b: [Setter], [Symbol(s)]: 2 }\n",
        ),
        (
            "console.log(new Date(0), /x/g, new Uint8Array(3), Object.create(null))",
            "1970-01-01T00:00:00.000Z /x/g Uint8Array(3) [ 0, 0, 0 ] [Object: null prototype] {}\n",
        ),
        (
            "console.log('%s is %d years, %i, %f, %j %o %c%%', 'x', '5', 5.9, '1.5', { a: 1 }, [1], 'css', 'rest')",
            "x is 5 years, 5, 1.5, {\"a\":1} [ 1 ] % rest\n",
        ),
        ("console.log(new Array(150).fill(0).length, [...'x'.repeat(120)].length)", "150 120\n"),
        (
            "console.log(new Proxy({ a: 1 }, {}), (async () => 1)(), Symbol('q'))",
            "{ a: 1 } Promise { … } Symbol(q)\n",
        ),
        (
            "console.table([{ a: 1, b: 'x' }, { a: 2 }])",
            "┌─────────┬───┬─────┐\n│ (index) │ a │ b   │\n├─────────┼───┼─────┤\n│ 0       │ 1 │ 'x' │\n│ 1       │ 2 │     │\n└─────────┴───┴─────┘\n",
        ),
        (
            "console.group('g'); console.info('a\\nb'); console.groupEnd(); console.debug('c'); console.dir({ d: 1 })",
            "g\n  a\n  b\nc\n{ d: 1 }\n",
        ),
        (
            "console.count(); console.count('x'); console.count(); console.countReset(); console.count()",
            "default: 1\nx: 1\ndefault: 2\ndefault: 1\n",
        ),
        ("console.log('half \\ud83d')", ""),
    ] {
        assert_eq!(printed(source), (expected.to_owned(), String::new()), "{source}");
    }
    let long = printed("console.log(Array.from({ length: 300 }, (_, i) => i))").0;
    assert!(long.starts_with("[\n  0,\n  1,") && long.ends_with("  … 200 more items\n]\n"), "{long}");
    let (out, err) = printed(
        "function f() { console.error(new TypeError('bad', { cause: 5 })) }\nf(); console.warn('w'); console.assert(false, 'no'); console.trace('t')",
    );
    assert_eq!(out, "");
    assert_eq!(
        err,
        "TypeError: bad\n    at f (script.ts:1:34)\n    at script.ts:2:1 { [cause]: 5 }\nw\nAssertion failed: no\nTrace: t\n    at script.ts:2:62\n"
    );
}

#[test]
fn printed_values_are_bounded() {
    let said = said("for (let i = 0; i < 3000; i++) console.log('12345678é'); return 1");
    let text: usize = said
        .iter()
        .map(|said| if let InterpreterMessage::Print { text, .. } = said { text.len() } else { 0 })
        .sum();
    assert!((9_990..=10_000).contains(&text), "{text}");
    assert_eq!(said[said.len() - 2], InterpreterMessage::Unprinted((3000 * 11 - text) as u64));
}

#[test]
fn globals_that_people_reach_for_are_there() {
    for (source, expected) in [
        (
            "const u = new URL('/p?a=1&a=ä#h', 'https://ex.org:8080'); u.searchParams.append('b', 'x y'); u.port = ''; return [u.href, u.host, u.origin, u.searchParams.getAll('a')]",
            json!(["https://ex.org/p?a=1&a=%C3%A4&b=x+y#h", "ex.org", "https://ex.org", ["1", "ä"]]),
        ),
        (
            "return [URL.canParse('x'), String(new URLSearchParams({ a: 'ü&', b: '' })), [...new URLSearchParams('?q=1&q=2')]]",
            json!([false, "a=%C3%BC%26&b=", [["q", "1"], ["q", "2"]]]),
        ),
        (
            "const u = new URL('https://a/'); const p = u.searchParams; u.search = '?z=1'; return [p.get('z'), p.size, JSON.stringify({ u })]",
            json!(["1", 1, "{\"u\":\"https://a/?z=1\"}"]),
        ),
        (
            "try { new URL('nope') } catch (e: any) { return [e.name, e.message] }",
            json!(["TypeError", "Invalid URL: nope"]),
        ),
        ("return new TextDecoder().decode(new TextEncoder().encode('é🚀\\ud800'))", json!("é🚀\u{fffd}")),
        (
            "const d = new TextDecoder(), b = new TextEncoder().encode('é'); return d.decode(b.slice(0, 1), { stream: true }) + d.decode(b.slice(1))",
            json!("é"),
        ),
        (
            "try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e: any) { return e.name }",
            json!("TypeError"),
        ),
        ("return [atob('aGk='), btoa('hi'), btoa(atob('/+8='))]", json!(["hi", "aGk=", "/+8="])),
        (
            "const a: any = { d: new Date(0), m: new Map([[1, { x: 1 }]]), r: /x/g }; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b, b.d.getTime(), b.m.get(1), String(b.r)]",
            json!([true, true, 0, {"x": 1}, "/x/g"]),
        ),
        ("try { structuredClone(() => 1) } catch (e: any) { return e.name }", json!("DataCloneError")),
        (
            "return [crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(2))]",
            json!(["07070707-0707-4707-8707-070707070707", [7, 7]]),
        ),
        (
            "const c = new AbortController(); let seen = 0; c.signal.addEventListener('abort', () => seen++); c.abort(); c.abort(); return [seen, c.signal.aborted, c.signal.reason.name]",
            json!([1, true, "AbortError"]),
        ),
        (
            "const s = AbortSignal.timeout(5); await new Promise(r => s.addEventListener('abort', r)); return s.reason.name",
            json!("TimeoutError"),
        ),
        (
            "const order: number[] = []; setTimeout(() => order.push(3), 2); setTimeout(() => order.push(2), 1); queueMicrotask(() => order.push(1)); await new Promise(r => setTimeout(r, 5)); return order",
            json!([1, 2, 3]),
        ),
        (
            "let n = 0; const t = setInterval(() => { if (++n === 3) clearInterval(t) }, 1); await new Promise(r => setTimeout(r, 50)); return n",
            json!(3),
        ),
        ("return await new Promise((r: any) => setTimeout(r, 1, 'given'))", json!("given")),
        (
            "const a = performance.now(); await new Promise(r => setTimeout(r, 5)); return performance.now() >= a",
            json!(true),
        ),
        (
            "return Object.groupBy([1, 2, 3], x => x % 2 ? 'odd' : 'even')",
            json!({"odd": [1, 3], "even": [2]}),
        ),
        (
            "return [typeof fetch, typeof process, typeof require, typeof Deno, typeof WebAssembly, typeof Buffer]",
            json!(["undefined", "undefined", "undefined", "undefined", "undefined", "undefined"]),
        ),
    ] {
        assert_eq!(result(source), expected, "{source}");
    }
}

/// Nothing that a program changes about the language reaches the bridge.
#[test]
fn a_polluted_language_does_not_break_the_bridge() {
    const POLLUTION: &str = "
        const bad: any = () => { throw new Error('polluted') };
        const define = Object.defineProperty, keys = Reflect.ownKeys;
        const all: any[] = [Array, Promise, Map, Set, String, Function, Object].map(one => one.prototype);
        for (let at = 0; at < all.length; at++) {
            const names: any = keys(all[at]);
            for (let n = 0; n < names.length; n++) {
                if (names[n] === 'constructor' || (all[at] === Promise.prototype && names[n] === 'then')) continue;
                try { define(all[at], names[n], { value: bad }) } catch {}
            }
        }
        JSON.stringify = bad; JSON.parse = bad; Reflect.apply = bad; Object.defineProperty = bad; Object.keys = bad;
    ";
    let source = format!("{POLLUTION}\nconst a = await tools.gitHub.createIssue({{ title: 'x' }}); return a");
    assert_eq!(result(&source), json!({"title": "x"}));
    let source = format!(
        "{POLLUTION}\ntry {{ await tools.gitHub.fail({{ title: 'x' }}) }} catch (e: any) {{ return e.message }}"
    );
    assert_eq!(result(&source), json!("it failed"));
    let source = "(Object.prototype as any).toJSON = () => 'evil'; (Object.prototype as any).arguments = { stolen: 1 }; return (await tools.gitHub.createIssue({ title: 'x' }))";
    let said = said(source);
    // A program may spoil its own values, but not the interpreter's messages about it.
    assert!(
        matches!(said.last(), Some(InterpreterMessage::Failed(_) | InterpreterMessage::Done { .. })),
        "{said:?}"
    );
}

#[test]
fn a_program_without_a_parent_stops() {
    let fake = Rc::new(Fake {
        start: RefCell::new(None),
        said: RefCell::default(),
        answers: RefCell::default(),
        waited: Cell::default(),
        begun: Clock::of_system().instant(),
        is_gone: Cell::new(true),
    });
    let parent: Rc<dyn Parent> = Rc::clone(&fake) as _;
    run(&parent);
    let limits = StartLimits { time: Duration::from_hours(1), ..limits() };
    let start = StartMessage {
        source: "for (;;) {}".into(),
        servers: vec![],
        withheld: vec![],
        limits,
        is_check: false,
    };
    fake.start.replace(Some(serde_json::to_string(&start).unwrap()));
    run(&parent);
    assert_eq!(fake.said.borrow().len(), 3);
}

#[test]
fn what_is_no_function_is_named_with_the_value_that_it_was_called_on() {
    for (source, expected) in [
        ("const o: any = { a: 1 }; return o.foo()", "`o.foo` is not a function: `o` is an object with a"),
        (
            "const o: any = { all: [{ id: 1 }] }; return o.all.mapp(String)",
            "`o.all.mapp` is not a function: `o.all` is a list of 1, the first of which is an object with id; did you mean \
             `map`?",
        ),
        (
            "const r: any = { items: [], total: 3 }; return (r as any)!.map((x: any) => x)",
            "`(r as any)!.map` is not a function: `r` is an object with items, total",
        ),
        ("let f: any = 3; return f()", "`f` is not a function: `f` is the number 3"),
        (
            "const x: any = 'a,b'; return x.spit(',')",
            "`x.spit` is not a function: `x` is the text \"a,b\"; did you mean `split`?",
        ),
        ("return [1].map(3 as any)", "a function was expected as an argument of `[1].map`"),
        ("return (Math as any).foo()", "`(Math as any).foo` is not a function"),
    ] {
        assert_eq!(failure(source).message, expected, "{source}");
    }
    // Nothing about the calls themselves has changed.
    let source = "let count = 0; const o = { get f() { count++; return function (this: any) { return this === o } } };
        const p: any = null; return [o.f(), count, p?.a.b(), p?.a().b, (0, eval)('1'), [...'ab'].map((x) => x.at(0))]";
    assert_eq!(result(source), json!([true, 1, null, null, 1, ["a", "b"]]));
}
