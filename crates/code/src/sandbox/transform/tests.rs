use crate::sandbox::catalog::Catalog;
use crate::sandbox::compile::compile;
use crate::sandbox::program::PreparedProgram;

fn program(source: &str) -> PreparedProgram {
    compile(source, &Catalog::default()).unwrap_or_else(|findings| {
        let rendered: Vec<String> = findings.iter().map(|finding| finding.render(source)).collect();
        panic!("{source}:\n{}", rendered.join("\n\n"))
    })
}

/// The body of the function that a program becomes, in one line, and the imports before it.
fn body(source: &str) -> String {
    let program = program(source);
    let (imports, rest) = program.emitted.javascript.split_once("export default async () => {\n").unwrap();
    let body = rest.strip_suffix("\n};\n").unwrap();
    let lines: Vec<&str> = imports.lines().chain(body.lines()).map(str::trim).collect();
    lines.join(" ")
}

#[test]
fn types_go_and_what_is_typescripts_own_becomes_javascript() {
    for (source, expected) in [
        ("const x: number = 1; return x satisfies number as unknown as string", "const x = 1; return x;"),
        ("return <string>'x'", "return \"x\";"),
        ("return <T,>(x: T) => x!", "return (x) => x;"),
        ("type A = 1; interface B { a: A }; declare const c: B; return c", "; return c;"),
        (
            "enum E { A, B = 'x' } return E.A",
            "var E = function(E) { E[E[\"A\"] = 0] = \"A\"; E[\"B\"] = \"x\"; return E; }(E || {}); return E.A;",
        ),
        (
            "const enum F { A = 1 << 2 } return F.A",
            "var F = function(F) { F[F[\"A\"] = 4] = \"A\"; return F; }(F || {}); return F.A;",
        ),
        (
            "namespace N { export const a = 1 } return N.a",
            "let N; (function(_N) { const a = _N.a = 1; })(N || (N = {})); return N.a;",
        ),
        (
            "class C { constructor(private readonly a: number) {} } return new C(1)",
            "class C { a; constructor(a) { this.a = a; } } return new C(1);",
        ),
        (
            "abstract class A { abstract f(): void; declare x: number; y!: string; #z?: number = 1 } return A",
            "class A { y; #z = 1; } return A;",
        ),
        ("function f(this: any, x?: number): asserts x is number {} return f", "function f(x) {} return f;"),
        ("function f(a: string): void; function f(a: any) {} return f", "function f(a) {} return f;"),
        (
            "using x = null; for await (const y of []) {} return x",
            "using x = null; for await (const y of []) {} return x;",
        ),
        (
            "import { tools, type X } from 'toolscript'; return tools",
            "import { tools } from \"toolscript\"; return tools;",
        ),
        ("import { Y } from 'toolscript'; let y: Y | undefined; return y", "let y; return y;"),
    ] {
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn a_program_is_the_body_of_a_function_however_it_hands_its_result_over() {
    for (source, expected) in [
        ("return 1", "return 1;"),
        ("if (1) return await 2", "if (1) return await 2;"),
        ("await 5", "return await 5;"),
        ("async () => 3", "return async () => 3;"),
        ("const a = 1; a", "const a = 1; a;"),
        ("export default 5", "return 5;"),
        ("export default async () => 1", "return async () => 1;"),
        ("export default async function () { return 1 }", "return async function() { return 1; };"),
        ("export default function main() {} main()", "function main() {} main(); return main;"),
        ("export const a = 1; export { a }; type T = 1; export type { T }", "const a = 1;"),
        ("```ts\nreturn 1\n```", "return 1;"),
        ("#!/usr/bin/env toolscript\n'use strict'\nreturn 1", "return 1;"),
    ] {
        assert_eq!(body(source), expected, "{source}");
    }
}

/// Each `boom` of the JavaScript comes from a `boom` of the source, the same one in the same order.
#[test]
fn positions_lead_back_to_the_source() {
    for source in [
        "boom()",
        "import { tools } from 'toolscript'\n\n// a comment\nconst x: number = 1;\n  if (tools) { boom() }\nboom(x as any)",
        "const é = 'ü', 日本 = `🚀${boom('é')}`; /* ü */ boom(日本,\n  boom(é))",
        "enum E { A = 1 }\nnamespace N { export const a = boom(E.A) }\nclass C { constructor(private a = boom()) {} }\nreturn boom(N, C)",
        "\tboom()\n\r\n\tboom()",
        "async function f<T>(a: T): Promise<T> { return boom(a)! }\nexport default async () => { await f(boom) }",
    ] {
        let source = format!("{source}\nfunction boom(...given: unknown[]) {{ return given as any }}");
        let program = program(&source);
        let mut origins = Vec::new();
        for (line, text) in program.emitted.javascript.lines().enumerate() {
            for (at, _) in text.match_indices("boom") {
                let origin = program
                    .origin(line + 1, at + 1)
                    .unwrap_or_else(|| panic!("{source}\n{line}:{at}\n{}", program.emitted.javascript));
                assert!(
                    source[origin..].starts_with("boom"),
                    "{source}\n{}\n{line}:{at}",
                    program.emitted.javascript
                );
                origins.push(origin);
            }
        }
        // A default export moves to the end.
        origins.sort_unstable();
        let expected: Vec<usize> = source.match_indices("boom").map(|(at, _)| at).collect();
        assert_eq!(origins, expected, "{source}");
        assert_eq!(program.origin(1, 1), None);
        assert_eq!((program.origin(0, 0), program.origin(9999, 1)), (None, None));
    }
}

#[test]
fn syntax_errors_are_shown_in_the_users_own_text() {
    for (source, expected) in [
        ("const = 1", "error: unexpected token\n --> script.ts:1:7\n  |\n1 | const = 1\n  |       ^"),
        (
            "let a = 1\nlet a = 2",
            "error: identifier `a` has already been declared\n --> script.ts:1:5\n  |\n1 | let a = 1\n  |     ^",
        ),
        (
            "return <div/>",
            "error: expected `>` but found `/`\n --> script.ts:1:12\n  |\n1 | return <div/>\n  |            ^",
        ),
        (
            "```ts\nconst x = ;\n```",
            "error: unexpected token\n --> script.ts:2:11\n  |\n1 | ```ts\n2 | const x = ;\n  |           ^",
        ),
    ] {
        let findings = compile(source, &Catalog::default()).unwrap_err();
        assert_eq!(findings[0].render(source), expected, "{source}");
    }
}

/// Each shape goes down once for each time that it is repeated. On a stack as large as the interpreter's
/// process has it, brackets that lie as deep as they may are read. Most of the other shapes end well; one
/// that does not ends that process alone.
#[test]
fn brackets_as_deep_as_they_may_lie_are_read() {
    const SHAPES: [(&str, &str); 14] = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("f(", ")"),
        ("`${", "}`"),
        ("({a:", "})"),
        ("async()=>{", "}"),
        ("class{[", "]}"),
        ("!", ""),
        ("a=", ""),
        ("a?b:", ""),
        ("a+", ""),
        ("typeof ", ""),
        ("if(a)", ""),
    ];
    let read = || {
        for (open, close) in SHAPES {
            let count = 200 / open.chars().filter(|c| "([{".contains(*c)).count().max(1);
            for source in [open.repeat(count), format!("{}1{}", open.repeat(count), close.repeat(count))] {
                // Any result will do, as long as there is one.
                let _ = compile(&source, &Catalog::default());
            }
        }
    };
    std::thread::Builder::new().stack_size(56 << 20).spawn(read).unwrap().join().unwrap();
}
