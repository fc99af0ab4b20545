//! Process groups of runs, as another process sees and ends them.

use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::process_table::{group_exists, now, started};
use crate::model::Group;

/// How long a group may take over its end before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// The group that this process leads.
pub fn of_leader(leader: u32) -> Group {
    Group { id: leader, started: pid(leader).and_then(started) }
}

/// Ends a group, politely at first; `false` when it is not there any more, or another one has its id.
pub fn end(group: Group) -> bool {
    let Some(id) = pid(group.id) else { return false };
    if !group_exists(id) || started(id).is_some_and(|found| Some(found) != group.started) {
        return false;
    }
    if killpg(id, Signal::SIGTERM).is_err() {
        return false;
    }
    // What a person has stopped with Ctrl-Z would not hear of it.
    let _ = killpg(id, Signal::SIGCONT);
    let until = now() + GRACE;
    while group_exists(id) && now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    if group_exists(id) {
        let _ = killpg(id, Signal::SIGKILL);
    }
    true
}

/// Group ids 0 and 1 mean other things than a group.
fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().filter(|id| *id > 1).map(Pid::from_raw)
}
