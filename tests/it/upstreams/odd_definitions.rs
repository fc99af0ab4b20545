//! A server with more than forty odd definitions behind cuff: every official client takes the list, the project's own tools
//! included, and what no client can take is withheld alone.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use serde_json::{Value, json};

use super::served::{ask, asking, with_cuff};
use crate::support::official_client;
use crate::support::project::Project;
use crate::support::tools;

/// The tools of the server that have no form with the same meaning that clients take.
const WITHHELD: [&str; 9] = [
    "task_required",
    "task_odd",
    "no_input",
    "input_null",
    "input_true",
    "input_list",
    "input_type_string",
    "input_properties_text",
    "property_text",
];
/// Its entries without a name.
const NAMELESS: usize = 5;

/// The server's own lists.
fn lists() -> Value {
    serde_json::from_str(include_str!("../support/servers/odd_definitions.json")).unwrap()
}

/// A project with tools of its own and the server, whose list is known already.
fn served() -> Option<Project> {
    tools::require("node")?;
    let project = Project::with_scripts(2);
    let server = format!("{}/tests/it/support/servers/odd_definitions.cjs", env!("CARGO_MANIFEST_DIR"));
    let odd =
        json!({"type": "mcp", "command": "node", "args": [server], "env": {"SHOP_TOKEN": "open-sesame-42"}});
    let plugins = json!({"packagejson": {"type": "in_source"}, "odd": odd});
    project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let mut session = with_cuff(&project, &asking());
    let began = std::time::Instant::now();
    while !ask(&mut session, "tools/list", json!({})).to_string().contains("odd.good") {
        assert!(began.elapsed().as_secs() < 20, "the server is not listed");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Some(project)
}

/// Lists and calls with one client.
fn takes(program: &str, script: &str, mode: &str) {
    let Some(project) = served() else { return };
    let calls =
        json!([{"name": "packagejson.npm_step_001", "arguments": {}}, {"name": "odd.good", "arguments": {}}]);
    let words = json!({
        "command": env!("CARGO_BIN_EXE_cuff"), "args": ["serve", "--expose", "tools"], "mode": mode, "calls": calls,
        "offers": true,
    });
    let said = official_client::run(&project, program, script, &words);
    let name = |tool: &Value| tool.as_str().or(tool["name"].as_str()).unwrap().to_owned();
    let listed: Vec<String> = said["tools"].as_array().unwrap().iter().map(name).collect();
    assert!(listed.iter().any(|name| name == "packagejson.npm_step_001"), "{listed:?}");
    let of_server: Vec<&str> = listed.iter().filter_map(|name| name.strip_prefix("odd.")).collect();
    let lists = lists();
    let all = lists["tools"].as_array().unwrap();
    let named = all.iter().filter_map(|tool| tool["name"].as_str());
    let expected: Vec<&str> = named.filter(|name| !WITHHELD.contains(name)).collect();
    assert!(all.len() > 60 && expected.len() == all.len() - WITHHELD.len() - NAMELESS);
    assert_eq!(of_server, expected, "{program} {mode}");
    assert_eq!(said["results"][0]["structuredContent"]["exit_code"], 0, "{said}");
    assert_eq!(said["results"][1]["content"][0]["text"], "called good", "{said}");
    let offers = json!([
        ["odd.good", "odd.nulls", "odd.argument_nulls"],
        ["good", "nulls", "annotations"],
        ["good", "nulls"]
    ]);
    assert_eq!(said["offers"], offers, "{program} {mode}");
}

#[test]
fn the_typescript_sdk_takes_every_definition() {
    takes("node", "client.mjs", "legacy");
}

#[test]
fn the_newest_typescript_sdk_takes_every_definition() {
    takes("node", "client2026.mjs", "legacy");
    takes("node", "client2026.mjs", "auto");
}

#[test]
fn the_python_sdk_takes_every_definition() {
    let Some(python) = tools::require("python-mcp") else { return };
    takes(python.to_str().unwrap(), "client.py", "legacy");
    takes(python.to_str().unwrap(), "client.py", "auto");
}

#[test]
fn each_entry_that_is_withheld_or_offered_in_part_is_told() {
    let Some(project) = served() else { return };
    let tested = project.cuff(["mcp", "test"]).succeeded().stdout;
    let told: Vec<&str> = tested.lines().filter_map(|line| line.trim_start().strip_prefix("! ")).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    the tool "task_required" of the server odd is not offered: its `execution.taskSupport` must not be required: cuff offers no tasks
    the tool "task_odd" of the server odd is not offered: its `execution.taskSupport` must not be required: cuff offers no tasks
    the tool "no_input" of the server odd is not offered: it has no `inputSchema`
    the tool "input_null" of the server odd is not offered: it has no `inputSchema`
    the tool "input_true" of the server odd is not offered: its `inputSchema` must be an object
    the tool "input_list" of the server odd is not offered: its `inputSchema` must be an object
    the tool "input_type_string" of the server odd is not offered: its `inputSchema.type` must be object
    the tool "input_properties_text" of the server odd is not offered: its `inputSchema.properties` must be an object
    the tool "property_text" of the server odd is not offered: its `inputSchema.properties.a` must be a schema
    the tool 61 of the server odd is not offered: its `name` must be text that is not empty
    the tool 62 of the server odd is not offered: it has no `name`
    the tool 63 of the server odd is not offered: it must be an object
    the tool 64 of the server odd is not offered: it must be an object
    the tool 65 of the server odd is not offered: it has no `name`
    the tool "title_number" of the server odd is offered without what clients refuse: its `title` must be text
    the tool "description_list" of the server odd is offered without what clients refuse: its `description` must be text
    the tool "annotations_text" of the server odd is offered without what clients refuse: its `annotations` must be an object
    the tool "hint_text" of the server odd is offered without what clients refuse: its `annotations.readOnlyHint` must be true or false
    the tool "meta_list" of the server odd is offered without what clients refuse: its `_meta` must be an object
    the tool "icons_broken" of the server odd is offered without what clients refuse: its `icons[0]` has no `src`
    the tool "icons_theme" of the server odd is offered without what clients refuse: its `icons[0].sizes` must be a list; its `icons[0].theme` must be light or dark
    the tool "required_true" of the server odd is offered without what clients refuse: its `inputSchema.required` must be a list of texts
    the tool "required_numbers" of the server odd is offered without what clients refuse: its `inputSchema.required` must be a list of texts
    the tool "output_true" of the server odd is offered without what clients refuse: its `outputSchema` must be an object
    the tool "output_array" of the server odd is offered without what clients refuse: its `outputSchema.type` must be object
    the tool "output_pattern" of the server odd is offered without what clients refuse: its `outputSchema` has a keyword that clients cannot compile: `pattern`
    the tool "output_pattern_u" of the server odd is offered without what clients refuse: its `outputSchema` has a keyword that clients cannot compile: `pattern`
    the tool "output_ref" of the server odd is offered without what clients refuse: its `outputSchema` has a reference that leads nowhere: #/$defs/gone
    the tool "output_ref_far" of the server odd is offered without what clients refuse: its `outputSchema` has a reference that leads nowhere: https://127.0.0.1:1/x.json
    the tool "output_type_odd" of the server odd is offered without what clients refuse: its `outputSchema` has a keyword that clients cannot compile: `type`
    the tool "output_enum_empty" of the server odd is offered without what clients refuse: its `outputSchema` has a keyword that clients cannot compile: `enum`
    the tool "output_id_4" of the server odd is offered without what clients refuse: its `outputSchema` has a keyword that clients cannot compile: `id`
    the tool "output_draft4" of the server odd is offered without what clients refuse: its `outputSchema` has a keyword that clients cannot compile: `exclusiveMinimum`
    the tool "output_tuple" of the server odd is offered without what clients refuse: its `outputSchema` has no schema where one belongs
    the prompt "argument_broken" of the server odd is not offered: its `arguments[0]` has no `name`
    the prompt "argument_map" of the server odd is not offered: its `arguments` must be a list
    the prompt 6 of the server odd is not offered: it has no `name`
    the prompt 7 of the server odd is not offered: it must be an object
    the resource "odd://no_name" of the server odd is not offered: it has no `name`
    the resource 5 of the server odd is not offered: it has no `uri`
    the resource 6 of the server odd is not offered: it must be an object
    the resource "odd://annotations" of the server odd is offered without what clients refuse: its `size` must be a whole number; its `annotations.audience[0]` must be user or assistant; its `annotations.priority` must be a number from 0 to 1; its `annotations.lastModified` must be a date and time with its offset
    "#);
}

#[test]
fn a_definition_is_pinned_as_the_server_sent_it_and_offered_repaired() {
    let Some(project) = served() else { return };
    let mut session = with_cuff(&project, &asking());
    let listed = ask(&mut session, "tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let offered = |name: &str| tools.iter().find(|tool| tool["name"] == name).cloned().unwrap();
    assert_eq!(
        offered("odd.property_true"),
        json!({
            "name": "odd.property_true",
            "inputSchema": {"type": "object", "properties": {"a": {}, "b": {"not": {}}}},
        })
    );
    assert_eq!(offered("odd.output_ref").get("outputSchema"), None);
    let described = project.cuff(["describe", "odd.property_true", "--json"]);
    assert!(!described.stdout.contains("\"not\""), "{}", described.stdout);
}

/// An agent reads how a server wants to be used, without its secrets, already in the first session after the server was met.
#[test]
fn the_instructions_of_a_server_reach_the_client_under_its_name() {
    let Some(project) = served() else { return };
    let words = json!({"command": env!("CARGO_BIN_EXE_cuff"), "args": ["serve"], "calls": []});
    let said = official_client::run(&project, "node", "client.mjs", &words);
    let instructions = said["instructions"].as_str().unwrap();
    let end = "\nInstructions of the MCP server odd, whose names here begin with it:\n  Ask `good` first, with [redacted:SHOP_TOKEN].";
    assert!(instructions.ends_with(end), "{instructions}");
}
