//! The suggestion of `cuff init` for a package.json: the manager of the lock file, or the one that
//! package.json asks for.

use crate::model::{Files, Suggestion, shown};
use crate::plugins::managers::{PackageManager, PackageManifest, nearest_lock_file};
use crate::plugins::tasks::SourceLook;

/// The manager, when there is a sign of it. A package.json alone is none: any of them could install for it.
pub(super) fn suggest(look: &SourceLook<'_>, draft: Suggestion) -> Option<Suggestion> {
    let program = look.id;
    let lock_of = |manager| nearest_lock_file(manager, look.folder(), look.files);
    let own = lock_of(PackageManager::of_source(program));
    let asked = asked_for(look.source_file(), look.files);
    let description = match (&own, &asked) {
        (Some(own), _) => format!("Found {own}"),
        (None, Some(asked)) if asked == program => format!("Found packageManager: {program} in package.json"),
        (None, _) => return None,
    };
    let other = asked.filter(|asked| asked != program);
    let mut others = PackageManager::ALL.into_iter().filter(|other| other.program() != program);
    let warning = match &other {
        Some(other) => {
            Some(format!("package.json asks for {} as its packageManager, not {program}", shown(other)))
        }
        None => others
            .find_map(lock_of)
            .map(|other| format!("{other} lies there as well: keep one package manager and its lock file")),
    };
    let warnings = warning.into_iter().chain(draft.warnings).collect();
    let confidence = if other.is_some() { 0.4 } else { 0.95 };
    Some(Suggestion { description, confidence, warnings, ..draft })
}

/// The name of the manager that package.json asks for: `pnpm@9.1.0` is pnpm. Plugins that read more of the
/// file report its errors.
fn asked_for(file: &str, files: &Files) -> Option<String> {
    let manifest = PackageManifest::of(files.file(file)?, file).ok()?;
    let (_, asked) = manifest.managers.iter().find(|(key, _)| *key == "packageManager")?;
    Some(asked.split('@').next().unwrap_or_default().trim().to_owned())
}
