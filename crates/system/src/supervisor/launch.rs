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
use self::program::LaunchProgram;
#[cfg(target_os = "linux")]
use self::shared::start;
use super::protocol::{Job, JobOrder};
use crate::containment::KeptRules;
#[cfg(target_os = "linux")]
use crate::containment::{Entered, Entrance};
use crate::folder;
use crate::model::{Contained, Identity, NotStarted};

/// Starts the job's program in a session of its own, or at a terminal in a group of its own, which has the terminal. Its
/// outputs are the supervisor's; its input is empty where none was handed over.
///
/// To be called by the main thread: where a parent-death signal exists, it follows the thread that spawned.
pub(super) fn launch(
    order: &JobOrder,
    input: Option<OwnedFd>,
    terminal: Option<OwnedFd>,
    kept: &mut KeptRules,
) -> Result<Launched, NotStarted> {
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
    let program = LaunchProgram::new(order, folder, input, terminal);
    if let Some(script) = &job.script
        && !is_still(script)
    {
        return Err(NotStarted::ScriptChanged(script.path.display().to_string()));
    }
    launch_program(&program, order, kept).map_err(|reason| match reason {
        LaunchError::Uncontained(contained) => NotStarted::Uncontained(contained),
        LaunchError::System(error) => failed(error),
    })
}

/// The reason why a program was not started.
#[derive(Debug)]
enum LaunchError {
    /// The kernel holds so much of a containment that is required.
    Uncontained(Contained),
    /// The operating system's.
    System(io::Error),
}

impl From<io::Error> for LaunchError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Starts a program; within its rules, where it has some.
#[cfg(target_os = "linux")]
fn launch_program(
    program: &LaunchProgram<'_>,
    order: &JobOrder,
    kept: &mut KeptRules,
) -> Result<Launched, LaunchError> {
    let Some(rules) = &order.job.confinement else {
        return Ok(Launched { leader: start(program, None)?, entered: None });
    };
    let terminal = program.terminal_path();
    let has_namespace = kept.may_have_namespace();
    let mut entrance = Entrance::prepare(rules, terminal.as_deref(), has_namespace, kept)?;
    let mut started = start(program, Some(&entrance));
    if started.is_err() && entrance.lacks_namespace() {
        kept.note_no_namespace();
        entrance = Entrance::prepare(rules, terminal.as_deref(), false, kept)?;
        started = start(program, Some(&entrance));
    }
    // The child had the table of descriptors in common with this process.
    nix::unistd::dup2_stdin(nothing()?).map_err(io::Error::from)?;
    let is_short = entrance.is_short() && is_refusal(&started);
    let entered = entrance.results();
    if is_short {
        return Err(LaunchError::Uncontained(entered.contained));
    }
    Ok(Launched { leader: started?, entered: Some(entered) })
}

/// Whether the child itself refused to become the program.
#[cfg(target_os = "linux")]
fn is_refusal(started: &io::Result<Pid>) -> bool {
    started.as_ref().is_err_and(|error| error.raw_os_error() == Some(Errno::ENOTSUP as i32))
}

#[cfg(not(target_os = "linux"))]
fn launch_program(
    program: &LaunchProgram<'_>,
    order: &JobOrder,
    _: &mut KeptRules,
) -> Result<Launched, LaunchError> {
    let rules = order.job.confinement.as_ref();
    let no = || Contained::No("this system has no containment: only Linux has".to_owned());
    if rules.is_some_and(|rules| rules.is_required) {
        return Err(LaunchError::Uncontained(no()));
    }
    let contained = rules.map(|_| no());
    Ok(Launched { leader: start(program)?, contained })
}

/// A program that was started.
#[derive(Debug)]
pub(super) struct Launched {
    /// Its process.
    pub(super) leader: Pid,
    /// The results of its way into containment; `None` where it was to have none.
    #[cfg(target_os = "linux")]
    pub(super) entered: Option<Entered>,
    /// How far it is contained; `None` where it was not to be.
    #[cfg(not(target_os = "linux"))]
    pub(super) contained: Option<Contained>,
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
        Some(Errno::ESTALE) => {
            format!("{program} was not started: another folder came to {} meanwhile", job.directory.display())
        }
        _ => format!("{program} could not be started: {error}"),
    }
}
