//! Lines on the terminal that are drawn anew with each key, and are gone when the question is answered.

use std::io;

use console::{Key, Term};

/// The lines on the screen now. Each line must fit its width: a line that wraps cannot be removed.
#[derive(Debug)]
pub(super) struct Sheet {
    term: Term,
    drawn: usize,
}

impl Sheet {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self { term: Term::buffered_stderr(), drawn: 0 }
    }

    /// Runs a question with the cursor hidden, and removes the sheet after it.
    ///
    /// # Errors
    /// When the terminal cannot be read or written.
    pub(super) fn ask<Kind>(&mut self, ask: impl FnOnce(&mut Self) -> io::Result<Kind>) -> io::Result<Kind> {
        self.term.hide_cursor()?;
        let answer = ask(self);
        let cleared = self.clear().and_then(|()| self.term.show_cursor()).and_then(|()| self.term.flush());
        answer.and_then(|answer| cleared.map(|()| answer))
    }

    /// These lines, in place of those before.
    pub(super) fn show(&mut self, lines: &[String]) -> io::Result<()> {
        self.clear()?;
        for line in lines {
            self.term.write_line(line)?;
        }
        self.drawn = lines.len();
        self.term.flush()
    }

    /// The next key, Ctrl-C as one of them.
    pub(super) fn key(&self) -> io::Result<Key> {
        self.term.read_key_raw()
    }

    /// How many lines there is room for, below which the cursor stands, and how many columns each may have.
    pub(super) fn room(&self) -> (usize, usize) {
        let (rows, columns) = self.term.size();
        (usize::from(rows).saturating_sub(1), usize::from(columns).saturating_sub(1))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.term.clear_last_lines(std::mem::take(&mut self.drawn))
    }
}
