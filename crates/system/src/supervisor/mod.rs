//! The supervisor: one small process per run, which outlives cuff and leaves nothing of the run behind. After a run that ended by
//! itself and left nothing, it may supervise the next one.
//!
//! It is a fork of the spawner, or cuff's own binary started again as `cuff __supervise`, with a socket as its input and
//! the run's pipes as its outputs. The supervisor starts the tool, adopts every orphan of it (Linux), and reports how it
//! ended. It ends the tool when cuff asks for that or is gone, killed or not. So the end of a run depends neither on a
//! state of cuff nor on code that a dead cuff would still have to execute. One thread, no runtime.
//!
//! On Linux another process adopts the run's orphans where the supervisor is killed, and ends them: the spawner, or above a
//! second start its `keeper`.

mod child_signals;
mod events;
mod frames;
mod handover;
#[cfg(target_os = "linux")]
mod keeper;
mod launch;
pub(crate) mod process_setup;
mod protocol;
#[cfg(target_os = "linux")]
mod remaining;
mod watch;

use std::io::{self, Write};
use std::os::fd::AsFd;
#[cfg(target_os = "linux")]
use std::os::fd::RawFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::containment::{Confinement, Judge, KeptRules};
#[cfg(target_os = "linux")]
use super::own_name;
use super::run_ancestry;
pub use super::run_markers::ARGUMENT;
#[cfg(target_os = "linux")]
use super::run_markers::{CONTAINED, SUPERVISOR};
use events::EndManner;
use handover::Arriving;
use nix::unistd::Pid;
use protocol::JobOrder;
pub(crate) use protocol::{HANG_UP, INTERRUPT, KILL, RESUME, STOP, SUSPEND, SupervisorNotice};
pub use protocol::{Job, ProcessEnd};

/// Supervises one run, in a second start of cuff: the job comes over standard input, which is a socket to cuff.
pub fn main() -> ExitCode {
    match supervise_start() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(io::stderr(), "cuff {ARGUMENT} is started by cuff itself, not by hand: {error}");
            ExitCode::FAILURE
        }
    }
}

fn supervise_start() -> io::Result<u8> {
    process_setup::prepare(&[])?;
    process_setup::take_terminal()?;
    #[cfg(target_os = "linux")]
    if let Some(code) = keeper::split()? {
        return Ok(code);
    }
    supervise(job_socket()?, None, &mut KeptRules::default())?;
    Ok(0)
}

/// The supervisor of one run after the other: a fork of the spawner, which leads a session.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct SupervisorFork {
    spawner: Pid,
    kept: KeptRules,
}

#[cfg(target_os = "linux")]
impl SupervisorFork {
    /// Becomes a supervisor that keeps the first three descriptors and these.
    ///
    /// # Errors
    /// The operating system's.
    pub(crate) fn begin(kept: &[RawFd]) -> io::Result<Self> {
        let spawner = Pid::parent();
        process_setup::prepare(kept)?;
        process_setup::adopt_orphans()?;
        Ok(Self { spawner, kept: KeptRules::default() })
    }

    /// Supervises a run whose job comes over standard input, as to a second start. Returns whether this process is as it was
    /// before, and may supervise another one.
    ///
    /// # Errors
    /// When the job does not come, or the operating system has no room.
    pub(crate) fn supervise(&mut self) -> io::Result<bool> {
        own_name::set(SUPERVISOR);
        process_setup::take_terminal()?;
        let mut cuff = job_socket()?;
        cuff.write_all(&SupervisorNotice::Here(Pid::this().as_raw().cast_unsigned()).encode())?;
        supervise(cuff, Some(self.spawner), &mut self.kept)
    }
}

fn job_socket() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Supervises a run. Returns whether nothing is left of it in this process or below.
fn supervise(mut cuff: UnixStream, spawner: Option<Pid>, kept: &mut KeptRules) -> io::Result<bool> {
    let mut arriving = Arriving::at(&cuff);
    let order = JobOrder::read(&mut arriving)?;
    let input = arriving.input();
    if !order.job.is_persons {
        run_ancestry::mark(false);
    }
    // This process leads the session then, or its parent does, so that the run's group is never an orphan, which Ctrl-Z would
    // not stop.
    let terminal = process_setup::output_terminal()?;
    let is_at_terminal = terminal.is_some();
    // cuff's end closes the input of a process that it speaks with, and a terminal: the first hint to end.
    let has_hint = order.job.converses || is_at_terminal;
    let at_cuffs_end = if has_hint { EndManner::HangUp } else { EndManner::Terminate };
    let launched = match launch::launch(&order, input, terminal, kept) {
        Ok(launched) => launched,
        Err(reason) => {
            cuff.write_all(&SupervisorNotice::NotStarted(reason).encode())?;
            return Ok(!is_at_terminal);
        }
    };
    // From here on errors would leave the tool alone. So none may end the supervisor but a failure to watch
    // at all, and then the parent-death signal ends the tool.
    let _ = process_setup::release_output();
    let leader = launched.leader;
    let judge = judge_of(launched, order.job.confinement, &mut cuff);
    let _ = cuff.write_all(&SupervisorNotice::Started(leader.as_raw().cast_unsigned()).encode());
    let detached = if order.job.ends_detached { watch::DetachedFate::End } else { watch::DetachedFate::Stay };
    let run = watch::SupervisedProcess { leader, is_at_terminal, spawner, judge };
    let is_clean = watch::RunWatch::begin(run, cuff, detached, at_cuffs_end)?.run();
    Ok(is_clean && !is_at_terminal)
}

/// Tells cuff how far a run is contained, and begins to judge the run's calls.
#[cfg(target_os = "linux")]
fn judge_of(launched: launch::Launched, rules: Option<Confinement>, cuff: &mut UnixStream) -> Option<Judge> {
    let (entered, rules) = (launched.entered?, rules?);
    if entered.holds_processes {
        own_name::set(CONTAINED);
    }
    let _ = cuff.write_all(&SupervisorNotice::Contained(entered.contained).encode());
    Some(Judge::begin(rules, entered.listener?))
}

/// Tells cuff that a run is not contained, where it was to be.
#[cfg(not(target_os = "linux"))]
fn judge_of(launched: launch::Launched, _: Option<Confinement>, cuff: &mut UnixStream) -> Option<Judge> {
    let _ = cuff.write_all(&SupervisorNotice::Contained(launched.contained?).encode());
    None
}
