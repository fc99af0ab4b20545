//! The meaning of a call of the dispatcher, or of its kin.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::answers::{answer, bad};
use super::log::log;
use crate::calls::{self, ErrorReason, RunError};
use crate::doctor;
use crate::mcp::results::{failure, result};
use crate::mcp::{runs, tool_list};
use crate::model::{
    Default, ErrorCode, Field, Health, InputError, Spelling, ValueKind, Values, check, nearest, shown,
    visible, visible_lines,
};
use crate::project::Project;
use crate::registry::{AgentTool, Registry};
use crate::wire::compact_schema;

/// The dispatcher's name. No other tool has it: theirs have an instance in front.
const DISPATCHER: &str = "cuff";
/// As the program that cuff takes after calls a tool.
pub(in crate::mcp) const CALL: &str = "call_plugin_tool";
/// As that program lists what there is.
const LIST: &str = "list_plugins";

const ACTION: Field = Field {
    name: "action",
    kind: ValueKind::Choice(&["list", "describe", "run", "log"]),
    default: Default::Required,
    about: "list: names and what they do; describe: a tool's arguments; run: carry a tool out; log: what a run printed",
};
const TOOL: Field = Field {
    name: "tool",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "describe, run: its name; list: only names and descriptions with this in them",
};
/// The tool of a call in the words of the program that cuff takes after.
const TOOL_NAME: Field = Field {
    name: "tool_name",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The fully qualified name of the tool: instance.name",
};
const RUN: Field = Field {
    name: "run",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "log: the run_id of a result, or a tool for its newest run",
};
const FROM_LINE: Field = Field {
    name: "from_line",
    kind: ValueKind::Integer(1, u64::MAX),
    default: Default::Absent,
    about: "log: from here on; without it the end",
};
/// The dispatcher's own parameters. The arguments of the tool can be checked by that tool alone.
const FIELDS: &[&Field] = &[&ACTION, &TOOL, &RUN, &FROM_LINE];

/// The call's own arguments, in those of a call that dispatches.
const ARGUMENTS: &str = "arguments";

/// The meaning of a call.
pub(in crate::mcp) enum OpenedCall {
    /// A call of a tool, to be carried out.
    Call(CallToolRequestParams),
    /// A question that is answered.
    Answer(CallToolResult),
}

/// The dispatcher as `tools/list` shows it.
pub(in crate::mcp) fn tool() -> Tool {
    let mut input = Field::object_schema(FIELDS);
    input["properties"][ARGUMENTS] = json!({"type": "object", "description": "run: as describe says"});
    let about = "Runs what this repository can do: its scripts, targets and linters. List first; run takes the tool's \
                 name and arguments, and answers with success, exit code, findings and output. Tools that answers name, \
                 such as runs.status, are run so too.";
    let annotations = ToolAnnotations::from_raw(None, Some(false), Some(true), Some(false), Some(true));
    Tool::new(DISPATCHER, about, tool_list::object(input)).with_annotations(annotations)
}

/// Sees to calls of the dispatcher and its kin, and passes all others on.
pub(in crate::mcp) async fn open(
    project: &Arc<Project>,
    request: CallToolRequestParams,
    spelling: Spelling,
) -> OpenedCall {
    let opened = match &*request.name {
        DISPATCHER => dispatch(project, request, spelling).await,
        CALL => called(request),
        LIST => listed(project, &request, spelling).await,
        _ => Ok(OpenedCall::Call(request)),
    };
    opened.unwrap_or_else(|error| OpenedCall::Answer(failure(&error)))
}

async fn dispatch(
    project: &Arc<Project>,
    request: CallToolRequestParams,
    spelling: Spelling,
) -> Result<OpenedCall, RunError> {
    let (values, arguments) = taken(FIELDS, &request)?;
    let answer = match values.text(&ACTION) {
        "list" => list(project, &*project.list().await, values.text(&TOOL), spelling),
        "describe" => {
            let tool = needed(&values, &TOOL)?;
            describe(project, &*project.list_for(tool).await, tool, spelling)?
        }
        "log" => {
            let from = values.has(&FROM_LINE).then(|| values.integer(&FROM_LINE));
            log(project, needed(&values, &RUN)?.to_owned(), from).await?
        }
        _ => return Ok(OpenedCall::Call(passed_on(request, needed(&values, &TOOL)?.to_owned(), arguments))),
    };
    Ok(OpenedCall::Answer(answer))
}

/// The two tools for clients of the program that cuff takes after, as `tools/list` shows them.
pub(in crate::mcp) fn kin() -> [Tool; 2] {
    let mut input = Field::object_schema(&[&TOOL_NAME]);
    input["required"] = json!([TOOL_NAME.name]);
    input["properties"][ARGUMENTS] = json!({"type": "object", "description": "The arguments of the tool"});
    let called = ToolAnnotations::from_raw(None, Some(false), Some(true), Some(false), Some(true));
    let listed = ToolAnnotations::from_raw(None, Some(true), Some(false), Some(true), Some(false));
    let nothing = Field::object_schema(&[]);
    [
        Tool::new(CALL, "Call a tool of a plugin by its fully qualified name", tool_list::object(input))
            .with_raw_output_schema(tool_list::object(json!({"type": "object"})))
            .with_annotations(called),
        Tool::new(LIST, "List all plugins with their state and their tools", tool_list::object(nothing))
            .with_raw_output_schema(tool_list::object(json!({
                "type": "object",
                "properties": {"plugins": {"type": "object"}, "total_tools": {"type": "integer"}},
            })))
            .with_annotations(listed),
    ]
}

fn called(request: CallToolRequestParams) -> Result<OpenedCall, RunError> {
    let (values, arguments) = taken(&[&TOOL_NAME, &TOOL], &request)?;
    let field = if values.text(&TOOL_NAME).is_empty() && values.has(&TOOL) { &TOOL } else { &TOOL_NAME };
    let tool = needed(&values, field)?.to_owned();
    Ok(OpenedCall::Call(passed_on(request, tool, arguments)))
}

async fn listed(
    project: &Project,
    request: &CallToolRequestParams,
    spelling: Spelling,
) -> Result<OpenedCall, RunError> {
    taken(&[], request)?;
    Ok(OpenedCall::Answer(plugins(project, &*project.list().await, spelling)))
}

/// The same request for the tool that is meant: what else came with it, such as a person's answer, stays.
fn passed_on(
    mut request: CallToolRequestParams,
    tool: String,
    arguments: Option<JsonObject>,
) -> CallToolRequestParams {
    request.name = tool.into();
    request.arguments = arguments;
    request
}

/// The checked values of a call, and the arguments for the tool that it names.
fn taken(
    fields: &[&Field],
    request: &CallToolRequestParams,
) -> Result<(Values, Option<JsonObject>), RunError> {
    let mut given = request.arguments.clone().unwrap_or_default();
    let arguments = match given.shift_remove(ARGUMENTS) {
        None | Some(Value::Null) => None,
        Some(Value::Object(arguments)) => Some(arguments),
        Some(_) => {
            return Err(bad("`arguments` must be a mapping".into(), "give them as describe says".into()));
        }
    };
    let (values, mistakes) = check(fields, &given);
    if mistakes.is_empty() {
        return Ok((values, arguments));
    }
    let takes: Vec<&str> = fields.iter().map(|field| field.name).chain([ARGUMENTS]).collect();
    let help = mistakes.iter().find_map(|mistake| mistake.wrong.help());
    Err(bad(
        InputError::summary(&mistakes),
        help.unwrap_or_else(|| format!("{} takes {}", request.name, takes.join(", "))),
    ))
}

fn needed<'a>(values: &'a Values, field: &Field) -> Result<&'a str, RunError> {
    let value = values.text(field);
    let missing = || bad(format!("`{}` is missing", field.name), field.about.to_owned());
    if value.is_empty() { Err(missing()) } else { Ok(value) }
}

/// Each tool in a line; `wanted` in any case of letters.
fn list(project: &Project, registry: &Registry, wanted: &str, spelling: Spelling) -> CallToolResult {
    let wanted = wanted.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let named = registry.for_agents();
    let own = runs::briefly(project, spelling);
    let all: Vec<(String, String)> = named
        .iter()
        .map(|tool| (tool.name.spelled(spelling), tool_list::list_line(project, tool)))
        .chain(own)
        .collect();
    let found: Vec<&(String, String)> = all.iter().filter(|(name, about)| has(name) || has(about)).collect();
    let lines = found.iter().map(|(name, about)| format!("{name}: {}", visible(about)));
    let text = match (found.is_empty(), all.len()) {
        (true, 0) => "nothing is offered here; the server's instructions say why".to_owned(),
        (true, count) => format!("none of {count} tools has `{}` in it", shown(&wanted)),
        _ => lines.collect::<Vec<_>>().join("\n"),
    };
    let entry = |(name, about): &&(String, String)| json!({"name": name, "description": visible(about)});
    answer(&text, &json!({"tools": found.iter().map(entry).collect::<Vec<_>>(), "total": all.len()}))
}

/// A tool as `tools/list` would show it, with the line of the dispatcher's list and the whole shape of its results.
fn describe(
    project: &Project,
    registry: &Registry,
    wanted: &str,
    spelling: Spelling,
) -> Result<CallToolResult, RunError> {
    let own = registry.named(wanted, spelling).is_none().then(|| runs::described(wanted, spelling)).flatten();
    if let Some(own) = own {
        let described = json!(own);
        return Ok(answer(&described.to_string(), &json!({ "tool": described })));
    }
    // As a call does, by the source's own name too.
    let single = || registry.resolve(wanted, spelling).ok().map(AgentTool::of);
    let Some(tool) = registry.shared(wanted, spelling).or_else(single) else {
        if let Some(refused) = calls::refused(project, registry, wanted, spelling) {
            return Err(refused);
        }
        let names: Vec<String> =
            registry.for_agents().iter().map(|tool| tool.name.spelled(spelling)).collect();
        let meant = nearest(wanted, names.iter().map(String::as_str));
        let help = meant.map_or_else(
            || format!("`{}` with action `list` names all {}", DISPATCHER, names.len()),
            |meant| format!("did you mean `{meant}`?"),
        );
        let message = format!("Tool not found: {}", shown(wanted));
        let code = ErrorCode::NotFound.code("CUFF");
        return Err(RunError::new(ErrorReason::NoSuchTool, code, message, Some(help)));
    };
    let mut described = json!(tool_list::Schemas::of(project).describe(&tool, spelling));
    described["description"] = json!(tool_list::list_line(project, &tool));
    // The tools of other servers have their own.
    if tool.first.tool.role.definition().is_none() {
        described["outputSchema"] = compact_schema();
    }
    Ok(answer(&described.to_string(), &json!({ "tool": described })))
}

/// The instances with their state and their tools, in the shape of the program that cuff takes after.
fn plugins(project: &Project, registry: &Registry, spelling: Spelling) -> CallToolResult {
    let mut tools: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let all = registry.for_agents();
    for tool in &all {
        tools.entry(&tool.name.instance).or_default().push(tool.name.spelled(spelling));
    }
    let total: usize = tools.values().map(Vec::len).sum();
    let health = doctor::health(project, registry);
    let plugin = |health: &Health| {
        let state = match (health.enabled, health.is_healthy()) {
            (false, _) => "disabled",
            (true, true) => "active",
            (true, false) => "error",
        };
        let tools = tools.remove(&*health.name).unwrap_or_default();
        (health.name.clone(), json!({"state": state, "tools": tools}))
    };
    let own = health.iter().filter(|health| !registry.is_package(&health.name));
    let plugins: Map<String, Value> = own.map(plugin).collect();
    let data = json!({"plugins": plugins, "total_tools": total});
    result(true, visible_lines(&data.to_string()).into_owned(), data)
}
