//! The modules of servers, and `toolscript` itself.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::doc;
use super::schema::types;
use crate::model::schema::resolved;
use crate::sandbox::catalog::{Catalog, NamedServer, NamedTool, Output};
use crate::sandbox::names::pascal_case;

/// The globals of a program, for a compiler that knows the language alone.
pub const ENVIRONMENT: &str = include_str!("environment.d.ts");

/// The modules of all servers, with the tools that are wanted.
pub fn declarations(catalog: &Catalog, is_wanted: impl Fn(&NamedServer, &NamedTool) -> bool) -> String {
    let mut text = String::new();
    let mut members = String::new();
    for server in catalog.servers() {
        let tools: Vec<&NamedTool> = server.tools.iter().filter(|tool| is_wanted(server, tool)).collect();
        if tools.is_empty() && !server.tools.is_empty() {
            continue;
        }
        text.push_str(&module(server, &tools));
        let identifier = &server.identifier;
        // Writing to a string does not fail.
        let _ = writeln!(members, "    readonly {identifier}: typeof import(\"toolscript/{identifier}\");");
    }
    text + &package(&members)
}

/// The types and the function of one tool, as they stand in the module of its server.
pub fn tool_types(tool: &NamedTool) -> String {
    of_tool(tool, &mut BTreeSet::new())
}

fn module(server: &NamedServer, tools: &[&NamedTool]) -> String {
    let mut taken = BTreeSet::new();
    let inside: Vec<String> = tools.iter().map(|tool| of_tool(tool, &mut taken)).collect();
    format!(
        "declare module \"toolscript/{}\" {{\n{}  export {{}};\n}}\n\n",
        server.identifier,
        inside.join("\n")
    )
}

fn of_tool(tool: &NamedTool, taken: &mut BTreeSet<String>) -> String {
    let base = pascal_case(&tool.function);
    let input = free(&format!("{base}Input"), taken);
    let mut text = types(&tool.described.input, &input, taken);
    let mut notes = tool.described.description.clone().unwrap_or_default();
    let output = match &tool.described.output {
        Output::Unknown => "any".to_owned(),
        Output::Declared(schema) | Output::Observed(schema) => {
            let name = free(&format!("{base}Output"), taken);
            text.push_str(&types(schema, &name, taken));
            name
        }
    };
    if matches!(tool.described.output, Output::Observed(_)) {
        notes.push_str(
            "\n\nThe type of the result was observed in earlier results; the server declares none.",
        );
    }
    let mark = if needs_input(&tool.described.input) { "" } else { "?" };
    text.push_str(&doc::comment(&notes, "  "));
    text + &format!("  export function {}(input{mark}: {input}): Promise<{output}>;\n", tool.function)
}

/// A name for a type that no other type of the module has.
fn free(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    for count in 2.. {
        if taken.insert(name.clone()) {
            break;
        }
        name = format!("{wanted}{count}");
    }
    name
}

/// Whether a tool cannot be called without arguments.
fn needs_input(schema: &Value) -> bool {
    let schema = resolved(schema, schema);
    let requires = |schema: &Value| {
        schema.get("required").and_then(Value::as_array).is_some_and(|required| !required.is_empty())
    };
    let choices =
        ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array());
    requires(schema) || choices.flatten().any(requires)
}

fn package(members: &str) -> String {
    format!(
        "declare module \"toolscript\" {{\n  \
         /** A call of a tool that failed. Its message is what the tool said. */\n  \
         export class ToolError extends Error {{\n    \
         /** The tool: `server.tool`. */\n    readonly tool: string;\n    \
         /** What it said beside its message. */\n    readonly data?: unknown;\n  }}\n  \
         /** All tools, by server. */\n  export const tools: {{\n{members}  }};\n  export default tools;\n  \
         /** Results of earlier programs of this session: of the last one, or of a run by its id. */\n  \
         export const results: {{\n    readonly latest: Promise<unknown>;\n    get(run: string): Promise<unknown>;\n  }};\n}}\n\n\
         declare const tools: typeof import(\"toolscript\").tools;\n"
    )
}
