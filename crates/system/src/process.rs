//! cuff's side of a run: starts its supervisor, and reads its messages.

mod own;
mod own_terminal;
mod start;
mod supervising;

use std::io::{self, IsTerminal};
use std::os::fd::{AsFd as _, AsRawFd, OwnedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::libc::SIGINT;
use nix::sys::signal::Signal;
use nix::sys::socket::{MsgFlags, recv, send};
use nix::unistd::Pid;
use own_terminal::{OwnTerminal, resized};
use start::{StartedSupervisor, StreamEnds, pipe};
use supervising::Supervising;
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::task::JoinHandle;

use super::outputs::Outputs;
use super::process_table::kill_marked;
use super::supervisor::{HANG_UP, INTERRUPT, KILL, RESUME, STOP, SUSPEND, SupervisorNotice};
use super::{Environment, keyboard, suspension};
use crate::model::{Contained, Denial, Leftovers, NotStarted, Stream};

pub use self::own::Supervisor;
pub use super::expected_runs::ExpectedRuns;
pub use super::run_markers::MARKER;
pub use super::supervisor::{Job, ProcessEnd};

/// The exit code of a program that Ctrl-C has ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// How long the processes of a run whose supervisor was killed are looked for and killed.
const PERSISTENCE: Duration = Duration::from_secs(2);

/// The pipes of a run's outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pipes {
    /// One for standard output and one for standard error: separate, but their order is uncertain.
    Two,
    /// One for both: all of it comes in the order in which it was printed, as [`Stream::Both`].
    One,
    /// A pseudo-terminal beside the person's own. An output of this process that is a terminal is one for the run too;
    /// where both are, what it prints comes as [`Stream::Both`]. A redirected one is a pipe. The keys go to the run, unless
    /// it reads another input.
    Terminal,
    /// The outputs of this process itself. No [`RunEvent::Output`] comes of them.
    Own,
}

/// An event of a run. Outputs go on until their ends, even after the process has ended.
#[derive(Debug, PartialEq, Eq)]
pub enum RunEvent<'a> {
    /// It runs, under this process id, which is the id of its group and session too.
    Started(u32),
    /// How much of its containment the kernel holds. It comes before the start.
    Contained(Contained),
    /// Something that it was refused. All of them come at the end.
    Denied(Denial),
    /// It could not be started; nothing but the ends of the outputs follows.
    NotStarted(NotStarted),
    /// It printed this.
    Output(Stream, &'a [u8]),
    /// The process that was started ended; its own children may go on.
    Ended(ProcessEnd),
    /// The run is not supervised any more, with these leftovers.
    Left(Leftovers),
    /// The supervisor was killed; everything that could be found of the run was killed after it.
    Lost,
}

impl RunEvent<'_> {
    /// The same event apart from this run; `None` for output, which the run holds.
    pub fn without_output(self) -> Option<RunEvent<'static>> {
        Some(match self {
            Self::Started(leader) => RunEvent::Started(leader),
            Self::Contained(contained) => RunEvent::Contained(contained),
            Self::Denied(denial) => RunEvent::Denied(denial),
            Self::NotStarted(why) => RunEvent::NotStarted(why),
            Self::Output(..) => return None,
            Self::Ended(end) => RunEvent::Ended(end),
            Self::Left(leftovers) => RunEvent::Left(leftovers),
            Self::Lost => RunEvent::Lost,
        })
    }
}

/// A run under way. Dropping it ends it: the supervisor sees the socket close, and kills everything.
#[derive(Debug)]
pub struct Running {
    /// Whether what it prints comes as one stream.
    is_one_stream: bool,
    outputs: Outputs,
    /// The person's side of the run's pseudo-terminal.
    terminal: Option<OwnTerminal>,
    control: Option<UnixStream>,
    arrived: Vec<u8>,
    marker: String,
    leader: Option<Pid>,
    /// Whether the last notice came: the control socket may end then.
    reported: bool,
    sweep: Option<JoinHandle<()>>,
    supervising: Supervising,
}

/// cuff's ends of the standard streams of a process that it exchanges messages with.
#[derive(Debug)]
pub struct Streams {
    /// The standard input of the process, until this is dropped.
    pub input: Sender,
    /// Its standard output.
    pub out: Receiver,
    /// Its standard error.
    pub err: Receiver,
}

/// Starts a supervisor with this environment and gives it the job, which reads this input; else the keys of the person at a
/// [terminal](Pipes::Terminal), where this process has them, or nothing.
///
/// # Errors
/// When the supervisor could not be started. An error of the job itself comes as [`RunEvent::NotStarted`].
pub async fn spawn(
    supervisor: &Supervisor,
    environment: &Environment,
    job: &Job,
    pipes: Pipes,
    input: Option<OwnedFd>,
) -> io::Result<Running> {
    let new_pipe = || {
        let (ours, its) = pipe()?;
        Ok::<_, io::Error>((ours, OwnedFd::from(its)))
    };
    let (ends, outputs, terminal) = match pipes {
        Pipes::Terminal => {
            let reads_keys = input.is_none() && keyboard::is_in_foreground();
            let (terminal, screen, its) = OwnTerminal::open(reads_keys)?;
            let input = if reads_keys { Some(its.try_clone()?) } else { input };
            let are_shown = (io::stdout().is_terminal(), io::stderr().is_terminal());
            let ((out, its_out), (err, its_err)) = match are_shown {
                (true, true) => ((screen, its.try_clone()?), (None, its)),
                (true, false) => {
                    let (err, its_err) = new_pipe()?;
                    ((screen, its), (Some(err), its_err))
                }
                (false, _) => (new_pipe()?, (Some(screen), its)),
            };
            let ends = StreamEnds { input, out: its_out, err: its_err };
            (ends, Outputs::new(Some(out), err), Some(terminal))
        }
        Pipes::Own => {
            let out = io::stdout().as_fd().try_clone_to_owned()?;
            let err = io::stderr().as_fd().try_clone_to_owned()?;
            (StreamEnds { input, out, err }, Outputs::new(None, None), None)
        }
        Pipes::Two => {
            let ((out, its_out), (err, its_err)) = (new_pipe()?, new_pipe()?);
            let ends = StreamEnds { input, out: its_out, err: its_err };
            (ends, Outputs::new(Some(out), Some(err)), None)
        }
        Pipes::One => {
            let (out, its) = new_pipe()?;
            let ends = StreamEnds { input, out: its.try_clone()?, err: its };
            (ends, Outputs::new(Some(out), None), None)
        }
    };
    let started = start::start(supervisor, environment, job, ends).await?;
    Ok(Running::new(started, outputs, terminal))
}

/// Starts a supervisor with this environment and gives it a job to speak with. No [`RunEvent::Output`] comes of it: its
/// outputs are for the caller to read.
///
/// # Errors
/// As [`spawn`].
pub async fn spawn_with_streams(
    supervisor: &Supervisor,
    environment: &Environment,
    job: &Job,
) -> io::Result<(Running, Streams)> {
    let (its_input, input) = io::pipe()?;
    let input = Sender::from_owned_fd(OwnedFd::from(input))?;
    let ((out, its_out), (err, its_err)) = (pipe()?, pipe()?);
    let ends = StreamEnds { input: Some(its_input.into()), out: its_out.into(), err: its_err.into() };
    let job = Job { converses: true, ..job.clone() };
    let started = start::start(supervisor, environment, &job, ends).await?;
    let running = Running::new(started, Outputs::new(None, None), None);
    Ok((running, Streams { input, out, err }))
}

impl Running {
    fn new(started: StartedSupervisor, outputs: Outputs, terminal: Option<OwnTerminal>) -> Self {
        let StartedSupervisor { control, arrived, marker, supervising } = started;
        Self {
            is_one_stream: outputs.are_one(),
            outputs,
            terminal,
            control: Some(control),
            arrived,
            marker,
            leader: None,
            reported: false,
            sweep: None,
            supervising,
        }
    }

    /// The next event, in order of arrival; `None` after the last one. Cancel safe.
    pub async fn next(&mut self) -> Option<RunEvent<'_>> {
        loop {
            match SupervisorNotice::take(&mut self.arrived) {
                Ok(Some(SupervisorNotice::Stopped)) => {
                    self.stand_still();
                    continue;
                }
                Ok(Some(notice)) => match self.note(notice) {
                    Some(event) => return Some(event),
                    None => continue,
                },
                Ok(None) => {}
                Err(_) => {
                    self.abandon();
                    self.lose();
                }
            }
            if self.reported && self.sweep.is_none() && !self.outputs.are_open() {
                return None;
            }
            tokio::select! {
                read = self.outputs.next(), if self.outputs.are_open() => {
                    if let Some((stream, length)) = read {
                        let bytes = self.outputs.bytes(stream, length);
                        let stream = if self.is_one_stream { Stream::Both } else { stream };
                        return Some(RunEvent::Output(stream, bytes));
                    }
                }
                end = hear(&mut self.control, &mut self.arrived), if self.control.is_some() => {
                    if end {
                        self.lose();
                    }
                }
                () = resized(&mut self.terminal), if self.terminal.is_some() => {}
                () = finish(&mut self.sweep), if self.sweep.is_some() => {
                    self.sweep = None;
                    return Some(RunEvent::Lost);
                }
                else => return None,
            }
        }
    }

    /// Asks the supervisor to end the run: politely, and after two seconds not. One that the tool has stopped is
    /// woken for it.
    pub fn stop(&mut self) {
        self.give_terminal_back();
        self.ask(STOP);
    }

    /// Asks it to end the run of a process that has nothing to read any more. The process may end by itself
    /// for two seconds, and is stopped then.
    pub fn hang_up(&mut self) {
        self.ask(HANG_UP);
    }

    /// Asks it to end the run as a shell does at Ctrl-C: the tool's group is interrupted. Processes that do
    /// not end are stopped after that.
    pub fn interrupt(&mut self) {
        self.give_terminal_back();
        self.ask(INTERRUPT);
    }

    /// Asks it to kill everything at once.
    pub fn kill(&mut self) {
        self.give_terminal_back();
        self.ask(KILL);
    }

    /// Lets all of the run stand still, and then this process; returns when that goes on, and the run with it.
    pub fn suspend(&self) {
        self.ask(SUSPEND);
        self.without_keys(suspension::stop);
        self.ask(RESUME);
    }

    /// The run has stopped at its terminal. Stops this process and its group as well, as the person's shell expects it,
    /// and lets the run go on when that lets this process go on.
    fn stand_still(&self) {
        self.without_keys(suspension::stop_group);
        self.ask(RESUME);
    }

    /// The next keys are for the person's shell, and cuff's own words for an ordinary terminal.
    fn give_terminal_back(&self) {
        if let Some(terminal) = &self.terminal {
            terminal.give_back();
        }
    }

    /// Stops while the person's terminal is as the shell left it.
    fn without_keys(&self, stop: fn()) {
        let Some(terminal) = &self.terminal else { return stop() };
        terminal.without_keys(stop);
    }

    /// Whether the person ended it so with Ctrl-C at its terminal, a moment ago.
    pub fn was_interrupted(&self, end: ProcessEnd) -> bool {
        let says_so = matches!(end, ProcessEnd::Exited(INTERRUPTED) | ProcessEnd::Signalled(SIGINT));
        end != ProcessEnd::Exited(0)
            && self.terminal.as_ref().is_some_and(|terminal| terminal.has_interrupted(says_so))
    }

    fn ask(&self, what: u8) {
        if self.reported {
            // The supervisor may be that of another run by now.
            return;
        }
        self.supervising.signal(Signal::SIGCONT);
        if let Some(control) = &self.control {
            // Not through the runtime, which may not have looked yet whether the socket takes bytes, and then says that it does not.
            // Rust ignores SIGPIPE, so that a supervisor that is gone is an error here.
            let _ = send(control.as_raw_fd(), &[what], MsgFlags::MSG_DONTWAIT);
        }
    }

    /// Kills a supervisor that does not answer. The rest is as if another process had killed it.
    pub fn abandon(&mut self) {
        if !self.reported {
            self.supervising.signal(Signal::SIGKILL);
        }
    }

    /// The event of a notice; a stop at the terminal is none, and neither is the supervisor's own start.
    fn note(&mut self, notice: SupervisorNotice) -> Option<RunEvent<'static>> {
        self.reported |= matches!(notice, SupervisorNotice::NotStarted(_) | SupervisorNotice::Left(_));
        Some(match notice {
            SupervisorNotice::Here(_) | SupervisorNotice::Stopped => return None,
            SupervisorNotice::Started(pid) => {
                self.leader = Some(Pid::from_raw(pid.cast_signed()));
                RunEvent::Started(pid)
            }
            SupervisorNotice::Contained(contained) => RunEvent::Contained(contained),
            SupervisorNotice::Denied(denial) => RunEvent::Denied(denial),
            SupervisorNotice::NotStarted(reason) => RunEvent::NotStarted(reason),
            SupervisorNotice::Ended(end) => {
                self.give_terminal_back();
                RunEvent::Ended(end)
            }
            SupervisorNotice::Left(leftovers) => RunEvent::Left(leftovers),
        })
    }

    /// Whether the socket has ended without a last notice, as far as nobody has heard of it yet.
    fn has_lost_supervisor(&mut self) -> bool {
        let Some(control) = &self.control else { return false };
        if !hear_now(control, &mut self.arrived) {
            return false;
        }
        while let Ok(Some(notice)) = SupervisorNotice::take(&mut self.arrived) {
            self.note(notice);
        }
        !self.reported
    }

    /// The socket ended. Before the last notice, that is a supervisor that was killed.
    fn lose(&mut self) {
        self.control = None;
        self.arrived.clear();
        if !self.reported {
            self.reported = true;
            // The tool may have stopped a keeper, which ends the run as well: it knows what has no variable of the run.
            self.supervising.signal(Signal::SIGCONT);
            let (leader, marker) = (self.leader, self.marker.clone());
            let sweep = move || kill_marked(leader, MARKER, &marker, PERSISTENCE);
            self.sweep = Some(tokio::task::spawn_blocking(sweep));
        }
    }
}

impl Drop for Running {
    /// A supervisor that lives ends the run. The rest of one that was killed is killed before this process can end.
    fn drop(&mut self) {
        let is_lost = self.sweep.is_some() || !self.reported && self.has_lost_supervisor();
        if is_lost {
            kill_marked(self.leader, MARKER, &self.marker, PERSISTENCE);
        }
    }
}

async fn finish(sweep: &mut Option<JoinHandle<()>>) {
    if let Some(sweep) = sweep {
        let _ = sweep.await;
    }
}

/// Reads messages of the supervisor. Returns true at the end of the socket.
async fn hear(control: &mut Option<UnixStream>, arrived: &mut Vec<u8>) -> bool {
    match control {
        Some(control) => control.read_buf(arrived).await.unwrap_or(0) == 0,
        None => true,
    }
}

/// Reads what of these messages is there. Returns true at the end of the socket.
fn hear_now(control: &UnixStream, arrived: &mut Vec<u8>) -> bool {
    let mut some = [0; 256];
    // Not by the runtime, which may be over, or have other things to do first.
    loop {
        match recv(control.as_raw_fd(), &mut some, MsgFlags::MSG_DONTWAIT) {
            Ok(0) => return true,
            Ok(count) => arrived.extend_from_slice(&some[..count]),
            Err(Errno::EINTR) => {}
            Err(error) => return error != Errno::EAGAIN,
        }
    }
}
