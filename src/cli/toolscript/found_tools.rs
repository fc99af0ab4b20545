//! Tools that a command found.

use serde_json::Value;

use crate::model::shown;
use crate::terminal::Ui;

/// Tools, and the servers of which none can be among them yet.
pub(super) struct FoundTools {
    pub(super) tools: Vec<Value>,
    pub(super) connecting: Vec<String>,
}

/// Says which servers' tools are missing in a list of all.
pub(super) fn note_connecting(ui: &Ui, servers: &[String]) {
    let names: Vec<String> = servers.iter().map(|name| shown(name)).collect();
    let Some(first) = names.first() else { return };
    let who = match names.len() {
        1 => format!("the server {first} has"),
        _ => format!("the servers {} have", names.join(", ")),
    };
    ui.note(format!("note: {who} not answered yet: `toolscript list-tools {first}` waits for its tools"));
}
