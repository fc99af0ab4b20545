//! cuff as a process that outlives the one that starts it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use tokio::io::AsyncBufReadExt as _;
use tokio::net::unix::pipe;

use super::process::Supervisor;
use super::{Environment, descriptors};

/// The first word of a daemon that has its starter's streams; the next one is the number of a descriptor.
const ARGUMENT: &str = "__daemon";

/// A process of its own session. Dropping this leaves it running.
#[derive(Debug)]
pub struct Daemon {
    process: Box<dyn ChildWrapper>,
    /// Its words to its starter.
    said: Option<OwnedFd>,
}

/// The first thing that a daemon said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstLine {
    /// A line.
    Said(String),
    /// Nothing: it ended, or closed its output.
    Ended,
    /// Nothing in time.
    Late,
}

impl Daemon {
    /// Starts cuff itself with these arguments. It reads nothing, and its standard error goes to `log`. It
    /// inherits no other descriptor, so that a process that waits for the end of our output does not wait for
    /// it.
    ///
    /// # Errors
    /// When it could not be started.
    pub fn start<Word: AsRef<OsStr>>(
        cuff: &Supervisor,
        program: &str,
        environment: &Environment,
        arguments: impl IntoIterator<Item = Word>,
        log: File,
    ) -> io::Result<Self> {
        let mut command = command(cuff, program.as_ref(), environment);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let mut process = CommandWrap::from(command).wrap(ProcessSession).spawn()?;
        let said = process.stdout().take().map(OwnedFd::from);
        Ok(Self { process, said })
    }

    /// Starts cuff itself with these arguments. It reads nothing, and nobody reads what it says.
    ///
    /// # Errors
    /// When it could not be started.
    pub fn start_unheard<Word: AsRef<OsStr>>(
        cuff: &Supervisor,
        environment: &Environment,
        arguments: impl IntoIterator<Item = Word>,
    ) -> io::Result<Self> {
        let mut command = command(cuff, OsStr::new("cuff"), environment);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = CommandWrap::from(command).wrap(ProcessSession).spawn()?;
        Ok(Self { process, said: None })
    }

    /// Starts cuff itself with these words, of which the first is the program's name. It has the streams of this process
    /// until it [leaves](DaemonStarter::leave) them: it asks and answers as this process would.
    ///
    /// # Errors
    /// When it could not be started.
    pub fn beside(cuff: &Supervisor, environment: &Environment, words: &[OsString]) -> io::Result<Self> {
        let (said, says) = io::pipe()?;
        // A pipe ends with the program that made it, unless it is told to stay.
        fcntl(&says, FcntlArg::F_SETFD(FdFlag::empty()))?;
        let (program, arguments) = words
            .split_first()
            .map_or((OsStr::new("cuff"), words), |(program, rest)| (program.as_os_str(), rest));
        let mut command = command(cuff, program, environment);
        command.arg(ARGUMENT).arg(says.as_raw_fd().to_string()).args(arguments);
        let process = CommandWrap::from(command).wrap(ProcessSession).spawn()?;
        Ok(Self { process, said: Some(said.into()) })
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The first line of its standard output.
    pub fn first_line(&mut self, patience: Duration) -> FirstLine {
        let Some(output) = self.said.take().map(File::from) else { return FirstLine::Ended };
        let (sender, receiver) = channel();
        thread::spawn(move || {
            let mut line = String::new();
            let read = BufReader::new(output).read_line(&mut line);
            let _ = sender.send(read.ok().filter(|read| *read > 0).map(|_| line.trim_end().to_owned()));
        });
        match receiver.recv_timeout(patience) {
            Ok(Some(line)) => FirstLine::Said(line),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => FirstLine::Ended,
            Err(RecvTimeoutError::Timeout) => FirstLine::Late,
        }
    }

    /// Waits until it leaves its starter; `false` when it ended instead. Passes on each signal that comes meanwhile, by
    /// its number. Within a tokio runtime.
    pub async fn leaves(&mut self, mut signal: impl AsyncFnMut() -> i32) -> bool {
        let id = i32::try_from(self.id()).ok().map(Pid::from_raw);
        let Some(Ok(said)) = self.said.take().map(pipe::Receiver::from_owned_fd) else { return false };
        let mut line = String::new();
        let mut said = tokio::io::BufReader::new(said);
        let read = said.read_line(&mut line);
        tokio::pin!(read);
        loop {
            tokio::select! {
                read = &mut read => return matches!(read, Ok(1..)),
                number = signal() => if let (Some(id), Ok(signal)) = (id, Signal::try_from(number)) {
                    let _ = kill(id, signal);
                },
            }
        }
    }

    /// Waits for its end; its exit code, or 128 and the number of the signal that ended it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn wait(mut self) -> io::Result<i32> {
        let status = self.process.wait()?;
        Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default()))
    }

    /// Kills it, where it is of no use.
    pub fn kill(mut self) {
        let _ = self.process.kill();
    }
}

/// Cuff as a program that is about to start.
#[expect(clippy::disallowed_methods, reason = "this is sys; what is started is cuff")]
fn command(cuff: &Supervisor, program: &OsStr, environment: &Environment) -> Command {
    let mut command = Command::new(cuff.path());
    command.arg0(program).env_clear().envs(environment.variables()).current_dir(environment.directory());
    command
}

/// The process that started this one [beside](Daemon::beside) itself.
#[derive(Debug)]
pub struct DaemonStarter(File);

impl DaemonStarter {
    /// The starter, and the words without what named it; `None` for a process that is no such daemon. Closes all other
    /// descriptors that came along, so it must come before any are opened.
    pub fn of(words: &[OsString]) -> Option<(Self, Vec<OsString>)> {
        let [program, argument, number, rest @ ..] = words else { return None };
        let number = number
            .to_str()
            .filter(|_| argument == ARGUMENT)?
            .parse()
            .ok()
            .filter(|number: &RawFd| *number > 2)?;
        descriptors::close_all_but(&[number]);
        let starter = says(number).ok()?;
        // The one that was opened is not inherited by what starts here.
        let _ = nix::unistd::close(number);
        Some((Self(starter), std::iter::once(program).chain(rest).cloned().collect()))
    }

    /// Lets go of the starter's streams, and lets it end.
    pub fn leave(&self) {
        if let Ok(nowhere) = File::options().read(true).write(true).open("/dev/null") {
            let _ = nix::unistd::dup2_stdin(&nowhere);
            let _ = nix::unistd::dup2_stdout(&nowhere);
            let _ = nix::unistd::dup2_stderr(&nowhere);
        }
        // A starter that is gone waits for nothing.
        let _ = (&self.0).write_all(b"\n");
    }
}

/// The open end of a pipe, by its number, once more.
fn says(number: RawFd) -> io::Result<File> {
    File::options().write(true).open(format!("/dev/fd/{number}"))
}

/// Closes the descriptors that came along with this process, before it opens any of its own. A host that
/// leaked a pipe would wait for this process to end.
pub fn close_inherited() {
    descriptors::close_all_but(&[]);
}

/// Lets go of the inherited streams, once it has said what there was to say to its starter: standard output
/// leads nowhere from now on.
pub fn leave_starter() {
    let Ok(nowhere) = File::options().write(true).open("/dev/null") else { return };
    // Standard output stays open where that fails, and nobody reads it.
    let _ = nix::unistd::dup2_stdout(&nowhere);
}
