//! The audit log: a line of JSON for each decision, in files of their own for persons' decisions, refusals and runs.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};

use serde_json::{Map, Value, json};

use super::Ledger;
use crate::ledger::error::LedgerError;
use crate::ledger::refusals::{self, Caller};
use crate::sys::private::{PrivateFileView, PrivateFolder};

const LOCK: &str = "audit.lock";

/// How many characters of a rule are kept. The rule may contain names that the call chose.
const LONGEST_RULE: usize = 1000;

/// How many names of arguments are kept.
const MOST_NAMES: usize = 32;
/// How many characters of each name are kept.
const LONGEST_NAME: usize = 100;

/// The longest line that is read, in bytes. cuff writes no longer one.
const LONGEST_LINE: usize = 64 * 1024;

/// A decision about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditDecision {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The caller: `human`, `agent`, or `run` for a process of a run; `discovery` for a probe, `upstream` for
    /// the start of a server.
    pub caller: String,
    /// The tool's qualified name; of a probe or a server the instance.
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

/// One file of the audit log, with the name that it gets when it is full. The full file before it is removed.
#[derive(Debug)]
struct AuditFile {
    name: &'static str,
    full: &'static str,
    /// When it is full, in bytes.
    largest: u64,
}

/// Calls that ran, and how they ended.
const RUNS: AuditFile = AuditFile { name: "audit.log", full: "audit.log.1", largest: 16 * 1024 * 1024 };
/// The decisions of persons. Neither runs nor refusals push them out.
const PERSONS: AuditFile =
    AuditFile { name: "audit.decisions.log", full: "audit.decisions.log.1", largest: 16 * 1024 * 1024 };
/// Calls that started nothing.
const REFUSALS: AuditFile =
    AuditFile { name: "audit.refused.log", full: "audit.refused.log.1", largest: 4 * 1024 * 1024 };
/// All files, in the order of lines that were written in the same millisecond.
const FILES: [&AuditFile; 3] = [&PERSONS, &RUNS, &REFUSALS];

impl AuditDecision {
    fn file(&self) -> &'static AuditFile {
        match self.decision {
            "granted" | "denied" | "approved" | "rejected" | "revoked" | "pinned" => &PERSONS,
            "refused" | "confirmation_required" | "asked" => &REFUSALS,
            _ => &RUNS,
        }
    }

    /// Whether repeats of it share one line, and a caller has only so many lines: it ran nothing, and no person typed it.
    fn folds(&self) -> bool {
        match self.decision {
            "refused" | "confirmation_required" | "asked" => true,
            "denied" => self.caller != "human",
            _ => false,
        }
    }

    /// The line of it, without what counts repeats.
    fn fields(&self) -> Map<String, Value> {
        let rule: String = self.rule.chars().take(LONGEST_RULE).collect();
        let fields = json!({
            "at": self.at, "caller": self.caller, "tool": self.tool, "project": self.project,
            "arguments": kept(&self.arguments), "decision": self.decision, "rule": rule,
        });
        if let Value::Object(fields) = fields { fields } else { Map::new() }
    }
}

impl Ledger {
    /// Adds a line to the audit log, or counts a repeat in the line that is there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, decided: &AuditDecision) -> Result<(), LedgerError> {
        let folder = self.folder()?;
        let _lock = folder.lock(LOCK).map_err(|error| self.failed(LOCK, error))?;
        let file = decided.file();
        let failed = |error| self.failed(file.name, error);
        let line = if decided.folds() {
            let caller = Caller { name: &decided.caller, project: &decided.project };
            match refusals::fold(&folder, file.name, &caller, decided.at, decided.fields()).map_err(failed)? {
                Some(line) => line,
                None => return Ok(()),
            }
        } else {
            Value::Object(decided.fields()).to_string()
        };
        let mut log = folder.view_to_extend(file.name).map_err(failed)?;
        let mut bytes = log.len().map_err(failed)?;
        if bytes > file.largest {
            folder.rename(file.name, file.full).map_err(|error| self.failed(file.full, error))?;
            (log, bytes) = (folder.view_to_extend(file.name).map_err(failed)?, 0);
        }
        // Half a line, left by a crash, must not swallow this one.
        let half = !ends_with_line_feed(&log, bytes);
        let line = if half { format!("\n{line}\n") } else { format!("{line}\n") };
        log.extend(line.as_bytes()).map_err(failed)
    }

    /// Whether a person's decision can be written down now.
    ///
    /// # Errors
    /// When it cannot.
    pub fn is_writable(&self) -> Result<(), LedgerError> {
        let folder = self.folder()?;
        let _lock = folder.lock(LOCK).map_err(|error| self.failed(LOCK, error))?;
        // A run's end has a line in the other file.
        [PERSONS.name, RUNS.name]
            .into_iter()
            .try_for_each(|name| folder.extend(name, b"").map_err(|error| self.failed(name, error)))
    }

    /// The last lines of the audit log that are wanted, the newest first. Half a line, left by a crash, is
    /// passed over.
    ///
    /// # Errors
    /// When there is a log, and it cannot be read.
    pub fn audit(
        &self,
        most: usize,
        wanted: &dyn Fn(&Map<String, Value>) -> bool,
    ) -> Result<Vec<Map<String, Value>>, LedgerError> {
        let mut lines = BTreeMap::new();
        let folder = match PrivateFolder::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            folder => folder.map_err(|error| LedgerError::Io(self.path.clone(), error))?,
        };
        let names = FILES.iter().flat_map(|file| [file.full, file.name]);
        for (order, name) in names.enumerate() {
            let mut file = match folder.view(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => BufReader::new(file.map_err(|error| self.failed(name, error))?.into_reader()),
            };
            let mut number = 0_usize;
            while let Some(line) = next_line(&mut file).map_err(|error| self.failed(name, error))? {
                let Ok(Value::Object(entry)) = serde_json::from_slice(&line) else { continue };
                if !wanted(&entry) {
                    continue;
                }
                number += 1;
                let time = |name| entry.get(name).and_then(Value::as_u64);
                let when = time("last").or_else(|| time("at")).unwrap_or_default();
                lines.insert((when, order, number), refusals::without_marks(entry));
                if lines.len() > most {
                    lines.pop_first();
                }
            }
        }
        Ok(lines.into_values().rev().collect())
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

/// Whether the last of so many bytes ends a line; none does not begin one.
fn ends_with_line_feed(file: &PrivateFileView, bytes: u64) -> bool {
    let mut last = [b'\n'];
    let place = bytes.checked_sub(1);
    place.is_none_or(|place| file.read_at(place, &mut last).is_err() || last == *b"\n")
}
