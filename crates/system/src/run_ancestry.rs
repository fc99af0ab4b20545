//! Whether a process is inside a run, and who started that, by marks that it cannot take off.
//!
//! A variable can be unset, and a parent can be left behind. So each supervisor also lowers a resource limit that
//! Linux keeps for compatibility and enforces nowhere. Everything that it starts inherits that limit, through any
//! number of forks, sessions and namespaces, and only the superuser can raise it again. In the run of a person the limit
//! is one higher than in other runs, so that a run of an agent cannot become one of a person. The supervisors above must
//! have that limit too. A superuser with `CAP_SYS_RESOURCE` can raise theirs as well: nothing here holds against it.

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::{Pid, geteuid};

use super::process_table::{is_named, living, parent, parent_in, read};
use super::run_markers::{CONTAINED, MARKER, REMAINS, SUPERVISOR};

/// How often the ancestors are looked at again when one of them ended meanwhile.
const ATTEMPTS: usize = 16;
/// How many ancestors are looked at. A chain that is longer was built to hide something.
const DEEPEST: usize = 4096;
/// The line of `/proc/PID/limits` with the limit that marks a run.
const LIMIT: &str = "Max file locks";

/// The limit in runs of agents, and of anybody who is not known.
#[cfg(target_os = "linux")]
const OTHERS: u64 = 0;
/// The limit in runs that a person started on the command line.
const PERSONS: u64 = 1;

/// The runs above a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunAncestry {
    /// None.
    Outside,
    /// Runs that a person started on the command line, and no others.
    HumanRun,
    /// A run of an agent, or of somebody who is not known.
    Run,
}

/// Marks this process and everything that it will start as a run: of a person, or of anybody. It raises no limit. Kernels
/// without the limit refuse; other marks count there.
pub(crate) fn mark(is_persons: bool) {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{Resource, setrlimit};
        let limit = if is_persons { PERSONS } else { OTHERS };
        if own_limit().is_none_or(|hard| hard > limit) {
            let _ = setrlimit(Resource::RLIMIT_LOCKS, limit, limit);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = is_persons;
}

/// The runs above this process, whatever its own variables say.
pub(crate) fn of_this_process() -> RunAncestry {
    match own_limit() {
        Some(PERSONS) if climb(Pid::this(), is_of_others) == Some(false) => RunAncestry::HumanRun,
        Some(..=PERSONS) => RunAncestry::Run,
        _ if descends(Pid::this()) => RunAncestry::Run,
        _ => RunAncestry::Outside,
    }
}

/// Whether another process is inside a run. One of which nothing can be read is not.
pub(crate) fn is_of(pid: Pid) -> bool {
    has_limit(pid) || is_run(pid) || descends(pid)
}

/// Whether any process of this user is inside a run. A supervisor without a child waits for one.
pub(crate) fn is_any() -> bool {
    let own = geteuid().as_raw();
    let table = living();
    let waits = |pid| is_supervisor(pid) && table.iter().all(|entry| entry.parent != pid);
    let is_one = |pid| (has_limit(pid) || is_run(pid)) && !waits(pid);
    table.iter().any(|entry| is_one(entry.pid) && (own == 0 || user(entry.pid) == Some(own)))
}

/// Whether any process of this user is in a run that no person started and that the kernel does not hold as a whole.
pub(crate) fn is_any_uncontained() -> bool {
    let own = geteuid().as_raw();
    let table = living();
    let has_child = |pid| table.iter().any(|entry| entry.parent == pid);
    // A supervisor counts itself, since a run can give its own processes any name. One without a child waits for a run.
    let is_one = |pid| {
        (has_limit(pid) || has_mark(pid))
            && limit(pid) != Some(PERSONS)
            && !is_contained(pid)
            && (!is_supervisor(pid) || has_child(pid) && !is_named(pid, &[CONTAINED]))
    };
    table.iter().any(|entry| is_one(entry.pid) && (own == 0 || user(entry.pid) == Some(own)))
}

/// Whether the outermost run around a process is held. Its supervisor is outside of it, and has a name that no run can give.
fn is_contained(pid: Pid) -> bool {
    let mut outermost = None;
    let _ = climb(pid, |above| {
        if is_supervisor(above) {
            outermost = Some(above);
        }
        false
    });
    outermost.is_some_and(|supervisor| is_named(supervisor, &[CONTAINED]))
}

/// The user of a process. Not the owner of its files: those of a process that hides are the superuser's.
fn user(pid: Pid) -> Option<u32> {
    let status = String::from_utf8(read(pid, "status")?).ok()?;
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    users.split_ascii_whitespace().next()?.parse().ok()
}

/// Whether this process inherited the limit of a run.
#[cfg(target_os = "linux")]
pub(crate) fn has_own_limit() -> bool {
    matches!(own_limit(), Some(..=PERSONS))
}

/// The hard limit of this process; `None` where it cannot be asked.
#[cfg(target_os = "linux")]
fn own_limit() -> Option<u64> {
    use nix::sys::resource::{Resource, getrlimit};
    getrlimit(Resource::RLIMIT_LOCKS).ok().map(|(_, hard)| hard)
}

#[cfg(not(target_os = "linux"))]
fn own_limit() -> Option<u64> {
    None
}

fn has_limit(pid: Pid) -> bool {
    matches!(limit(pid), Some(..=PERSONS))
}

/// The hard limit of a process, where it has one and it can be read.
fn limit(pid: Pid) -> Option<u64> {
    hard_limit(&read(pid, "limits")?)
}

/// The hard limit on file locks among the limits of a process; `None` where it has none.
fn hard_limit(limits: &[u8]) -> Option<u64> {
    let line = limits.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(LIMIT.as_bytes()))?;
    let hard = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(1)?;
    str::from_utf8(hard).ok()?.parse().ok()
}

/// Whether a process above belongs to a run that no person started: a supervisor, or another one with a run's variable.
fn is_of_others(pid: Pid) -> bool {
    is_run(pid) && limit(pid) != Some(PERSONS)
}

/// Whether a process is a supervisor, or has the variable of a run. The variables of a supervisor cannot be read, and
/// neither can its executable; its name can.
fn is_run(pid: Pid) -> bool {
    is_supervisor(pid) || has_mark(pid)
}

fn has_mark(pid: Pid) -> bool {
    let is_mark =
        |variable: &[u8]| variable.strip_prefix(MARKER.as_bytes()).is_some_and(|rest| rest.starts_with(b"="));
    read(pid, "environ").is_some_and(|all| all.split(|byte| *byte == 0).any(is_mark))
}

/// Whether a process is a supervisor, by its name.
pub(crate) fn is_supervisor(pid: Pid) -> bool {
    is_named(pid, &[SUPERVISOR, CONTAINED, REMAINS])
}

/// Whether a process above this one is a supervisor or has the variable. Supervisors adopt the orphans of a
/// run.
fn descends(from: Pid) -> bool {
    // A chain that never stands still, or is longer than any, was built to hide something.
    cfg!(target_os = "linux") && climb(from, is_run).unwrap_or(true)
}

/// Whether this holds for a process above this one; `None` where that cannot be found out.
fn climb(from: Pid, mut holds: impl FnMut(Pid) -> bool) -> Option<bool> {
    // An ancestor that ends during the look has left its children to another one.
    (0..ATTEMPTS).find_map(|_| ascent(from, &mut holds))
}

/// The same, once; `None` when an ancestor ended meanwhile.
fn ascent(from: Pid, holds: &mut impl FnMut(Pid) -> bool) -> Option<bool> {
    let mut above = if from == Pid::this() { Some(Pid::parent()) } else { parent(from) };
    for _ in 0..DEEPEST {
        match above {
            // It may be of another user, and hidden.
            None => return Some(false),
            Some(pid) if pid.as_raw() <= 1 => return Some(false),
            Some(pid) if holds(pid) => return Some(true),
            Some(pid) => {
                // Read last: of a process that ended meanwhile it has no parent, and then the rest may have been missed.
                let stat = read(pid, "stat");
                above = stat.as_deref().and_then(|stat| parent_in(pid, stat));
                let is_gone = above.is_none() && (stat.is_some() || kill(pid, None) == Err(Errno::ESRCH));
                if is_gone {
                    return None;
                }
            }
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_limit_of_no_locks_is_the_mark() {
        let limits = |hard: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max address space         unlimited            unlimited            bytes     \n\
                 Max file locks            0                    {hard}            locks     \n"
            )
        };
        assert_eq!(hard_limit(limits("0").as_bytes()), Some(OTHERS));
        assert_eq!(hard_limit(limits("1").as_bytes()), Some(PERSONS));
        assert_eq!(hard_limit(limits("unlimited").as_bytes()), None);
        assert_eq!(hard_limit(b"Max processes 0 0 locks\n"), None);
        assert_eq!(hard_limit(b""), None);
    }
}
