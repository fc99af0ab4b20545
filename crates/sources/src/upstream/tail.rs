//! The last lines that a server printed on standard error, and its noise on standard output.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many lines are kept.
const LINES: usize = 200;
/// How many bytes are kept.
const BYTES: usize = 64 * 1024;
/// How many bytes of one line are kept.
const LINE: usize = 4 * 1024;

/// The last lines of a stream, without control sequences.
#[derive(Debug, Default)]
pub(super) struct Tail(Mutex<KeptTail>);

#[derive(Debug, Default)]
struct KeptTail {
    lines: VecDeque<String>,
    bytes: usize,
    partial: Vec<u8>,
    /// How many lines of noise came on standard output, and the first.
    noise: (u64, String),
}

impl Tail {
    /// Takes bytes as they come.
    pub(super) fn push(&self, bytes: &[u8]) {
        let mut kept = self.kept();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LINE.saturating_sub(kept.partial.len());
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            kept.partial.extend_from_slice(&text[..text.len().min(room)]);
            if piece.ends_with(b"\n") {
                kept.end_line();
            }
        }
    }

    /// Counts a line on standard output that is no message.
    pub(super) fn noise(&self, line: &[u8]) {
        let noise = &mut self.kept().noise;
        if noise.0 == 0 {
            noise.1 = plain(&line[..line.len().min(80)]);
        }
        noise.0 += 1;
    }

    /// How many lines of noise came, and the first.
    pub(super) fn noises(&self) -> (u64, String) {
        self.kept().noise.clone()
    }

    /// The reason why no connection came about, with what the server printed instead of messages.
    pub(super) fn with_noise(&self, reason: String) -> String {
        match self.noises() {
            (0, _) => reason,
            (_, first) => format!(
                "{reason}; it printed on standard output, which is for messages of MCP alone: {first:?}"
            ),
        }
    }

    /// The reason that no answer came within this time.
    pub(super) fn with_silence(&self, limit: Duration) -> String {
        self.with_noise(format!("it did not answer within {} s", limit.as_secs_f32()))
    }

    /// The lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let kept = self.kept();
        let rest = Some(plain(&kept.partial)).filter(|text| !text.is_empty());
        kept.lines.iter().cloned().chain(rest).collect()
    }

    /// The last line that says something.
    pub(super) fn last(&self) -> Option<String> {
        self.lines().into_iter().rev().find(|line| !line.trim().is_empty())
    }

    fn kept(&self) -> MutexGuard<'_, KeptTail> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeptTail {
    fn end_line(&mut self) {
        let line = plain(&std::mem::take(&mut self.partial));
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.lines.len() > LINES || self.bytes > BYTES {
            let Some(oldest) = self.lines.pop_front() else { return };
            self.bytes -= oldest.len();
        }
    }
}

/// A line without control sequences and control characters.
fn plain(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    console_free(&text).chars().filter(|letter| *letter == '\t' || !letter.is_control()).collect()
}

/// A text without the sequences that a terminal acts on: `ESC [ … letter`, `ESC ] … BEL`, `ESC letter`.
fn console_free(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some('[') => while letters.next().is_some_and(|letter| !('@'..='~').contains(&letter)) {},
            Some(']') => while letters.next().is_some_and(|letter| letter != '\u{7}' && letter != '\\') {},
            _ => {}
        }
    }
    plain
}
