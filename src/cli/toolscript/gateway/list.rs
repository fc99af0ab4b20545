//! `toolscript gateway list`.

use serde_json::{Value, json};

use super::chosen::reachable;
use crate::gateway::{GatewayRecord, GatewayState, judge};
use crate::model::visible;
use crate::project::Context;
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, widths};

/// Shows the gateways of all sessions of this user, and to an agent that of its own session. No token is shown.
pub(super) fn list(ui: &Ui, context: &Context, is_json: bool) -> Result<u8, Failed> {
    let all = reachable(context);
    let rows: Vec<(GatewayRecord, &str)> = all.iter().filter_map(|files| row(judge(files))).collect();
    if is_json {
        let shape = |(record, state): &(GatewayRecord, &str)| {
            let GatewayRecord { session, url, pid, directory, owner, .. } = record;
            let mut shape =
                json!({"session": session, "state": state, "url": url, "pid": pid, "directory": directory});
            if let Some(owner) = owner {
                shape["owner_pid"] = json!(owner.pid);
            }
            shape
        };
        ui.json(&json!({ "gateways": rows.iter().map(shape).collect::<Vec<Value>>() }))?;
        return Ok(exit::SUCCESS);
    }
    if rows.is_empty() {
        ui.note("note: no session has a gateway");
        return Ok(exit::SUCCESS);
    }
    let cells = |(record, state): &(GatewayRecord, &str)| {
        let texts = [&record.session, *state, &record.url, &record.directory];
        texts.map(|text| visible(text).into_owned()).to_vec()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    ui.result(columns(&rows, &widths(&rows, 3), NARROWEST, ui.width()))?;
    Ok(exit::SUCCESS)
}

fn row(state: GatewayState) -> Option<(GatewayRecord, &'static str)> {
    match state {
        GatewayState::Running(record) => Some((*record, "running")),
        GatewayState::Crashed(record) => Some((*record, "crashed")),
        GatewayState::Starting(_) | GatewayState::Absent => None,
    }
}
