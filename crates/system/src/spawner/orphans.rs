//! The orphans of supervisors that were killed.

use nix::sys::signal::{Signal, kill as signal};
use nix::unistd::Pid;

use crate::process_table::{descendants, living};

/// Kills every process below this one that is no supervisor and below none. Supervisors adopt the orphans of their runs, so
/// the rest is of runs whose supervisor is gone. Returns whether there was one.
pub(super) fn kill(supervisors: &[Pid]) -> bool {
    let mut table = living();
    table.retain(|entry| !supervisors.contains(&entry.pid));
    let orphans = descendants(&table, Pid::this());
    for orphan in &orphans {
        let _ = signal(orphan.pid, Signal::SIGKILL);
    }
    !orphans.is_empty()
}
