//! The start of a program where only the library's own fork is known to be safe.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::unistd::{Pid, fchdir, getpid, setpgid, setsid, tcsetpgrp};

use super::foreground::without_stop;
use super::program::LaunchProgram;

/// Starts a program.
///
/// # Errors
/// The operating system's, of any step up to the exec; `InvalidInput` for a word with a NUL byte in it.
#[expect(clippy::disallowed_methods, reason = "the one place that starts what a run is for")]
pub(super) fn start(program: &LaunchProgram<'_>) -> io::Result<Pid> {
    let mut command = Command::new(program.path());
    command.args(program.arguments()).env_clear().envs(program.variables());
    command.stdin(Stdio::from(program.input.try_clone()?));
    let supervisor = Pid::this();
    let folder = program.folder.as_fd().try_clone_to_owned()?;
    let terminal = program.terminal.as_ref().map(OwnedFd::try_clone).transpose()?;
    // SAFETY: between fork and exec the closure only makes system calls that are async-signal-safe
    // (fchdir, setsid, setpgid, tcsetpgrp, sigprocmask, getpid, getppid), and allocates nothing.
    #[expect(unsafe_code, reason = "the folder and the session belong between fork and exec")]
    unsafe {
        command.pre_exec(move || {
            // The folder that was opened, even if its name leads elsewhere by now.
            fchdir(&folder)?;
            if let Some(terminal) = &terminal {
                setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
                without_stop(|| tcsetpgrp(terminal, getpid()))?;
            } else {
                setsid()?;
            }
            if Pid::parent() == supervisor { Ok(()) } else { Err(Errno::ESRCH.into()) }
        });
    }
    // It is waited for with all others: a `Child` that is dropped is neither killed nor waited for.
    Ok(Pid::from_raw(command.spawn()?.id().cast_signed()))
}
