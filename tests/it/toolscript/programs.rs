//! Programs that call real tools.

use serde_json::json;

use super::{project, scripts, toolscript};
use crate::support::tools;

#[test]
fn a_program_chains_three_servers_and_two_scripts() {
    let Some(project) = project() else { return };
    let notes = project.root().join("notes").display().to_string();
    let program = format!(
        r#"
import {{ tools }} from "toolscript";
import {{ createEntities, readGraph }} from "toolscript/memory";
interface Note {{ name: string; text: string }}
const [sum, greeting, count, ...notes] = await Promise.all([
  tools.everything.getSum({{ a: 20, b: 22 }}),
  tools.npm.npmGreet(),
  tools.npm.npmCount({{}}),
  ...["one", "two"].map(async (name): Promise<Note> => {{
    const file = await tools.files.readTextFile({{ path: `{notes}/${{name}}.txt` }});
    return {{ name, text: file.content.trim() }};
  }}),
]);
await createEntities({{ entities: notes.map((note) => ({{ name: note.name, entityType: "note", observations: [note.text] }})) }});
const graph = await readGraph({{}});
console.log("notes", graph.entities.length);
return {{ sum, greeting: greeting.success, count: /counted 3/.test(count.output ?? ""), names: graph.entities.map((one: any) => one.name).sort() }};
"#
    );
    let run = toolscript(&project, &["exec", "--json", &program]).succeeded();
    let answer = run.json();
    assert_eq!(answer["result"]["names"], json!(["one", "two"]), "{answer}");
    assert_eq!((&answer["result"]["greeting"], &answer["result"]["count"]), (&json!(true), &json!(true)));
    assert!(answer["result"]["sum"].to_string().contains("42"), "{answer}");
    assert_eq!(answer["stdout"], "notes 2\n");
    let calls: Vec<&str> =
        answer["calls"].as_array().unwrap().iter().map(|call| call["tool"].as_str().unwrap()).collect();
    assert_eq!(calls.len(), 7, "{calls:?}");
    // One record for the program, with its calls beneath it.
    let listed = project.cuff(["runs", "list", "--json"]).succeeded().json();
    let runs = listed["runs"].as_array().unwrap();
    assert_eq!(
        (runs.len(), &runs[0]["kind"], &runs[0]["tool"]),
        (1, &json!("script"), &json!("toolscript.exec"))
    );
    let shown = project.cuff(["runs", "show", "latest", "--json"]).succeeded().json();
    assert_eq!((shown["calls"].as_array().unwrap().len(), &shown["result"]), (7, &answer["result"]));
    assert!(shown["script"].as_str().unwrap().contains("readGraph"));
}

#[test]
fn output_and_errors_are_kept_apart_and_shown_in_lines_of_the_program() {
    if tools::require("npm").is_none() {
        return;
    }
    let project = scripts();
    let run = toolscript(&project, &["exec", "console.log('out'); console.error('err'); return { a: [1] }"])
        .succeeded();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("out\n{\n  \"a\": [\n    1\n  ]\n}\n", "err\n"));
    let text = toolscript(&project, &["exec", "return 'plain'"]).succeeded();
    assert_eq!(text.stdout, "plain\n");
    let program = "const word: string = 'x';\nasync function act() {\n  await tools.npm.npmBroken();\n}\nawait tools.npm.npmGreet();\nawait act();";
    let run = toolscript(&project, &["exec", program]).ended_with(1);
    for part in [
        "error: ToolError: npm.npm_broken: ",
        "exit code 3",
        "script.ts:3:9",
        "3 |   await tools.npm.npmBroken();",
        "at script.ts:6:7",
        "calls: 1 succeeded, 1 failed",
        "npm.npm_greet {} ok",
    ] {
        assert!(run.stderr.contains(part), "{part}:\n{}", run.stderr);
    }
}

#[test]
fn wrong_programs_are_found_out_before_anything_runs() {
    if tools::require("npm").is_none() {
        return;
    }
    let project = scripts();
    for (program, message, help) in [
        (
            "await tools.npm.npmGreet(); await tools.npm.npmGret()",
            "has no tool `npmGret`",
            "did you mean `npmGreet`?",
        ),
        ("await tools.nmp.npmGreet()", "there is no server `nmp`", "did you mean `npm`?"),
        ("await tools.npm.npmGreet({ timeuot: 1 })", "timeuot", "timeout"),
        ("await tools.npm.npmGreet({ timeout: 'x' })", "timeout", ""),
        ("const r = tools.npm.npmGreet(); return r.success", "await", ""),
        ("import fs from 'node:fs'; return 1", "`node:fs` cannot be imported", "a program has no files"),
        ("const a = (", "", ""),
    ] {
        let run = toolscript(&project, &["exec", program]).ended_with(64);
        assert!(run.stderr.contains(message) && run.stderr.contains(help), "{program}:\n{}", run.stderr);
        assert!(run.stderr.contains("nothing of the program was run"), "{program}:\n{}", run.stderr);
        let checked = toolscript(&project, &["exec", "--check", "--json", program]).ended_with(64).json();
        assert_eq!((&checked["success"], &checked["calls"]), (&json!(false), &json!([])), "{checked}");
    }
    assert_eq!(project.cuff(["runs", "list", "npm_greet", "--json"]).json()["runs"], json!([]));
    let right = toolscript(&project, &["exec", "--check", "await tools.npm.npmBroken()"]).succeeded();
    assert!(right.stderr.contains("nothing of it was run"), "{}", right.stderr);
}

#[test]
fn a_promise_that_is_taken_for_its_result_gives_no_value() {
    if tools::require("npm").is_none() {
        return;
    }
    let project = scripts();
    // None of them shows in the text of the program alone.
    for program in [
        "let a: any; a = tools.npm.npmGreet(); return 'x' + a",
        "const f = () => tools.npm.npmGreet(); return `${f()}`",
        "return JSON.stringify([1, 2].map(() => tools.npm.npmGreet()))",
        "const o = { a: tools.npm.npmGreet() as any }; return o.a + 1",
    ] {
        let run = toolscript(&project, &["exec", program]).ended_with(1);
        let said = "TypeError: a promise is used as if it were its result: put `await` before it";
        assert!(
            run.stdout.is_empty() && run.stderr.contains(said),
            "{program}:\n{}{}",
            run.stdout,
            run.stderr
        );
    }
}

#[test]
fn an_execution_is_narrowed_by_any_name_of_a_tool() {
    if tools::require("npm").is_none() {
        return;
    }
    let project = scripts();
    for name in ["npm.npm_greet", "npm__npm_greet", "npm.npmGreet", "npm.greet"] {
        let right =
            toolscript(&project, &["exec", "--allow", name, "return (await tools.npm.npmGreet()).success"]);
        assert_eq!(right.succeeded().stdout, "true\n", "{name}");
        let other =
            toolscript(&project, &["exec", "--allow", name, "await tools.npm.npmBroken()"]).ended_with(1);
        let said = format!("npm.npm_broken may not be called in this execution: --allow names {name}");
        assert!(other.stderr.contains(&said), "{name}:\n{}", other.stderr);
    }
}

#[test]
fn the_compilers_check_types_where_they_are_installed() {
    if tools::require("npm").is_none() {
        return;
    }
    for compiler in ["tsc", "tsc5"] {
        let Some(compiler) = tools::require(compiler) else { return };
        let project = scripts();
        // The one of the project goes before any other.
        std::fs::create_dir_all(project.root().join("node_modules/.bin")).expect("a folder");
        std::os::unix::fs::symlink(compiler, project.root().join("node_modules/.bin/tsc")).expect("a link");
        let wrong = "const r = await tools.npm.npmGreet();\nconst n: number = r.output;\nreturn n";
        let run = toolscript(&project, &["exec", "--check", wrong]).ended_with(64);
        for part in ["TS2322", "script.ts:2:7", "const n: number = r.output;"] {
            assert!(run.stderr.contains(part), "{part}:\n{}", run.stderr);
        }
        let right = "import { npmGreet } from 'toolscript/npm';\nconst r = await npmGreet({ timeout: 5 });\nreturn r.exit_code ?? 0";
        let run = toolscript(&project, &["exec", "--check", right]).succeeded();
        assert!(run.stderr.contains("says the TypeScript compiler too"), "{}", run.stderr);
        // Nothing was run by either.
        assert_eq!(project.cuff(["runs", "list", "npm_greet", "--json"]).json()["runs"], json!([]));
    }
}

#[test]
fn a_later_program_of_the_session_reads_an_earlier_result() {
    let project = scripts().variable("CLAUDE_CODE_SESSION_ID", "one");
    let first =
        toolscript(&project, &["exec", "--json", "return Array.from({ length: 20000 }, (_, n) => ({ n }))"]);
    let first = first.succeeded().json();
    assert_eq!(first["result_cut"], json!(true), "a large result is shown in part");
    let length = first["result"].as_array().unwrap().len();
    assert!(length < 1000, "{length}");
    let read =
        "import { results } from 'toolscript'; const all: any = await results.latest; return all.length";
    assert_eq!(toolscript(&project, &["exec", "--json", read]).succeeded().json()["result"], json!(20000));
    let id = first["run_id"].as_str().unwrap();
    let by_id =
        format!("import {{ results }} from 'toolscript'; return ((await results.get('{id}')) as any)[7].n");
    assert_eq!(toolscript(&project, &["exec", "--json", &by_id]).succeeded().json()["result"], json!(7));
    // Another session has results of its own alone.
    let other = project.variable("CLAUDE_CODE_SESSION_ID", "two");
    let run = toolscript(&other, &["exec", &by_id]).ended_with(1);
    assert!(run.stderr.contains(&format!("there is no program `{id}` in this session")), "{}", run.stderr);
}

#[test]
fn each_execution_is_independent_of_the_one_before() {
    let project = scripts();
    let spoil = "(globalThis as any).left = 1; (Array.prototype as any).map = 1; return 1";
    toolscript(&project, &["exec", spoil]).succeeded();
    let next = "return [(globalThis as any).left === undefined, [1].map((x) => x + 1)]";
    assert_eq!(
        toolscript(&project, &["exec", "--json", next]).succeeded().json()["result"],
        json!([true, [2]])
    );
}

#[test]
fn programs_come_from_files_standard_input_and_fences() {
    let project = scripts();
    project.write("a.ts", "enum Kind { A = 4 }\nreturn Kind.A satisfies number;\n");
    project.write("b.txt", "```ts\nexport default async () => 5;\n```\n");
    for (words, expected) in [
        (&["exec", "a.ts"][..], "4\n"),
        (&["exec", "-f", "a.ts"], "4\n"),
        (&["exec", "-f", "b.txt"], "5\n"),
        (&["exec", "namespace N { export const x = 6 } return N.x"], "6\n"),
    ] {
        assert_eq!(toolscript(&project, words).succeeded().stdout, expected, "{words:?}");
    }
    let missing = toolscript(&project, &["exec", "c.ts"]).ended_with(64);
    assert!(missing.stderr.contains("cannot be read from c.ts"), "{}", missing.stderr);
}

#[test]
fn limits_are_kept_and_named() {
    let project = scripts();
    for (words, said) in [
        (&["exec", "--timeout", "1", "while (true) {}"][..], "longer than 1 s"),
        (&["exec", "--memory", "16", "const a = []; for (;;) a.push('x'.repeat(9999))"], "16.0 MiB"),
        (&["exec", "await new Promise(() => {})"], "nothing can resolve"),
    ] {
        let run = toolscript(&project, words).ended_with(1);
        assert!(run.stderr.contains(said), "{words:?}:\n{}", run.stderr);
    }
}

/// A run that fails throws, and the error has what was found, as values.
#[test]
fn the_error_of_a_failing_run_has_all_its_findings() {
    if tools::require("npm").is_none() {
        return;
    }
    let project = scripts();
    let prints = "for (let at = 1; at <= 150; at++) console.log(`src/a.ts(${at},5): error TS2322: Type ${at}`); process.exit(2)";
    project.write("check.js", prints);
    let package =
        json!({"name": "p", "version": "1.0.0", "scripts": {"check": "node check.js", "ok": "echo fine"}});
    project.write("package.json", package.to_string());
    let code = "import { ToolError } from 'toolscript';
try {
  await tools.npm.npmCheck();
  return 'it passed';
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  const last = error.diagnostics.at(-1)!;
  const fine = await tools.npm.npmOk();
  return [error.tool, error.diagnostics.length, last.line! + 1, last.file, last.code, error.data.exit_code, fine.diagnostics];
}";
    let run = toolscript(&project, &["exec", "--json", code]).succeeded();
    let expected = json!(["npm.npm_check", 150, 151, "src/a.ts", "TS2322", 2, []]);
    assert_eq!(run.json()["result"], expected, "{}", run.stdout);
}
