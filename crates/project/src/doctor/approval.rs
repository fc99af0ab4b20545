//! Whether agents use the current settings and the current texts of their tools.

use super::check::Check;
use crate::project::{AgentsHave, Project};
use crate::registry::Registry;

/// Checks whether agents use the current settings and the current texts of their tools.
pub fn approval_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    if project.settings.is_suggested() {
        return Vec::new();
    }
    let settings = match project.settings.agents_have() {
        // People without an agent miss nothing.
        Some(AgentsHave { what, remedy: Some(remedy) }) if project.settings.is_never_approved() => {
            Check::pass(format!("{what}; {remedy}"))
        }
        Some(AgentsHave { what, remedy: Some(remedy) }) => Check::warn(what, remedy),
        Some(AgentsHave { what, remedy: None }) => Check::fail(what, "`cuff approve settings` starts anew"),
        None => Check::pass("agents use the current settings"),
    };
    let texts = project.settings.unapproved_texts(registry);
    let texts = texts.map(|what| Check::warn(what, "`cuff approve settings` shows the difference"));
    std::iter::once(settings).chain(texts).collect()
}
