//! A process that cuff exchanges lines with over its standard input and output.

use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::Environment;
use super::process::Supervisor;

/// A process that answers; killed when this is dropped.
#[derive(Debug)]
pub struct Companion {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Companion {
    /// Starts cuff itself with these arguments. Both share our standard error.
    ///
    /// # Errors
    /// When it could not be started.
    #[expect(clippy::disallowed_methods, reason = "this is sys; what is started is cuff")]
    pub fn start<Word: AsRef<OsStr>>(
        cuff: &Supervisor,
        environment: &Environment,
        arguments: impl IntoIterator<Item = Word>,
    ) -> io::Result<Self> {
        let mut command = std::process::Command::new(cuff.path());
        command
            .args(arguments)
            .env_clear()
            .envs(environment.variables())
            .current_dir(environment.directory());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (sender, receiver) = channel();
        thread::spawn(move || {
            let lines = output.map(BufReader::new).into_iter().flat_map(BufReader::lines);
            // A line that is not UTF-8 is no line of a protocol, and counts as the end.
            let _ = lines.map_while(Result::ok).try_for_each(|line| sender.send(line));
        });
        Ok(Self { process, input, output: receiver })
    }

    /// Says a line.
    ///
    /// # Errors
    /// When it does not listen any more.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{line}")
    }

    /// The next line, as long as patience lasts; `None` also when it says nothing more.
    pub fn hear(&self, patience: Duration) -> Option<String> {
        self.output.recv_timeout(patience).ok()
    }

    /// Closes the input. Returns the rest of its lines, until it ends or patience does.
    pub fn hang_up(&mut self, patience: Duration) -> Vec<String> {
        self.input = None;
        std::iter::from_fn(|| self.hear(patience)).collect()
    }

    /// The exit code, after the end of its output. Kills a process that does not end within two seconds.
    pub fn end(mut self) -> Option<i32> {
        // A process that goes on after the end of its output does not end by itself.
        let status = (0..100).find_map(|_| {
            let status = self.process.try_wait().ok().flatten();
            if status.is_none() {
                thread::sleep(Duration::from_millis(20));
            }
            status
        });
        status.and_then(|status| status.code())
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
