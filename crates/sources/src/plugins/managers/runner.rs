//! The package manager that runs a tool, as the tool itself says.

use super::PackageManager;
use crate::model::Tool;

/// The fact of a tool that names its manager.
pub(in crate::plugins) const FACT: &str = "package_manager";

/// The manager that runs a tool, where one does.
pub(in crate::plugins) fn runner(tool: &Tool) -> Option<PackageManager> {
    let (_, manager) = tool.metadata.iter().find(|(name, _)| *name == FACT)?;
    PackageManager::named(manager)
}
