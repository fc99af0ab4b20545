//! Programs that do what they should: their results, what they print, their calls, their time.

use std::time::{Duration, Instant};

use cuff::sandbox::{CallEnd, Execution, ExecutionLimits, FailureKind, Outcome, PrintedStream, elided};
use serde_json::{Value, json};

use super::programs::{failure, limits, result, run_within};

#[test]
fn a_program_is_written_in_every_way_that_models_write_one() {
    for (source, expected) in [
        ("return 1 + 1", json!(2)),
        ("1 + 1", json!(2)),
        ("const x: number = await Promise.resolve(3); return x", json!(3)),
        ("await tools.gitHub.echo({ x: 4 })", json!({"x": 4})),
        ("```ts\nreturn 'fenced'\n```", json!("fenced")),
        (
            "```typescript\nimport { tools } from 'toolscript';\nreturn Object.keys(tools)\n```\n",
            json!(["gitHub"]),
        ),
        ("async () => { return 'arrow' }", json!("arrow")),
        ("async () => (await tools.gitHub.echo({ x: 1 })).x", json!(1)),
        ("export default async function main() { return 'exported' }", json!("exported")),
        ("export default { a: 1 }", json!({"a": 1})),
        ("const a = 5; export default a;", json!(5)),
        ("function main() { return 'never called' }", Value::Null),
        ("if (true) { return 'early' } return 'late'", json!("early")),
        ("#!/usr/bin/env toolscript\nreturn 1", json!(1)),
        ("'use strict'; return 2", json!(2)),
        ("", Value::Null),
        ("// nothing but a comment", Value::Null),
        (" \n\t", Value::Null),
        ("\u{feff}return 'after a mark'", json!("after a mark")),
        ("return `a\r\nb`.length\r\n", json!(3)),
    ] {
        assert_eq!(result(source), expected, "{source}");
    }
}

#[test]
fn typescript_syntax_runs() {
    for (source, expected) in [
        ("enum A { X, Y = 5, Z } return [A.Z, A[5], A.X]", json!([6, "Y", 0])),
        ("enum S { Up = 'UP' } return S.Up", json!("UP")),
        ("const enum C { A = 1 << 3, B = A | 1 } return [C.A, C.B]", json!([8, 9])),
        (
            "namespace N { export const a = 1; export namespace M { export const b = a + 1 } } return N.M.b",
            json!(2),
        ),
        (
            "class P { constructor(private readonly a: number, public b = 2) {} get sum() { return this.a + this.b } } return new P(1).sum",
            json!(3),
        ),
        (
            "abstract class A { abstract f(): number; g() { return this.f() } } class B extends A { f() { return 7 } } return new B().g()",
            json!(7),
        ),
        (
            "function f(x: string): string; function f(x: number): number; function f(x: any) { return x } return f(1)",
            json!(1),
        ),
        (
            "interface I { a?: number } type T<K> = K extends string ? 1 : 2; const x = { a: 1 } satisfies I; return (x as I).a!",
            json!(1),
        ),
        ("const f = <T,>(x: T): x is T & string => typeof x === 'string'; return f('a')", json!(true)),
        ("declare const missing: number; return typeof missing", json!("undefined")),
        (
            "class A { declare x: number; static #p = 4; static { A.#p++ } static get p() { return A.#p } } return A.p",
            json!(5),
        ),
        (
            "let x: unknown = [1, 2]; const [a, ...rest] = x as number[]; return { a, rest }",
            json!({"a": 1, "rest": [2]}),
        ),
        ("const o = { a: { b: null as null | { c: number } } }; return o?.a?.b?.c ?? 'none'", json!("none")),
        ("label: for (const i of [1, 2]) { for (;;) { continue label } } return 'done'", json!("done")),
        (
            "async function* g() { yield 1; yield 2 } const all = []; for await (const x of g()) all.push(x); return all",
            json!([1, 2]),
        ),
        ("using x = { [Symbol.dispose]() {} }; return 'used'", json!("used")),
    ] {
        let (execution, _) = run_within(source, &limits());
        match execution.outcome {
            Outcome::Returned(found) => assert_eq!(found.unwrap_or_default(), expected, "{source}"),
            other => panic!("{source}: {other:?}"),
        }
    }
}

#[test]
fn printed_lines_keep_their_order_in_each_stream() {
    let source = "
        console.log('one'); console.error('two'); console.info('three');
        await tools.gitHub.echo({ x: 1 });
        console.warn('four'); console.debug('five');
        setTimeout(() => console.log('seven'), 2); queueMicrotask(() => console.log('six'));
        await new Promise(r => setTimeout(r, 20));
        return 'the result is none of it'
    ";
    let (execution, tools) = run_within(source, &limits());
    assert_eq!(execution.outcome, Outcome::Returned(Some(json!("the result is none of it"))));
    assert_eq!(tools.text(PrintedStream::Out), "one\nthree\nfive\nsix\nseven\n");
    assert_eq!(tools.text(PrintedStream::Err), "two\nfour\n");
    assert_eq!(tools.printed_words(), ["one", "two", "three", "four", "five", "six", "seven"]);
    // A program that fails has printed what it had printed.
    let (execution, tools) = run_within("console.log('before'); throw new Error('x')", &limits());
    assert!(matches!(execution.outcome, Outcome::Failed(_)));
    assert_eq!(tools.text(PrintedStream::Out), "before\n");
}

#[test]
fn results_are_what_json_has_words_for() {
    for (source, expected) in [
        (
            "return [1.5, -0, 1e21, NaN, Infinity, null, undefined, true]",
            json!([1.5, 0, 1e21, null, null, null, null, true]),
        ),
        ("return { a: undefined, b: () => 1, c: Symbol('s'), d: 1 }", json!({"d": 1})),
        (
            "return [12345678901234567890n, 2n ** 70n]",
            json!([12_345_678_901_234_567_890_u64, 1_180_591_620_717_411_303_424_u128]),
        ),
        ("return new Map<string, any>([['a', new Set([1, 2])]])", json!({"a": [1, 2]})),
        (
            "return [new Date(0), new URL('https://a.b/c'), new Uint8Array([1, 255])]",
            json!(["1970-01-01T00:00:00.000Z", "https://a.b/c", [1, 255]]),
        ),
        ("return new RangeError('r')", json!({"name": "RangeError", "message": "r"})),
        ("return { toJSON() { return 'mine' } }", json!("mine")),
        (
            "return JSON.parse('{\"__proto__\": {\"x\": 1}, \"a\": 2}')",
            json!({"__proto__": {"x": 1}, "a": 2}),
        ),
        ("return 'ü\u{1f680}\\u0000\\u2028'", json!("ü\u{1f680}\0\u{2028}")),
        (
            "return Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })",
            json!({"own": 2}),
        ),
        ("return Array.from({ length: 3 })", json!([null, null, null])),
        ("return new Array(3)", json!([null, null, null])),
        ("return tools.gitHub", json!({})),
    ] {
        assert_eq!(result(source), expected, "{source}");
    }
    // Large results stay JSON where they are cut.
    let large = result("return Array.from({ length: 50_000 }, (_, id) => ({ id, text: 'é'.repeat(20) }))");
    let cut = elided(large, 10_000);
    assert!(cut.is_cut && cut.value.to_string().len() <= 10_000);
    let last = cut.value.as_array().and_then(|items| items.last()).expect("a list").clone();
    assert!(last.as_str().is_some_and(|text| text.ends_with("more items")), "{last}");
}

#[test]
fn a_failure_names_the_line_the_tool_and_what_was_done_before() {
    let source = "const ids: number[] = [1, 2];\nawait tools.gitHub.echo({ id: ids[0] });\nfor (const id of ids) {\n  await tools.gitHub.fail({ id });\n}";
    let (execution, _) = run_within(source, &limits());
    let Outcome::Failed(failure) = execution.outcome else { panic!("{:?}", execution.outcome) };
    assert_eq!((failure.kind, failure.tool.as_deref()), (FailureKind::Thrown, Some("git-hub.fail")));
    assert_eq!(failure.data, Some(json!({"status": 404})));
    assert_eq!(
        failure.render(source),
        "error: ToolError: git-hub.fail: no such issue\n --> script.ts:4:9\n  |\n2 | await tools.gitHub.echo({ id: ids[0] });\n3 | for (const id of ids) {\n4 |   await tools.gitHub.fail({ id });\n  |         ^^^^^^^^^^^^^^^^^\ndata: {\"status\":404}"
    );
    let ends: Vec<(&str, &CallEnd)> =
        execution.journal.iter().map(|call| (call.arguments.as_str(), &call.ended)).collect();
    assert_eq!(
        ends,
        [(r#"{"id":1}"#, &CallEnd::Succeeded), (r#"{"id":1}"#, &CallEnd::Failed("no such issue".into()))]
    );
}

#[test]
fn the_time_of_a_program_stands_while_its_calls_are_out() {
    let short = ExecutionLimits { time: Duration::from_millis(400), ..limits() };
    for source in [
        "await tools.gitHub.sleep({ ms: 1200 }); return 'done'",
        "for (let i = 0; i < 4; i++) await tools.gitHub.sleep({ ms: 400 }); return 'done'",
        "await Promise.all([300, 600, 1200].map(ms => tools.gitHub.sleep({ ms }))); return 'done'",
        // A timer that ends while a call is out takes no time either.
        "await Promise.all([tools.gitHub.sleep({ ms: 1200 }), new Promise(r => setTimeout(r, 900))]); return 'done'",
    ] {
        let begun = Instant::now();
        let (execution, _) = run_within(source, &short);
        assert_eq!(execution.outcome, Outcome::Returned(Some(json!("done"))), "{source}");
        assert!(begun.elapsed() >= Duration::from_millis(1200), "{source}");
        assert!(execution.journal.iter().all(|call| call.ended == CallEnd::Succeeded), "{source}");
    }
    // Its own time does not: before, between and beside calls.
    for source in [
        "await tools.gitHub.sleep({ ms: 100 }); for (;;) {}",
        "for (;;) { await tools.gitHub.sleep({ ms: 10 }); for (let i = 0; i < 1e6; i++); }",
        "void tools.gitHub.sleep({ ms: 60_000 }); for (;;) {}",
        "await tools.gitHub.sleep({ ms: 100 }); await new Promise(r => setTimeout(r, 60_000))",
    ] {
        let begun = Instant::now();
        let failure = failure(source, &short);
        assert_eq!(failure.kind, FailureKind::Time, "{source}: {failure:?}");
        assert!(failure.message.contains("not counting the time of its tools"), "{failure:?}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{source}: {:?}", begun.elapsed());
    }
    // A call that is out when the time is over is cancelled, and the journal says so.
    let (execution, _) = run_within("void tools.gitHub.sleep({ ms: 60_000 }); for (;;) {}", &short);
    assert_eq!(execution.journal[0].ended, CallEnd::Unfinished);
}

#[test]
fn a_thousand_calls_are_made_in_one_program() {
    let source = "
        let sum = 0;
        for (let i = 0; i < 500; i++) sum += (await tools.gitHub.echo({ i })).i;
        const rest = await Promise.all(Array.from({ length: 500 }, (_, i) => tools.gitHub.echo({ i: 500 + i })));
        return rest.reduce((all, one) => all + one.i, sum)
    ";
    let begun = Instant::now();
    let (execution, tools) = run_within(source, &limits());
    assert_eq!(execution.outcome, Outcome::Returned(Some(json!(999 * 500))));
    assert_eq!(
        (execution.journal.len(), tools.calls.lock().expect("no test fails here").len()),
        (1000, 1000)
    );
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

/// A program takes in much and hands out little: what a model never needs to see stays out of its context.
#[test]
fn ten_megabytes_are_filtered_to_a_line() {
    let source = "
        const { issues } = await tools.gitHub.large({ count: 200_000 });
        const open = issues.filter((issue: any) => issue.open && issue.title.endsWith('9'));
        return { all: issues.length, size: JSON.stringify(issues).length, open: open.length, first: open[0].title }
    ";
    let begun = Instant::now();
    let found = result(source);
    assert!(found["size"].as_u64().is_some_and(|size| size > 9_500_000), "{found}");
    assert_eq!((&found["all"], &found["first"]), (&json!(200_000), &json!("Issue 9")));
    assert_eq!(found["open"], (0..200_000).filter(|at| at % 3 == 0 && at % 10 == 9).count());
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

/// An answer that is longer than a program takes is an error that the program can catch, and says so.
#[test]
fn an_answer_that_is_too_long_fails_the_call_alone() {
    let small = ExecutionLimits { answer: 100_000, ..limits() };
    let source = "
        try { await tools.gitHub.large({ count: 10_000 }) } catch (e: any) { return [e.name, e.tool, e.message] }
    ";
    let (execution, _) = run_within(source, &small);
    let Outcome::Returned(Some(found)) = execution.outcome else { panic!("{:?}", execution.outcome) };
    assert_eq!((&found[0], &found[1]), (&json!("ToolError"), &json!("git-hub.large")));
    assert!(found[2].as_str().is_some_and(|text| text.contains("ask the tool for less")), "{found}");
}

/// Everything that one execution can leave behind is left, and the next finds nothing of it.
#[test]
fn nothing_of_one_execution_is_there_in_the_next() {
    let leave = "
        (globalThis as any).left = 'global'; var left2 = 1;
        (Object.prototype as any).left = 'prototype'; (Array.prototype as any).push = () => 'spoiled';
        (Promise.prototype as any).left = 1; (tools.gitHub.echo as any).left = 'tool';
        (ToolError.prototype as any).left = 1; (Error as any).prepareStackTrace = () => 'spoiled';
        (console as any).log = () => {}; (JSON as any).parse = () => 'spoiled';
        (Symbol as any).for('left').description; (await import('toolscript') as any).tools.gitHub;
        console.group('indented'); console.count('counted'); console.time('clock');
        setTimeout(() => { (globalThis as any).late = 1 }, 1);
        void tools.gitHub.sleep({ ms: 1 }).then(() => { (globalThis as any).later = 1 });
        new (class extends FinalizationRegistry<any> {})(() => {}).register({}, 1);
        return Math.random()
    ";
    let look = "
        const found = ['left', 'left2', 'late', 'later'].filter(name => name in globalThis || name in {} || name in []);
        console.count('counted'); console.timeEnd('clock'); console.log('not indented');
        return [found, [].push(1 as never), JSON.parse('1'), 'left' in tools.gitHub.echo, 'left' in Promise.prototype,
            'left' in ToolError.prototype, typeof new Error('x').stack, Object.keys(globalThis)]
    ";
    let (before, _) = run_within(look, &limits());
    assert!(matches!(run_within(leave, &limits()).0.outcome, Outcome::Returned(_)));
    let (after, tools) = run_within(look, &limits());
    let outcome = |execution: Execution| match execution.outcome {
        Outcome::Returned(Some(value)) => value,
        other => panic!("{other:?}"),
    };
    let after = outcome(after);
    assert_eq!(outcome(before), after);
    assert_eq!(after, json!([[], 1, 1, false, false, false, "string", ["performance"]]));
    assert_eq!(tools.text(PrintedStream::Out), "counted: 1\nthere is no timer clock\nnot indented\n");
    // Nobody foresees what is random.
    let random =
        "return [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))]]";
    assert_ne!(result(random), result(random));
}
