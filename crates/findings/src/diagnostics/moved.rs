//! A message without the parts that change although the problem is the same: places in files, durations,
//! addresses.

/// The endings of files that messages name places in.
const SOURCES: &[&str] = &[
    "astro", "bash", "c", "cc", "cjs", "cpp", "cs", "css", "cts", "cxx", "fs", "go", "h", "hpp", "html",
    "java", "js", "json", "jsx", "kt", "kts", "less", "md", "mjs", "mk", "mts", "php", "pl", "proto", "ps1",
    "py", "pyi", "rb", "rs", "s", "scala", "scss", "sh", "sql", "svelte", "swift", "toml", "ts", "tsx", "vb",
    "vue", "yaml", "yml", "zig",
];

/// Words before a number that is a place or an id.
const BEFORE: &[&str] = &[
    "line",
    "lines",
    "ln",
    "column",
    "columns",
    "col",
    "char",
    "character",
    "offset",
    "pid",
    "process",
    "goroutine",
];

/// Units behind a number that is a duration.
const UNITS: &[&str] = &[
    "ns",
    "us",
    "µs",
    "ms",
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "min",
    "minute",
    "minutes",
    "milliseconds",
];

/// The message with 0 for each such number. Other numbers are part of the problem: `expected 3 to be 4`.
pub(super) fn without(message: &str) -> String {
    let mut normal = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        normal.push_str(before);
        let (number, behind) = split_number(number);
        // `utf8` and `x1` are words.
        let in_word = normal.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if let Some(digits) = address(number, behind).filter(|_| !in_word) {
            normal.push_str("0x0");
            rest = &behind[digits..];
            continue;
        }
        let moves = !in_word && (is_duration(behind) || is_place(&normal) || follows_place(&normal));
        normal.push_str(if moves { "0" } else { number });
        rest = behind;
    }
    normal.push_str(rest);
    normal
}

/// The digits that a text begins with, and the digits behind a point; and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let part = text[whole..].strip_prefix('.').map_or(0, digits);
    text.split_at(if part > 0 { whole + 1 + part } else { whole })
}

/// How many bytes of an address follow its 0.
fn address(number: &str, behind: &str) -> Option<usize> {
    let hexadecimal = behind.strip_prefix('x').filter(|_| number == "0")?;
    let digits = hexadecimal.bytes().take_while(u8::is_ascii_hexdigit).count();
    (digits >= 6).then_some(digits + 1)
}

fn is_duration(behind: &str) -> bool {
    let unit = behind.strip_prefix(' ').unwrap_or(behind);
    let end = unit.find(|c: char| !c.is_alphabetic()).unwrap_or(unit.len());
    UNITS.contains(&&unit[..end])
}

/// Whether a place follows: `line `, `a.ts:`, `a.ts(`.
fn is_place(before: &str) -> bool {
    let word = |text: &str| {
        let from = text.len() - text.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        BEFORE.contains(&text[from..].to_ascii_lowercase().as_str())
    };
    match before.char_indices().next_back() {
        Some((at, ' ' | '=' | '#')) => word(before[..at].trim_end_matches([':', ' '])),
        Some((at, ':')) => is_file(&before[..at]) || word(&before[..at]),
        Some((at, '(')) => is_file(&before[..at]),
        _ => false,
    }
}

/// Whether this is a later number of a place: `a.ts:0:`, `a.ts(0,`, `lines 0-`, `a.rs:0:0: 0:`.
fn follows_place(before: &str) -> bool {
    let mut before = before;
    for _ in 0..3 {
        let first = before.trim_end_matches(' ').strip_suffix([':', ',', '-']);
        let Some(first) = first.and_then(|first| first.strip_suffix('0')) else { return false };
        if is_place(first) {
            return true;
        }
        before = first;
    }
    false
}

/// Whether a text ends with the name of a file.
fn is_file(text: &str) -> bool {
    let from = text.len() - text.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
    let name = text.get(..from).and_then(|name| name.strip_suffix('.')).unwrap_or_default();
    SOURCES.contains(&&text[from..]) && name.ends_with(|c: char| c.is_alphanumeric() || "_-])".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_numbers_are_ignored() {
        for (first, second) in [
            ("y took 9 ms", "y took 13 ms"),
            ("timed out after 1.5s", "timed out after 12s"),
            ("see src/a.ts(12,5): x", "see src/a.ts(9,44): x"),
            ("declared at line 7", "declared at line 12"),
            ("from lines 7-9, column 3", "from lines 10-12, column 4"),
            ("Line: 7, Column: 3", "Line: 17, Column: 1"),
            ("[closure@src/lib.rs:10:18: 10:20]", "[closure@src/lib.rs:11:18: 11:20]"),
            ("first defined here: tide.h:3", "first defined here: tide.h:9"),
            ("in file a.c:3:5", "in file a.c:30:15"),
            ("at 0x7ffd3a2b in x", "at 0x55aa3a2bcc in x"),
            ("goroutine 7 [running]", "goroutine 19 [running]"),
        ] {
            assert_eq!(without(first), without(second));
        }
    }

    #[test]
    fn other_numbers_count() {
        for text in [
            "expected 3 to be 4",
            "returns 404",
            "utf8 and E0308, not x1 s",
            "Math.max(3,4) is 4",
            "f(3,4)",
            "{a:3,b:0x10}",
            "version 1.2.3",
            "expected 3, 4",
            "ratio 3:4",
            "cost 5 somethings",
            "1:1:1:1:1:1:1:1",
            "größe:3 é:4",
            "",
        ] {
            assert_eq!(without(text), text);
        }
    }
}
