//! Which package manager a package uses.

use crate::model::{ErrorCode, Location, Problem, shown};
use crate::plugins::managers::PackageManager;

/// The file with pnpm's workspace patterns.
pub(super) const PNPM: &str = "pnpm-workspace.yaml";

/// The one that a manifest's field asks for: `pnpm@9.1.0` is pnpm.
///
/// # Errors
/// A warning that names the field, for a manager that is not known here.
pub(super) fn asked_for(key: &str, value: &str, file: &str) -> Result<PackageManager, Box<Problem>> {
    let name = value.split('@').next().unwrap_or_default().trim();
    PackageManager::named(name).ok_or_else(|| {
        let what = format!("`{key}` asks for \"{}\", which is not known here", shown(value));
        let problem = Problem::warning(what).numbered(ErrorCode::InvalidProgram);
        Box::new(
            problem
                .at(Location::file(file))
                .help("set package_manager to npm, pnpm, yarn or bun; lock files decide until then"),
        )
    })
}
