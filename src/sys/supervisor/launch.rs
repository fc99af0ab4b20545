//! The start of the supervised process: checks, its own session, and its end when the supervisor ends.

pub(super) mod foreground;
#[cfg(not(target_os = "linux"))]
mod forked;
mod program;
#[cfg(target_os = "linux")]
mod shared;

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;

use nix::errno::Errno;
use nix::unistd::Pid;

#[cfg(not(target_os = "linux"))]
use self::forked::start;
use self::program::Program;
#[cfg(target_os = "linux")]
use self::shared::start;
use super::protocol::{Job, Order};
use crate::model::{Identity, NotStarted};
use crate::sys::folder;

/// Starts the job's program in a session of its own, or at a terminal in a group of its own, which has the terminal. Its
/// outputs are the supervisor's; its input is empty where none was handed over.
///
/// To be called by the main thread: where a parent-death signal exists, it follows the thread that spawned.
pub(super) fn launch(
    order: &Order,
    input: Option<OwnedFd>,
    terminal: Option<OwnedFd>,
) -> Result<Pid, NotStarted> {
    let job = &order.job;
    let folder = folder::open(&job.directory)
        .map_err(|_| NotStarted::DirectoryMissing(job.directory.display().to_string()))?;
    if job.folder.as_ref().is_some_and(|expected| !folder.is(expected)) {
        return Err(NotStarted::DirectoryChanged(job.directory.display().to_string()));
    }
    let failed = |error: io::Error| NotStarted::Other(explain(job, &error));
    let input = match input {
        Some(input) => input,
        None => nothing().map_err(failed)?,
    };
    let program = Program::new(order, folder, input, terminal);
    if let Some(script) = &job.script
        && !is_still(script)
    {
        return Err(NotStarted::ScriptChanged(script.path.display().to_string()));
    }
    start(&program).map_err(failed)
}

/// An input with nothing to read.
fn nothing() -> io::Result<OwnedFd> {
    Ok(File::options().read(true).open("/dev/null")?.into())
}

/// Whether a script is the file that was found, under a path that no symbolic link leads astray since.
///
/// A window remains until the kernel, or the interpreter once it has started up, opens the path: a few
/// milliseconds. Closing it would take a descriptor in the path's place, and scripts would no longer know
/// their own names. A process that can win this race can also write into the script.
#[expect(clippy::disallowed_methods, reason = "the last look before the start")]
fn is_still(script: &Identity) -> bool {
    let canonical = std::fs::canonicalize(&script.path);
    canonical.is_ok_and(|path| path == script.path)
        && std::fs::symlink_metadata(&script.path)
            .is_ok_and(|file| file.is_file() && file.dev() == script.device && file.ino() == script.inode)
}

/// The cause and the next step, for errors that leave a reader guessing.
fn explain(job: &Job, error: &io::Error) -> String {
    let program = job.program.display();
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::E2BIG) => format!(
            "the arguments and the environment of {program} are larger than the operating system allows; pass \
             fewer or shorter ones, or put them into a file"
        ),
        Some(Errno::ENOENT) => format!(
            "{program} could not be executed: it is gone, or the interpreter that its first line names is not \
             installed"
        ),
        Some(Errno::EACCES) => format!("{program} may not be executed; check its permissions (chmod +x)"),
        _ => format!("{program} could not be started: {error}"),
    }
}
