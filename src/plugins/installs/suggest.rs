//! The suggestion of `cuff init` for a package.json: the manager of the lock file, or the one that
//! package.json asks for.

use serde_json::Value;

use super::config::WORKING_DIRECTORY;
use super::manager::Manager;
use super::project::Project;
use super::tools::offer;
use crate::model::{DEFAULT_TIMEOUT, Field, Files, Problem, Role, Suggestion, Tool, Values, shown};

/// The manager, when there is a sign of it. A package.json alone is none: any of them could install for it.
pub(super) fn suggest(manager: Manager, files: &Files) -> Option<Suggestion> {
    let config = Values::default();
    let project = Project::new(manager, &config);
    let found = offer(&project, &config, files).ok()?;
    let program = manager.program();
    let lock = project.lock_file(files);
    let asked = asked_for(&project, files);
    let description = match (&lock, &asked) {
        (Some(lock), _) => format!("Found {lock}"),
        (None, Some(asked)) if asked == program => format!("Found packageManager: {program} in package.json"),
        (None, _) => return None,
    };
    let other = asked.filter(|asked| asked != program);
    let mut warnings = Vec::new();
    if let Some(other) = &other {
        warnings.push(format!("package.json asks for {} as its packageManager, not {program}", shown(other)));
    } else if let Some(other) = project.other_lock_file(files) {
        warnings.push(format!("{other} lies there as well: keep one package manager and its lock file"));
    }
    warnings.extend(found.problems.iter().map(Problem::sentence));
    let written: [&'static Field; 2] = [&WORKING_DIRECTORY, &DEFAULT_TIMEOUT];
    Some(Suggestion {
        description,
        confidence: if other.is_some() { 0.4 } else { 0.95 },
        config: written.into_iter().filter_map(|key| Some((key, key.default_value()?))).collect(),
        asking: found.tools.iter().filter(|tool| asks(tool)).map(|tool| tool.name.clone()).collect(),
        items: found.tools.into_iter().map(|tool| tool.name).collect(),
        warnings,
        ..Suggestion::default()
    })
}

fn asks(tool: &Tool) -> bool {
    matches!(&tool.role, Role::Run { command, .. } if command.requires_confirmation)
}

/// The name of the manager that package.json asks for: `pnpm@9.1.0` is pnpm. Plugins that read more of the
/// file report its errors.
fn asked_for(project: &Project, files: &Files) -> Option<String> {
    let text = &files.file(&project.file)?.bytes;
    let manifest: Value = serde_json::from_slice(text).ok()?;
    let asked = manifest.get("packageManager")?.as_str()?;
    Some(asked.split('@').next().unwrap_or_default().trim().to_owned())
}
