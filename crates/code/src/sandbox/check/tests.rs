use serde_json::{Value, json};

use crate::sandbox::catalog::{Catalog, ResultShape, ToolDescription, ToolServer};
use crate::sandbox::compile::compile;
use crate::sandbox::withheld::WithheldName;

fn catalog() -> Catalog {
    let tool = |name: &str, input: Value| ToolDescription {
        name: name.into(),
        description: None,
        input,
        output: ResultShape::Unknown,
    };
    let text = json!({"type": "string"});
    let issue = json!({
        "type": "object",
        "properties": {
            "title": text, "body": text, "labels": {"type": "array", "items": text}, "state": {"enum": ["open", "closed"]},
            "count": {"type": "integer"},
            "to": {"type": "object", "properties": {"name": text}, "required": ["name"]},
        },
        "required": ["title"], "additionalProperties": false,
    });
    let list = json!({"type": "object", "properties": {"owner": text, "repository": text}});
    let either = json!({
        "type": "object", "properties": {"a": text, "b": text}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    });
    let read = json!({"type": "object", "properties": {"path": text}, "required": ["path"]});
    let withheld = vec![WithheldName { name: "drop_all".into(), why: "its definition changed".into() }];
    let github = vec![tool("create_issue", issue), tool("list_issues", list), tool("either", either)];
    Catalog::new(vec![
        ToolServer { name: "git-hub".into(), tools: github, withheld, ..ToolServer::default() },
        ToolServer { name: "fs".into(), tools: vec![tool("read_file", read)], ..ToolServer::default() },
        ToolServer { name: "down".into(), problem: Some("it did not start".into()), ..ToolServer::default() },
    ])
    .withholding(vec![WithheldName { name: "evil-one".into(), why: "it waits for approval".into() }])
}

/// Each finding: what, the part of the source, and the help.
fn findings(source: &str) -> String {
    let Err(findings) = compile(source, &catalog()) else { return String::new() };
    let written = findings.iter().map(|finding| {
        let help = finding.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{} [{}]{help}", finding.message, &source[finding.span.clone()])
    });
    written.collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn assert_found(source: &str, expected: &str) {
    assert_eq!(findings(source), expected, "{source}");
}

#[test]
fn correct_programs_have_no_findings() {
    for source in [
        "return await tools.gitHub.createIssue({ title: 'x' })",
        "await tools['git-hub']['create_issue']({ title: `a${1}`, ...{} })",
        "const base = { title: 'x' }; await tools.gitHub.createIssue({ ...base }); await tools.gitHub.createIssue(base)",
        "await tools.gitHub.createIssue(...[{ title: 'x' }])",
        "await tools.gitHub.createIssue({ title: 'x', body: undefined, [String('state')]: 'open', to: { ...{} } })",
        "await tools.gitHub.either({ a: 'x' }); const key = 'a'; await tools.gitHub.either({ [key]: 'x' })",
        "await tools.gitHub.listIssues(); await tools.gitHub.listIssues({ owner: 'a', extra: 'b' })",
        "import { CreateIssueInput } from 'toolscript/git-hub'; let a: CreateIssueInput | undefined; return a",
        "import type { Anything } from 'elsewhere'; return 1",
        "import gh, { createIssue as make } from 'toolscript/gitHub'; await make({ title: '' }); await gh.listIssues({})",
        "import * as all from 'toolscript'; return await all.tools.fs.readFile({ path: '' })",
        "const { readFile } = await import('toolscript/fs'); return await readFile({ path: '' })",
        "let gh = tools.gitHub; gh = null as any; await gh.nope()",
        "const tools = { a: { b: async () => 1 } }; return await tools.a.b()",
        "tools.gitHub.createIssue({ title: 'x' })",
        "const r = tools.fs.readFile({ path: 'x' }); return await r",
        "const r = tools.fs.readFile({ path: 'x' }); const [a] = await Promise.all([r]); return a",
        "['a'].map(path => tools.fs.readFile({ path }))",
        "return tools.fs.readFile({ path: 'x' }).then(x => x).catch(() => 0)",
        "void tools.fs.readFile({ path: 'x' }); return 1",
        "async function f() { return tools.fs.readFile({ path: 'x' }) } return await f()",
        "return typeof fetch === 'function' ? fetch : 0",
        "globalThis.mine = 1; return mine",
        "type A = Partial<Record<string, number>>; const a: A = {}; return a",
        "try { x() } catch {} function x() { return arguments.length }",
        "return Object.keys(tools).concat(tools.fs.readFile.name, `${tools.gitHub.length}`)",
    ] {
        assert_found(source, "");
    }
}

#[test]
fn servers_tools_and_imports_that_there_are_not_are_named_with_the_nearest() {
    for (source, expected) in [
        (
            "await tools.github.createIssue({})",
            "there is no server `github` [github] (did you mean `gitHub`?)",
        ),
        (
            "const t = tools as any; await t.nope()",
            "there is no server `nope` [nope] (there is `down`, `fs`, `gitHub`)",
        ),
        (
            "await tools.gitHub.createIsue({})",
            "the server `git-hub` has no tool `createIsue` [createIsue] (did you mean `createIssue`?)",
        ),
        (
            "const { gitHub: { list } } = tools; return list",
            "the server `git-hub` has no tool `list` [list] (did you mean `listIssues`?)",
        ),
        (
            "import { tools as t } from 'toolscript'; await t['fs'].readfile({ path: '' })",
            "the server `fs` has no tool `readfile` [readfile] (did you mean `readFile`?)",
        ),
        (
            "import { creatIssue } from 'toolscript/git-hub'; await creatIssue()",
            "`toolscript/git-hub` exports no `creatIssue` [creatIssue] (did you mean `createIssue`?)",
        ),
        (
            "import { x } from 'toolscript/githb'; return x",
            "there is no server `githb` ['toolscript/githb'] (did you mean `gitHub`?)",
        ),
        (
            "import fs from 'fs'; return fs",
            "`fs` cannot be imported: a program has no files; call a tool that reads or writes them ['fs']",
        ),
        (
            "await import('node:https'); await import('./x.ts')",
            "`node:https` cannot be imported: a program has no network; call a tool that fetches ['node:https']; `./x.ts` \
             cannot be imported: only `toolscript` and `toolscript/SERVER` can be imported ['./x.ts']",
        ),
        (
            "await tools.fs({ path: '' })",
            "`fs` is a server, not a tool [tools.fs] (call one of its tools: `fs.TOOL({ … })`)",
        ),
    ] {
        assert_found(source, expected);
    }
}

#[test]
fn arguments_are_judged_by_the_schema_as_far_as_they_are_written_out() {
    const TAKES: &str = "(it takes { title, body?, labels?, state?, count?, to? })";
    for (source, expected) in [
        (
            "const { gitHub } = tools; const { createIssue: make } = gitHub; await make({ titel: 'x' })",
            format!(
                "git-hub.create_issue: `title` is missing [{{ titel: 'x' }}] {TAKES}; git-hub.create_issue: `titel` is not \
                 known here [titel: 'x'] (did you mean `title`?)"
            ),
        ),
        (
            "await tools.gitHub.createIssue({ title: 5, labels: ['a', 1], to: {} })",
            format!(
                "git-hub.create_issue: `title` must be a string, not 5 [title: 5] {TAKES}; git-hub.create_issue: `labels[1]` \
                 must be a string, not 1 [1] {TAKES}; git-hub.create_issue: `to.name` is missing [to: {{}}] {TAKES}"
            ),
        ),
        (
            "const x = await 1; await tools.gitHub.createIssue({ ...(x as any), count: 'x' })",
            format!("git-hub.create_issue: `count` must be a whole number, not \"x\" [count: 'x'] {TAKES}"),
        ),
        (
            "await tools.gitHub.createIssue({ title: x(), count: -1.5 }); function x() { return '' }",
            format!("git-hub.create_issue: `count` must be a whole number, not -1.5 [count: -1.5] {TAKES}"),
        ),
        (
            "await tools.fs.readFile('x')",
            "fs.read_file takes one object with named arguments ['x'] (it takes { path })".into(),
        ),
        (
            "await tools.fs.readFile({ path: '' }, 1)",
            "fs.read_file takes one object with named arguments [1] (it takes { path })".into(),
        ),
        (
            "await tools?.fs?.readFile?.()",
            "fs.read_file: `path` is missing [tools?.fs?.readFile?.()] (it takes { path })".into(),
        ),
        (
            "await tools.gitHub.listIssues({ owner: 'a', repositry: x }); var x",
            "git-hub.list_issues has no argument `repositry` [repositry: x] (did you mean `repository`?)"
                .into(),
        ),
    ] {
        assert_found(source, &expected);
    }
}

#[test]
fn a_call_that_nobody_waits_for_is_found() {
    const READ: &str = "tools.fs.readFile({ path: 'x' })";
    let used =
        format!("this is a promise, and its result is used at once [{READ}] (put `await` before the call)");
    for source in [
        format!("const r = {READ}; return r.text"),
        format!("const r = {READ}; const {{ text }} = r; return text"),
        format!("const {{ text }} = {READ}; return text"),
        format!("return ({READ} as any).text"),
        format!("return {READ}[0]"),
        format!("return `${{{READ}}}`"),
        format!("console.log({READ})"),
        format!("return JSON.stringify({READ})"),
        format!("for (const x of {READ}) {{ x }}"),
        format!("return [...{READ}]"),
        format!("if ({READ}) return 1"),
        format!("return {READ} ? 1 : 2"),
        format!("return !{READ}"),
        format!("return {READ} + 1"),
    ] {
        assert_found(&source, &used);
    }
    let nobody = format!("nobody waits for this call [{READ}] (put `await` before the call)");
    assert_found(&format!("{READ}; return 1"), &nobody);
    assert_found(&format!("for (const i of [1]) {{ {READ} }}"), &nobody);
}

#[test]
fn a_promise_that_is_taken_for_its_result_is_found_through_names() {
    const READ: &str = "tools.fs.readFile({ path: 'x' })";
    let used =
        format!("this is a promise, and its result is used at once [{READ}] (put `await` before the call)");
    for source in [
        "const r = READ; return `a ${r}`",
        "const r = READ; return 'a' + r",
        "const r = READ; return r === 'x'",
        "const r = READ; if (r) return 1",
        "const r = READ; return r ? 1 : 2",
        "const r = READ; return !r",
        "const r = READ; return r && 1",
        "const r = READ; return r || []",
        "const r = READ; return JSON.stringify(r)",
        "const r = READ; console.log('r', r)",
        "const r = READ; return r.length",
        "const r = READ; return r?.text",
        "const r = READ; return r['text']",
        "const r = READ; return { ...r }",
        "const r = READ; return [...r]",
        "const r = READ; for (const x of r) x",
        "const r = READ; for (const x in r) x",
        "const r = READ; const { text } = r; return text",
        "const r = READ; const s = r; return s.text",
        "const r = 1 > 2 ? null : READ; return r!.text",
        "let text = ''; text += READ; return text",
        "const r = READ; return String(r) + Number(1)",
        "const r = READ; return new Set(r)",
        "const r = READ; return { r }",
        "const r = READ; return { all: [r] }",
        "const r = READ; await tools.gitHub.createIssue({ title: r as any })",
        "const r = READ; switch (r) { default: return 1 }",
        "const r = READ; while (r) {}",
        "const r = READ; return Object.keys(r)",
        "const r = READ; return Array.isArray(r)",
        "const r = READ; return r()",
        "return READ.then(x => x).length",
        "if (1 < 2 && READ) return 1",
        "return READ !== null",
    ] {
        assert_found(&source.replace("READ", READ), &used);
    }
    for (source, promise) in [
        ("async function f() { return { a: 1 } } return f().a", "f()"),
        ("const f = async (x: number) => x; const y = f(1); return `${y}`", "f(1)"),
        ("const [a] = Promise.all([1]); return a", "Promise.all([1])"),
        ("const all = Promise.all([1]); return all.length", "Promise.all([1])"),
        ("const later = new Promise((done) => done(1)); return later + 1", "new Promise((done) => done(1))"),
    ] {
        assert_found(
            source,
            &format!(
                "this is a promise, and its result is used at once [{promise}] (put `await` before the call)"
            ),
        );
    }
    for (source, method, given) in [
        ("return [1, 2].filter(async (x) => x > 1)", "filter", "async (x) => x > 1"),
        ("const is = async (x: number) => x > 1; return [1].some(is)", "some", "is"),
        (
            "return [1, 2].sort(async function (a, b) { return a - b })",
            "sort",
            "async function (a, b) { return a - b }",
        ),
    ] {
        let text = format!(
            "`{method}` does not wait for this async function: it gets a promise for each item [{given}] (wait first, with \
             `await Promise.all(items.map(…))`, and decide by what comes)"
        );
        assert_found(source, &text);
    }
    for source in [
        "return await Promise.all([1, 2].map(async (x) => x > 1))",
        "return [1, 2].filter((x) => x > 1)",
        "const r = READ; return await r",
        "const r = READ; return r instanceof Promise",
        "const r = READ; return (await r) === 1 ? `${await r}` : r",
        "const all = [READ, READ]; return await Promise.all(all)",
        "const all = []; all.push(READ); return await Promise.all(all)",
        "const kept: any = {}; kept.a ??= READ; return await kept.a",
        "let r = READ as any; r = await r; return r.text",
        "const r = READ; return await Promise.race([r, new Promise((done) => setTimeout(done, 9))])",
        "async function main() { await READ } main(); return 1",
        "const f = async () => 1; return { all: await Promise.all([f(), f()]) }",
        "const f = (read: any) => read.text; return f(await READ)",
        "function later() { return { r: READ } } return await later().r",
        "const maybe = 1 > 2 ? READ : undefined; return await maybe",
        "for await (const x of [READ]) x",
        "return String.raw`${1}${'a'}`",
        "READ.catch(() => 0); return 1",
    ] {
        assert_found(&source.replace("READ", READ), "");
    }
}

#[test]
fn withheld_names_are_told_as_withheld() {
    for (source, expected) in [
        (
            "await tools.gitHub.dropAll()",
            "the tool `drop_all` is withheld from programs [dropAll] (its definition changed)",
        ),
        (
            "await tools['git-hub']['drop_all']()",
            "the tool `drop_all` is withheld from programs ['drop_all'] (its definition changed)",
        ),
        (
            "await tools.evilOne.x()",
            "the server `evil-one` is withheld from programs [evilOne] (it waits for approval)",
        ),
        (
            "import { x } from 'toolscript/evil-one'; return x",
            "the server `evil-one` is withheld from programs ['toolscript/evil-one'] (it waits for approval)",
        ),
        ("await tools.down.x()", "the server `down` has no tool `x` now [x] (it did not start)"),
    ] {
        assert_found(source, expected);
    }
}

#[test]
fn names_that_nothing_defines_are_found() {
    const NETWORK: &str =
        "a program has no network; call a tool that fetches, as `await tools.SERVER.TOOL({ … })`";
    for (source, expected) in [
        ("await fetch('x')", format!("`fetch` is not available [fetch] ({NETWORK})")),
        (
            "return process.env.HOME",
            "`process` is not available [process] (a program has no process, environment or arguments; `return` a result, or \
             throw an error to fail)"
                .into(),
        ),
        (
            "const fs = require('fs'); return fs",
            "`require` is not available [require] (there are no modules but `toolscript`; write `import { tools } from \
             \"toolscript\"`)"
                .into(),
        ),
        ("return consle.log", "`consle` is not defined [consle] (did you mean `console`?)".into()),
        ("const issues = []; return isues", "`isues` is not defined [isues] (did you mean `issues`?)".into()),
        ("return zzzzzz", "`zzzzzz` is not defined [zzzzzz]".into()),
    ] {
        assert_found(source, &expected);
    }
}

#[test]
fn syntax_that_a_program_cannot_have_is_refused() {
    const RETURN: &str = "a program hands its result over with `return`";
    for (source, expected) in [
        (
            "return 1234567890123456789 + 9007199254740992 + 1e300 + 100_000",
            "no number is exactly this one: above 2^53 only some integers are [1234567890123456789] (write a BigInt, with `n` \
             behind the digits, or a text)".to_owned(),
        ),
        (
            "class A { accessor x = 1 } return A",
            "`accessor` is not supported [accessor x = 1] (write a getter and a setter around a private field)".to_owned(),
        ),
        (
            "function x(a: any) {} @x class A {}",
            "decorators are not supported [@x] (call the function that the decorator is by hand)".to_owned(),
        ),
        (
            "export default 1; await 5",
            "`export default` is the result of the program, and this comes after it [await 5] (move `export default` to the \
             end, or write `return`)"
                .into(),
        ),
        ("export default class {}", format!("a class cannot be the result of a program [class {{}}] ({RETURN})")),
        (
            "export * from 'toolscript'",
            format!("nothing can be exported from elsewhere [export * from 'toolscript'] ({RETURN})"),
        ),
        (
            "import x = require('x')",
            "`import … =` is not supported [import x = require('x')] (write `import { tools } from \"toolscript\"`)".into(),
        ),
    ] {
        assert_found(source, &expected);
    }
}
