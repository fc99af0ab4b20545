//! A call of one of the three.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use super::offer::{CODE, CodeTool, LIMIT, QUERY, READ_ONLY, SECONDS, TOOLS};
use super::run;
use crate::calls::{ErrorReason, RunError};
use crate::code::{ExecutionLimits, ExecutionTask, Only, Program, Tools, not_found, search, types};
use crate::mcp::call_service::CallService;
use crate::mcp::correlation;
use crate::mcp::progress::{CallProgress, with_signs_of_life};
use crate::mcp::results::{failure, result};
use crate::model::{ErrorCode, InputError, Values, check, visible_lines};
use crate::project::Project;
use crate::sandbox::{Catalog, NamedServer, NamedTool};

/// The most bytes of types in one answer.
const MOST_TYPES: usize = 24 << 10;

/// Answers a call of one of them. Dropping the future ends the program and its calls, unless it waits for a person.
///
/// # Errors
/// That of a state that no program waits under.
pub(in crate::mcp) async fn call(
    tool: CodeTool,
    service: &CallService,
    project: &Arc<Project>,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let CallToolRequestParams { arguments, request_state, input_responses, .. } = request;
    if let Some(state) = request_state {
        let answers = json!(input_responses).as_object().cloned();
        return run::go_on(service, project, (&state, answers), context).await;
    }
    let (values, mistakes) = check(tool.parameters(), &arguments.unwrap_or_default());
    if !mistakes.is_empty() {
        let takes: Vec<&str> = tool.parameters().iter().map(|field| field.name).collect();
        let takes = format!("{} takes {}", tool.name(), takes.join(", "));
        return Ok(failure(&bad(InputError::summary(&mistakes), takes)).into());
    }
    let answered = match tool {
        CodeTool::Execute => match program(service, &values, context) {
            Ok(program) => return run::run(service, project, program, context).await,
            Err(why) => Err(bad(why, String::new())),
        },
        CodeTool::Search | CodeTool::Types => {
            with_signs_of_life(known(tool, project, &values), CallProgress::of(context)).await
        }
    };
    Ok(answered.unwrap_or_else(|error| failure(&error)).into())
}

/// The program that a call brings, and its bounds.
fn program(
    service: &CallService,
    values: &Values,
    context: &RequestContext<RoleServer>,
) -> Result<Program, String> {
    let only = Only::new(&[], values.flag(&READ_ONLY))?;
    let limits =
        ExecutionLimits { time: Duration::from_secs(values.integer(&SECONDS)), ..ExecutionLimits::default() };
    let origin = (service.origin_of)(&context.extensions);
    let session = service.session(&origin);
    Ok(Program {
        source: values.text(&CODE).to_owned(),
        file: None,
        limits,
        only,
        task: ExecutionTask::Run,
        session,
        trace: correlation::of(context, &origin),
    })
}

/// What is known of tools: those that match, or their types.
async fn known(tool: CodeTool, project: &Project, values: &Values) -> Result<CallToolResult, RunError> {
    let wanted: Vec<String> = if tool == CodeTool::Search {
        Vec::new()
    } else {
        values.texts(&TOOLS).into_iter().map(str::to_owned).collect()
    };
    let tools = Tools::wanted(project, &wanted).await;
    if tool == CodeTool::Search {
        Ok(found(&tools.catalog, values))
    } else {
        declared(&tools.catalog, &wanted)
    }
}

fn bad(message: String, help: String) -> RunError {
    RunError::new(ErrorReason::BadArguments, ErrorCode::BadArgument.code("CUFF"), message, Some(help))
}

/// The tools that match; all of them where there are no words.
fn found(catalog: &Catalog, values: &Values) -> CallToolResult {
    let (query, limit) = (values.text(&QUERY), usize::try_from(values.integer(&LIMIT)).unwrap_or(usize::MAX));
    let total: usize = catalog.servers().iter().map(|server| server.tools.len()).sum();
    let found: Vec<_> = if query.trim().is_empty() {
        let all = catalog.servers().iter();
        all.flat_map(|server| server.tools.iter().map(move |tool| (server, tool))).take(limit).collect()
    } else {
        search(catalog, query, limit).iter().map(|hit| (hit.server, hit.tool)).collect()
    };
    let row = |(server, tool): &(&NamedServer, &NamedTool)| {
        let about = tool.described.description.as_deref().unwrap_or_default();
        let first = about.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        (format!("{}.{}", server.identifier, tool.function), visible_lines(first).into_owned())
    };
    let rows: Vec<(String, String)> = found.iter().map(row).collect();
    let text = match (rows.is_empty(), total) {
        (true, 0) => "there are no tools here; the server's instructions say why".to_owned(),
        (true, total) => format!("none of {total} tools matches; an empty query lists them"),
        _ => rows.iter().map(|(name, about)| format!("{name}: {about}")).collect::<Vec<_>>().join("\n"),
    };
    let entry = |(name, about): &(String, String)| json!({"tool": name, "description": about});
    let tools: Vec<Value> = rows.iter().map(entry).collect();
    result(true, text, json!({"success": true, "tools": tools, "total": total}))
}

/// The types of the tools that are wanted.
fn declared(catalog: &Catalog, wanted: &[String]) -> Result<CallToolResult, RunError> {
    if let Some((what, help)) = not_found(catalog, wanted) {
        return Err(bad(what, help));
    }
    let mut text = types(catalog, wanted);
    if let Some((declared, _)) = text.split_once("declare const tools") {
        // The globals are those that every program has.
        text = declared.trim_end().to_owned();
    }
    if text.len() > MOST_TYPES {
        let help = "name single tools as `server.tool`, as search_tools shows them".to_owned();
        return Err(bad(
            format!("these types are {} bytes, and one answer has {MOST_TYPES}", text.len()),
            help,
        ));
    }
    Ok(result(true, text.clone(), json!({"success": true, "types": text})))
}
