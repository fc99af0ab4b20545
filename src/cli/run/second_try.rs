//! The second try of a tool whose runner lost it.

use std::time::Duration;

use crate::model::{Ending, NotStarted, Report};
use crate::project::Project;
use crate::registry::Registry;

/// The time between the two tries.
pub(super) const PAUSE: Duration = Duration::from_secs(1);

/// The reason to run a tool once more: its runner did not start it, lost it, or did not end it in time. `None`: there is no such
/// reason, or the tool requires confirmation and may have begun what it does.
pub(super) fn reason(project: &Project, registry: &Registry, report: &Report) -> Option<String> {
    report.metadata.get("runner")?;
    let is_lost = matches!(
        report.ending,
        Some(Ending::Disconnected(_) | Ending::NotStarted(NotStarted::Other(_)) | Ending::TimedOut(_))
    );
    let found = registry.tools().iter().find(|found| found.name == report.tool)?;
    (is_lost && !project.asks_first(found)).then(|| report.error.clone()).flatten()
}
