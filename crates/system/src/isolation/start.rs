//! cuff's side: the start of such a process, and its end.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;

use tokio::process::{Child, ChildStdin, ChildStdout};

use super::ARGUMENT;
use crate::process::Supervisor;

/// A process at the other end of two pipes. Dropping it kills it.
#[derive(Debug)]
pub struct Isolated {
    process: Child,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// Since it tried something that the kernel refuses.
    Forbidden,
    /// Since its processor time was over.
    TimeOver,
    /// By its own hand: without memory, or where something cannot be true.
    GaveUp,
}

/// Starts cuff as such a process, within a tokio runtime.
///
/// # Errors
/// When it could not be started.
#[expect(clippy::disallowed_methods, reason = "this is sys; what is started is cuff")]
pub fn start(cuff: &Supervisor) -> io::Result<(Isolated, ChildStdin, ChildStdout)> {
    let mut command = tokio::process::Command::new(cuff.path());
    command
        .arg0("toolscript")
        .arg(ARGUMENT)
        .env_clear()
        .current_dir("/")
        // Keys typed at the terminal are for cuff, which ends this process itself.
        .process_group(0)
        .kill_on_drop(true)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut process = command.spawn()?;
    let pipes = process.stdin.take().zip(process.stdout.take());
    let (input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
    Ok((Isolated { process }, input, output))
}

impl Isolated {
    /// The process id, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// How it ended, once it has. Ask where its output ended: it has nothing left to do then.
    ///
    /// # Errors
    /// When the operating system does not tell.
    pub async fn ended(&mut self) -> io::Result<Exit> {
        let status = self.process.wait().await?;
        Ok(match status.signal() {
            Some(nix::libc::SIGSYS) => Exit::Forbidden,
            Some(nix::libc::SIGXCPU) => Exit::TimeOver,
            Some(nix::libc::SIGABRT) => Exit::GaveUp,
            Some(signal) => Exit::Signal(signal),
            None => Exit::Code(status.code().unwrap_or_default()),
        })
    }

    /// Kills it and waits for its end.
    pub async fn end(mut self) {
        // One that is gone already is dead enough.
        let _ = self.process.kill().await;
    }
}
