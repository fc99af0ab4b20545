//! The text that a person is asked about: what a tool runs of the project's own files.

use std::path::Path;

use crate::model::{Role, Seen};
use crate::registry::Registered;
use crate::sys;

/// The largest script that is read to be shown, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;
/// How much of a script a person is shown at most, in bytes.
const MOST_SHOWN: usize = 16 * 1024;

/// The text of a tool that a person is asked about; `None` where nothing is known that the command line does not say.
pub(super) fn asked_text(found: &Registered) -> Option<String> {
    let script = || match &found.tool.role {
        Role::Run { command, .. } => command.script.as_ref().map(|script| script_text(&script.path)),
        Role::List(_) => None,
    };
    found.tool.runs().or_else(script)
}

/// The text of a script for people to read.
fn script_text(path: &Path) -> String {
    match sys::look::file(path, LARGEST) {
        Seen::File(file) if file.bytes.starts_with(b"\x7fELF") => {
            format!("a program of {} bytes, which is no text", file.size)
        }
        Seen::File(file) => {
            let (shown, left_out) = beginning(&file.bytes);
            let text = String::from_utf8_lossy(shown).into_owned();
            if left_out == 0 { text } else { text + &format!("… {left_out} more bytes that are not shown") }
        }
        Seen::Missing => "the script is not there".to_owned(),
        Seen::Unreadable(why) => format!("the script cannot be read: {why}"),
    }
}

/// As many whole lines as people are shown, and how many bytes come after them.
fn beginning(bytes: &[u8]) -> (&[u8], usize) {
    let Some(first) = bytes.get(..MOST_SHOWN) else { return (bytes, 0) };
    let shown = first.iter().rposition(|byte| *byte == b'\n').map_or(&b""[..], |end| &first[..=end]);
    (shown, bytes.len() - shown.len())
}
