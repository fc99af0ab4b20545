//! What scripts seem to do, and what they call: for a guess at what nothing takes back.

use std::collections::BTreeMap;

use super::{split_extension, tool_name};
use crate::model::{CONFIRM, Call, File, Later, Patterns, Runner, Seen, Values, Way, looks, path};

/// What scripts seem to do, and what those for a shell call: of other languages that is not known.
pub(super) fn ways(config: &Values, scripts: BTreeMap<String, Seen>) -> Later<Vec<Way>> {
    let (guarded, _) = Patterns::new(config.texts(&CONFIRM));
    let way = move |(name, seen): (String, Seen)| {
        let Seen::File(file) = seen else { return None };
        let text = judged(&file);
        let is_shell = is_shell(&name, &text);
        let calls = if is_shell { Call::all(&text) } else { Vec::new() };
        let looks = looks(path::split(&name).1, &text);
        let is_guarded = guarded.matches(&name) || guarded.matches(&tool_name(&name));
        Some(Way { by: Runner::System, name, looks, is_guarded, calls })
    };
    Later::new(move || scripts.into_iter().filter_map(way).collect())
}

/// What is read of a script.
fn judged(file: &File) -> String {
    [&file.bytes, &file.end].map(|bytes| String::from_utf8_lossy(bytes)).join("\n").trim_end().to_owned()
}

/// Whether a shell runs a script, by its name or its first line.
fn is_shell(name: &str, text: &str) -> bool {
    const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh"];
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!")).unwrap_or_default();
    let mut words = first.split_whitespace().map(|word| path::split(word).1);
    SHELLS.contains(&split_extension(name).1) || words.any(|word| SHELLS.contains(&word))
}
