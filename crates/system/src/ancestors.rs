//! The processes that this one was started by, nearest first.

use nix::unistd::Pid;

use super::known_process::KnownProcess;
use super::process_table::{parent, read, started};

/// How many are looked at.
const MOST: usize = 64;

/// A process above this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestor {
    /// The process.
    pub process: KnownProcess,
    /// The name of its program, at most 15 bytes of it.
    pub name: String,
    /// Its command line; empty where the system hides it.
    pub words: Vec<String>,
}

/// The ancestors of this process, without the first process of the machine. None where there is no process table.
pub fn ancestors() -> Vec<Ancestor> {
    let mut found = Vec::new();
    let mut next = Some(Pid::parent());
    while let Some(pid) = next.filter(|pid| pid.as_raw() > 1 && found.len() < MOST) {
        let Some(name) = read(pid, "comm") else { break };
        let words = read(pid, "cmdline").unwrap_or_default();
        let words = words.split(|byte| *byte == 0).filter(|word| !word.is_empty());
        found.push(Ancestor {
            process: KnownProcess { pid: pid.as_raw().unsigned_abs(), started: started(pid) },
            name: String::from_utf8_lossy(&name).trim_end().to_owned(),
            words: words.map(|word| String::from_utf8_lossy(word).into_owned()).collect(),
        });
        next = parent(pid);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_nearest_ancestor_is_the_parent() {
        let all = ancestors();
        // Where the parent is the first process of the machine, there is none.
        if Pid::parent().as_raw() > 1 {
            assert_eq!(all[0].process.pid, Pid::parent().as_raw().unsigned_abs());
            assert!(!all[0].name.is_empty() && all[0].process.is_alive());
        }
    }
}
