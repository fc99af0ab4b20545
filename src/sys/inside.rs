//! Whether a process is inside a run, by marks that it cannot take off.
//!
//! A variable can be unset, and a parent can be left behind. So each supervisor also lowers a resource limit that
//! Linux keeps for compatibility and enforces nowhere. Everything that it starts inherits that limit, through any
//! number of forks, sessions and namespaces, and only the superuser can raise it again.

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::{Pid, geteuid};

use super::marks::{MARKER, REMAINS, SUPERVISOR};
use super::process_table::{living, name, parent, parent_in, read};

/// How often the ancestors are looked at again when one of them ended meanwhile.
const ATTEMPTS: usize = 16;
/// How many ancestors are looked at. A chain that is longer was built to hide something.
const DEEPEST: usize = 4096;
/// The line of `/proc/PID/limits` with the limit that marks a run.
const LIMIT: &str = "Max file locks";

/// Marks this process and everything that it will start. Kernels without the limit refuse; other marks count there.
pub(in crate::sys) fn mark() {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{Resource, setrlimit};
        let _ = setrlimit(Resource::RLIMIT_LOCKS, 0, 0);
    }
}

/// Whether this process is inside a run, whatever its own variables say.
pub(in crate::sys) fn is_own() -> bool {
    has_own_limit() || descends(Pid::this())
}

/// Whether another process is inside a run. One of which nothing can be read is not.
pub(in crate::sys) fn is_of(pid: Pid) -> bool {
    has_limit(pid) || is_run(pid) || descends(pid)
}

/// Whether any process of this user is inside a run. A supervisor without a child waits for one.
pub(in crate::sys) fn is_any() -> bool {
    let own = geteuid().as_raw();
    let table = living();
    let waits = |pid| is_supervisor(pid) && table.iter().all(|entry| entry.parent != pid);
    let is_one = |pid| (has_limit(pid) || is_run(pid)) && !waits(pid);
    table.iter().any(|entry| is_one(entry.pid) && (own == 0 || user(entry.pid) == Some(own)))
}

/// The user of a process. Not the owner of its files: those of a process that hides are the superuser's.
fn user(pid: Pid) -> Option<u32> {
    let status = String::from_utf8(read(pid, "status")?).ok()?;
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    users.split_ascii_whitespace().next()?.parse().ok()
}

/// Whether this process inherited the limit of a run.
#[cfg(target_os = "linux")]
pub(in crate::sys) fn has_own_limit() -> bool {
    use nix::sys::resource::{Resource, getrlimit};
    getrlimit(Resource::RLIMIT_LOCKS).is_ok_and(|(_, hard)| hard == 0)
}

#[cfg(not(target_os = "linux"))]
fn has_own_limit() -> bool {
    false
}

fn has_limit(pid: Pid) -> bool {
    read(pid, "limits").is_some_and(|text| hard_limit(&text).is_some_and(|hard| hard == b"0"))
}

/// The hard limit on file locks among the limits of a process.
fn hard_limit(limits: &[u8]) -> Option<&[u8]> {
    let line = limits.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(LIMIT.as_bytes()))?;
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(1)
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
pub(in crate::sys) fn is_supervisor(pid: Pid) -> bool {
    read(pid, "stat").is_some_and(|stat| names_supervisor(&stat))
}

fn names_supervisor(stat: &[u8]) -> bool {
    name(stat).is_some_and(|name| [SUPERVISOR, REMAINS].iter().any(|one| name == one.as_bytes()))
}

/// Whether a process above this one is a supervisor or has the variable. Supervisors adopt the orphans of a
/// run.
fn descends(from: Pid) -> bool {
    if !cfg!(target_os = "linux") {
        return false;
    }
    // An ancestor that ends during the look has left its children to another one.
    (0..ATTEMPTS).find_map(|_| ascent(from)).unwrap_or(true)
}

/// The same, once; `None` when an ancestor ended meanwhile.
fn ascent(from: Pid) -> Option<bool> {
    let mut above = if from == Pid::this() { Some(Pid::parent()) } else { parent(from) };
    for _ in 0..DEEPEST {
        match above {
            // It may be of another user, and hidden.
            None => return Some(false),
            Some(pid) if pid.as_raw() <= 1 => return Some(false),
            Some(pid) if has_mark(pid) => return Some(true),
            Some(pid) => {
                // Read last: of a process that ended meanwhile it has no parent, and then the variables may have been missed.
                let stat = read(pid, "stat");
                if stat.as_deref().is_some_and(names_supervisor) {
                    return Some(true);
                }
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
        assert_eq!(hard_limit(limits("0").as_bytes()), Some(&b"0"[..]));
        assert_eq!(hard_limit(limits("unlimited").as_bytes()), Some(&b"unlimited"[..]));
        assert_eq!(hard_limit(b"Max processes 0 0 locks\n"), None);
        assert_eq!(hard_limit(b""), None);
    }
}
