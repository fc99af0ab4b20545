//! The text of a script as far as a question keeps it.

use std::path::Path;

use crate::model::{Role, Seen, is_telling};
use crate::registry::Registered;
use crate::sys::{self, KeptFiles};

/// The largest script that is kept as a whole, in bytes. Many questions share one file.
const WHOLE: usize = 48 * 1024;
/// Of a larger one, this many bytes of its beginning, of its end, and of lines between them that are shown anyhow.
const BEGINNING: usize = 24 * 1024;
const END: usize = 16 * 1024;
const BETWEEN: usize = 8 * 1024;
/// Longer lines are taken apart, in bytes.
const LONGEST_LINE: usize = 1024;
/// The largest script that `cuff why` shows as a whole, in bytes.
const LARGEST: u64 = 4 * 1024 * 1024;

/// The text of a script for a question. Of a large one, both ends are shown, and the lines between them that
/// a person sees in any case. A line says how much is left out.
pub(crate) fn of_script(bytes: &[u8]) -> String {
    if bytes.starts_with(b"\x7fELF") {
        return format!("a program of {} bytes, which is no text", bytes.len());
    }
    let text = String::from_utf8_lossy(bytes);
    if text.len() <= WHOLE { text.into_owned() } else { excerpt(&text) }
}

/// The whole text of the script that a tool starts; `None` where it starts none.
pub fn script_text(found: &Registered) -> Option<String> {
    text_of(found, |path| sys::read_file::file(path, LARGEST))
}

/// The same, as it was read before while the file has not changed. It is for no question to a person.
pub(super) fn kept_script_text(found: &Registered, files: &KeptFiles) -> Option<String> {
    text_of(found, |path| files.file(path, LARGEST))
}

fn text_of(found: &Registered, read: impl FnOnce(&Path) -> Seen) -> Option<String> {
    let Role::Run { command, .. } = &found.tool.role else { return None };
    match read(&command.script.as_ref()?.path) {
        Seen::File(file) if file.bytes.starts_with(b"\x7fELF") => Some(of_script(&file.bytes)),
        Seen::File(file) => Some(String::from_utf8_lossy(&file.bytes).into_owned()),
        Seen::Missing | Seen::Unreadable(_) => None,
    }
}

fn excerpt(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').flat_map(pieces).collect();
    let first = fitting(lines.iter(), BEGINNING);
    let last = lines.len() - fitting(lines[first..].iter().rev(), END);
    let mut shown = lines[..first].concat();
    let (mut room, mut gap) = (BETWEEN, OmittedLines::default());
    for line in &lines[first..last] {
        if is_telling(line) && line.len() <= room {
            room -= line.len();
            shown.push_str(&gap.close());
            shown.push_str(line);
        } else {
            gap.add(line);
        }
    }
    shown + &gap.close() + &lines[last..].concat()
}

/// How many of these lines fit into so many bytes.
fn fitting<'l>(lines: impl Iterator<Item = &'l &'l str>, bytes: usize) -> usize {
    let mut room = bytes;
    lines
        .take_while(|line| {
            let fits = line.len() <= room;
            room = room.saturating_sub(line.len());
            fits
        })
        .count()
}

/// A line as pieces that are not too long.
fn pieces(line: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), line);
    while rest.len() > LONGEST_LINE {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(LONGEST_LINE));
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Lines that are left out one after another.
#[derive(Default)]
struct OmittedLines {
    lines: usize,
    bytes: usize,
}

impl OmittedLines {
    fn add(&mut self, line: &str) {
        self.lines += usize::from(line.ends_with('\n'));
        self.bytes += line.len();
    }

    /// The line that stands for them.
    fn close(&mut self) -> String {
        let Self { lines, bytes } = std::mem::take(self);
        if bytes == 0 {
            return String::new();
        }
        format!(
            "\n… {lines} lines ({bytes} bytes) here are too much to be kept: read the file before you say yes\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_ordinary_size_is_kept_whole() {
        let text = "echo hello\n".repeat(WHOLE / 11);
        assert_eq!(of_script(text.as_bytes()), text);
        assert_eq!(of_script(b"\x7fELF\0\0"), "a program of 6 bytes, which is no text");
    }

    #[test]
    fn of_a_large_script_both_ends_and_what_matters_are_kept_and_the_rest_is_counted() {
        let quiet = "echo hello\n".repeat(10_000);
        let text = format!("begin\n{quiet}npm publish\n{quiet}end\n");
        let shown = of_script(text.as_bytes());
        assert!(shown.starts_with("begin\n") && shown.ends_with("\nend\n") && shown.len() < WHOLE + 1024);
        let around: Vec<&str> = shown.lines().collect();
        let at = around.iter().position(|line| *line == "npm publish").unwrap();
        assert!(
            around[at - 1].starts_with("… ") && around[at + 2].starts_with("… "),
            "{:?}",
            &around[at - 2..at + 3]
        );
        let left_out = |line: &str| line.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let counted: usize =
            around.iter().filter(|line| line.starts_with("… ")).map(|line| left_out(line)).sum();
        assert_eq!(counted + shown.matches("echo hello").count(), 20_000);
    }

    #[test]
    fn a_script_of_one_line_and_one_of_dangerous_lines_alone_are_bounded() {
        for text in ["é".repeat(1 << 20), "git push\n".repeat(1 << 17)] {
            let shown = of_script(text.as_bytes());
            assert!(shown.len() < WHOLE + 1024 && shown.contains("too much to be kept"), "{}", shown.len());
        }
    }
}
