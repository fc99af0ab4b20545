//! Removal of what killed gateways left, once nobody can come back to it.

use std::time::Duration;

use super::folder::SessionFolder;
use super::judge::{Standing, judge};
use crate::sys::Clock;

/// How old files without a record are when nobody starts a gateway with them any more.
const OLD: Duration = Duration::from_hours(24);

/// Removes the files of sessions whose gateway and owner are both gone, and old remains of starts that failed.
pub fn sweep(folder: &SessionFolder, clock: &Clock) {
    for files in folder.remains() {
        let is_over = match judge(&files) {
            Standing::Running(_) | Standing::Starting(_) => false,
            // The mark of a crash holds for the very process that the session belongs to.
            Standing::Crashed(record) => match record.owner() {
                Some(owner) => !owner.is_alive(),
                None => files.is_older_than(OLD, clock),
            },
            Standing::Absent => files.is_older_than(OLD, clock),
        };
        if is_over {
            files.remove();
        }
    }
}
