//! Refusals in the audit log: repeats share a line, and each caller has so many lines an hour.
//!
//! An agent can have thousands of calls refused in a minute. Each line begins with fields of a fixed width, so that a
//! repeat is counted by writing over them.

use std::io;

use blake3::Hasher;
use serde_json::{Map, Value};

use crate::sys::private::PrivateFolder;

/// How long repeats are counted in one line, and for how long a caller has its lines, in milliseconds: an hour.
const WINDOW: u64 = 3600 * 1000;
/// How many lines a caller has in this time. Later refusals are counted in one more line for each decision.
const MOST_LINES: u32 = 200;
/// How much of the end of the file is searched for a line to count in, in bytes.
const SEARCHED: u64 = 256 * 1024;

/// The rule of the line that counts what a caller has no lines left for.
const MORE: &str = "more refusals of this caller within an hour than have a line each";
/// Stands for the tool in that line.
const ANY_TOOL: &str = "…";
/// The fields that only this module reads.
const MARKS: [&str; 4] = ["fold", "by", "line", "since"];

/// The caller with a limited number of lines.
#[derive(Debug)]
pub(super) struct Caller<'a> {
    pub(super) name: &'a str,
    pub(super) project: &'a str,
}

/// Counts a refusal in a line that is there. Returns the line to add instead, where there is none.
///
/// # Errors
/// When the file cannot be read or written.
pub(super) fn fold(
    folder: &PrivateFolder,
    file: &str,
    caller: &Caller<'_>,
    at: u64,
    mut fields: Map<String, Value>,
) -> io::Result<Option<String>> {
    let lines = LastLines::at_end_of(folder, file)?;
    let by = hash(&[caller.name, caller.project]);
    let text = |fields: &Map<String, Value>, name| {
        fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let (decision, tool) = (text(&fields, "decision"), text(&fields, "tool"));
    let mut key = hash(&[&by, &decision, &tool, &text(&fields, "rule")]);
    if let Some((place, head)) = lines.newest(|head| head.fold == key && head.is_open(at)) {
        return head.again(at).write(folder, file, place);
    }
    let before = lines.newest(|head| head.by == by).filter(|(_, head)| at.wrapping_sub(head.since) < WINDOW);
    let (since, line) = before.map_or((at, 1), |(_, head)| (head.since, head.line.saturating_add(1)));
    if line > MOST_LINES {
        key = hash(&[&by, &decision, MORE]);
        if let Some((place, head)) = lines.newest(|head| head.fold == key && head.is_open(at)) {
            return head.again(at).write(folder, file, place);
        }
        fields.insert("tool".into(), ANY_TOOL.into());
        fields.insert("rule".into(), MORE.into());
        fields.insert("arguments".into(), Value::Array(Vec::new()));
    }
    let head = LineHead { count: 1, last: at, since, line: line.min(MOST_LINES + 1), fold: key, by };
    // The fields go on where the head ends.
    let rest = Value::Object(fields).to_string();
    Ok(Some(format!("{}{}", head.text(), &rest[1..])))
}

/// A line as people and programs are shown it: with a count and the time of the last where there were several.
pub(super) fn without_marks(mut entry: Map<String, Value>) -> Map<String, Value> {
    for mark in MARKS {
        entry.remove(mark);
    }
    if entry.get("count").and_then(Value::as_u64) == Some(1) {
        entry.remove("count");
        entry.remove("last");
    }
    entry
}

/// The fixed beginning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineHead {
    count: u32,
    /// The time of the last repeat.
    last: u64,
    /// The beginning of the caller's hour.
    since: u64,
    /// The number of this line within that hour.
    line: u32,
    /// Caller, decision, tool and rule.
    fold: String,
    by: String,
}

impl LineHead {
    fn text(&self) -> String {
        let Self { count, last, since, line, fold, by } = self;
        format!(
            r#"{{"count":{count:>10},"last":{last:>20},"since":{since:>20},"line":{line:>10},"fold":"{fold}","by":"{by}","#
        )
    }

    fn read(line: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(line).ok()?;
        let (count, text) = field(text, r#"{"count":"#, 10)?;
        let (last, text) = field(text, r#","last":"#, 20)?;
        let (since, text) = field(text, r#","since":"#, 20)?;
        let (line, text) = field(text, r#","line":"#, 10)?;
        let (fold, text) = field(text, r#","fold":""#, 16)?;
        let (by, text) = field(text, r#"","by":""#, 16)?;
        text.starts_with("\",").then_some(())?;
        Some(Self {
            count: count.trim().parse().ok()?,
            last: last.trim().parse().ok()?,
            since: since.trim().parse().ok()?,
            line: line.trim().parse().ok()?,
            fold: fold.to_owned(),
            by: by.to_owned(),
        })
    }

    /// Whether a repeat at this time still counts in this line.
    fn is_open(&self, at: u64) -> bool {
        at.wrapping_sub(self.since) < WINDOW
    }

    fn again(self, at: u64) -> Self {
        Self { count: self.count.saturating_add(1), last: at.max(self.last), ..self }
    }

    fn write(&self, folder: &PrivateFolder, file: &str, place: u64) -> io::Result<Option<String>> {
        folder.overwrite(file, place, self.text().as_bytes()).map(|()| None)
    }
}

/// The text behind these words, so many bytes of it, and the rest.
fn field<'t>(text: &'t str, words: &str, width: usize) -> Option<(&'t str, &'t str)> {
    text.strip_prefix(words)?.split_at_checked(width)
}

/// The last lines of a file.
#[derive(Debug, Default)]
struct LastLines {
    bytes: Vec<u8>,
    /// Where they begin in the file.
    begins: u64,
}

impl LastLines {
    fn at_end_of(folder: &PrivateFolder, file: &str) -> io::Result<Self> {
        let view = match folder.view(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            view => view?,
        };
        let begins = view.len()?.saturating_sub(SEARCHED);
        let mut bytes = vec![0; usize::try_from(view.len()? - begins).unwrap_or_default()];
        let read = view.read_at(begins, &mut bytes)?;
        bytes.truncate(read);
        Ok(Self { bytes, begins })
    }

    /// The newest line with a wanted head, and its place in the file.
    fn newest(&self, wanted: impl Fn(&LineHead) -> bool) -> Option<(u64, LineHead)> {
        let mut end = self.bytes.len();
        for line in self.bytes.rsplit(|byte| *byte == b'\n') {
            let start = end - line.len();
            if let Some(head) = LineHead::read(line).filter(&wanted) {
                return Some((self.begins + start as u64, head));
            }
            end = start.saturating_sub(1);
        }
        None
    }
}

/// Sixteen hexadecimal digits that tell these words from others.
fn hash(words: &[&str]) -> String {
    let mut hasher = Hasher::new();
    for word in words {
        hasher.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
