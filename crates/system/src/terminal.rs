//! Asking the person at the terminal, and knowing that it is one.

use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, OwnedFd};

use super::keyboard;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::stat::{SFlag, fstat};
use nix::sys::termios::{FlushArg, LocalFlags, SetArg, Termios, tcflush, tcgetattr, tcsetattr};

/// Proof of consent: a person at a terminal agreed, or the user's preferences let commands agree without one.
#[derive(Debug)]
pub struct TypedConsent(());

/// Proof that a person at a terminal allowed something always. No typed option and no preference makes one.
#[derive(Debug)]
pub struct AlwaysConsent(());

/// Proof that a person can be asked at the terminal.
#[derive(Debug)]
pub struct Person(());

/// The person at the terminal, if there is one.
pub fn person() -> Option<Person> {
    is_there().then_some(Person(()))
}

/// The confirmation of a person at a terminal.
#[derive(Debug)]
pub enum Confirmed {
    /// Yes, this once.
    Once(TypedConsent),
    /// Yes, and always.
    Always(AlwaysConsent),
}

/// Whether a person can be asked: standard input and standard error are terminals.
pub fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether an output of this process is a terminal.
pub fn is_shown() -> bool {
    io::stdout().is_terminal() || io::stderr().is_terminal()
}

/// Standard input as a run reads it: a pipe or a file; the terminal itself where no output is one, so that nothing stands
/// between its keys and the run. `None` where a terminal's keys are passed on, or are another job's.
pub fn own_input() -> Option<OwnedFd> {
    let input = io::stdin();
    let is_passed = !input.is_terminal() || !is_shown() && keyboard::is_in_foreground();
    is_passed.then(|| input.as_fd().try_clone_to_owned().ok()).flatten()
}

/// Whether standard output and standard error are one terminal, pipe or file, where their order is seen.
pub fn outputs_are_one() -> bool {
    let (Ok(out), Ok(err)) = (fstat(io::stdout()), fstat(io::stderr())) else { return false };
    let is_seen = match SFlag::from_bits_truncate(out.st_mode) & SFlag::S_IFMT {
        SFlag::S_IFIFO | SFlag::S_IFREG | SFlag::S_IFSOCK => true,
        _ => io::stdout().is_terminal(),
    };
    is_seen && (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino)
}

/// Asks a question that one key answers: `y` is yes; `n`, Enter, Escape, Ctrl-D and the end of input are no.
/// All other keys, typed before or now, are no answer. Also returns `None` if no person can be asked.
///
/// # Errors
/// The operating system's, and [`io::ErrorKind::Interrupted`] for Ctrl-C.
pub fn ask(question: &str) -> io::Result<Option<TypedConsent>> {
    if !is_there() {
        return Ok(None);
    }
    let said = put(&format!("{question} [y/N]"), &[])?;
    Ok((said == KeyReply::Yes).then_some(TypedConsent(())))
}

/// Asks a question as [`ask`] does, with two keys more: `a` is always, and `d` shows `details` and asks again.
///
/// # Errors
/// As [`ask`].
pub fn ask_to_confirm(question: &str, details: &str) -> io::Result<Option<Confirmed>> {
    if !is_there() {
        return Ok(None);
    }
    let keys = "y yes, n no, a always until it changes, d details [y/N/a/d]";
    let mut asked = format!("{question}\n{keys}");
    loop {
        match put(&asked, &[KeyReply::Always, KeyReply::Details])? {
            KeyReply::Yes => return Ok(Some(Confirmed::Once(TypedConsent(())))),
            KeyReply::Always => return Ok(Some(Confirmed::Always(AlwaysConsent(())))),
            KeyReply::No => return Ok(None),
            KeyReply::Details => {
                writeln!(io::stderr().lock(), "{details}")?;
                // The question stands above it; its last line is what is answered.
                let last = question.rsplit('\n').next().unwrap_or_default();
                asked = format!("{last}\n{keys}");
            }
        }
    }
}

/// An answer by one key, or by its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyReply {
    Yes,
    No,
    Always,
    Details,
}

impl KeyReply {
    /// The word that stays on the screen; its first letter is the key.
    fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Always => "always",
            Self::Details => "details",
        }
    }
}

/// Puts a question once.
fn put(question: &str, more: &[KeyReply]) -> io::Result<KeyReply> {
    let mut err = io::stderr().lock();
    let answer = {
        // Before the question is seen: a quick Ctrl-C would still be a signal, and no answer.
        let _keys = KeyMode::unseen()?;
        write!(err, "{question} ")?;
        err.flush()?;
        answer(&mut io::stdin().lock(), more, pause)
    };
    writeln!(err, "{}", answer.as_ref().map_or("", |reply| reply.word()))?;
    answer
}

/// The answer among keys, an error for Ctrl-C. Of a word that is no answer no letter is one: after another key it waits
/// for a `pause` in the typing.
fn answer(keys: &mut impl Read, more: &[KeyReply], mut pause: impl FnMut()) -> io::Result<KeyReply> {
    const CTRL_C: u8 = 3;
    const CTRL_D: u8 = 4;
    const ESCAPE: u8 = 27;
    // As many as a terminal keeps, so that pasted input is read in one step.
    let mut typed = [0; 4096];
    loop {
        let count = keys.read(&mut typed)?;
        let typed = typed.get(..count).unwrap_or_default();
        match typed {
            [CTRL_C, ..] => return Err(io::ErrorKind::Interrupted.into()),
            // Pasted text comes at once, and may begin with anything.
            _ if let Some(reply) =
                more.iter().chain(&[KeyReply::Yes]).find(|reply| is_word(typed, **reply)) =>
            {
                return Ok(*reply);
            }
            // Behind Escape there is more where it is an arrow or the like.
            [] | [ESCAPE] | [CTRL_D | b'n' | b'N' | b'\n' | b'\r', ..] => return Ok(KeyReply::No),
            _ => pause(),
        }
    }
}

/// Whether the keys are the letter or the word of a reply, and nothing else.
fn is_word(typed: &[u8], reply: KeyReply) -> bool {
    let word = reply.word().as_bytes();
    [&word[..1], word].iter().any(|word| typed.trim_ascii_end().eq_ignore_ascii_case(word))
}

/// Waits until nothing more is typed, and discards the keys so far.
fn pause() {
    /// In milliseconds: longer than from letter to letter of a word.
    const PAUSE: u16 = 400;
    let input = io::stdin();
    loop {
        let mut watched = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
        let count = poll(&mut watched, PAUSE);
        let is_typed = watched[0].revents().is_some_and(|events| events.contains(PollFlags::POLLIN));
        // The next reader finds the end of input.
        let is_gone = watched[0].revents().is_some_and(|events| events.contains(PollFlags::POLLHUP));
        if !matches!(count, Ok(1..)) || !is_typed || is_gone || tcflush(&input, FlushArg::TCIFLUSH).is_err() {
            return;
        }
    }
}

/// A terminal mode that hands over each key as it comes and echoes none, Ctrl-C included. Before a run starts
/// or while a list is redrawn, Ctrl-C would otherwise be a signal for another part of cuff, or for none.
/// Dropping this restores the mode before.
#[derive(Debug)]
pub struct KeyMode(Termios);

impl KeyMode {
    /// Discards the keys that were typed until now, and enters the mode.
    ///
    /// # Errors
    /// The operating system's.
    pub fn unseen() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut keys = before.clone();
        keys.local_flags.remove(LocalFlags::ICANON | LocalFlags::ISIG | LocalFlags::ECHO);
        tcsetattr(io::stdin(), SetArg::TCSAFLUSH, &keys)?;
        Ok(Self(before))
    }
}

impl Drop for KeyMode {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), SetArg::TCSADRAIN, &self.0);
    }
}

/// The consent in a typed command (`--yes`, `cuff approve`). It counts at a terminal, or if the user's own
/// preferences allow it without one.
pub fn said(without_terminal: bool) -> Option<TypedConsent> {
    (is_there() || without_terminal).then_some(TypedConsent(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys as they come: each item is read in one step.
    struct Typed(Vec<&'static str>);

    impl Read for Typed {
        fn read(&mut self, keys: &mut [u8]) -> io::Result<usize> {
            let next = if self.0.is_empty() { "" } else { self.0.remove(0) };
            keys[..next.len()].copy_from_slice(next.as_bytes());
            Ok(next.len())
        }
    }

    #[test]
    fn one_key_answers_and_no_letter_of_a_word_does() {
        for (keys, expected, pauses) in [
            (&["y"][..], true, 0),
            (&["Y\n"], true, 0),
            (&["n"], false, 0),
            (&["\r"], false, 0),
            (&["\n"], false, 0),
            (&["\u{1b}"], false, 0),
            (&["\u{4}"], false, 0),
            (&[""], false, 0),
            (&["\u{1b}[A", "x", "deploy", "y"], true, 3),
            (&["x", "\n"], false, 1),
            (&["yes\r"], true, 0),
            (&["yarn build please\n", "n"], false, 1),
        ] {
            let mut paused = 0;
            let expected = if expected { KeyReply::Yes } else { KeyReply::No };
            assert_eq!(answer(&mut Typed(keys.to_vec()), &[], || paused += 1).unwrap(), expected, "{keys:?}");
            assert_eq!(paused, pauses, "{keys:?}");
        }
        let left = answer(&mut Typed(vec!["x", "\u{3}"]), &[], || ()).unwrap_err();
        assert_eq!(left.kind(), io::ErrorKind::Interrupted);
    }
    #[test]
    fn always_and_details_are_answers_where_they_are_offered() {
        let more = &[KeyReply::Always, KeyReply::Details];
        for (keys, offered, expected) in [
            (&["a"][..], &more[..], KeyReply::Always),
            (&["always\r"], more, KeyReply::Always),
            (&["d"], more, KeyReply::Details),
            (&["y"], more, KeyReply::Yes),
            (&["\n"], more, KeyReply::No),
            (&["all", "dd", "\u{1b}"], more, KeyReply::No),
            (&["a", "d", "y"], &[], KeyReply::Yes),
        ] {
            assert_eq!(answer(&mut Typed(keys.to_vec()), offered, || ()).unwrap(), expected, "{keys:?}");
        }
    }
}
