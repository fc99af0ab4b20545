use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::schema::types;
use super::{declarations, declarations_of, tool_types};
use crate::sandbox::catalog::{Catalog, ResultShape, ToolDescription, ToolServer};

/// The types of a schema whose whole is `T`, in one line.
fn written(schema: &Value) -> String {
    let text = types(schema, "T", &mut BTreeSet::new());
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join(" ").replace("export type ", "")
}

#[test]
fn each_keyword_becomes_a_type() {
    for (schema, expected) in [
        (json!(true), "T = unknown;"),
        (json!(false), "T = never;"),
        (json!({}), "T = unknown;"),
        (json!("what"), "T = unknown;"),
        (json!({"type": "whatever"}), "T = unknown;"),
        (json!({"type": "integer"}), "T = number;"),
        (json!({"type": ["string", "null", "integer", "number"]}), "T = string | null | number;"),
        (json!({"type": "string", "nullable": true}), "T = string | null;"),
        (json!({"const": {"a": [1, "x", null]}}), "T = { a: [1, \"x\", null]; };"),
        (json!({"enum": ["a\"\n", -1.5, true, null, "a\"\n"]}), "T = \"a\\\"\\n\" | -1.5 | true | null;"),
        (json!({"enum": []}), "T = never;"),
        (json!({"type": "array"}), "T = Array<unknown>;"),
        (json!({"items": {"type": ["string", "null"]}}), "T = Array<string | null>;"),
        (json!({"prefixItems": [{"type": "string"}, true], "items": false}), "T = [string, unknown];"),
        (json!({"prefixItems": [{"type": "string"}], "minItems": 0}), "T = [(string)?, ...unknown[]];"),
        (
            json!({"items": [{"type": "string"}], "additionalItems": {"type": "number"}, "$schema": "draft-07"}),
            "T = [string, ...number[]];",
        ),
        (json!({"type": "object"}), "T = { [key: string]: unknown };"),
        (json!({"type": "object", "additionalProperties": false}), "T = { [key: string]: never };"),
        (json!({"additionalProperties": {"type": "number"}}), "T = { [key: string]: number; };"),
        (
            json!({"properties": {"a": {"type": "string"}, "b c": {}}, "required": ["a", "d"], "additionalProperties": false}),
            "T = { a: string; \"b c\"?: unknown; d: unknown; };",
        ),
        (
            json!({"properties": {"a": {"type": "string"}}, "patternProperties": {"^x": {"type": "number"}}}),
            "T = { a?: string; [key: string]: number | string | undefined; };",
        ),
        (
            json!({"properties": {"a": false}, "additionalProperties": true}),
            "T = { a?: never; [key: string]: unknown; };",
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "string"}]}),
            "T = string | number;",
        ),
        (json!({"oneOf": [{"type": "string"}, {}]}), "T = unknown;"),
        (
            json!({"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            "T = { a?: unknown; } & ({ a: unknown; } | { b: unknown; });",
        ),
        (
            json!({"allOf": [{"type": "string"}, {"anyOf": [{"const": "a"}, {"const": "b"}]}, {}]}),
            "T = string & (\"a\" | \"b\");",
        ),
        (json!({"not": {"type": "string"}}), "T = unknown;"),
        (json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}), "T = TA; TA = string;"),
        (
            json!({"$ref": "#/definitions/a", "type": "number", "definitions": {"a": {"type": "string"}}, "$schema": "draft-07"}),
            "T = TA; TA = string;",
        ),
        (json!({"$ref": "https://elsewhere/schema"}), "T = unknown;"),
        (json!({"$ref": "#/nowhere"}), "T = unknown;"),
    ] {
        assert_eq!(written(&schema), expected, "{schema}");
    }
}

/// A type that is defined by nothing but itself is none; one that has itself as a part is.
#[test]
fn types_may_have_themselves_as_a_part_and_not_as_a_whole() {
    for (schema, expected) in [
        (json!({"$ref": "#"}), "T = unknown;"),
        (json!({"anyOf": [{"$ref": "#"}, {"type": "string"}]}), "T = unknown;"),
        (json!({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#"}}}), "T = unknown;"),
        (
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}}),
            "T = TA; TA = unknown;",
        ),
        (json!({"items": {"$ref": "#"}}), "T = Array<T>;"),
        (json!({"properties": {"next": {"$ref": "#"}}}), "T = { next?: T; };"),
        // `...Array<T>` would make the whole tuple an error.
        (
            json!({"prefixItems": [{"$ref": "#"}], "items": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}),
            "T = [T, ...(T | null)[]];",
        ),
        (json!({"additionalProperties": {"$ref": "#"}}), "T = { [key: string]: T; };"),
        (
            json!({
                "$ref": "#/$defs/node",
                "$defs": {"node": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/node"}}]}},
            }),
            "T = TNode; TNode = null | Array<TNode>;",
        ),
        (
            json!({"properties": {"a": {"$ref": "#/$defs/x-y"}, "b": {"$ref": "#/$defs/x_y"}}, "$defs": {"x-y": {}, "x_y": {}}}),
            "T = { a?: TXY; b?: TXY2; }; TXY = unknown; TXY2 = unknown;",
        ),
    ] {
        assert_eq!(written(&schema), expected, "{schema}");
    }
    // However deep it is, and however long a chain, it ends.
    let wrapped = |inner: Value| Value::Object([("items".to_owned(), inner)].into_iter().collect());
    assert!(
        written(&(0..500).fold(json!({"type": "string"}), |inner, _| wrapped(inner))).contains("unknown")
    );
    let link = |at: usize| (format!("d{at}"), json!({"$ref": format!("#/$defs/d{}", at + 1)}));
    let chain: serde_json::Map<String, Value> = (0..3000).map(link).collect();
    assert!(written(&json!({"$ref": "#/$defs/d0", "$defs": chain})).starts_with("T = TD0; TD0 = TD1;"));
}

fn catalog(tools: Vec<ToolDescription>) -> Catalog {
    Catalog::new(vec![ToolServer { name: "git-hub".into(), tools, ..ToolServer::default() }])
}

#[test]
fn a_tool_is_a_function_with_its_types() {
    let input = json!({
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "The */ title\r\nof \u{202e}it", "default": "x", "maxLength": 5},
            "count": {"type": "integer", "deprecated": true, "format": "int32"},
        },
        "required": ["title"],
    });
    let create = ToolDescription {
        name: "create_issue".into(),
        description: Some("Creates an issue.".into()),
        input,
        output: ResultShape::Observed(json!({"type": "object", "properties": {"id": {"type": "number"}}})),
    };
    let list = ToolDescription {
        name: "list".into(),
        description: None,
        input: json!({"type": "object"}),
        output: ResultShape::Unknown,
    };
    let catalog = catalog(vec![create, list]);
    insta::assert_snapshot!(declarations(&catalog), @r#"
    declare module "toolscript/gitHub" {
      export type CreateIssueInput = {
        /**
         * The *\/ title
         * of \u{202e}it
         * @default "x"
         * @maxLength 5
         */
        title: string;
        /**
         * @deprecated
         * @format int32
         * @integer
         */
        count?: number;
      };
      export type CreateIssueOutput = {
        id?: number;
      };
      /**
       * Creates an issue.
       *
       * The type of the result was observed in earlier results; the server declares none.
       */
      export function createIssue(input: CreateIssueInput): Promise<CreateIssueOutput>;

      export type ListInput = { [key: string]: unknown };
      export function list(input?: ListInput): Promise<any>;
      export {};
    }

    declare module "toolscript" {
      /** One finding in what a run printed. */
      export interface Diagnostic {
        severity: "error" | "warning" | "info";
        message: string;
        code?: string;
        /** From the project's root. */
        file?: string;
        line?: number;
        column?: number;
        /** How many equal findings it stands for, if more than one. */
        times?: number;
        /** The format that it was read from: `tsc`, `jest`. */
        source: string;
      }
      /** The result of a run of one of the project's own tools. A run that fails throws a `ToolError` with it as `data`. */
      export interface RunResult {
        success: boolean;
        tool?: string;
        run_id?: string;
        exit_code?: number;
        signal?: number;
        error?: string;
        error_code?: string;
        help?: string;
        timed_out?: boolean;
        cancelled?: boolean;
        duration_ms?: number;
        /** Counts of a test runner. */
        summary?: { passed: number; failed: number; skipped: number; total: number; broken?: number };
        /** All that was found in the output, errors first. */
        diagnostics: Diagnostic[];
        /** The output; a long one without its middle. */
        output?: string;
        output_truncated?: boolean;
        data?: { stdout?: string; stderr?: string; exit_code?: number; [key: string]: unknown };
        metadata?: { [key: string]: unknown };
      }
      /** All tools, by server. */
      export const tools: {
        readonly gitHub: typeof import("toolscript/gitHub");
      };
      export default tools;
      /** A call of a tool that failed. Its message is what the tool said. */
      export class ToolError extends Error {
        /** The tool: `server.tool`. */
        readonly tool: string;
        /** What it said beside its message: a `RunResult` of the project's own tools. */
        readonly data?: any;
        /** The findings of the run that failed. */
        readonly diagnostics: Diagnostic[];
      }
      /** The tools that match these words, the best first: `server.function` and what it does. */
      export function search(words: string, limit?: number): Promise<Array<{ tool: string; description: string }>>;
      /** The TypeScript types of a tool, or of all tools of a server: `server.function`, `server`. */
      export function describe(tool: string): Promise<string>;
      /** Results of earlier programs of this session: of the last one, or of a run by its id. */
      export const results: {
        readonly latest: Promise<unknown>;
        get(run: string): Promise<unknown>;
      };
    }

    declare const tools: typeof import("toolscript").tools;
    "#);
    let only = declarations_of(&catalog, |server, tool| server.name == "git-hub" && tool.function == "list");
    assert!(
        only.contains("function list(input?: ListInput): Promise<any>;") && !only.contains("createIssue")
    );
    assert!(!declarations_of(&catalog, |_, _| false).contains("gitHub"));
    assert!(
        tool_types(&catalog.servers()[0].tools[1])
            .starts_with("  export type ListInput = { [key: string]: unknown };")
    );
}
