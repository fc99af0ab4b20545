//! The audit log: one line of JSON for each decision, whatever it was.

use std::io::{self, BufRead, BufReader};

use serde_json::{Map, Value, json};

use super::{Ledger, LedgerError};
use crate::sys::private::{PrivateFolder, View};

const FILE: &str = "audit.log";
/// What the log is called once it is full; the one before goes.
const FULL: &str = "audit.log.1";
const LOCK: &str = "audit.lock";
/// When the log is full, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// How much of a rule is kept, in characters: a call's own names are in it, and must not push what was decided before
/// out of the log.
const LONGEST_RULE: usize = 1000;

/// How many names of arguments are kept, for the same reason.
const MOST_NAMES: usize = 32;
/// How much of each is, in characters.
const LONGEST_NAME: usize = 100;

/// The longest line that is read, in bytes: what is longer was not written here.
const LONGEST_LINE: usize = 64 * 1024;

/// What was decided about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Who asked: `human`, `agent`, or `run` for a process of a run; `discovery` for a probe.
    pub caller: String,
    /// The tool's qualified name; of a probe the instance.
    pub tool: String,
    /// The project's root.
    pub project: String,
    /// The names of the arguments that were given; never their values.
    pub arguments: Vec<String>,
    /// `permitted`, `refused`, `confirmation_required`, `asked` where a person was and has not answered, `granted`,
    /// `denied`; `ended` once a run has. Of a person's own answer to a question that waits `approved`, `rejected` or
    /// `revoked`; `pinned` where settings were approved.
    pub decision: &'static str,
    /// By what rule, in words; of a run that has ended which one it was, and how.
    pub rule: String,
}

impl Ledger {
    /// Adds a line to the audit log.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, decided: &Decided) -> Result<(), LedgerError> {
        let folder = self.folder()?;
        let _lock = folder.lock(LOCK).map_err(|error| self.failed(LOCK, error))?;
        let rule: String = decided.rule.chars().take(LONGEST_RULE).collect();
        let line = json!({
            "at": decided.at, "caller": decided.caller, "tool": decided.tool, "project": decided.project,
            "arguments": kept(&decided.arguments), "decision": decided.decision, "rule": rule,
        });
        if folder.view(FILE).and_then(|file| file.len()).is_ok_and(|bytes| bytes > LARGEST) {
            folder.rename(FILE, FULL).map_err(|error| self.failed(FULL, error))?;
        }
        // What a crash left of a line must not swallow this one.
        let half = folder.view(FILE).is_ok_and(|file| !ends_with_line_feed(&file));
        let line = if half { format!("\n{line}\n") } else { format!("{line}\n") };
        folder.extend(FILE, line.as_bytes()).map_err(|error| self.failed(FILE, error))
    }

    /// The last lines of the audit log that are wanted, the newest first. What a crash left of a line is passed over.
    ///
    /// # Errors
    /// When there is a log, and it cannot be read.
    pub fn audit(
        &self,
        most: usize,
        wanted: &dyn Fn(&Map<String, Value>) -> bool,
    ) -> Result<Vec<Map<String, Value>>, LedgerError> {
        let mut lines = std::collections::VecDeque::new();
        let folder = match PrivateFolder::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            folder => folder.map_err(|error| LedgerError::Io(self.path.clone(), error))?,
        };
        for name in [FULL, FILE] {
            let mut file = match folder.view(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => BufReader::new(file.map_err(|error| self.failed(name, error))?.into_reader()),
            };
            while let Some(line) = next_line(&mut file).map_err(|error| self.failed(name, error))? {
                let Ok(Value::Object(entry)) = serde_json::from_slice(&line) else { continue };
                if !wanted(&entry) {
                    continue;
                }
                if lines.len() == most {
                    lines.pop_front();
                }
                lines.push_back(entry);
            }
        }
        lines.truncate(most);
        Ok(lines.into_iter().rev().collect())
    }
}

/// The names of arguments that are kept, and how many are left out.
fn kept(names: &[String]) -> Vec<String> {
    let cut = |name: &String| name.chars().take(LONGEST_NAME).collect();
    let left_out = names.len().saturating_sub(MOST_NAMES);
    let more = (left_out > 0).then(|| format!("… and {left_out} more"));
    names.iter().take(MOST_NAMES).map(cut).chain(more).collect()
}

/// The next line, as far as one that was written here could be long; `None` at the end.
fn next_line(file: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    loop {
        let some = file.fill_buf()?;
        if some.is_empty() {
            return Ok(if line.is_empty() { None } else { Some(line) });
        }
        let end = some.iter().position(|byte| *byte == b'\n');
        let now = &some[..end.unwrap_or(some.len())];
        line.extend_from_slice(&now[..now.len().min(LONGEST_LINE - line.len())]);
        let used = end.map_or(now.len(), |end| end + 1);
        file.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

fn ends_with_line_feed(file: &View) -> bool {
    let mut last = [b'\n'];
    let place = file.len().unwrap_or(0).checked_sub(1);
    place.is_none_or(|place| file.read_at(place, &mut last).is_err() || last == *b"\n")
}
