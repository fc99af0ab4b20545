//! What a user prefers everywhere: `$XDG_CONFIG_HOME/cuff/preferences.yml`, which no project can bring.

use crate::model::Seen;
use crate::sys::{Environment, look};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 * 1024;

/// A user's preferences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Preferences {
    /// Whether commands that no person types may say yes to what needs one: for CI.
    pub noninteractive_yes: bool,
}

/// Reads the preferences. A file that others may write, or that cannot be understood, prefers nothing.
pub fn preferences(environment: &Environment) -> Preferences {
    let absolute = |variable| environment.path(variable).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    let Some(folder) = folder else { return Preferences::default() };
    let Seen::File(file) = look::file(&folder.join("cuff/preferences.yml"), LARGEST) else {
        return Preferences::default();
    };
    if file.mode & 0o022 != 0 {
        return Preferences::default();
    }
    let document: Option<serde_yaml::Value> = serde_yaml::from_slice(&file.bytes).ok();
    let flag =
        |name: &str| document.as_ref().and_then(|found| found.get(name)?.as_bool()).unwrap_or_default();
    Preferences { noninteractive_yes: flag("noninteractive_yes") }
}
