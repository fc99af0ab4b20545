//! Texts that are no settings at all: not UTF-8, not YAML, beyond a limit, empty.

use super::parse::{Limit, NoTree};
use super::problem::ProblemDraft;

/// A draft and its place in bytes.
pub(super) type Placed = (ProblemDraft, Option<usize>);

/// The text of a file's bytes, without a byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, ProblemDraft> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return ProblemDraft::error("the settings are UTF-16").help("save the file as UTF-8");
        }
        let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
        ProblemDraft::error(format!("the settings are not UTF-8: line {line} has a byte that is not"))
            .help("save the file as UTF-8")
    })
}

/// A character that YAML does not allow anywhere, before the parser fails without saying where.
pub(super) fn forbidden_character(text: &str) -> Option<Placed> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
        return None;
    }
    let forbidden = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => true,
        other => other.is_control(),
    };
    let (offset, found) = text.char_indices().find(|(_, c)| forbidden(*c))?;
    let draft = ProblemDraft::error(format!("YAML does not allow the character U+{:04X}", u32::from(found)))
        .label("this character")
        .help("remove it, or write it as an escape in double quotes");
    Some((draft, Some(offset)))
}

/// Rewords the parser's error so that it helps.
pub(super) fn explain(text: &str, no_tree: NoTree) -> Placed {
    match no_tree {
        NoTree::Limit(limit, offset) => {
            let help = match limit {
                Limit::Nodes => "aliases count as often as they are used; write less, or fewer aliases",
                Limit::Levels => "settings need five levels; check the indentation and the brackets",
                Limit::Brackets => "write long lists with one `- item` a line",
            };
            (ProblemDraft::error(limit.to_string()).label("here").help(help), offset)
        }
        NoTree::Syntax(words, offset) => {
            let message = format!("the settings are not valid YAML: {}", without_place(&words));
            let help = advice(&words, offset.map_or("", |offset| &text[offset..])).map(str::to_owned);
            (ProblemDraft { help, ..ProblemDraft::error(message).label("here") }, offset)
        }
    }
}

/// The parser's words without ` at line 3 column 5`, which the excerpt shows.
fn without_place(words: &str) -> String {
    if words.contains("more than one document") {
        return "there is more than one document".to_owned();
    }
    let first = words.split(" at line ").next().unwrap_or(words);
    first.split(" at position ").next().unwrap_or(first).to_owned()
}

/// The mistake that people usually made when the parser stops here.
fn advice(words: &str, rest: &str) -> Option<&'static str> {
    if rest.starts_with('\t') {
        return Some("indent with spaces: YAML does not allow tabs there");
    }
    if words.contains("more than one document") {
        return Some("settings are one document: remove the line `---`");
    }
    if words.contains("alias") || words.contains("anchor") {
        return Some("`*` and `&` have a meaning in YAML: write the value in quotes, as in \"*\"");
    }
    if words.contains("mapping values are not allowed") {
        return Some("put a value that contains `: ` in quotes, and check the indentation of this line");
    }
    if words.contains("cannot start any token") {
        return Some("put a value that starts with this character in quotes");
    }
    if words.contains("did not find expected") || words.contains("could not find expected ':'") {
        return Some("check the indentation, quotes and brackets of this line and the one above");
    }
    None
}
