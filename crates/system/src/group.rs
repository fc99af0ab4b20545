//! Process groups of runs, as another process sees and ends them.

use std::io;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use super::known_process::number;
use super::process_table::{descendants, group_exists, living, now, parent, started};
use super::run_ancestry::is_supervisor;
use crate::model::Group;

/// How long a group may take over its end before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// The group that this process leads.
pub fn of_leader(leader: u32) -> Group {
    Group { id: leader, started: number(leader).and_then(started) }
}

/// Ends a group, politely at first; `false` when it is not there any more, or another one has its id.
///
/// # Errors
/// When the operating system does not let this user end it: then it goes on.
pub fn end(group: Group) -> io::Result<bool> {
    end_with(group, killpg::<Signal>)
}

fn end_with(group: Group, mut signal: impl FnMut(Pid, Signal) -> nix::Result<()>) -> io::Result<bool> {
    let Some(id) = number(group.id) else { return Ok(false) };
    if !group_exists(id) || started(id).is_some_and(|found| Some(found) != group.started) {
        return Ok(false);
    }
    let others = others(id);
    match signal(id, Signal::SIGTERM) {
        Ok(()) => {}
        Err(Errno::ESRCH) => return Ok(false),
        Err(refused) => return Err(refused.into()),
    }
    signal_all(&others, Signal::SIGTERM);
    // A process that a person has stopped with Ctrl-Z would not receive it.
    let _ = killpg(id, Signal::SIGCONT);
    signal_all(&others, Signal::SIGCONT);
    let is_there = || group_exists(id) || others.iter().any(is_same);
    let until = now() + GRACE;
    while is_there() && now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    if group_exists(id) {
        let _ = signal(id, Signal::SIGKILL);
    }
    signal_all(&others, Signal::SIGKILL);
    Ok(true)
}

/// A process, and when it started: another one that has its id later did so at another time.
type GroupProcess = (Pid, Option<u64>);

/// The processes of this leader's run outside of its group: all that its supervisor, which adopts orphans, has below it.
fn others(leader: Pid) -> Vec<GroupProcess> {
    let Some(supervisor) = parent(leader).filter(|pid| is_supervisor(*pid)) else { return Vec::new() };
    let below = descendants(&living(), supervisor).into_iter();
    below.filter(|entry| entry.group != leader).map(|entry| (entry.pid, started(entry.pid))).collect()
}

fn is_same((pid, start): &GroupProcess) -> bool {
    start.is_some() && started(*pid) == *start
}

fn signal_all(processes: &[GroupProcess], signal: Signal) {
    for known in processes.iter().filter(|known| is_same(known)) {
        let _ = kill(known.0, signal);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt as _;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a group to end")]
    fn a_missing_permission_differs_from_a_group_that_has_ended() {
        let sleep = || std::process::Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let mut child = sleep();
        let group = of_leader(child.id());
        let refused = end_with(group, |_, _| Err(Errno::EPERM)).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(!end_with(group, |_, _| Err(Errno::ESRCH)).unwrap());
        assert!(
            end_with(group, |id, signal| {
                killpg(id, signal)?;
                child.wait().map(|_| ()).map_err(|_| Errno::ECHILD)
            })
            .unwrap()
        );
        assert!(!end(group).unwrap(), "it is gone");
    }
}
