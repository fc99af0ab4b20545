//! The output of one of several runs: whole lines, each with its tool in front.

use std::io::{self, Write};
use std::ops::ControlFlow;

use console::{Color, Style};

use crate::execution::{KeySignals, Sink};
use crate::model::{Stream, visible};
use crate::terminal::Ui;

/// The longest unfinished line that is waited for, in bytes.
const LONGEST: usize = 64 * 1024;
/// The colours of tools, one after another.
const COLOURS: [Color; 5] = [Color::Cyan, Color::Magenta, Color::Yellow, Color::Blue, Color::Green];

/// Shows whole lines.
#[derive(Debug)]
pub(super) struct Prefixed {
    front: String,
    is_silent: bool,
    keys: KeySignals,
    /// The unfinished lines of standard output and standard error.
    unfinished: [Vec<u8>; 2],
    /// Why nothing more could be shown.
    pub(super) failure: Option<io::Error>,
}

impl Prefixed {
    /// The output of this member, whose label is padded to a width.
    pub(super) fn new(
        ui: &Ui,
        (at, label, width): (usize, &str, usize),
        is_silent: bool,
        keys: KeySignals,
    ) -> Self {
        let front = format!("{:width$} | ", visible(label));
        let style = Style::new().fg(COLOURS[at % COLOURS.len()]).force_styling(true);
        let front = if ui.colours() { style.apply_to(front).to_string() } else { front };
        Self { front, is_silent, keys, unfinished: Default::default(), failure: None }
    }

    /// Shows lines that never ended.
    pub(super) fn end(&mut self) {
        for stream in [Stream::Out, Stream::Err] {
            let rest = std::mem::take(self.unfinished(stream));
            if !rest.is_empty() {
                let _ = self.show(stream, &[&rest, &b"\n"[..]].concat());
            }
        }
    }

    fn unfinished(&mut self, stream: Stream) -> &mut Vec<u8> {
        &mut self.unfinished[usize::from(stream == Stream::Err)]
    }

    /// Writes whole lines at once, so that no other tool's come between.
    fn show(&mut self, stream: Stream, lines: &[u8]) -> ControlFlow<()> {
        let mut text = Vec::with_capacity(lines.len() + self.front.len());
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            text.extend_from_slice(self.front.as_bytes());
            text.extend_from_slice(line);
        }
        let written = match stream {
            Stream::Out | Stream::Both => io::stdout().write_all(&text).and_then(|()| io::stdout().flush()),
            Stream::Err => io::stderr().write_all(&text),
        };
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

impl Sink for Prefixed {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        if self.is_silent {
            return ControlFlow::Continue(());
        }
        let unfinished = self.unfinished(stream);
        unfinished.extend_from_slice(bytes);
        let whole = match unfinished.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => last + 1,
            None if unfinished.len() > LONGEST => unfinished.len(),
            None => return ControlFlow::Continue(()),
        };
        let mut lines: Vec<u8> = unfinished.drain(..whole).collect();
        if !lines.ends_with(b"\n") {
            lines.push(b'\n');
        }
        self.show(stream, &lines)
    }

    fn keys(&self) -> KeySignals {
        self.keys.clone()
    }
}
