//! The modules of servers, and `toolscript` itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use super::doc;
use super::references::free;
use super::schema::types;
use crate::model::schema::resolved;
use crate::sandbox::catalog::{Catalog, NamedServer, NamedTool, ResultShape};
use crate::sandbox::names::pascal_case;

/// The globals of a program, for a compiler that knows the language alone.
pub const ENVIRONMENT: &str = include_str!("environment.d.ts");

/// The modules of all servers, and `toolscript` itself.
pub fn declarations(catalog: &Catalog) -> String {
    let (modules, members, _) = modules(catalog, |_, _| true);
    modules + &package(&[RUNS, &members, include_str!("package.d.ts")])
}

/// The modules of the servers whose tools are wanted, with these alone, and the types that they use.
pub fn declarations_of(catalog: &Catalog, is_wanted: impl Fn(&NamedServer, &NamedTool) -> bool) -> String {
    let (modules, members, has_runs) = modules(catalog, is_wanted);
    modules + &package(&[if has_runs { RUNS } else { "" }, &members])
}

/// The types of what runs of the project's own tools answer with.
const RUNS: &str = include_str!("runs.d.ts");

/// The modules, the object with all their tools, and whether one of these tools is the project's own.
fn modules(
    catalog: &Catalog,
    is_wanted: impl Fn(&NamedServer, &NamedTool) -> bool,
) -> (String, String, bool) {
    let mut text = String::new();
    let mut members = String::new();
    let mut has_runs = false;
    for server in catalog.servers() {
        let tools: Vec<&NamedTool> = server.tools.iter().filter(|tool| is_wanted(server, tool)).collect();
        if tools.is_empty() && !server.tools.is_empty() {
            continue;
        }
        text.push_str(&module(server, &tools));
        has_runs |= tools.iter().any(|tool| tool.described.output == ResultShape::Run);
        let identifier = &server.identifier;
        // Writing to a string does not fail.
        let _ = writeln!(members, "    readonly {identifier}: typeof import(\"toolscript/{identifier}\");");
    }
    let tools = include_str!("tools.d.ts").replace("/*TOOLS*/", members.trim());
    (text, tools, has_runs)
}

/// The types and the function of one tool, as they stand in the module of its server.
pub fn tool_types(tool: &NamedTool) -> String {
    DeclaredTypes::default().tool(tool)
}

fn module(server: &NamedServer, tools: &[&NamedTool]) -> String {
    let mut declared = DeclaredTypes::default();
    let runs = tools.iter().any(|tool| tool.described.output == ResultShape::Run);
    let import = if runs {
        declared.taken.insert(RUN_RESULT.to_owned());
        format!("  import {{ {RUN_RESULT} }} from \"toolscript\";\n")
    } else {
        String::new()
    };
    let inside: Vec<String> = tools.iter().map(|tool| declared.tool(tool)).collect();
    format!(
        "declare module \"toolscript/{}\" {{\n{import}{}  export {{}};\n}}\n\n",
        server.identifier,
        inside.join("\n")
    )
}

/// The type of the results of the project's own tools, which all share.
const RUN_RESULT: &str = "RunResult";

/// The types of a module that are written already.
#[derive(Default)]
struct DeclaredTypes {
    taken: BTreeSet<String>,
    /// The names of types by what they say, in which their own name is left out.
    names: BTreeMap<String, String>,
}

impl DeclaredTypes {
    fn tool(&mut self, tool: &NamedTool) -> String {
        let base = pascal_case(&tool.function);
        let (input, mut text) = self.schema(&tool.described.input, &format!("{base}Input"));
        let mut notes = tool.described.description.clone().unwrap_or_default();
        let output = match &tool.described.output {
            ResultShape::Unknown => "any".to_owned(),
            ResultShape::Run => RUN_RESULT.to_owned(),
            ResultShape::Declared(schema) | ResultShape::Observed(schema) => {
                let (name, written) = self.schema(schema, &format!("{base}Output"));
                text.push_str(&written);
                name
            }
        };
        if matches!(tool.described.output, ResultShape::Observed(_)) {
            notes.push_str(
                "\n\nThe type of the result was observed in earlier results; the server declares none.",
            );
        }
        let mark = if needs_input(&tool.described.input) { "" } else { "?" };
        text.push_str(&doc::comment(&notes, "  "));
        text + &format!("  export function {}(input{mark}: {input}): Promise<{output}>;\n", tool.function)
    }

    /// The name of the type of a schema, and its definition: one that says the same as another is that.
    fn schema(&mut self, schema: &Value, wanted: &str) -> (String, String) {
        let name = free(wanted, &mut self.taken);
        let text = types(schema, &name, &mut self.taken);
        let said = text.replace(&name, "");
        match self.names.get(&said) {
            Some(same) if same.len() + 40 < text.len() => {
                let text = format!("  export type {name} = {same};\n");
                (name, text)
            }
            _ => {
                self.names.insert(said, name.clone());
                (name, text)
            }
        }
    }
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

fn package(parts: &[&str]) -> String {
    let inside = parts.concat();
    format!(
        "declare module \"toolscript\" {{\n{inside}}}\n\ndeclare const tools: typeof import(\"toolscript\").tools;\n"
    )
}
