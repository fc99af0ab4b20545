//! The programs that a tool starts, as far as its own text says.

use super::confirm_excerpt;
use crate::model::Command;
use crate::policy::{self, ShellCommand};
use crate::registry::Registered;
use crate::sys::KeptFiles;

/// Their names, without folders.
pub(super) fn programs(found: &Registered, command: &Command, files: &KeptFiles) -> Vec<String> {
    let text = found.tool.text.clone().or_else(|| confirm_excerpt::kept_script_text(found, files));
    // The program that starts the text prints next to nothing itself.
    let started = text.map_or_else(Vec::new, |text| policy::commands(&text));
    let mut programs: Vec<String> = started.iter().map(ShellCommand::program).map(str::to_owned).collect();
    if found.tool.text.is_none() && command.script.is_none() {
        programs.extend(found.program().map(str::to_owned));
    }
    programs
}
