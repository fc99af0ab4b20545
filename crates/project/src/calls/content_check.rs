//! The text that a person is asked about: what a tool runs of the project's own files.

use std::path::Path;

use super::confirm_excerpt;
use crate::model::{Role, Seen};
use crate::registry::Registered;
use crate::sys;

/// The largest script that is read to be shown, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The text of a tool that a person is asked about; `None` where nothing is known that the command line does not say.
pub(crate) fn asked_text(found: &Registered) -> Option<String> {
    let script = || match &found.tool.role {
        Role::Run { command, .. } => command.script.as_ref().map(|script| script_text(&script.path)),
        Role::List(_) | Role::Relay(_) => None,
    };
    // The command line of a tool that has both names the script.
    script().or_else(|| found.tool.runs())
}

/// The text of a script for people to read.
fn script_text(path: &Path) -> String {
    match sys::read_file::file(path, LARGEST) {
        Seen::File(file) => confirm_excerpt::of_script(&file.bytes),
        Seen::Missing => "the script is not there".to_owned(),
        Seen::Unreadable(why) => format!("the script cannot be read: {why}"),
    }
}
