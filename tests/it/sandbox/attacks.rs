//! Programs that try to get out, to stay for ever, or to take everything. Each attempt fails, says which limit it met, and
//! leaves the parent as it was.

use std::time::{Duration, Instant};

use cuff::sandbox::{ExecutionLimits, FailureKind, Outcome, PrintedStream};
use serde_json::json;

use super::programs::{failure, limits, result, run_within};

/// Little of everything, so that the tests are quick.
fn tight() -> ExecutionLimits {
    ExecutionLimits { time: Duration::from_millis(700), memory: 48 << 20, ..limits() }
}

/// Each program, and how it ends.
fn each_ends_as(kinds: &[FailureKind], programs: &[&str]) {
    for source in programs {
        let begun = Instant::now();
        let failure = failure(source, &tight());
        assert!(kinds.contains(&failure.kind), "{source}: {failure:?}");
        // Half a second after its time the parent ends it in any case; machines are busy.
        assert!(begun.elapsed() < Duration::from_secs(6), "{source}: {:?}", begun.elapsed());
    }
}

#[test]
fn programs_that_never_end_are_ended() {
    each_ends_as(
        &[FailureKind::Time],
        &[
            "while (true) {}",
            "for (;;) await 0",
            "do { try { for (;;) {} } catch {} finally { continue } } while (true)",
            "setInterval(() => { for (;;) {} }, 1); await new Promise(r => setTimeout(r, 1e8))",
            "await new Promise(r => setTimeout(r, 1e8))",
            "return /^(a+)+$/.test('a'.repeat(60) + 'b')",
            "return /(x+x+)+y/.exec('x'.repeat(60))",
            "'a'.repeat(1e5).replace(/(a*)*b/g, '')",
            "const a = Array.from({ length: 1e4 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5)",
            "function* g(): any { for (;;) yield 1 } for (const x of g()) {}",
            "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) } as any) {}",
            "const p: any = new Proxy({}, { ownKeys: () => { for (;;) {} } }); Object.keys(p)",
            "JSON.stringify({ toJSON() { for (;;) {} } })",
            "return { get x() { for (;;) {} } }",
            "await tools.gitHub.echo({ get x() { for (;;) {} } } as any)",
            "await { then() { for (;;) {} } } as any",
            "eval('for (;;) {}')",
            "new Function('for (;;) {}')()",
            "class A { static { for (;;) {} } }",
            "let n = 2n; for (;;) n = n ** 2n % (10n ** 200n)",
            "try { Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0) } catch { for (;;) {} }",
            "console.log({ get x() { return 1 }, toString() { for (;;) {} } }); for (;;) {}",
            "void tools.gitHub.sleep({ ms: 300 }); for (;;) {}",
        ],
    );
}

/// One step of the language that takes minutes cannot be interrupted from inside: the parent ends it.
#[test]
fn a_step_that_takes_minutes_is_ended_by_the_parent() {
    each_ends_as(
        &[FailureKind::Time, FailureKind::Memory],
        &[
            "return (new Array(1e9) + '').length",
            "return new Array(4e9).join('x').length",
            "return 'x'.repeat(2 ** 29).split('').length",
            "let n = 3n ** 300000n; for (;;) n = n * n % 3n ** 300001n",
            "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
        ],
    );
}

#[test]
fn programs_that_take_all_memory_are_ended() {
    each_ends_as(
        &[FailureKind::Memory, FailureKind::Time],
        &[
            "const a: any[] = []; for (;;) a.push(new Array(1e5).fill(a))",
            "const a: any[] = []; for (;;) a.push('x'.repeat(1e6) + a.length)",
            "const a: any[] = []; for (;;) a.push(new ArrayBuffer(1e7))",
            "const a: any[] = []; for (;;) a.push(new Uint8Array(1e6).fill(1))",
            "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })",
            "const f: any = () => Promise.resolve().then(f); await f()",
            "const f = async (): Promise<void> => { await null; return f() }; await Promise.all([f(), f()])",
            "const a: any[] = []; for (;;) a.push(Symbol(String(a.length)))",
            "let o: any = {}; for (;;) o = { o, x: 'y'.repeat(1000) }",
            "const x = new TextEncoder().encode('x'.repeat(2e7)); const all: any[] = []; for (;;) all.push(new TextDecoder().decode(x))",
            "const a: any[] = []; try { for (;;) a.push(new Array(1e5).fill(1)) } catch { for (;;) a.push({}) }",
            "return JSON.parse('[' + '1,'.repeat(3e7) + '1]').length",
            "return structuredClone(Array.from({ length: 3e6 }, () => ({}))).length",
        ],
    );
}

/// The language has an end of its own to each of these, which a program can catch.
#[test]
fn values_that_are_too_large_are_refused_by_the_language() {
    for (source, name, message) in [
        ("let s = 'x'; for (;;) s += s", "InternalError", "string too long"),
        ("return 'x'.repeat(2 ** 31)", "RangeError", "invalid repeat count"),
        ("return 'x'.padEnd(2 ** 31)", "RangeError", "invalid string length"),
        ("return new ArrayBuffer(2 ** 40)", "RangeError", "invalid array buffer length"),
        ("return new Uint8Array(2 ** 32)", "RangeError", "invalid array buffer length"),
        ("return new SharedArrayBuffer(2 ** 40)", "RangeError", "invalid array buffer length"),
        ("return new Array(2 ** 32)", "RangeError", "invalid array length"),
        ("return 3n ** 1000000n", "RangeError", "BigInt is too large to allocate"),
        ("return 1n << 2n ** 40n", "RangeError", "BigInt is too large to allocate"),
    ] {
        let failure = failure(source, &tight());
        assert_eq!((failure.name.as_str(), failure.message.as_str()), (name, message), "{source}");
    }
}

#[test]
fn programs_that_go_too_deep_are_ended() {
    const DEEP: &str = "let o: any = []; for (let i = 0; i < 2e5; i++) o = [o];";
    for source in [
        "const f = (): any => f(); return f()".to_owned(),
        "class A { get x(): any { return this.x } } return new A().x".to_owned(),
        "const p: any = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x".to_owned(),
        format!("{DEEP} return JSON.stringify(o)"),
        format!("{DEEP} return String(o)"),
        format!("{DEEP} return o"),
        format!("{DEEP} return structuredClone(o)"),
        format!("{DEEP} console.log(o); throw o"),
        format!("{DEEP} await tools.gitHub.echo({{ o }})"),
        "return JSON.parse('['.repeat(2e5) + ']'.repeat(2e5))".to_owned(),
        "return eval('('.repeat(2e5) + ')'.repeat(2e5))".to_owned(),
        "return new RegExp('('.repeat(2e5) + ')'.repeat(2e5))".to_owned(),
        "return new Function('return ' + '!'.repeat(2e5) + '1')()".to_owned(),
        "const a: any[] = []; a[0] = a; return a.flat(Infinity)".to_owned(),
        "const f = async (): Promise<any> => await f(); return await f()".to_owned(),
    ] {
        // It may also be an error that the program could catch, or one step more than there is time for.
        let failure = failure(&source, &tight());
        assert_ne!(failure.kind, FailureKind::Isolation, "{source}: {failure:?}");
        assert!(!failure.message.contains("crashed"), "{source}: {failure:?}");
    }
    // Not deeper than what is read in one piece.
    let deep = "let o: any = []; for (let i = 0; i < 150; i++) o = [o]; return o";
    let (execution, _) = run_within(deep, &tight());
    assert!(!matches!(execution.outcome, Outcome::Returned(_)), "{execution:?}");
}

/// A source can be made to be slow, or impossible, to read. Nobody but the interpreter's process reads it.
#[test]
fn sources_that_cannot_be_read_are_refused() {
    let mut sources: Vec<String> =
        ["(", "[", "{", "`${", "a=>{", "class{[", "f(", "/*", "\"", "/", "<", "#", "\\u{"]
            .iter()
            .flat_map(|open| [150, 60_000].map(|count| open.repeat(count.min(120_000 / open.len()))))
            .collect();
    for chain in [
        "A<",
        "a=",
        "!",
        "a?b:",
        "a+",
        "a.b",
        "new ",
        "await ",
        "if(a)",
        "x as ",
        "a=>",
        "type A=B<",
        "typeof ",
        "a,",
    ] {
        sources.push(chain.repeat(2000));
        sources.push(chain.repeat(120_000 / chain.len()));
    }
    sources.push("x".repeat(200_000));
    sources.push("\0".to_owned());
    sources.push("const a = ".to_owned() + &"[".repeat(199) + "1" + &"]".repeat(199));
    let limits = ExecutionLimits { time: Duration::from_secs(2), ..tight() };
    for source in sources {
        let begun = Instant::now();
        let (execution, _) = run_within(&source, &limits);
        match &execution.outcome {
            Outcome::Rejected(findings) => {
                assert!(
                    !findings.is_empty()
                        && findings.iter().all(|finding| finding.render(&source).len() < 5000)
                );
            }
            Outcome::Returned(_) => {}
            Outcome::Failed(failure) => {
                assert!(
                    [FailureKind::Thrown, FailureKind::Time].contains(&failure.kind),
                    "{source:.40}: {failure:?}"
                );
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(8), "{source:.40}: {:?}", begun.elapsed());
    }
}

#[test]
fn there_is_no_way_to_files_network_or_processes() {
    // Globals of other environments, and of QuickJS's own library.
    for name in [
        "fetch",
        "process",
        "require",
        "Deno",
        "Bun",
        "XMLHttpRequest",
        "WebSocket",
        "Worker",
        "WebAssembly",
        "std",
        "os",
        "bjson",
        "print",
        "scriptArgs",
        "gc",
        "navigator",
        "module",
        "exports",
        "importScripts",
        "load",
        "read",
        "readFile",
        "quit",
        "native",
    ] {
        assert_eq!(
            result(&format!("return typeof (globalThis as any)['{name}']")),
            json!("undefined"),
            "{name}"
        );
    }
    for specifier in [
        "fs",
        "node:fs",
        "std",
        "os",
        "qjs:std",
        "qjs:os",
        "./x.js",
        "../x",
        "/etc/passwd",
        "/proc/self/environ",
        "file:///etc/passwd",
        "https://example.com/x.js",
        "http://localhost/",
        "data:text/javascript,export default 1",
        "blob:x",
        "npm:left-pad",
        "jsr:@std/fs",
        "toolscript/../fs",
        "toolscript/",
        "toolscript/nope",
        "toolscript:core",
        "script.js",
        "\u{0}",
        "",
    ] {
        let source = format!(
            "const name = {}; try {{ await import(name); return 'imported' }} catch (e: any) {{ return e.name }}",
            json!(specifier)
        );
        let refused = result(&source);
        assert!(refused == "TypeError" || refused == "ReferenceError", "{specifier}: {refused}");
    }
    // The project reads a name up to its first NUL: what comes is what `toolscript` is.
    let cut = "const name = 'toolscript\\0/../x'; return await import(name) === await import('toolscript')";
    assert_eq!(result(cut), json!(true));
    // No way from a function of the language to a realm that has more.
    for source in [
        "return Function('return typeof process')()",
        "return (async () => {}).constructor('return typeof require')().then((x: any) => x)",
        "return (0, eval)('typeof fetch')",
        "return new Error().constructor.constructor('return typeof Deno')()",
        "try { null!.x } catch (e: any) { return e.constructor.constructor('return typeof process')() }",
        "return Object.getPrototypeOf(function* () {}).constructor('return typeof process')().next().value",
        "return (tools.gitHub.echo as any).constructor('return typeof native')()",
        "return [].constructor.constructor('return typeof std')()",
    ] {
        assert_eq!(result(source), json!("undefined"), "{source}");
    }
    assert_eq!(result("return [typeof import.meta.url, Object.keys(import.meta)]"), json!(["undefined", []]));
    assert_eq!(result("return Object.keys(console.log)"), json!([]));
    // The language refuses both by itself: a look at callers, and waiting that nothing interrupts.
    for source in
        ["(console.log as any).caller", "Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)"]
    {
        assert_eq!(failure(source, &limits()).name, "TypeError", "{source}");
    }
}

/// The parent reads everything that a program throws or leaves behind as text.
#[test]
fn thrown_values_cannot_hurt_their_reader() {
    for source in [
        "throw new Proxy({}, { get() { throw new Error('trap') }, getPrototypeOf() { throw 1 } })",
        "throw Object.create(null)",
        "throw { toString() { throw 1 }, [Symbol.toPrimitive]() { throw 2 } }",
        "throw Object.assign(new Error('x'), { name: { toString() { throw 1 } }, stack: 5, tool: [], cause: {} })",
        "const e: any = new Error('a'); e.cause = e; throw e",
        "const e: any = new AggregateError([1]); e.errors = new Proxy([], { get() { throw 1 } }); throw e",
        "throw new Error('x'.repeat(1e6))",
        "throw new Error('\\u001b[2J\\u202e\\ud800')",
        "class E extends Error { get message(): string { throw 1 } } throw new E()",
        "throw new (class extends ToolError { constructor() { super('fake') } get tool() { return 'git-hub.echo' } })()",
        "throw undefined",
        "throw 5n",
        "throw Symbol('s')",
        "throw () => 1",
        "throw globalThis",
        "await Promise.reject(tools)",
        "Error.prepareStackTrace = () => { throw 1 }; throw new Error('x')",
        "Error.prepareStackTrace = (e: any, s: any) => ({ s }); throw new Error('x')",
        "Error.stackTraceLimit = Infinity as any; const f = (n: number): any => n ? f(n - 1) : null!.x; f(500)",
    ] {
        let failure = failure(source, &tight());
        let shown = failure.render(source);
        assert!(shown.starts_with("error: ") && shown.len() < 10_000, "{source}: {shown}");
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{e000}']), "{source}: {shown}");
    }
}

/// A flood of words does not reach the parent's memory, and takes no more time than a program has.
#[test]
fn floods_are_cut() {
    let (execution, tools) = run_within("for (;;) console.log('x'.repeat(1000))", &tight());
    assert!(
        matches!(&execution.outcome, Outcome::Failed(failure) if failure.kind == FailureKind::Time),
        "{execution:?}"
    );
    assert_eq!(tools.text(PrintedStream::Out).len(), 1 << 20);
    assert!(execution.unprinted > 0);
    let (execution, tools) =
        run_within("console.log('é'.repeat(1e7)); console.error('late'); return 1", &limits());
    assert_eq!(execution.outcome, Outcome::Returned(Some(json!(1))));
    assert_eq!((tools.text(PrintedStream::Out).len(), tools.text(PrintedStream::Err).len()), (1 << 20, 0));
    assert_eq!(execution.unprinted, 2 * 10_000_000 + 1 - (1 << 20) + 5);
    let failure = failure("return 'x'.repeat(3e7)", &limits());
    assert!(
        failure.kind == FailureKind::Result && failure.message.contains("at most 16.0 MiB"),
        "{failure:?}"
    );
    let (execution, tools) = run_within("await tools.gitHub.echo({ x: 'x'.repeat(3e7) })", &limits());
    assert!(
        matches!(&execution.outcome, Outcome::Failed(failure) if failure.name == "RangeError"),
        "{execution:?}"
    );
    assert!(tools.calls.lock().expect("no test fails here").is_empty());
}

/// A hundred thousand calls at once are a queue of the program's own, and an end to it is set.
#[test]
fn a_hundred_thousand_calls_are_bounded() {
    let source = "
        const all = await Promise.allSettled(Array.from({ length: 100_000 }, (_, i) => tools.gitHub.echo({ i })))
        return [all.filter(one => one.status === 'fulfilled').length, all.length]
    ";
    let (execution, tools) = run_within(source, &limits());
    assert_eq!(execution.outcome, Outcome::Returned(Some(json!([10_000, 100_000]))));
    assert_eq!(tools.calls.lock().expect("no test fails here").len(), 10_000);
}
