//! The processes that live on this machine right now, as `/proc` shows them.
//!
//! On systems other than Linux the table is empty, and callers can only use process groups.

use std::collections::HashMap;
use std::io::Read;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// How much the kernel gives of a file at once.
const PAGE: usize = 4096;

/// One living process; a zombie is not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LivingProcess {
    pub(crate) pid: Pid,
    pub(crate) parent: Pid,
    pub(crate) group: Pid,
    pub(crate) session: Pid,
}

/// Every living process. Those that start or end meanwhile may be missing or in it.
pub(crate) fn living() -> Vec<LivingProcess> {
    pids().filter_map(|pid| parse(pid, &read(pid, "stat")?)).collect()
}

/// The children of a process, their children, and so on. Linear for trees of any shape.
pub(crate) fn descendants(table: &[LivingProcess], of: Pid) -> Vec<LivingProcess> {
    let mut children: HashMap<Pid, Vec<LivingProcess>> = HashMap::new();
    for entry in table {
        children.entry(entry.parent).or_default().push(*entry);
    }
    let mut found = children.remove(&of).unwrap_or_default();
    let mut next = 0;
    while let Some(entry) = found.get(next) {
        // Taken out, so that a table that changed while it was read cannot send this in circles.
        let more = children.remove(&entry.pid).unwrap_or_default();
        found.extend(more);
        next += 1;
    }
    found
}

/// When a process started, in clock ticks since the machine did; `None` where there is no such process, or no `/proc`.
pub(crate) fn started(pid: Pid) -> Option<u64> {
    number(&read(pid, "stat")?, 22)
}

/// The number of its threads.
#[cfg(target_os = "linux")]
pub(crate) fn threads(pid: Pid) -> Option<u64> {
    number(&read(pid, "stat")?, 20)
}

/// Where the words that it was started with begin and end in its memory. The kernel tells a process its own.
#[cfg(target_os = "linux")]
pub(crate) fn words_at(pid: Pid) -> Option<(usize, usize)> {
    let stat = read(pid, "stat")?;
    let address = |field| number(&stat, field)?.try_into().ok().filter(|address| *address > 0);
    Some((address(48)?, address(49)?))
}

/// Whether a process has one of these names in its `stat`.
pub(crate) fn is_named(pid: Pid, names: &[&str]) -> bool {
    let is_it = |name: &[u8]| names.iter().any(|one| name == one.as_bytes());
    read(pid, "stat").is_some_and(|stat| name(&stat).is_some_and(is_it))
}

/// The name of a process in its `stat`, at most 15 bytes of it.
fn name(stat: &[u8]) -> Option<&[u8]> {
    let opening = stat.iter().position(|byte| *byte == b'(')?;
    stat.get(opening + 1..closing(stat)?)
}

/// A numeric field of `stat`, counted from one as its documentation does.
fn number(stat: &[u8], field: usize) -> Option<u64> {
    // Two fields come before the end of the name.
    let rest = std::str::from_utf8(stat.get(closing(stat)? + 1..)?).ok()?;
    rest.split_ascii_whitespace().nth(field - 3)?.parse().ok()
}

/// The end of the name in `stat`; the name may hold anything, `)` and newlines too.
fn closing(stat: &[u8]) -> Option<usize> {
    stat.iter().rposition(|byte| *byte == b')')
}

/// Whether a process group has a member, zombies included.
pub(crate) fn group_exists(group: Pid) -> bool {
    killpg(group, None) != Err(Errno::ESRCH)
}

/// Kills a process group, and everything that has this variable in its environment, until
/// nothing is left or `patience` is over. It is for a run after the death of its supervisor: its process tree
/// is no longer known here.
pub(crate) fn kill_marked(group: Option<Pid>, name: &str, value: &str, patience: Duration) {
    if let Some(group) = group {
        let _ = killpg(group, Signal::SIGKILL);
    }
    let marker = format!("{name}={value}").into_bytes();
    let until = now() + patience;
    loop {
        let found: Vec<Pid> = pids().filter(|pid| carries(*pid, &marker)).collect();
        for pid in &found {
            let _ = kill(*pid, Signal::SIGKILL);
        }
        if found.is_empty() || now() >= until {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The parent of a living process; `None` where there is none, or it cannot be read.
pub(crate) fn parent(pid: Pid) -> Option<Pid> {
    parent_in(pid, &read(pid, "stat")?)
}

/// The same, by its `stat`.
pub(crate) fn parent_in(pid: Pid, stat: &[u8]) -> Option<Pid> {
    Some(parse(pid, stat)?.parent)
}

/// The monotonic time of supervision. Not injected: it paces real processes.
#[expect(clippy::disallowed_methods, reason = "signals and their grace are paced by real time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The ids of all processes that can be seen.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the process table")]
pub(crate) fn pids() -> impl Iterator<Item = Pid> {
    let folder = if cfg!(target_os = "linux") { std::fs::read_dir("/proc").ok() } else { None };
    folder
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok().map(Pid::from_raw))
}

/// A file of a process; `None` when the process is gone or another user's.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the process table")]
pub(crate) fn read(pid: Pid, file: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(PAGE);
    let opened = std::fs::File::open(format!("/proc/{pid}/{file}")).ok()?;
    // These files have no size to ask for.
    opened.take(u64::MAX).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn carries(pid: Pid, marker: &[u8]) -> bool {
    read(pid, "environ").is_some_and(|variables| variables.split(|byte| *byte == 0).any(|v| v == marker))
}

/// Reads `PID (COMMAND) STATE PARENT GROUP SESSION …`.
fn parse(pid: Pid, stat: &[u8]) -> Option<LivingProcess> {
    let fields = std::str::from_utf8(stat.get(closing(stat)? + 1..)?).ok()?;
    let mut fields = fields.split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    let mut id = || fields.next()?.parse().ok().map(Pid::from_raw);
    Some(LivingProcess { pid, parent: id()?, group: id()?, session: id()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(pid: i32, parent: i32) -> LivingProcess {
        let [pid, parent] = [pid, parent].map(Pid::from_raw);
        LivingProcess { pid, parent, group: pid, session: pid }
    }

    #[test]
    fn a_command_may_be_called_anything() {
        let pid = Pid::from_raw(7);
        let expected = LivingProcess {
            pid,
            parent: Pid::from_raw(1),
            group: Pid::from_raw(5),
            session: Pid::from_raw(6),
        };
        for (stat, found) in [
            ("7 (sh) S 1 5 6 0 -1 4194560 0", Some(expected)),
            ("7 (a) Z 9 9 9 (\n) b) R 1 5 6 0", Some(expected)),
            ("7 (sh) Z 1 5 6 0", None),
            ("7 (sh) S 1 5", None),
            ("7 sh S 1 5 6", None),
            ("", None),
        ] {
            assert_eq!(parse(pid, stat.as_bytes()), found, "{stat:?}");
        }
        assert_eq!(parse(pid, b"7 (\xff\xfe) S 1 5 6 0"), Some(expected));
    }

    #[test]
    fn descendants_are_found_in_any_order_and_without_circles() {
        let table = [entry(40, 30), entry(30, 20), entry(50, 1), entry(20, 10), entry(60, 20), entry(71, 72)];
        let circle = [entry(20, 10), entry(10, 20), entry(72, 71), entry(71, 72)];
        let found = |table: &[LivingProcess], of| {
            let mut pids: Vec<i32> =
                descendants(table, Pid::from_raw(of)).iter().map(|e| e.pid.as_raw()).collect();
            pids.sort_unstable();
            pids
        };
        assert_eq!(found(&table, 10), [20, 30, 40, 60]);
        assert_eq!(found(&table, 99), [0; 0]);
        assert_eq!(found(&circle, 10), [10, 20]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_very_process_lives() {
        let own = Pid::this();
        let table = living();
        let entry = table.iter().find(|entry| entry.pid == own).unwrap();
        assert_eq!(entry.parent, Pid::parent());
        assert!(descendants(&table, Pid::parent()).contains(entry));
    }
}
