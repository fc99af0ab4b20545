//! Whether agents use the current settings and the current texts of their tools.

use super::check::Check;
use crate::project::pins::Pinned;
use crate::project::{AgentsHave, Project};
use crate::registry::Registry;

/// Checks whether agents use the current settings and the current texts of their tools.
pub fn approval_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    if project.is_suggested() {
        return Vec::new();
    }
    let is_pinned = project.approval_status.pinned.as_ref().is_some_and(|pinned| *pinned != Pinned::Nothing);
    let settings = match project.agents_have() {
        Some(AgentsHave { what, remedy: Some(remedy) }) => Check::warn(what, remedy),
        Some(AgentsHave { what, remedy: None }) => Check::fail(what, "`cuff approve settings` starts anew"),
        None if is_pinned => Check::pass("agents use the current settings"),
        None => {
            Check::pass("no agent has connected yet; the current settings are pinned when the first one does")
        }
    };
    let texts = project.unapproved_texts(registry);
    let texts = texts.map(|what| Check::warn(what, "`cuff approve settings` shows the difference"));
    std::iter::once(settings).chain(texts).collect()
}
