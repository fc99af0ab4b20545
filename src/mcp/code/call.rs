//! A call of one of the three.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::offer::{CODE, CodeTool, LIMIT, QUERY, READ_ONLY, SECONDS, TOOLS};
use crate::calls::{Reason, RunError};
use crate::code::{
    Audience, Collected, Executed, Limits, Only, Program, Task, Tools, execute, search, types,
};
use crate::mcp::results::{failure, result};
use crate::model::{Fault, Mistake, Values, check, visible_lines};
use crate::project::Project;
use crate::sandbox::{Catalog, NamedServer, NamedTool};

/// The most bytes of types in one answer.
const MOST_TYPES: usize = 24 << 10;

/// Answers a call of one of them. Dropping the future ends the program and its calls.
pub(in crate::mcp) async fn call(
    tool: CodeTool,
    session: String,
    project: &Arc<Project>,
    arguments: Option<JsonObject>,
) -> CallToolResult {
    let (values, mistakes) = check(tool.parameters(), &arguments.unwrap_or_default());
    if !mistakes.is_empty() {
        let takes: Vec<&str> = tool.parameters().iter().map(|field| field.name).collect();
        return failure(&bad(
            Mistake::summary(&mistakes),
            format!("{} takes {}", tool.name(), takes.join(", ")),
        ));
    }
    let answered = match tool {
        CodeTool::Search => Ok(found(&Tools::wanted(project, &[]).await.catalog, &values)),
        CodeTool::Types => {
            let wanted: Vec<String> = values.texts(&TOOLS).into_iter().map(str::to_owned).collect();
            declared(&Tools::wanted(project, &wanted).await.catalog, &wanted)
        }
        CodeTool::Execute => run(session, project, &values).await,
    };
    answered.unwrap_or_else(|error| failure(&error))
}

fn bad(message: String, help: String) -> RunError {
    RunError::new(Reason::BadArguments, Fault::BadArgument.code("CUFF"), message, Some(help))
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
    for name in wanted {
        let server = name.split(['.', '_']).next().unwrap_or(name);
        if catalog.server(name).is_none() && catalog.server(server).is_none() {
            let known: Vec<&str> =
                catalog.servers().iter().map(|server| server.identifier.as_str()).collect();
            let help = format!("there are {}", known.join(", "));
            return Err(bad(format!("there is no server `{}`", visible_lines(server)), help));
        }
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

async fn run(session: String, project: &Arc<Project>, values: &Values) -> Result<CallToolResult, RunError> {
    let only = Only::new(&[], values.flag(&READ_ONLY)).map_err(|why| bad(why, String::new()))?;
    let limits = Limits { time: Duration::from_secs(values.integer(&SECONDS)), ..Limits::default() };
    let source = values.text(&CODE).to_owned();
    let program = Program { source, limits, only, task: Task::Run, session };
    let collected = Collected::default();
    let kept = collected.clone();
    let audience = Audience {
        printed: Box::new(move |stream, text| kept.push(stream, text)),
        asker: None,
        cancel: CancellationToken::new(),
    };
    let executed = execute(project, &program, audience).await;
    let executed =
        executed.map_err(|error| RunError::broken(&format!("no sandbox can be started: {error}")))?;
    let shape = executed.to_json(&program.source, &collected.text(), false);
    Ok(result(executed.is_success(), text(&executed, &program.source, &shape), shape))
}

/// The same for clients that read text alone: the output, then the result or the error.
fn text(executed: &Executed, source: &str, shape: &Value) -> String {
    let printed = |key: &str| shape[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let mut parts: Vec<String> = [printed("stdout"), printed("stderr")].into_iter().flatten().collect();
    if executed.is_success() {
        match shape.get("result") {
            Some(Value::String(text)) => parts.push(text.clone()),
            Some(result) => parts.push(result.to_string()),
            None if parts.is_empty() => parts.push("the program returned nothing".to_owned()),
            None => {}
        }
        if shape.get("result_cut").is_some() {
            parts.push("[the result is shown in part; `await results.latest` has all of it]".to_owned());
        }
    } else {
        parts.push(executed.complaint(source));
    }
    visible_lines(&parts.join("\n")).into_owned()
}
