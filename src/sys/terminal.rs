//! Asking the person at the terminal, and knowing that it is one.

use std::io::{self, BufRead, IsTerminal, Write};

/// Proof that a person at a terminal said yes, or that this user lets commands of his own speak for him.
#[derive(Debug)]
pub struct Yes(());

/// Whether a person can be asked: standard input and standard error are terminals.
pub fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a question that `y` or `yes` answers; everything else, and the end of input, is no. `None` also where no
/// person can be asked.
///
/// # Errors
/// The operating system's.
pub fn ask(question: &str) -> io::Result<Option<Yes>> {
    if !is_there() {
        return Ok(None);
    }
    let mut err = io::stderr().lock();
    write!(err, "{question} [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    if io::stdin().lock().read_line(&mut answer)? == 0 {
        writeln!(err)?;
    }
    let answer = answer.trim();
    let yes = answer.eq_ignore_ascii_case("y") || answer.eq_ignore_ascii_case("yes");
    Ok(yes.then_some(Yes(())))
}

/// What a person says by typing a command (`--yes`, `cuff approve`): it counts at a terminal, or where the user's own
/// preferences let programs say it.
pub fn said(without_terminal: bool) -> Option<Yes> {
    (is_there() || without_terminal).then_some(Yes(()))
}
