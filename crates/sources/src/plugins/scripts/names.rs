//! The names of scripts and of their tools.

use crate::model::Problem;

/// The name of a script's tool: `scripts/deploy-prod.sh` is `script_scripts_deploy_prod`.
pub(super) fn tool_name(path: &str) -> String {
    let (stem, _) = split_extension(path);
    let safe: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("script_{safe}")
}

/// The path without its last extension, and the extension without its dot. A name's first character begins no
/// extension, and its last ends none: `.hidden` and `a.` have none.
pub(super) fn split_extension(path: &str) -> (&str, &str) {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[name..].rfind('.') {
        Some(dot) if dot > 0 && name + dot + 1 < path.len() => (&path[..name + dot], &path[name + dot + 1..]),
        _ => (path, ""),
    }
}

/// The problem of a script that is not offered because of it.
pub(super) fn withholding(problem: Problem, path: &str) -> Problem {
    problem.withholding(path).withholding(tool_name(path))
}
