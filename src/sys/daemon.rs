//! cuff as a process that outlives the one that starts it.

use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::Stdio;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};

use super::process::Supervisor;
use super::{Environment, descriptors};

/// A process of its own session, without a terminal. Dropping this leaves it running.
#[derive(Debug)]
pub struct Daemon {
    process: Box<dyn ChildWrapper>,
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
    #[expect(clippy::disallowed_methods, reason = "this is sys; what is started is cuff")]
    pub fn start<Word: AsRef<OsStr>>(
        cuff: &Supervisor,
        program: &str,
        environment: &Environment,
        arguments: impl IntoIterator<Item = Word>,
        log: std::fs::File,
    ) -> io::Result<Self> {
        let mut command = std::process::Command::new(cuff.path());
        command
            .arg0(program)
            .args(arguments)
            .env_clear()
            .envs(environment.variables())
            .current_dir(environment.directory())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log);
        let process = CommandWrap::from(command).wrap(ProcessSession).spawn()?;
        Ok(Self { process })
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The first line of its standard output.
    pub fn first_line(&mut self, patience: Duration) -> FirstLine {
        let Some(output) = self.process.stdout().take() else { return FirstLine::Ended };
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

    /// Kills it, where it is of no use.
    pub fn kill(mut self) {
        let _ = self.process.kill();
    }
}

/// Closes the descriptors that came along with this process, before it opens any of its own. A host that
/// leaked a pipe would wait for this process to end.
pub fn close_inherited() {
    descriptors::close_all_but(&[]);
}

/// Lets go of the inherited streams, once it has said what there was to say to its starter: standard output
/// leads nowhere from now on.
pub fn leave_starter() {
    let Ok(nowhere) = null() else { return };
    // Standard output stays open where that fails, and nobody reads it.
    let _ = nix::unistd::dup2_stdout(&nowhere);
}

fn null() -> io::Result<std::fs::File> {
    std::fs::File::options().write(true).open("/dev/null")
}
