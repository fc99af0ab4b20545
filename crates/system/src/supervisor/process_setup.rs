//! The supervisor's changes to its own process before it starts anything.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd, RawFd};

use nix::libc::TIOCSCTTY;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

use crate::run_markers::SUPERVISOR;
use crate::{descriptors, own_name, process_hardening, run_ancestry};

nix::ioctl_write_int_bad!(make_controlling, TIOCSCTTY);

/// Keeps others out, marks all runs of this process as far as that holds for each, closes inherited descriptors but the first three and these, and sets
/// signals as at boot.
pub(super) fn prepare(kept: &[RawFd]) -> io::Result<()> {
    process_hardening::keep_out();
    run_ancestry::mark(true);
    own_name::set(SUPERVISOR);
    descriptors::close_all_but(kept);
    calm_signals()
}

/// Takes the terminal that an output of the run is, if one is, for the session of this process.
pub(super) fn take_terminal() -> io::Result<()> {
    if let Some(terminal) = output_terminal()? {
        // SAFETY: the descriptor is open until the end of this block, and the kernel takes no address.
        #[expect(unsafe_code, reason = "only an ioctl gives a session its terminal")]
        unsafe { make_controlling(terminal.as_raw_fd(), 0) }?;
    }
    Ok(())
}

/// The run's terminal: the output of this process that is one, as long as it has not been [released](release_output).
///
/// # Errors
/// For an operating system that has no room for another descriptor.
pub(super) fn output_terminal() -> io::Result<Option<OwnedFd>> {
    let (out, err) = (io::stdout(), io::stderr());
    let terminal = [out.as_fd(), err.as_fd()].into_iter().find(IsTerminal::is_terminal);
    terminal.map(|terminal| terminal.try_clone_to_owned()).transpose()
}

/// Adopts the run's orphans.
#[cfg(target_os = "linux")]
pub(super) fn adopt_orphans() -> io::Result<()> {
    nix::sys::prctl::set_child_subreaper(true)?;
    // A tool may have stopped this process: its parent's death lets it go on.
    nix::sys::prctl::set_pdeathsig(Signal::SIGCONT)?;
    Ok(())
}

/// Lets go of the first three descriptors.
#[cfg(target_os = "linux")]
pub(crate) fn release_streams() -> io::Result<()> {
    let nowhere = File::options().read(true).open("/dev/null")?;
    nix::unistd::dup2_stdin(&nowhere)?;
    release_output()
}

/// Lets go of the tool's two pipes, so that their end is the tool's end.
pub(super) fn release_output() -> io::Result<()> {
    let nowhere = File::options().read(true).write(true).open("/dev/null")?;
    nix::unistd::dup2_stdout(&nowhere)?;
    nix::unistd::dup2_stderr(&nowhere)?;
    Ok(())
}

/// Sets default dispositions and an empty mask, which the tool inherits. The polite signals to end a process
/// do not end the supervisor, which ends when its work is done. Handlers, unlike ignored signals, are not
/// inherited.
pub(crate) fn calm_signals() -> io::Result<()> {
    for signal in Signal::iterator() {
        match signal {
            // Rust ignores SIGPIPE for this process and resets it for those it starts. Its handlers of the
            // two memory faults report a stack overflow.
            Signal::SIGKILL | Signal::SIGSTOP | Signal::SIGPIPE | Signal::SIGSEGV | Signal::SIGBUS => {}
            Signal::SIGHUP | Signal::SIGINT | Signal::SIGQUIT | Signal::SIGTERM => {
                set_to(signal, SigHandler::Handler(stay))?;
            }
            _ => {
                set_to(signal, SigHandler::SigDfl)?;
            }
        }
    }
    SigSet::empty().thread_set_mask()?;
    Ok(())
}

/// Lets a signal interrupt what this process waits for, and do nothing else.
#[cfg(target_os = "linux")]
pub(crate) fn hear(signal: Signal) -> io::Result<()> {
    set_to(signal, SigHandler::Handler(stay))
}

fn set_to(signal: Signal, handler: SigHandler) -> io::Result<()> {
    let action = SigAction::new(handler, SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handlers are the default one and `stay`, which does nothing.
    #[expect(unsafe_code, reason = "a handler runs between any two instructions; this one is empty")]
    unsafe { sigaction(signal, &action) }?;
    Ok(())
}

extern "C" fn stay(_: nix::libc::c_int) {}
