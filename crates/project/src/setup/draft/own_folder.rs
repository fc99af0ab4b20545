//! The folder of cuff in a project: the schema for editors in it, which no commit needs.

use std::io;
use std::path::Path;

use serde_json::Value;

use crate::model::{Caller, Seen};
use crate::project::Context;
use crate::settings::{self, OWN_FOLDER, SCHEMA_FILE, SettingsOrigin, SettingsPlace};
use crate::sys::{files, read_file};

/// The content of the folder's `.gitignore`.
const IGNORED: &str = "# Made by cuff, which makes it again where it is missing.\n*\n!settings.yml\n";

/// Has git ignore the folder of cuff below this one, but for settings. Leaves a `.gitignore` that is there as it is.
pub(super) fn ignore_in_git(folder: &Path) -> io::Result<()> {
    let way = Path::new(OWN_FOLDER).join(".gitignore");
    if files::look(&folder.join(&way)).is_some() {
        return Ok(());
    }
    files::write_below(folder, &way, IGNORED.as_bytes())
}

/// Writes the schema into the folder of cuff below this one.
pub(super) fn write_schema(folder: &Path, schema: &Value) -> io::Result<()> {
    ignore_in_git(folder)?;
    files::write_below(folder, Path::new(SCHEMA_FILE), format!("{schema:#}\n").as_bytes())
}

/// Writes the schema anew for a person whose settings point editors to it, where it is missing or another version's. It is
/// of use to editors alone, so that a folder which cannot be written to is no error.
pub fn renew_schema(context: &Context, place: Option<&SettingsPlace>) {
    /// More than the schema takes, in bytes.
    const LARGEST: u64 = 1 << 20;
    let Some(place) = place.filter(|place| place.origin == SettingsOrigin::Found) else { return };
    if context.at_terminal() != Caller::Human || !settings::points_to_schema(place, &context.files) {
        return;
    }
    let is_current = match read_file::file(&place.root.join(SCHEMA_FILE), LARGEST) {
        Seen::File(file) => settings::is_current_schema(&file.bytes),
        Seen::Missing => false,
        Seen::Unreadable(_) => true,
    };
    if !is_current {
        let _ = write_schema(&place.root, &context.schema());
    }
}
