//! `toolscript exec` in the session's gateway.

use std::io::{self, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use super::answers::{json as read, taken};
use super::hint::hint;
use crate::cli::arguments::Exec;
use crate::cli::toolscript::gateway::unhealthy;
use crate::cli::toolscript::source::source;
use crate::gateway::GatewayConnection;
use crate::model::visible_lines;
use crate::project::Context;
use crate::sys::terminal;
use crate::terminal::{Failed, Ui, exit};

/// How long an execution may take: its own time is bounded in the gateway, and that of its calls by their tools.
const PATIENCE: Duration = Duration::from_hours(24);

/// Runs a program in the gateway, or has it checked alone. It ends with this command.
pub(super) fn exec(
    ui: &Ui,
    context: &Context,
    connection: &GatewayConnection,
    typed: &Exec,
) -> Result<u8, Failed> {
    let (source, file) = source(context, typed)?;
    let mut program = json!({
        "code": source, "file": file, "check": typed.check, "read_only": typed.read_only, "allow": typed.allow,
        "whole": typed.whole,
    });
    if let Some(seconds) = typed.timeout {
        program["timeout"] = seconds.into();
    }
    if let Some(megabytes) = typed.memory {
        program["memory"] = megabytes.into();
    }
    let reply = connection.wait(connection.post("/exec", &program, PATIENCE));
    let executed = read(&taken(reply.map_err(|error| unhealthy(&error))?)?)?;
    let is_success = executed["success"] == true;
    if typed.json {
        ui.json(&executed)?;
    } else {
        show(ui, &executed, typed)?;
    }
    let is_rejected = executed["findings"].is_array();
    // It may name a tool of a server that is not there.
    if is_rejected {
        hint(ui, connection)?;
    }
    Ok(match (is_success, is_rejected) {
        (true, _) => exit::SUCCESS,
        (false, true) => exit::USAGE,
        (false, false) => exit::FAILURE,
    })
}

fn show(ui: &Ui, executed: &Value, typed: &Exec) -> io::Result<()> {
    let text = |name: &str| executed[name].as_str().unwrap_or_default();
    let shown = |text: &str| {
        // A stranger's text drives no terminal.
        if terminal::is_there() { visible_lines(text).into_owned() } else { text.to_owned() }
    };
    io::stdout().lock().write_all(shown(text("stdout")).as_bytes())?;
    io::stderr().lock().write_all(shown(text("stderr")).as_bytes())?;
    for name in ["stdout", "stderr"] {
        if let Some(omitted) = executed[format!("{name}_omitted_bytes")].as_u64() {
            ui.say(format!("note: {omitted} bytes of its {name} are not shown; `--whole` shows them"));
        }
    }
    if executed["success"] != true {
        ui.say(text("text"));
        return Ok(());
    }
    if typed.check {
        ui.note("note: nothing is wrong with the program; nothing of it was run");
    }
    match executed.get("result") {
        Some(Value::String(result)) => ui.result(shown(result))?,
        Some(result) => ui.result(shown(&format!("{result:#}")))?,
        None => {}
    }
    if executed["result_cut"] == true {
        ui.say(
            "note: the result is shown in part; `--whole` prints all of it, and a later program reads it: \
             import { results } from \"toolscript\"; await results.latest",
        );
    }
    Ok(())
}
