//! Asking the person at the terminal, and knowing that it is one.

use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::{SFlag, fstat};
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};

/// Proof that a person at a terminal said yes, or that this user lets commands of his own speak for him.
#[derive(Debug)]
pub struct Yes(());

/// Whether a person can be asked: standard input and standard error are terminals.
pub fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether standard input is a pipe or a file with something in it. Nothing of it is read.
pub fn has_unread_input() -> bool {
    let input = io::stdin();
    let Ok(about) = fstat(&input) else { return false };
    match SFlag::from_bits_truncate(about.st_mode) & SFlag::S_IFMT {
        SFlag::S_IFREG => about.st_size > 0,
        SFlag::S_IFIFO => {
            let mut watched = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
            let is_told = poll(&mut watched, PollTimeout::ZERO).is_ok();
            // An end without a byte before it is no `POLLIN`.
            is_told && watched[0].revents().is_some_and(|events| events.contains(PollFlags::POLLIN))
        }
        _ => false,
    }
}

/// Asks a question that `y` or `yes` answers; everything else is no, and so is the end of input. `None` also where no
/// person can be asked.
///
/// # Errors
/// The operating system's, and [`io::ErrorKind::Interrupted`] for Ctrl-C.
pub fn ask(question: &str) -> io::Result<Option<Yes>> {
    if !is_there() {
        return Ok(None);
    }
    let mut err = io::stderr().lock();
    let answer = {
        // Before the question is seen: a quick Ctrl-C would be a signal still, and nobody's answer.
        let _keys = Keys::one_by_one()?;
        write!(err, "{question} [y/N] ")?;
        err.flush()?;
        line(&mut io::stdin().lock())
    };
    writeln!(err)?;
    let yes =
        answer?.is_some_and(|answer| ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str()));
    Ok(yes.then_some(Yes(())))
}

/// What is typed up to Enter; `None` for Ctrl-D and the end of input, an error for Ctrl-C.
fn line(keys: &mut impl Read) -> io::Result<Option<String>> {
    const CTRL_C: u8 = 3;
    const CTRL_D: u8 = 4;
    const RUBOUT: [u8; 2] = [8, 127];
    let mut typed = Vec::new();
    let mut key = [0];
    loop {
        if keys.read(&mut key)? == 0 {
            return Ok(None);
        }
        match key[0] {
            CTRL_C => return Err(io::ErrorKind::Interrupted.into()),
            CTRL_D => return Ok(None),
            b'\n' | b'\r' => return Ok(Some(String::from_utf8_lossy(&typed).into_owned())),
            key if RUBOUT.contains(&key) => _ = typed.pop(),
            key => typed.push(key),
        }
    }
}

/// A terminal that hands over each key as it comes, Ctrl-C as well: while a run is about to start that is a signal
/// which somebody else waits for. As it was again when this is dropped.
#[derive(Debug)]
pub struct Keys(Termios);

impl Keys {
    /// The same for a list that is drawn anew with each key: none is shown by the terminal itself, and none that comes
    /// while it is drawn is a signal that nobody waits for.
    ///
    /// # Errors
    /// The operating system's.
    pub fn unseen() -> io::Result<Self> {
        Self::without(LocalFlags::ICANON | LocalFlags::ISIG | LocalFlags::ECHO)
    }

    fn one_by_one() -> io::Result<Self> {
        Self::without(LocalFlags::ICANON | LocalFlags::ISIG)
    }

    fn without(flags: LocalFlags) -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut keys = before.clone();
        keys.local_flags.remove(flags);
        tcsetattr(io::stdin(), SetArg::TCSAFLUSH, &keys)?;
        Ok(Self(before))
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), SetArg::TCSADRAIN, &self.0);
    }
}

/// What a person says by typing a command (`--yes`, `cuff approve`): it counts at a terminal, or where the user's own
/// preferences let programs say it.
pub fn said(without_terminal: bool) -> Option<Yes> {
    (is_there() || without_terminal).then_some(Yes(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_with_enter_and_nothing_else_is_an_answer() {
        for (keys, expected) in [
            ("yes\n", Some("yes")),
            ("n\u{7f}y\r", Some("y")),
            ("\u{7f}y\n", Some("y")),
            ("y\u{4}", None),
            ("y", None),
        ] {
            assert_eq!(line(&mut keys.as_bytes()).unwrap().as_deref(), expected, "{keys:?}");
        }
        let left = line(&mut "y\u{3}".as_bytes()).unwrap_err();
        assert_eq!(left.kind(), io::ErrorKind::Interrupted);
    }
}
