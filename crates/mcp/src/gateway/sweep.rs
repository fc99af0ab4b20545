//! Removal of what killed gateways left, once nobody can come back to it.

use std::time::Duration;

use super::folder::SessionFolder;
use super::judge::{GatewayState, judge};
use crate::sys::Clock;

/// How old files without a record are when nobody starts a gateway with them any more.
const OLD: Duration = Duration::from_hours(24);

/// Removes the files of sessions without a living gateway or owner, and old remains of starts that failed.
pub fn sweep(folder: &SessionFolder, clock: &Clock) {
    for files in folder.remains() {
        let is_over = match judge(&files) {
            GatewayState::Running(_) | GatewayState::Starting(_) => false,
            // The mark of a crash holds for the very process that the session belongs to.
            GatewayState::Crashed(record) => match record.owner() {
                Some(owner) => !owner.is_alive(),
                None => files.is_older_than(OLD, clock),
            },
            GatewayState::Absent => files.is_older_than(OLD, clock),
        };
        if is_over {
            files.remove();
        }
    }
}
