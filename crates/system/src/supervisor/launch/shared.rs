//! The start of a program on Linux: between fork and exec the child borrows the memory of this process, which stands still.
//!
//! An ordinary fork copies the tables of all memory, and the first write to each page afterwards costs a fault. For a process
//! whose next step is an exec that is the larger part of its cost.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use nix::errno::Errno;
use nix::libc;
use nix::sched::{CloneFlags, clone};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, SigmaskHow, Signal, sigaction};
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, dup2_stdin, fchdir, setpgid, setsid, tcsetpgrp};

use super::program::LaunchProgram;
use crate::containment::Entrance;

/// How many bytes of stack the child has, beside those for its words: a script without a first line is given to the shell with a
/// copy of the list of words.
const STACK: usize = 256 * 1024;

/// Starts a program whose process ends when this one does.
///
/// To be called while there is one thread: the parent-death signal follows the thread that forked.
///
/// # Errors
/// The operating system's, of any step up to the exec; `InvalidInput` for a word with a NUL byte in it.
pub(super) fn start(program: &LaunchProgram<'_>, entrance: Option<&Entrance>) -> io::Result<Pid> {
    let path = program.path().as_os_str();
    let words = ExecTexts::of([path].into_iter().chain(program.arguments()).map(OsStr::to_owned))?;
    let variables = program.variables().into_iter().map(|(mut variable, value)| {
        variable.push("=");
        variable.push(value);
        variable
    });
    let variables = ExecTexts::of(variables)?;
    let folder = CString::new(program.folder.path().as_os_str().as_bytes())?;
    let enter = |entrance: &Entrance| entrance.pass(&folder, &program.folder);
    let mut stack = vec![0; STACK + size_of_val(&*words.pointers)];
    let (supervisor, failure) = (Pid::this(), AtomicI32::new(0));
    let steps = || {
        let prepared = prepare(program, supervisor).and_then(|()| entrance.map_or(Ok(()), enter));
        let error = prepared.err().unwrap_or_else(|| execute(&words, &variables));
        failure.store(error as i32, Ordering::Relaxed);
        1
    };
    // No handler of this process may run in the child, which has its memory.
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let mut flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    if let Some(entrance) = entrance {
        // Until the exec both have one table of descriptors, so that the judge's arrives here: the child could not send it.
        flags |= CloneFlags::CLONE_FILES | entrance.namespaces();
    }
    // SAFETY: this process stands still until the child has executed the program or has ended. Until then the child only
    // makes system calls, allocates nothing, and writes to its own stack and to `failure`, all of which outlive it.
    #[expect(unsafe_code, reason = "the start of a process that shares memory is not to be had otherwise")]
    let child = unsafe { clone(Box::new(steps), &mut stack, flags, Some(libc::SIGCHLD)) };
    let _ = before.thread_set_mask();
    let child = child?;
    match failure.load(Ordering::Relaxed) {
        0 => Ok(child),
        error => {
            let _ = waitpid(child, None);
            Err(io::Error::from_raw_os_error(error))
        }
    }
}

/// In the child: its folder, its session or group, the supervisor's death as its own, its input, and signals as at boot.
fn prepare(program: &LaunchProgram<'_>, supervisor: Pid) -> nix::Result<()> {
    // The folder that was opened, even if its name leads elsewhere by now.
    fchdir(&program.folder)?;
    if let Some(terminal) = &program.terminal {
        // Here the kernel stops no process that takes a terminal from another group: all signals are blocked.
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        tcsetpgrp(terminal, Pid::this())?;
    } else {
        setsid()?;
    }
    set_pdeathsig(Signal::SIGKILL)?;
    // The supervisor may have died before the line above asked for the signal.
    if Pid::parent() != supervisor {
        return Err(Errno::ESRCH);
    }
    dup2_stdin(program.input.as_fd())?;
    let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    // SAFETY: the action is the default one. Handlers are not shared with the parent.
    #[expect(unsafe_code, reason = "Rust ignores this signal, and an exec would hand that on")]
    unsafe { sigaction(Signal::SIGPIPE, &default) }?;
    SigSet::empty().thread_set_mask()
}

/// In the child: becomes the program. Returns only the reason why it cannot.
fn execute(words: &ExecTexts, variables: &ExecTexts) -> Errno {
    // SAFETY: both lists end with a null pointer, and their texts outlive the call. The library's own search for the file
    // and its copy of the words are on the stack, which has room for them.
    #[expect(unsafe_code, reason = "the library's own call allocates its lists between fork and exec")]
    unsafe {
        libc::execvpe(words.pointers[0], words.pointers.as_ptr(), variables.pointers.as_ptr());
    }
    Errno::last()
}

/// Texts as an exec takes them.
struct ExecTexts {
    /// Pointers into the texts, and a null pointer.
    pointers: Vec<*const libc::c_char>,
    _texts: Vec<CString>,
}

impl ExecTexts {
    fn of(texts: impl Iterator<Item = OsString>) -> io::Result<Self> {
        let texts: Vec<CString> =
            texts.map(|text| CString::new(text.into_vec())).collect::<Result<_, _>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect();
        Ok(Self { pointers, _texts: texts })
    }
}
