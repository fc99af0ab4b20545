//! The reason why a named path is not offered.

use std::path::Path;

use crate::model::{Absence, ErrorCode, Files, Problem, Seen, Values, Want, shown};

use super::{config, library};

/// Explains why the script of this name is not offered. A name that is no path of a file is simply unknown.
pub(super) fn absence(config: &Values, name: &str, seen: &Files) -> Absence {
    // Without the excludes, so that excluded scripts differ from those that no pattern matches.
    let offered = config::glob(config);
    let mut wanted = offered.clone();
    wanted.exclude.clear();
    let (Some(left), Some(matches)) = (seen.globs.get(&offered), seen.globs.get(&wanted)) else {
        return Absence::Look(vec![Want::Glob(offered), Want::Glob(wanted)]);
    };
    let Some(base) = &matches.base else { return Absence::Unknown };
    let Some(path) = within(base, name) else {
        return because(
            ErrorCode::BadArgument,
            "Path traversal detected",
            name,
            "name a script below base_directory",
        );
    };
    if left.found.contains_key(&path) {
        let is_library = library::libraries(left.found.iter()).contains(path.as_str());
        let help = "other scripts read it in; name its path under `patterns` in settings.yml to offer it";
        return if is_library {
            because(ErrorCode::NotFound, "Script is a library", name, help)
        } else {
            Absence::Unknown
        };
    }
    let file = format!("{}/{path}", config::base(config));
    match seen.files.get(&file) {
        None => Absence::Look(vec![Want::File(file)]),
        Some(Seen::File(found)) if !found.canonical.starts_with(base) => because(
            ErrorCode::Changed,
            "Script resolves outside base directory",
            name,
            "a folder on its way is a link; link to folders below base_directory only",
        ),
        Some(Seen::File(_)) if matches.found.contains_key(&path) => because(
            ErrorCode::NotFound,
            "Script is excluded",
            name,
            "`exclude` in the settings leaves it out; change that in settings.yml",
        ),
        Some(Seen::File(_)) => because(
            ErrorCode::NotFound,
            "Script not in allowed patterns",
            name,
            "add it to `patterns` in settings.yml",
        ),
        Some(Seen::Missing | Seen::Unreadable(_)) => Absence::Unknown,
    }
}

fn because(fault: ErrorCode, what: &str, name: &str, help: &str) -> Absence {
    Absence::Because(Box::new(Problem::error(fault, format!("{what}: {}", shown(name))).help(help)))
}

/// The path below the base that a name spells, by its letters alone; `None` when it leads out of the base.
fn within(base: &Path, name: &str) -> Option<String> {
    let name = if name.starts_with('/') { Path::new(name).strip_prefix(base).ok()?.to_str()? } else { name };
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            parts.pop()?;
        } else {
            parts.push(part);
        }
    }
    Some(parts.join("/"))
}
