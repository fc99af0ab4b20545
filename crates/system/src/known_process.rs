//! A process that is known by more than its number: a number alone may belong to another process by now.

use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::process_handle::Handle;
use super::process_table::{now, parent, started};

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a killed process may take to disappear.
const LAST_WAIT: Duration = Duration::from_millis(300);

/// A process by its number and its start. Where the system does not tell the start, the number alone counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownProcess {
    /// Its number.
    pub pid: u32,
    /// When it started, in clock ticks since the machine did.
    pub started: Option<u64>,
}

/// How a process was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HowEnded {
    /// It was no longer there, or another process has its number.
    Gone,
    /// It ended when it was asked to.
    Terminated,
    /// It was killed, since it did not end in time.
    Killed,
}

impl KnownProcess {
    /// The living process of this number.
    pub fn of(pid: u32) -> Option<Self> {
        let known = Self { pid, started: started(number(pid)?) };
        known.is_alive().then_some(known)
    }

    /// This process.
    pub fn this() -> Self {
        let own = Pid::this();
        Self { pid: std::process::id(), started: started(own) }
    }

    /// Whether this very process lives. A process that ended and was not waited for does not.
    pub fn is_alive(&self) -> bool {
        let Some(pid) = number(self.pid) else { return false };
        if kill(pid, None) == Err(Errno::ESRCH) {
            return false;
        }
        if cfg!(target_os = "linux") {
            let is_same = self.started.is_none() || started(pid) == self.started;
            // A process that has ended has no parent in the table.
            return is_same && parent(pid).is_some();
        }
        true
    }

    /// Asks this very process to end, and kills it where it has not after `patience`. Another process that has its number
    /// by now is left alone.
    ///
    /// # Errors
    /// The operating system's, when the process may not be signalled.
    pub fn end(&self, patience: Duration) -> std::io::Result<HowEnded> {
        let Some(handle) = self.handle() else { return Ok(HowEnded::Gone) };
        handle.signal(Signal::SIGTERM)?;
        if self.is_gone_within(patience) {
            return Ok(HowEnded::Terminated);
        }
        handle.signal(Signal::SIGKILL)?;
        self.is_gone_within(LAST_WAIT);
        Ok(HowEnded::Killed)
    }

    /// The handle of this very process; `None` when it is gone. The look comes after the handle was made, so that it is of
    /// the process that was looked at.
    fn handle(&self) -> Option<Handle> {
        let handle = Handle::of(number(self.pid)?);
        self.is_alive().then_some(handle)
    }

    fn is_gone_within(&self, patience: Duration) -> bool {
        let until = now() + patience;
        while self.is_alive() {
            if now() >= until {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
        true
    }
}

/// The number of a process or a group; 0 and 1 mean others to the operating system.
pub(super) fn number(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().filter(|pid| *pid > 1).map(Pid::from_raw)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a process to end")]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn sleeper() -> std::process::Child {
        Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap()
    }

    #[test]
    fn a_process_is_known_while_it_lives() {
        let mut child = sleeper();
        let known = KnownProcess::of(child.id()).unwrap();
        assert!(known.is_alive() && KnownProcess::this().is_alive());
        // A child that was not waited for has ended all the same.
        assert_eq!(known.end(Duration::from_secs(10)).unwrap(), HowEnded::Terminated);
        assert!(!known.is_alive());
        child.wait().unwrap();
        assert_eq!(known.end(Duration::ZERO).unwrap(), HowEnded::Gone);
        assert_eq!(KnownProcess::of(u32::MAX), None);
        assert_eq!(KnownProcess::of(0), None, "it would be a whole group");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn another_process_of_the_same_number_is_left_alone() {
        let mut child = sleeper();
        let real = KnownProcess::of(child.id()).unwrap();
        let before = KnownProcess { started: real.started.map(|ticks| ticks - 1), ..real };
        assert!(!before.is_alive());
        assert_eq!(before.end(Duration::ZERO).unwrap(), HowEnded::Gone);
        assert!(real.is_alive(), "it was not signalled");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_process_that_does_not_end_is_killed() {
        let mut command = Command::new("sh");
        let mut child = command
            .args(["-c", "trap '' TERM; echo; while :; do sleep 60; done"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // It says something once the signal is ignored.
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        let known = KnownProcess::of(child.id()).unwrap();
        assert_eq!(known.end(Duration::from_millis(50)).unwrap(), HowEnded::Killed);
        child.wait().unwrap();
    }
}
