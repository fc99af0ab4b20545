//! The positions of the parts of a JSON text, regardless of comments and trailing commas.

use std::ops::Range;

use serde_json::Value;

use super::obstacle::Obstacle;

/// A JSON text that was read.
#[derive(Debug)]
pub(super) struct JsonLayout<'a> {
    /// The text as it is.
    pub(super) text: &'a str,
    /// The same, with a space for each byte of a comment: every place is the same in both.
    pub(super) bare: String,
    /// Its value.
    pub(super) value: Value,
}

/// One key of an object and its value.
#[derive(Debug, Clone)]
pub(super) struct JsonMember {
    /// The key, unescaped.
    pub(super) key: String,
    /// The beginning of the key, with its quote.
    pub(super) start: usize,
    /// The value.
    pub(super) value: Range<usize>,
    /// The comma behind it.
    pub(super) comma: Option<usize>,
}

/// An object.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// The position of its opening brace.
    pub(super) open: usize,
    /// The position of its closing brace.
    pub(super) close: usize,
    /// Its members.
    pub(super) members: Vec<JsonMember>,
}

impl<'a> JsonLayout<'a> {
    /// Reads a text, whose value must be an object.
    pub(super) fn read(text: &'a str) -> Result<Self, Obstacle> {
        let bare = without_comments(text);
        let plain = without_last_commas(&bare);
        let value: Value = serde_json::from_str(&plain).map_err(|error| Obstacle::Broken {
            line: error.line(),
            // An end behind a line feed is before the first column of a line to come.
            column: error.column().max(1),
            what: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
        })?;
        if value.is_object() {
            Ok(Self { text, bare, value })
        } else {
            Err(Obstacle::Shape("it is no object".into()))
        }
    }

    /// The object that the text is.
    pub(super) fn root(&self) -> Object {
        self.object(self.bare.find('{').unwrap_or_default())
    }

    /// The object that begins at a brace.
    pub(super) fn object(&self, open: usize) -> Object {
        let bytes = self.bare.as_bytes();
        let mut members = Vec::new();
        let mut at = past_spaces(bytes, open + 1);
        while bytes.get(at) == Some(&b'"') {
            let (start, end) = (at, value_end(bytes, at));
            let key = serde_json::from_str(&self.bare[start..end]).unwrap_or_default();
            let from = past_spaces(bytes, past_spaces(bytes, end) + 1);
            let value = from..value_end(bytes, from);
            at = past_spaces(bytes, value.end);
            let comma = (bytes.get(at) == Some(&b',')).then_some(at);
            if comma.is_some() {
                at = past_spaces(bytes, at + 1);
            }
            members.push(JsonMember { key, start, value, comma });
        }
        Object { open, close: at, members }
    }

    /// The blanks before a position on its line.
    pub(super) fn indent(&self, at: usize) -> &'a str {
        let line = self.text[..at].rfind('\n').map_or(0, |feed| feed + 1);
        let line = &self.text[line..at];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

impl Object {
    /// The member of this key; of several the last, as programs read them.
    pub(super) fn member(&self, key: &str) -> Option<&JsonMember> {
        self.members.iter().rev().find(|member| member.key == key)
    }
}

fn past_spaces(bytes: &[u8], from: usize) -> usize {
    let blank = |byte: &&u8| byte.is_ascii_whitespace();
    from + bytes.get(from..).unwrap_or_default().iter().take_while(blank).count()
}

/// The end of a value. The text was parsed, so that brackets are paired.
fn value_end(bytes: &[u8], from: usize) -> usize {
    let (mut depth, mut at) = (0_usize, from);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            byte if depth == 0 && (byte.is_ascii_whitespace() || *byte == b':') => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 && matches!(byte, b'"' | b'}' | b']') {
            return at;
        }
    }
    at
}

/// Behind the closing quote, or the end.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Spaces in the place of comments and of a byte order mark. A comment that does not end stays, and is an error.
fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut bare = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    let mut blank = |range: Range<usize>, copied: &mut usize| {
        bare.push_str(&text[*copied..range.start]);
        *copied = range.end;
        // Byte for byte, so that places are the same; lines stay lines.
        bare.extend(text[range].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    };
    if text.starts_with('\u{feff}') {
        at = '\u{feff}'.len_utf8();
        blank(0..at, &mut copied);
    }
    while let Some(byte) = bytes.get(at) {
        let rest = &text.as_bytes()[at..];
        let end = match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'/' if rest.starts_with(b"//") => text[at..].find('\n').map_or(bytes.len(), |end| at + end),
            b'/' if rest.starts_with(b"/*") => match text[at + 2..].find("*/") {
                Some(end) => at + 2 + end + 2,
                None => break,
            },
            _ => {
                at += 1;
                continue;
            }
        };
        blank(at..end, &mut copied);
        at = end;
    }
    bare.push_str(&text[copied..]);
    bare
}

/// A space in the place of a comma that nothing follows.
fn without_last_commas(bare: &str) -> String {
    let bytes = bare.as_bytes();
    let mut plain = String::with_capacity(bare.len());
    let (mut at, mut copied, mut before) = (0, 0, b'{');
    while let Some(byte) = bytes.get(at) {
        if *byte == b'"' {
            at = string_end(bytes, at);
            before = b'"';
            continue;
        }
        let next = bytes.get(past_spaces(bytes, at + 1));
        if *byte == b',' && matches!(next, Some(b'}' | b']')) && !matches!(before, b'{' | b'[' | b',') {
            plain.push_str(&bare[copied..at]);
            plain.push(' ');
            copied = at + 1;
        }
        if !byte.is_ascii_whitespace() {
            before = *byte;
        }
        at += 1;
    }
    plain.push_str(&bare[copied..]);
    plain
}
