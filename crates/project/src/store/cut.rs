//! Texts that are too long for `meta.json`, cut and marked.

use serde_json::{Map, Value};

/// How much of one text is written, in bytes; a call's arguments may be of any size.
pub(super) const LONGEST_TEXT: usize = 16 * 1024;
/// The most bytes of all words of a command that are written. JSON needs six bytes at most for each, so the
/// file stays below [`LARGEST_META`](super::files::LARGEST_META).
const LONGEST_COMMAND: usize = 256 * 1024;

/// Whether arguments are short enough to be written: cut ones would be another call.
pub(super) fn fits(arguments: &Map<String, Value>) -> bool {
    serde_json::to_vec(arguments).is_ok_and(|bytes| bytes.len() <= LONGEST_TEXT)
}

/// Both ends of a text that is too long, and how much is not there.
pub(super) fn cut(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(LONGEST_TEXT / 2);
    let tail = text.ceil_char_boundary(text.len() - LONGEST_TEXT / 2);
    format!("{}[… {} bytes left out …]{}", &text[..head], tail - head, &text[tail..])
}

/// The first words of a command, and how many are not there.
pub(super) fn cut_words(words: &[String]) -> Vec<String> {
    let mut room = LONGEST_COMMAND;
    let mut kept = Vec::new();
    for word in words {
        let word = cut(word);
        // A word takes a line of its own: quotes, a comma and the indent.
        let Some(left) = room.checked_sub(word.len() + 8) else { break };
        room = left;
        kept.push(word);
    }
    if kept.len() < words.len() {
        kept.push(format!("[… {} words left out …]", words.len() - kept.len()));
    }
    kept
}
