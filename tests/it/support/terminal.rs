//! A terminal for a program: keys in, screens out, as a person would see them.

use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::os::fd::AsFd as _;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::termios::{Termios, tcgetattr};
use nix::unistd::{Pid, tcgetpgrp};
use pty_process::blocking::{self as pty, Pty};

use crate::support::process;

/// No text and no end takes longer in a test.
const PATIENCE: Duration = Duration::from_secs(40);
/// Programs draw a screen within this time, once they began to.
const DRAWING: Duration = Duration::from_millis(150);

/// The rows and columns of a terminal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    rows: u16,
    columns: u16,
}

/// A program on a terminal of its own, while it runs. Dropping it kills the program.
pub(crate) struct Terminal {
    pty: Pty,
    child: Child,
    /// The program's output, read on a thread of its own, so that a full terminal never stops it.
    printed: Receiver<Vec<u8>>,
    has_ended: bool,
    sent: Vec<u8>,
    screen: vt100::Parser,
    /// The output since the last keys, at its place on an otherwise empty screen.
    fresh: vt100::Parser,
    size: Size,
    modes: Termios,
}

/// The screens of a terminal whose program has ended.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The exit code; 128 and the signal's number when a signal ended it.
    pub(crate) code: i32,
    /// The screen before each of the keys, and at the end.
    pub(crate) screens: Vec<String>,
    /// Whether the terminal was left as it was found: its modes, and its cursor visible.
    pub(crate) restored: bool,
    /// All that was sent.
    pub(crate) sent: Vec<u8>,
    /// All output without carriage returns, with replacement characters for invalid UTF-8.
    pub(crate) text: String,
}

impl From<u16> for Size {
    /// So many columns, and so many rows that nothing scrolls away.
    fn from(columns: u16) -> Self {
        Self { rows: 200, columns }
    }
}

impl From<(u16, u16)> for Size {
    fn from((rows, columns): (u16, u16)) -> Self {
        Self { rows, columns }
    }
}

impl Size {
    fn empty_screen(self) -> vt100::Parser {
        let (rows, columns) = self.counts();
        vt100::Parser::new(rows, columns, 0)
    }

    fn counts(self) -> (NonZero<u16>, NonZero<u16>) {
        let count = |count| NonZero::new(count).expect("a terminal that has a size");
        (count(self.rows), count(self.columns))
    }
}

impl Terminal {
    /// Starts a program as the leader of a session on a new terminal.
    pub(crate) fn start(command: Command, size: impl Into<Size>) -> Self {
        let size = size.into();
        let name = format!("{command:?}");
        let (pty, theirs) = pty::open().expect("a pseudo-terminal");
        pty.resize(pty_process::Size::new(size.rows, size.columns)).expect("a terminal of ours");
        let modes = tcgetattr(&pty).expect("a terminal of ours");
        let child =
            pty::Command::from(command).spawn(theirs).unwrap_or_else(|error| panic!("{name}: {error}"));
        let printed = read_all(&pty);
        let (screen, fresh) = (size.empty_screen(), size.empty_screen());
        Self { pty, child, printed, has_ended: false, sent: Vec::new(), screen, fresh, size, modes }
    }

    /// Waits until a text stands on the screen that was drawn since the last keys.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.fresh.screen().contents().contains(text) {
            let is_over = self.has_ended || Instant::now() > deadline;
            assert!(!is_over, "{text:?} was not shown:\n{}", String::from_utf8_lossy(&self.sent));
            self.listen(Duration::from_millis(200));
        }
    }

    /// Waits until nothing was printed for so long.
    pub(crate) fn wait_for_silence(&mut self, length: Duration) {
        let deadline = Instant::now() + PATIENCE;
        while self.listen(length) && Instant::now() < deadline {}
    }

    /// Waits until a shell reads keys: it has printed something, has been silent for so long, and nothing that it started
    /// has the terminal.
    pub(crate) fn wait_for_shell(&mut self, silence: Duration) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let is_silent = !self.listen(silence) && !self.sent.is_empty();
            if is_silent && tcgetpgrp(&self.pty).is_ok_and(|group| group == self.pid()) {
                return;
            }
            let is_over = self.has_ended || Instant::now() > deadline;
            assert!(!is_over, "no shell waits:\n{}", String::from_utf8_lossy(&self.sent));
        }
    }

    /// Types keys.
    pub(crate) fn press(&mut self, keys: &str) {
        let (row, column) = self.screen.screen().cursor_position();
        self.fresh = self.size.empty_screen();
        self.fresh.process(format!("\u{1b}[{};{}H", row + 1, column + 1).as_bytes());
        // A program that has just ended reads nothing more.
        let written = (&self.pty).write_all(keys.as_bytes());
        assert!(written.is_ok() || self.has_ended, "{written:?}");
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, size: impl Into<Size>) {
        self.size = size.into();
        self.pty
            .resize(pty_process::Size::new(self.size.rows, self.size.columns))
            .expect("a terminal of ours");
        let (rows, columns) = self.size.counts();
        self.screen.set_size(rows, columns);
        self.fresh.set_size(rows, columns);
    }

    /// The current screen as text.
    pub(crate) fn screen(&self) -> String {
        let rows = self.screen.screen().rows(0, self.size.columns);
        rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    /// Types each of the keys once its text was shown and the screen is drawn, and waits for the end.
    pub(crate) fn follow(mut self, steps: &[(&str, &str)]) -> Shown {
        let mut screens = Vec::new();
        for (text, keys) in steps {
            self.wait_for(text);
            self.wait_for_silence(DRAWING);
            screens.push(self.screen());
            self.press(keys);
        }
        let end = self.finish();
        Shown { screens: [screens, end.screens].concat(), ..end }
    }

    /// Waits for the end.
    pub(crate) fn finish(mut self) -> Shown {
        let deadline = Instant::now() + PATIENCE;
        while !self.has_ended {
            assert!(Instant::now() < deadline, "it still runs:\n{}", String::from_utf8_lossy(&self.sent));
            self.listen(Duration::from_millis(200));
        }
        let left = tcgetattr(&self.pty).expect("a terminal of ours");
        let status = self.child.wait().expect("a child of ours");
        Shown {
            code: process::code(status),
            screens: vec![self.screen()],
            restored: modes(&left) == modes(&self.modes) && !self.screen.screen().hide_cursor(),
            text: String::from_utf8_lossy(&self.sent).replace('\r', ""),
            sent: std::mem::take(&mut self.sent),
        }
    }

    /// Takes output, waiting for it so long. Returns false if there was none, or no more comes.
    fn listen(&mut self, length: Duration) -> bool {
        match self.printed.recv_timeout(length) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.fresh.process(&bytes);
                self.sent.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                self.has_ended = true;
                false
            }
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id().try_into().expect("an id of a process"))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed leaves it running.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Shown {
    /// All output, with replacement characters for invalid UTF-8.
    pub(crate) fn sent(&self) -> String {
        String::from_utf8_lossy(&self.sent).into_owned()
    }

    /// The screen at the end.
    pub(crate) fn last(&self) -> &str {
        self.screens.last().map_or("", String::as_str)
    }

    /// The same, once it is certain that the program ended with 0.
    pub(crate) fn succeeded(self) -> Self {
        self.ended_with(0)
    }

    /// The same, once it is certain that the program ended with this code.
    pub(crate) fn ended_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}", self.text);
        self
    }
}

/// Reads the terminal until no program has it open any more.
fn read_all(pty: &Pty) -> Receiver<Vec<u8>> {
    let ours = pty.as_fd().try_clone_to_owned().expect("one more descriptor");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut terminal = std::fs::File::from(ours);
        let mut bytes = vec![0; 65536];
        // Linux ends the reading with an error, other systems with nothing read.
        while let Ok(count @ 1..) = terminal.read(&mut bytes) {
            drop(sender.send(bytes[..count].to_vec()));
        }
    });
    receiver
}

/// The modes of a terminal that programs change.
fn modes(terminal: &Termios) -> impl PartialEq {
    (terminal.input_flags, terminal.output_flags, terminal.control_flags, terminal.local_flags)
}

fn shell(script: &str) -> Terminal {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Terminal::start(command, 40)
}

#[test]
fn a_terminal_shows_screens_and_how_the_program_left_it() {
    let asks =
        "printf 'old\\r\\033[Kname? '; read -r name; printf '\\033[1mhello %s\\033[0m\\n' $name; exit 3";
    let shown = shell(asks).follow(&[("name?", "me\n")]).ended_with(3);
    assert_eq!(shown.screens, ["name?", "name? me\nhello me"]);
    assert!(shown.restored && shown.text.contains("old"), "{shown:?}");
    for leaves in ["stty -echo", "printf '\\033[?25l'"] {
        assert!(!shell(leaves).finish().succeeded().restored, "{leaves}");
    }
    assert_eq!(shell("kill -9 $$").finish().code, 137);
}

#[test]
fn waiting_ignores_the_screen_before_the_last_keys() {
    let mut terminal =
        shell("stty -echo; echo again; read -r first; sleep 0.3; echo again; read -r second; stty size");
    terminal.wait_for("again");
    let pressed = Instant::now();
    terminal.press("\n");
    terminal.wait_for("again");
    assert!(pressed.elapsed() >= Duration::from_millis(300), "{:?}", pressed.elapsed());
    terminal.resize((10, 60));
    terminal.press("\n");
    assert!(terminal.finish().last().ends_with("10 60"));
}

#[test]
#[should_panic(expected = "\"never\" was not shown")]
fn a_text_that_is_not_shown_fails() {
    shell("echo ever").wait_for("never");
}
