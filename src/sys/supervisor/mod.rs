//! The supervisor: one small process per run, which outlives cuff and leaves nothing of the run behind.
//!
//! cuff starts its own binary again as `cuff __supervise`, with a socket as its input and the run's pipes as
//! its outputs. The supervisor starts the tool, adopts every orphan of it (Linux), and reports how it ended.
//! It ends the tool when cuff asks for that or is gone, killed or not. So the end of a run depends neither on
//! a state of cuff nor on code that a dead cuff would still have to execute. Plain threads, no runtime: it
//! starts in about a millisecond.
//!
//! On Linux it is two processes, of which either ends the run if the other is killed (`keeper`).

mod events;
mod handover;
#[cfg(target_os = "linux")]
mod keeper;
mod launch;
mod process_setup;
mod protocol;
mod watch;

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

pub use super::marks::ARGUMENT;
use events::Manner;
use handover::Arriving;
pub(in crate::sys) use handover::hand_over;
pub use protocol::{End, Job};
pub(in crate::sys) use protocol::{HANG_UP, INTERRUPT, KILL, LEAVE, Notice, RESUME, STOP, SUSPEND};

/// Supervises one run: the job comes over standard input, which is a socket to cuff.
pub fn main() -> ExitCode {
    match supervise() {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "cuff {ARGUMENT} is started by cuff itself, not by hand: {error}");
            ExitCode::FAILURE
        }
    }
}

fn supervise() -> io::Result<ExitCode> {
    process_setup::prepare()?;
    #[cfg(target_os = "linux")]
    if let Some(code) = keeper::split()? {
        return Ok(code);
    }
    let mut cuff = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut arriving = Arriving::at(&cuff);
    let job = Job::read(&mut arriving)?;
    let input = arriving.input();
    // cuff's end closes the input of a process that reads one, which is the first hint to end.
    let at_cuffs_end = if input.is_some() { Manner::HangUp } else { Manner::Terminate };
    let is_at_terminal = process_setup::is_at_terminal();
    let leader = match launch::launch(&job, input, is_at_terminal) {
        Ok(leader) => leader,
        Err(reason) => {
            cuff.write_all(&Notice::NotStarted(reason).encode())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    // From here on errors would leave the tool alone. So none may end the supervisor but a failure to watch
    // at all, and then the parent-death signal ends the tool.
    let _ = process_setup::release_output();
    let _ = cuff.write_all(&Notice::Started(leader.as_raw().cast_unsigned()).encode());
    let detached = if job.ends_detached { watch::Detached::End } else { watch::Detached::Stay };
    let run = watch::Run { leader, is_at_terminal };
    watch::Watch::begin(run, cuff, detached, at_cuffs_end)?.run();
    Ok(ExitCode::SUCCESS)
}
