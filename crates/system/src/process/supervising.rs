//! The process that supervises a run, for signals.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use process_wrap::tokio::ChildWrapper;

#[cfg(target_os = "linux")]
use crate::process_handle::Handle;

/// The supervisor of a run.
#[derive(Debug)]
pub(super) enum Supervising {
    /// A second start of cuff, in a group of its own, which its keeper is in as well. Reaped by the runtime when this is
    /// dropped.
    Started(Box<dyn ChildWrapper>),
    /// A child of the spawner.
    #[cfg(target_os = "linux")]
    Forked(Handle),
}

impl Supervising {
    /// Signals the supervisor.
    pub(super) fn signal(&self, signal: Signal) {
        // One that is gone hears nothing, and its run is ended by others.
        match self {
            Self::Started(child) => {
                if let Some(pid) = child.id() {
                    let _ = killpg(Pid::from_raw(pid.cast_signed()), signal);
                }
            }
            #[cfg(target_os = "linux")]
            Self::Forked(handle) => {
                let _ = handle.signal(signal);
            }
        }
    }
}
