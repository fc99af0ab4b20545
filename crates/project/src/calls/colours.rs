//! Variables that say to a tool who reads its output: whether it is to print in colours, and notices of newer versions.

use super::request::CallRequest;
use crate::model::{Change, Origin};

/// Agents get plain text, and so do people who want it. Else a tool decides as it does without cuff: at a terminal it sees
/// one, and what it redirects stays plain.
pub(crate) fn colours(request: &CallRequest) -> Vec<Change> {
    if request.caller.is_agents() || !request.colours {
        // Some tools heed only the one, and some the other before it.
        return vec![
            Change::new("NO_COLOR", "1", Origin::Fixed),
            Change::new("FORCE_COLOR", "0", Origin::Fixed),
        ];
    }
    Vec::new()
}

/// Agents do not update package managers, and pay for each line: npm, pnpm and programs with the package `update-notifier` say
/// nothing of newer versions to them.
pub(crate) fn notices(request: &CallRequest) -> Vec<Change> {
    const SILENT: [(&str, &str); 2] = [("npm_config_update_notifier", "false"), ("NO_UPDATE_NOTIFIER", "1")];
    let change = |(name, value)| Change::new(name, value, Origin::Fixed);
    if request.caller.is_agents() { SILENT.map(change).into() } else { Vec::new() }
}
