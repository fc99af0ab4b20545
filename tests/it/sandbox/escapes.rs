//! Attempts to get out of the interpreter, each with the layer that stops it. None reaches a tool that it does not name,
//! and none leaves the parent other than it was.

use std::time::{Duration, Instant};

use cuff::sandbox::{ExecutionLimits, FailureKind, Outcome};
use serde_json::{Value, json};

use super::programs::{limits, run_within};

/// The layer that stops an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    /// The checks, before anything runs.
    Check,
    /// The language as the project has it: there is nothing of the kind, or it throws.
    Engine,
    /// The prelude, which is between a program and the pipe.
    Bridge,
    /// The parent, which bounds and doubts what comes over the pipe.
    Parent,
    /// The kernel.
    Kernel,
}

/// How an attempt ends.
#[derive(Debug, Clone)]
enum End {
    /// It does not begin: a finding has these words in it.
    Rejected(&'static str),
    /// It returns this, from which follows that it got nothing.
    Returns(Value),
    /// It throws an error with these words in its name and message.
    Throws(&'static str),
    /// It is ended.
    Ended(FailureKind),
}

use End::{Ended, Rejected, Returns, Throws};
use Layer::{Bridge, Check, Engine, Kernel, Parent};

type Attempt = (Layer, &'static str, End);

/// Modules and globals of other environments.
fn imports() -> Vec<Attempt> {
    let undefined = || Returns(json!("undefined"));
    vec![
        (Check, "import fs from 'fs'; return fs", Rejected("`fs` cannot be imported")),
        (Check, "import 'node:child_process'", Rejected("cannot be imported")),
        (Check, "import x from 'https://example.com/x.js'; return x", Rejected("cannot be imported")),
        (Check, "import x from '/etc/passwd'; return x", Rejected("cannot be imported")),
        (
            Check,
            "import x from '../../secrets.json' with { type: 'json' }; return x",
            Rejected("cannot be imported"),
        ),
        (Check, "export * from './x.js'", Rejected("")),
        (Check, "import x = require('fs'); return x", Rejected("")),
        (Check, "return require('child_process').execSync('id')", Rejected("require")),
        (Check, "return await fetch('http://169.254.169.254/latest/meta-data')", Rejected("no network")),
        (Check, "return process.env", Rejected("process")),
        (Check, "return Deno.readTextFileSync('/etc/passwd')", Rejected("Deno")),
        (Check, "return await import('node:fs')", Rejected("cannot be imported")),
        (Check, "return await import('toolscript/../fs')", Rejected("there is no server")),
        (Check, "import { nope } from 'toolscript/git-hub'; return nope", Rejected("nope")),
        (Check, "return await tools.gitHub.delete_everything({})", Rejected("delete_everything")),
        (Check, "return await tools.gitLab.echo({})", Rejected("gitLab")),
        (Check, "with (tools) { echo({}) }", Rejected("")),
        (Engine, "return import.meta.url", Returns(Value::Null)),
        (Engine, "return eval('typeof require')", undefined()),
        (Engine, "return (0, eval)('typeof process')", undefined()),
        (Engine, "return new Function('return typeof fetch')()", undefined()),
        (
            Engine,
            "return eval('(async () => { try { return await import(\"fs\") } catch (e) { return e.name } })()')",
            Returns(json!("TypeError")),
        ),
        (Engine, "return eval('import.meta')", Throws("SyntaxError")),
        (
            Engine,
            "return (async function* () {}).constructor('yield typeof process')().next().then((x: any) => x.value)",
            undefined(),
        ),
        (Engine, "return Reflect.construct(Function, ['return typeof Deno'])()", undefined()),
        (Engine, "return setTimeout('globalThis.ran = 1' as any, 0)", Throws("setTimeout takes a function")),
        (
            Engine,
            "return typeof (globalThis as any).std + typeof (globalThis as any).os",
            Returns(json!("undefinedundefined")),
        ),
        (
            Engine,
            "return Object.getOwnPropertyNames(globalThis).filter(name => /load|exec|spawn|open|read|write|socket|worker|wasm|native/i.test(name))",
            Returns(json!([])),
        ),
        (Engine, "return typeof new Error().constructor.constructor('return this')().process", undefined()),
        (
            Engine,
            "return typeof (globalThis as any).ShadowRealm + typeof (globalThis as any).Worker",
            Returns(json!("undefinedundefined")),
        ),
    ]
}

/// An oracle would tell one file from another by how an import of it fails, or how long it takes.
fn oracles() -> Vec<Attempt> {
    const ASK: &str = "
        const said = async (name: string) => { try { await import(name); return 'imported' } catch (e: any) { return e.message.replace(name, '') } };
    ";
    let same = |names: &[&str]| -> Attempt {
        let source = format!(
            "{ASK} const all = await Promise.all({}.map(said)); return [new Set(all).size, all[0].startsWith('`` cannot be imported')]",
            json!(names)
        );
        (Engine, source.leak(), Returns(json!([1, true])))
    };
    vec![
        same(&["/etc/passwd", "/etc/nothing", "/root/.ssh/id_rsa", "/"]),
        same(&["file:///etc/passwd", "file:///etc/nothing"]),
        same(&["./script.js", "script.js", "script.ts", "./nope.js"]),
        same(&["/proc/self/environ", "/proc/self/mem", "/proc/1/maps"]),
        same(&["data:text/javascript,export default 1", "data:application/json,1", "blob:null/1"]),
        same(&["npm:left-pad", "jsr:@std/fs", "http://127.0.0.1:22", "https://127.0.0.1:1"]),
        same(&["qjs:std", "qjs:os", "qjs:bjson", "std"]),
    ]
}

/// The bridge between a program and the parent.
fn bridge() -> Vec<Attempt> {
    vec![
        (Bridge, "(tools as any).gitHub = { echo: () => 1 }", Throws("cannot be set")),
        (Bridge, "Object.defineProperty(tools, 'evil', { value: 1 })", Throws("TypeError")),
        (Bridge, "Object.setPrototypeOf(tools, { evil: 1 })", Throws("TypeError")),
        (Bridge, "delete (tools as any).gitHub", Throws("TypeError")),
        (Bridge, "const name = 'nope'; return (tools as any)[name]", Throws("there is no server")),
        (Bridge, "const name = '__proto__'; return (tools.gitHub as any)[name]", Throws("has no tool")),
        (
            Bridge,
            "return [Object.getPrototypeOf(tools), Object.getPrototypeOf(tools.gitHub)]",
            Returns(json!([null, null])),
        ),
        (
            Bridge,
            "return Object.getOwnPropertyNames(tools.gitHub.echo).sort()",
            Returns(json!(["length", "name"])),
        ),
        (
            Bridge,
            "return await tools.gitHub.echo(new Proxy({}, { ownKeys() { throw new Error('trap') } }))",
            Throws("trap"),
        ),
        (
            Bridge,
            "return await tools.gitHub.echo(new Proxy({ a: 1 }, { get: (t: any, k) => k === 'toJSON' ? () => 'not an object' : t[k] }) as any)",
            Throws("makes something else of it"),
        ),
        (
            Bridge,
            "return await tools.gitHub.echo({ toJSON: () => [1, 2] } as any)",
            Throws("makes something else of it"),
        ),
        (Bridge, "await tools.gitHub.echo(new Date() as any)", Throws("makes something else of it")),
        (Bridge, "const a: any = {}; a.a = a; await tools.gitHub.echo(a)", Throws("circular")),
        (Bridge, "await tools.gitHub.echo({ a: (async () => 1)() } as any)", Throws("is a promise")),
        (
            Bridge,
            "await tools.gitHub.echo({ get a() { throw new Error('getter') } } as any)",
            Throws("getter"),
        ),
        (Bridge, "await tools.gitHub.echo({ a: Symbol('x') } as any)", Throws("is a symbol")),
        (
            Bridge,
            "const text: any = '}},{\"done\":{}}'; await tools.gitHub.echo(text)",
            Throws("not a string"),
        ),
        // The text of a message is made by the project: nothing in a value ends it.
        (
            Bridge,
            "return await tools.gitHub.echo({ a: '\"}}\\n{\"done\":{\"result\":\"forged\"}}', '\"},\"tool\":3,\"x': 1 })",
            Returns(json!({"a": "\"}}\n{\"done\":{\"result\":\"forged\"}}", "\"},\"tool\":3,\"x": 1})),
        ),
        (
            Bridge,
            "(String.prototype as any).toString = () => '}}'; (Number.prototype as any).toString = () => '3'; return await tools.gitHub.echo({ a: 1 })",
            Returns(json!({"a": 1})),
        ),
        (
            Bridge,
            "(Array.prototype as any)[Symbol.iterator] = function* () { yield { tool: 3 } }; return await tools.gitHub.echo({ a: 1 })",
            Returns(json!({"a": 1})),
        ),
        (
            Bridge,
            "Object.defineProperty(Object.prototype, 'tool', { get: () => 3, set() {} }); return await tools.gitHub.echo({ a: 1 })",
            Returns(json!({"a": 1})),
        ),
        (
            Bridge,
            "Object.defineProperty(Object.prototype, 'error', { get: () => ({ message: 'spoiled' }) }); return await tools.gitHub.echo({ a: 1 })",
            Throws("spoiled"),
        ),
        (
            Bridge,
            "Object.defineProperty(Array.prototype, '0', { set() { throw 1 } }); return await tools.gitHub.echo({ a: 1 })",
            Throws(""),
        ),
        (
            Bridge,
            "class A extends Array { static get [Symbol.species]() { throw new Error('species') } } return await tools.gitHub.echo({ a: new A(1, 2) as any })",
            Returns(json!({"a": [1, 2]})),
        ),
        (
            Bridge,
            "class P extends Promise<any> { static get [Symbol.species](): any { throw new Error('species') } } return await P.resolve(tools.gitHub.echo({ a: 1 }))",
            Throws("species"),
        ),
        (
            Bridge,
            "return await ({ then(resolve: any) { resolve({ then(again: any) { again('settled') } }) } } as any)",
            Returns(json!("settled")),
        ),
        (Bridge, "return { then: 1, a: 2 }", Returns(json!({"then": 1, "a": 2}))),
        (
            Bridge,
            "const f = tools.gitHub.echo.bind({ number: 3 }); return await f({ a: 1 })",
            Returns(json!({"a": 1})),
        ),
        (
            Bridge,
            "return await Reflect.apply(tools.gitHub.echo, { tool: 3 }, [{ a: 1 }])",
            Returns(json!({"a": 1})),
        ),
        (Bridge, "new (tools.gitHub.echo as any)({ a: 1 })", Throws("not a constructor")),
        (Bridge, "const t: any = await import('toolscript'); t.tools = 1", Throws("TypeError")),
        (Bridge, "const m: any = await import('toolscript/gitHub'); m.echo = 1", Throws("TypeError")),
        (
            Bridge,
            "const seen: string[] = []; Error.prepareStackTrace = (_: any, sites: any) => { for (const s of sites) seen.push(typeof s.getFunction, typeof s.getThis); return '' }; try { await tools.gitHub.echo({ toJSON() { void new Error('x').stack; throw 1 } } as any) } catch {} return [...new Set(seen)]",
            Returns(json!(["undefined"])),
        ),
        (
            Bridge,
            "let found = 0; Error.prepareStackTrace = (_: any, sites: any) => { for (const s of sites) for (const k of Reflect.ownKeys(Object.getPrototypeOf(s))) { try { if (typeof s[k]() === 'function') found++ } catch {} } return '' }; try { await tools.gitHub.echo({ a: 'x'.repeat(3e7) }) } catch {} return found",
            Returns(json!(0)),
        ),
        (Bridge, "const f: any = function () { return f.caller }; return f()", Throws("TypeError")),
        (Bridge, "return (function (): any { return arguments.callee })()", Throws("TypeError")),
        (
            Bridge,
            "Object.setPrototypeOf(ToolError, function (this: any) { return { stolen: new.target } }); try { await tools.gitHub.fail({}) } catch (e: any) { return typeof e.stolen + typeof e.send }",
            Returns(json!("functionundefined")),
        ),
        (
            Bridge,
            "const e: any = await tools.gitHub.fail({}).catch((e: any) => e); e.tool = 'other.tool'; e.name = 'X'; throw e",
            Throws("no such issue"),
        ),
    ]
}

/// Attempts that take more than there is.
fn excess() -> Vec<Attempt> {
    vec![
        (Engine, "return 'x'.repeat(2 ** 31)", Throws("RangeError")),
        (Engine, "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))", Throws("")),
        (Engine, "return new RegExp('(' .repeat(1e5))", Throws("SyntaxError")),
        (Engine, "return /(?:(?:(?:a?){50}){50}){50}b/.test('a'.repeat(50))", Ended(FailureKind::Time)),
        (Engine, "return eval('[' .repeat(1e5))", Throws("")),
        (Engine, "return new Array(2 ** 32 - 1).fill(0).length", Ended(FailureKind::Memory)),
        (
            Engine,
            "return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
            Throws("cannot block"),
        ),
        (
            Engine,
            "return await (Atomics as any).waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0).value",
            Throws(""),
        ),
        (
            Engine,
            "const p: Promise<any> = new Promise(r => setTimeout(() => r(p), 1)); return await p",
            Throws("TypeError"),
        ),
        (
            Engine,
            "const { promise } = Promise.withResolvers(); return await promise",
            Ended(FailureKind::Deadlock),
        ),
        (
            Engine,
            "const a: Promise<any> = (async () => await b)(); const b: Promise<any> = (async () => await a)(); return await a",
            Throws(""),
        ),
        (
            Engine,
            "for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise<any>(() => {}) }) }) void x",
            Ended(FailureKind::Deadlock),
        ),
        (
            Engine,
            "await new Promise(r => { const t = setInterval(() => {}, 1); (t as any).unref?.() })",
            Ended(FailureKind::Time),
        ),
        (
            Engine,
            "const all: any[] = []; for (;;) all.push(new WeakRef({ x: new Array(1000).fill(all.length) }))",
            Ended(FailureKind::Memory),
        ),
        (
            Engine,
            "const r = new FinalizationRegistry(() => { for (;;) {} }); for (let i = 0; i < 1e4; i++) r.register({}, i); for (;;) await 0",
            Ended(FailureKind::Time),
        ),
        (Bridge, "return { get a() { return this.a } } as any", Throws("Maximum call stack")),
        (
            Bridge,
            "return new Proxy([], { get: (t: any, k) => k === 'length' ? 2 ** 53 - 1 : 1 })",
            Ended(FailureKind::Time),
        ),
        (
            Bridge,
            "throw Object.defineProperty(new Error('x'), 'stack', { get() { for (;;) {} } })",
            Ended(FailureKind::Time),
        ),
        (
            Bridge,
            "throw Object.defineProperty(new Error('x'), 'stack', { get: () => '    at f (script.js:1:1)\\n    at g (script.js:99999999:99999999)\\n'.repeat(1e5) })",
            Throws("x"),
        ),
        (
            Bridge,
            "const v: any = new Uint8Array(8); let n = 0; Object.defineProperty(v, 'byteLength', { get: () => n++ ? 2 ** 33 : 8 }); crypto.getRandomValues(v); return [n, v.some((byte: number) => byte > 0)]",
            Returns(json!([1, true])),
        ),
        (Parent, "return 'x'.repeat(2e7)", Ended(FailureKind::Result)),
        (
            Parent,
            "const c: any[] = []; for (let i = 0; i < 11_000; i++) c.push(tools.gitHub.echo({ i })); await Promise.all(c)",
            Throws("a program may make 10000 calls"),
        ),
        (
            Kernel,
            "const all: any[] = []; for (;;) all.push(new TextEncoder().encode('x'.repeat(1e7)))",
            Ended(FailureKind::Memory),
        ),
        (Kernel, "return (new Array(1e9) + '').length", Ended(FailureKind::Time)),
        (
            Kernel,
            "void tools.gitHub.sleep({ ms: 1e9 }); return (new Array(4e9) + '').length",
            Ended(FailureKind::Time),
        ),
    ]
}

fn all() -> Vec<Attempt> {
    [imports(), oracles(), bridge(), excess()].concat()
}

/// Expects each attempt of a layer to end as it says.
#[track_caller]
fn stopped_by(layer: Layer) {
    let mut wrong = Vec::new();
    let attempts: Vec<Attempt> = all().into_iter().filter(|(by, ..)| *by == layer).collect();
    assert!(!attempts.is_empty());
    for (_, source, end) in attempts {
        let begun = Instant::now();
        let time = if matches!(end, Ended(FailureKind::Time)) { 1500 } else { 120_000 };
        let limits = ExecutionLimits { time: Duration::from_millis(time), memory: 48 << 20, ..limits() };
        let (execution, tools) = run_within(source, &limits);
        let is_as_expected = match (&end, &execution.outcome) {
            (Rejected(words), Outcome::Rejected(findings)) => {
                findings.iter().any(|finding| finding.render(source).contains(words))
            }
            (Returns(expected), Outcome::Returned(found)) => {
                found.as_ref().unwrap_or(&Value::Null) == expected
            }
            (Throws(words), Outcome::Failed(failure)) => {
                [FailureKind::Thrown, FailureKind::Result].contains(&failure.kind)
                    && format!("{}: {}", failure.name, failure.message).contains(words)
            }
            (Ended(kind), Outcome::Failed(failure)) => failure.kind == *kind,
            _ => false,
        };
        if !is_as_expected {
            wrong.push(format!("{source}\n  expected {end:?}\n  found {:?}", execution.outcome));
        }
        // Only calls that the program's source names were made.
        for call in tools.calls.lock().expect("no test fails here").iter() {
            assert!(source.contains(&format!("gitHub.{}", call.tool)), "{source}: {call:?}");
        }
        if layer == Check {
            assert!(execution.journal.is_empty(), "{source}");
        }
        assert!(begun.elapsed() < limits.time + Duration::from_secs(25), "{source}: {:?}", begun.elapsed());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_checks_stop_what_can_be_seen_before_it_runs() {
    stopped_by(Check);
}

#[test]
fn the_engine_has_no_way_out() {
    stopped_by(Engine);
}

#[test]
fn the_bridge_gives_nothing_away() {
    stopped_by(Bridge);
}

#[test]
fn the_parent_bounds_what_it_is_asked_for() {
    stopped_by(Parent);
}

#[test]
fn the_kernel_ends_what_the_engine_cannot() {
    stopped_by(Kernel);
}

#[test]
fn there_are_many_attempts_and_no_two_are_one() {
    let mut sources: Vec<&str> = all().iter().map(|(_, source, _)| *source).collect();
    sources.sort_unstable();
    sources.dedup();
    assert_eq!(sources.len(), all().len());
    assert!(sources.len() >= 60, "{}", sources.len());
}
