//! Problems of the search for scripts: patterns that cannot be read, and those without effect.

use super::config;
use crate::model::{BadPattern, ErrorCode, Matches, Problem, Values, shown, visible};

/// The problems of the search itself.
pub(super) fn problems(config: &Values, matches: &Matches) -> Vec<Problem> {
    let exclude = config.texts(&config::EXCLUDE);
    let refused = matches.refused.iter().map(|bad| {
        let written = config::as_written(&bad.pattern);
        let is_exclude = exclude.contains(&written);
        let bad = BadPattern {
            pattern: if is_exclude { written.to_owned() } else { bad.pattern.clone() },
            ..bad.clone()
        };
        let help = if is_exclude {
            "correct it under `exclude` in the settings; until then no script is offered, since it might hide any"
        } else {
            "correct it under `patterns` in the settings"
        };
        Problem::error(ErrorCode::InvalidPattern, bad.to_string()).help(help)
    });
    let no_base = matches.base.is_none().then(|| {
        let base = config::base(config);
        Problem::error(ErrorCode::InvalidConfig, format!("base_directory {base:?} is not a folder"))
            .help("correct `base_directory` in the settings; it is relative to the project's root")
    });
    let notes = matches.notes.iter().map(|note| Problem::warning(visible(note)));
    refused.chain(no_base).chain(notes).collect()
}

/// A warning for each pattern that no file matches, and each exclude that leaves nothing out.
pub(super) fn idle(config: &Values, matches: &Matches) -> impl Iterator<Item = Problem> {
    let written = config.texts(&config::PATTERNS);
    matches.idle.iter().map(move |pattern| {
        let (field, pattern, what) = if written.contains(&pattern.as_str()) {
            (&config::PATTERNS, pattern.as_str(), "matches no file")
        } else {
            (&config::EXCLUDE, config::as_written(pattern), "leaves nothing out")
        };
        let message = format!("`{}` under `{}` {what}", shown(pattern), field.name);
        Problem::warning(message).help("correct or remove it in the settings")
    })
}
