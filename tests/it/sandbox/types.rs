//! The modules of types under the real compiler, `tsc --strict`. They compile for any description of tools,
//! and they say what the schemas say.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::path::{Path, PathBuf};
use std::process::Command;

use cuff::sandbox::types::{ENVIRONMENT, declarations, tool_types};
use cuff::sandbox::{Catalog, ResultShape, ToolDescription, ToolServer};
use serde_json::{Map, Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::tools;

/// The compiler's errors for these programs beside the modules of a catalog: empty if all is well. `None` if
/// no compiler is installed and none need be.
fn complaints(catalog: &Catalog, programs: &[&str]) -> Option<String> {
    let tsc = tools::require("tsc")?;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("environment.d.ts", ENVIRONMENT);
    write("toolscript.d.ts", &declarations(catalog));
    for (at, program) in programs.iter().enumerate() {
        write(&format!("program{at}.ts"), &format!("{program}\nexport {{}};\n"));
    }
    let options = json!({
        "compilerOptions": {
            "strict": true, "noEmit": true, "target": "ESNext", "module": "ESNext", "moduleResolution": "bundler",
            "lib": ["ESNext"], "types": [], "skipLibCheck": false, "moduleDetection": "force",
        },
        "include": ["*.ts"],
    });
    write("tsconfig.json", &options.to_string());
    let output = Command::new(tsc)
        .args(["--project", "."])
        .env("PATH", tools::path())
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.success(), said.is_empty(), "{said}");
    Some(said)
}

/// Expects that all of it compiles.
#[track_caller]
fn compile(catalog: &Catalog, programs: &[&str]) {
    if let Some(said) = complaints(catalog, programs) {
        let shown: String = said.lines().take(20).collect::<Vec<_>>().join("\n");
        assert_eq!(said, "", "{shown}\n{}", declarations(catalog));
    }
}

fn tool(name: &str, input: Value) -> ToolDescription {
    ToolDescription { name: name.into(), description: None, input, output: ResultShape::Unknown }
}

fn server(name: &str, tools: Vec<ToolDescription>) -> ToolServer {
    ToolServer { name: name.into(), tools, ..ToolServer::default() }
}

/// A tool for each schema, which is that of its result as well.
fn of_schemas(schemas: Vec<Value>) -> ToolServer {
    let tools = schemas.into_iter().enumerate().map(|(at, schema)| ToolDescription {
        name: format!("tool_{at}"),
        description: Some(format!("```json\n{schema}\n```")),
        output: if at % 2 == 0 {
            ResultShape::Declared(schema.clone())
        } else {
            ResultShape::Observed(schema.clone())
        },
        input: schema,
    });
    server("schemas", tools.collect())
}

/// A compiler that finds nothing wrong must be one that finds something wrong.
#[test]
fn the_compiler_complains_where_it_should() {
    let catalog = Catalog::new(vec![server("s", vec![tool("t", json!({"type": "object"}))])]);
    for program in [
        "const x: number = 'a'",
        "import { nope } from 'toolscript/s'",
        "import { tools } from 'toolscript'; tools.nope",
        "import * as fs from 'fs'",
        "fetch('https://example.com')",
        "process.env",
    ] {
        let Some(said) = complaints(&catalog, &[program]) else { return };
        assert!(said.contains("program0.ts") && said.contains("error TS"), "{program}: {said}");
    }
}

/// A schema of each kind, by the name of its tool.
const KINDS: &str = r##"{
"plain": {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"]},
"closed": {"type": "object", "properties": {"a": {"type": "boolean"}}, "additionalProperties": false},
"open": {"type": "object", "additionalProperties": {"type": "number"}},
"patterns": {"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "properties": {"id": {"type": "number"}}, "required": ["id"]},
"nullable": {"type": "object", "properties": {"a": {"type": "string", "nullable": true}, "b": {"type": ["number", "null"]}}, "required": ["a", "b"]},
"choice": {"type": "object", "properties": {"x": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}, "required": ["x"]},
"one": {"oneOf": [
  {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "number"}}, "required": ["kind", "n"]},
  {"type": "object", "properties": {"kind": {"const": "b"}, "s": {"type": "string"}}, "required": ["kind", "s"]}]},
"all": {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"$ref": "#/$defs/more"}],
  "$defs": {"more": {"type": "object", "properties": {"b": {"type": "number"}}, "required": ["b"]}}},
"enums": {"type": "object", "properties": {"level": {"enum": ["low", "high", 3, null]}, "only": {"const": "this"}}, "required": ["level"]},
"tuples": {"type": "object", "properties": {
  "pair": {"prefixItems": [{"type": "string"}, {"type": "number"}], "items": false},
  "rest": {"prefixItems": [{"type": "string"}], "items": {"type": "number"}},
  "old": {"items": [{"type": "boolean"}, {"type": "null"}], "additionalItems": false},
  "least": {"prefixItems": [{"type": "string"}, {"type": "string"}], "items": false, "minItems": 1}}},
"tree": {"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "required": ["value"],
  "properties": {"value": {"type": "number"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}}},
"json": {"$ref": "#/definitions/json", "$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"json": {"anyOf": [
  {"type": ["string", "number", "boolean", "null"]}, {"type": "array", "items": {"$ref": "#/definitions/json"}},
  {"type": "object", "additionalProperties": {"$ref": "#/definitions/json"}}]}}},
"anchored": {"$ref": "#here", "$defs": {"a": {"$anchor": "here", "type": "object", "properties": {"a": {"type": "string"}}}}},
"nothing": {"type": "object", "additionalProperties": false},
"delete": {"type": "object", "properties": {"class": {"type": "string"}, "with space": {"type": "string"}, "__proto__": {"type": "string"}, "": {"type": "number"}}, "required": ["class"]}
}"##;

/// Uses of the types of [`KINDS`] that a program may make, and others that it may not.
const USES: &str = r#"
import { tools, ToolError } from "toolscript";
import { plain, closed, open, patterns, nullable, choice, one, all, enums, tuples, tree, json, nothing, delete_ } from "toolscript/kinds";
import type { TreeInput, PlainOutput } from "toolscript/kinds";

const answer: PlainOutput = await plain({ a: "x", n: 1 });
const a: string = answer.a;
// @ts-expect-error
const maybe: number = answer.n;
// @ts-expect-error
await plain({ n: 1 });
// @ts-expect-error
await plain({ a: 5 });
// @ts-expect-error
await plain();
await closed(); await closed({ a: true });
// @ts-expect-error
await closed({ b: 1 });
await open({ x: 1, y: 2 });
// @ts-expect-error
await open({ x: "1" });
await patterns({ id: 1, "x-a": "b" });
await nullable({ a: null, b: null }); await nullable({ a: "x", b: 1 });
// @ts-expect-error
await nullable({ a: undefined, b: 1 });
await choice({ x: "a" }); await choice({ x: ["a"] });
// @ts-expect-error
await choice({ x: 1 });
const either = await one({ kind: "a", n: 1 });
if (either.kind === "a") either.n.toFixed(); else either.s.trim();
// @ts-expect-error
await one({ kind: "a", s: "x" });
await all({ a: "x", b: 1 });
// @ts-expect-error
await all({ a: "x" });
await enums({ level: "low", only: "this" }); await enums({ level: 3 }); await enums({ level: null });
// @ts-expect-error
await enums({ level: "middle" });
await tuples({ pair: ["a", 1], rest: ["a", 1, 2], old: [true, null], least: ["a"] });
// @ts-expect-error
await tuples({ pair: ["a"] });
// @ts-expect-error
await tuples({ pair: ["a", 1, 2] });
// @ts-expect-error
await tuples({ least: [] });
const node: TreeInput = { value: 1, children: [{ value: 2, children: [] }] };
const deep: number | undefined = (await tree(node)).children?.[0]?.children?.[0]?.value;
// @ts-expect-error
await tree({ value: 1, children: [{ value: "2" }] });
await json({ a: [1, "x", null, { b: true }] });
// @ts-expect-error
await json({ a: () => 1 });
await nothing(); await nothing({});
await delete_({ class: "x", "with space": "y" });
await tools.kinds.plain({ a: "x" });
// @ts-expect-error
await tools.kinds.plian({ a: "x" });
// @ts-expect-error
tools.other;
try { await closed() } catch (error) { if (error instanceof ToolError) { const t: string = error.tool; const d: unknown = error.data; } }
"#;

/// The environment is what a program has, no less and no more.
const GLOBALS: &str = r#"
console.log(1, "a"); console.error({}); console.table([{ a: 1 }]);
const timer: number = setTimeout((x: number) => {}, 5, 1); clearTimeout(timer);
const u: string = new URL("/x", "https://a.b").searchParams.get("a") ?? btoa(atob(""));
const b: Uint8Array = new TextEncoder().encode("x"); const s: string = new TextDecoder().decode(b);
const id: string = crypto.randomUUID(); const c: { a: number } = structuredClone({ a: 1 });
const signal: AbortSignal = AbortSignal.any([new AbortController().signal, AbortSignal.timeout(5)]);
queueMicrotask(() => {}); performance.now(); tools.kinds.closed();
const all = await Promise.all([tools.kinds.closed(), tools.kinds.open({})]);
// @ts-expect-error
fetch("x");
// @ts-expect-error
require("fs");
// @ts-expect-error
window.alert("x");
"#;

/// Each kind of schema, and what a program may do with the type.
#[test]
fn every_kind_of_schema_says_what_it_means() {
    let schemas: Value = serde_json::from_str(KINDS).unwrap();
    let tools = schemas.as_object().unwrap().iter().map(|(name, schema)| ToolDescription {
        name: name.clone(),
        description: None,
        input: schema.clone(),
        output: ResultShape::Declared(schema.clone()),
    });
    let catalog = Catalog::new(vec![server("kinds", tools.collect())]);
    compile(&catalog, &[USES, GLOBALS]);
}

/// A server may say anything of its tools, and mean harm.
#[test]
fn hostile_texts_and_names_compile() {
    let texts = [
        "*/ declare global { const evil: string } /*",
        "*\\/ */ **/ /* //",
        "`${x}` \" ' \\",
        "line\u{2028}line\u{2029}line\r\nline\rline",
        "\u{202e}hidden\u{200b}\u{feff}\0\u{7f}\u{1b}[2J",
        "@deprecated @type {evil} {@link x}",
        "*",
        "/",
        "*/",
        "<script>\n * @ts-ignore\n// @ts-nocheck",
        "é🚀日本",
    ];
    let mut tools: Vec<ToolDescription> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let schema = json!({
            "type": "object",
            "title": text, "description": text, "format": text, "default": {*text: text},
            "properties": {
                *text: {"description": text, "const": text, "pattern": text, "format": text},
                (format!("{text}]: any; [x: ")): {"enum": [text, {*text: [text]}]},
                "ref": {"$ref": format!("#/$defs/{}", text.replace('/', "~1"))},
            },
            "required": [text],
            "$defs": {*text: {"description": text, "type": "string", "default": text}},
        });
        tools.push(ToolDescription {
            name: format!("{text}{at}"),
            description: Some((*text).to_owned()),
            output: ResultShape::Declared(schema.clone()),
            input: schema,
        });
    }
    for text in texts {
        tools.push(tool(text, json!({"type": text, "required": text, "properties": text, "enum": text})));
    }
    let servers = texts.iter().map(|text| server(text, vec![tool(text, json!({}))]));
    let mut servers: Vec<ToolServer> = servers.collect();
    servers.push(server("all", tools));
    compile(&Catalog::new(servers), &[]);
}

/// Words that a language keeps for itself, or gives a meaning; the last one is empty.
const WORDS: &str = "break case catch class const continue debugger default delete do else enum export extends false \
    finally for function if import in instanceof new null return super switch this throw true try typeof \
    var void while with yield let static implements interface package private protected public await \
    async arguments eval undefined NaN Infinity constructor prototype __proto__ then toString valueOf \
    hasOwnProperty any unknown never string number boolean object symbol bigint type declare module \
    namespace abstract as asserts infer is keyof readonly require global of get set from satisfies \
    unique accessor using out override Promise Array Error Object String tools ToolError promise array 0 \
    1a - _ $ ";

/// Words that a language keeps for itself, and names that would be the same.
#[test]
fn reserved_words_and_collisions_compile() {
    let words: Vec<&str> = WORDS.split(' ').collect();
    let schema = |word: &str| {
        json!({"type": "object", "properties": {word: {"$ref": format!("#/$defs/{word}")}}, "required": [word],
               "$defs": {word: {"type": "array", "items": {"type": "string"}}}})
    };
    let one = |word: &&str| ToolDescription {
        name: (*word).to_owned(),
        description: None,
        input: schema(word),
        output: ResultShape::Declared(schema(word)),
    };
    let mut servers: Vec<ToolServer> = vec![server("words", words.iter().map(one).collect())];
    servers.extend(words.iter().map(|word| server(word, vec![one(word)])));
    let alike = [
        "read_file",
        "read-file",
        "readFile",
        "ReadFile",
        "read file",
        "read.file",
        "read_file_input",
        "readFileInput",
        "readFileOutput",
        "read_file_input2",
        "read",
        "file_input",
        "read/file",
    ];
    servers.push(server("alike", alike.iter().map(one).collect()));
    servers.extend(alike.iter().map(|name| server(name, vec![one(name)])));
    let catalog = Catalog::new(servers);
    // Every name of a tool is one that a program can import.
    let words = catalog.server("words").unwrap();
    let imports: Vec<&str> = words.tools.iter().map(|tool| tool.function.as_str()).collect();
    let program =
        format!("import {{ {} }} from \"toolscript/words\";\nexport default [{0}];", imports.join(", "));
    compile(&catalog, &[&program]);
}

/// Schemas that nobody means, and some that few mean.
const ODD: &str = r##"[
true,
false,
null,
[],
"text",
5,
{"type": []},
{"type": ["object", "array", "string", "nope", 5]},
{"properties": []},
{"required": {}},
{"enum": [[], {}, [[]], {"a": {"b": []}}, -0.0, 1e300, -5, "a", null]},
{"const": {"": {"": ""}}},
{"items": []},
{"prefixItems": []},
{"prefixItems": [false], "items": false},
{"anyOf": []},
{"oneOf": [false, false]},
{"allOf": [{"type": "string"}, {"type": "number"}]},
{"allOf": [{"type": "object"}, {"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"type": "number"}}}]},
{"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "number"}, "patternProperties": {"x": {"type": "null"}}},
{"properties": {"a": false, "b": true}, "required": ["a", "b", "c", 5]},
{"prefixItems": [{"anyOf": [{"type": "string"}, {"type": "null"}]}], "minItems": 0, "items": {"type": ["string", "null"]}},
{"prefixItems": [{"type": "string"}, {"type": "number"}, {"allOf": [{"type": "object"}, {"required": ["x"]}]}], "minItems": 1},
{"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {"$ref": "#/$defs/"}, "": {"type": "string"}}},
{"$ref": "other.json#/x"},
{"$ref": 5},
{"$dynamicRef": "#x"},
{"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"x": {"$ref": "#/$defs/a"}}},
{"minItems": -1, "items": [{}, {}]},
{"nullable": true},
{"nullable": true, "const": 1},
{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"enum": []}}}}},
{"if": {"properties": {"a": {}}}, "then": {"required": ["a"]}, "else": false},
{"properties": {"0": {}, "-1": {}, "1.5": {}, "a-b": {}, "a.b": {}, "日本": {}, "🚀": {}, "\"": {}, "\\": {}, "\n": {}}}
]"##;

/// Schemas that refer to themselves, to nothing, and to each other, in every way.
#[test]
fn circles_and_odd_shapes_compile() {
    let wrapped = |keyword: &str, inner: Value| match keyword {
        "properties" => json!({"properties": {"a": inner}}),
        "items" | "additionalProperties" | "not" | "additionalItems" => json!({keyword: inner}),
        "patternProperties" => json!({"patternProperties": {"^x": inner}}),
        _ => json!({keyword: [inner, {"type": "string"}]}),
    };
    let keywords = [
        "properties",
        "items",
        "additionalProperties",
        "patternProperties",
        "prefixItems",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "additionalItems",
    ];
    let mut schemas = Vec::new();
    for outer in keywords {
        schemas.push(wrapped(outer, json!({"$ref": "#"})));
        for inner in keywords {
            schemas.push(wrapped(outer, wrapped(inner, json!({"$ref": "#"}))));
            let other = wrapped(inner, json!({"$ref": "#/$defs/a"}));
            schemas.push(json!({"$ref": "#/$defs/a", "$defs": {"a": wrapped(outer, json!({"$ref": "#/$defs/b"})), "b": other}}));
        }
    }
    let odd: Vec<Value> = serde_json::from_str(ODD).unwrap();
    schemas.extend(odd);
    let deep = (0..200).fold(json!({"type": "string"}), |inner, at| wrapped(keywords[at % 4], inner));
    schemas.push(deep);
    let wide: Map<String, Value> =
        (0..3000).map(|at| (format!("p{at}"), json!({"enum": [at, "x"]}))).collect();
    schemas.push(json!({"properties": wide}));
    compile(&Catalog::new(vec![of_schemas(schemas)]), &[]);
}

/// Large numbers of schemas nobody thought of, made from a seed: a sample of what the fuzz target makes.
#[test]
fn a_sample_of_arbitrary_schemas_compiles() {
    let mut maker = Maker(0x9e37_79b9_7f4a_7c15);
    let schemas: Vec<Value> = (0..400).map(|_| maker.schema(4)).collect();
    compile(&Catalog::new(vec![of_schemas(schemas)]), &[]);
}

/// Makes schemas of all keywords in any mixture.
struct Maker(u64);

impl Maker {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn word(&mut self) -> String {
        const WORDS: [&str; 12] =
            ["a", "b", "delete", "*/", "x-y", "", "日本", "\"", "__proto__", "then", "$ref", "a/b~c"];
        WORDS[self.below(WORDS.len())].to_owned()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(1000)),
            3 => json!(-1.5),
            4 => json!(self.word()),
            5 => (0..self.below(3)).map(|_| self.value(depth - 1)).collect(),
            _ => Value::Object((0..self.below(3)).map(|_| (self.word(), self.value(depth - 1))).collect()),
        }
    }

    fn schemas(&mut self, depth: usize) -> Value {
        (0..self.below(4)).map(|_| self.schema(depth)).collect()
    }

    fn named(&mut self, depth: usize) -> Value {
        Value::Object((0..self.below(4)).map(|_| (self.word(), self.schema(depth))).collect())
    }

    fn schema(&mut self, depth: usize) -> Value {
        if depth == 0 || self.below(12) == 0 {
            return [json!(true), json!(false), json!({}), json!({"$ref": "#"}), json!({"type": "string"})]
                [self.below(5)]
            .clone();
        }
        let mut made = Map::new();
        for _ in 0..=self.below(3) {
            let inner = depth - 1;
            let (keyword, value) = match self.below(18) {
                0 | 1 => {
                    const TYPES: [&str; 7] =
                        ["string", "integer", "number", "boolean", "null", "array", "object"];
                    ("type", json!(TYPES[self.below(7)]))
                }
                2 => ("type", json!(["string", "array", "null"])),
                3 => ("properties", self.named(inner)),
                4 => ("required", (0..self.below(3)).map(|_| json!(self.word())).collect()),
                5 => ("additionalProperties", self.schema(inner)),
                6 => ("patternProperties", self.named(inner)),
                7 => ("items", self.schema(inner)),
                8 => ("items", self.schemas(inner)),
                9 => ("prefixItems", self.schemas(inner)),
                10 => ("anyOf", self.schemas(inner)),
                11 => ("oneOf", self.schemas(inner)),
                12 => ("allOf", self.schemas(inner)),
                13 => ("const", self.value(2)),
                14 => ("enum", (0..self.below(4)).map(|_| self.value(2)).collect()),
                15 => ("$defs", self.named(inner)),
                16 => {
                    let name = self.word().replace('~', "~0").replace('/', "~1");
                    ("$ref", json!(format!("#/$defs/{name}")))
                }
                _ => ("minItems", json!(self.below(3))),
            };
            made.insert(keyword.to_owned(), value);
        }
        if self.below(8) == 0 {
            made.insert("description".to_owned(), json!(self.word()));
            made.insert("nullable".to_owned(), json!(true));
        }
        Value::Object(made)
    }
}

/// The definitions of a real server, as it lists them.
fn listed(name: &str, words: &[&str]) -> ToolServer {
    let mut command = Command::new(words[0]);
    let folder = tempfile::tempdir().unwrap();
    command.args(&words[1..]).current_dir(folder.path()).env("PATH", tools::path());
    command.env("MEMORY_FILE_PATH", folder.path().join("memory.json")).stderr(std::process::Stdio::null());
    let mut session = McpSession::of(command);
    let client = json!({"name": "t", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}, "sampling": {}, "roots": {}}, "clientInfo": client});
    session.ask_hearing("initialize", hello);
    session.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let (_, answer) = session.ask_hearing("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert!(!tools.is_empty(), "{name}");
    let tool = |tool: &Value| ToolDescription {
        name: tool["name"].as_str().unwrap().to_owned(),
        description: tool["description"].as_str().map(str::to_owned),
        input: tool["inputSchema"].clone(),
        output: tool.get("outputSchema").cloned().map_or(ResultShape::Unknown, ResultShape::Declared),
    };
    let server = server(name, tools.iter().map(tool).collect());
    session.input = None;
    session.signal("KILL");
    session.server.wait().unwrap();
    server
}

#[test]
fn the_definitions_of_real_servers_compile_and_can_be_used() {
    let (Some(_), Some(python)) = (tools::require("node"), tools::require("python-mcp")) else { return };
    let python = python.display().to_string();
    let packages =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/node_modules/@modelcontextprotocol");
    let file = |name: &str| -> PathBuf { packages.join(format!("server-{name}/dist/index.js")) };
    if !file("memory").is_file() {
        assert!(tools::may_skip(), "{} is missing: run tests/tools/install", file("memory").display());
        return tools::skipped("the servers are missing");
    }
    let [everything, files, memory] =
        ["everything", "filesystem", "memory"].map(|name| file(name).display().to_string());
    let servers = vec![
        listed("everything", &["node", &everything, "stdio"]),
        listed("files", &["node", &files, "/tmp"]),
        listed("memory", &["node", &memory]),
        listed("git", &[&python, "-m", "mcp_server_git"]),
        listed("time", &[&python, "-m", "mcp_server_time", "--local-timezone", "Europe/Zurich"]),
    ];
    let catalog = Catalog::new(servers);
    let count: usize = catalog.servers().iter().map(|server| server.tools.len()).sum();
    assert!(count > 40, "{count}");
    let program = r#"
        import { tools } from "toolscript";
        import { readTextFile } from "toolscript/files";
        const { content } = await readTextFile({ path: "/tmp/x", head: 5 });
        const text: string = content;
        // @ts-expect-error
        await readTextFile({ file: "/tmp/x" });
        await tools.memory.createEntities({ entities: [{ name: "a", entityType: "b", observations: ["c"] }] });
        // @ts-expect-error
        await tools.memory.createEntities({ entities: [{ name: "a" }] });
        await tools.git.gitStatus({ repo_path: "." });
        // @ts-expect-error
        await tools.git.gitStatus({});
        await tools.time.convertTime({ source_timezone: "UTC", time: "10:00", target_timezone: "Europe/Zurich" });
        const sum = await tools.everything.getSum({ a: 1, b: 2 });
    "#;
    compile(&catalog, &[program]);
    // One tool alone compiles within a module as well.
    for server in catalog.servers() {
        for tool in &server.tools {
            let text = tool_types(tool);
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        }
    }
}
