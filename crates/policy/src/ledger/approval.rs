//! A question that waits for a person, and the answer that waits to be used.

use serde::{Deserialize, Serialize};

use super::error::LedgerError;
use crate::model::{Quoted, quoted, quoted_whole, visible};

/// How long a question waits for an answer, in milliseconds: a day.
const QUESTION_LASTS: u64 = 24 * 3600 * 1000;
/// How long a yes may wait to be used, in milliseconds: a quarter of an hour.
const ANSWER_LASTS: u64 = 15 * 60 * 1000;
/// The longest command line that a person can be asked about, in bytes.
const LONGEST: usize = 16 * 1024;

/// A question to a person: may this plan be carried out once?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalQuestion {
    /// The digest of the plan: tool, program, words, folder, environment with values. No other plan has the
    /// same.
    pub digest: String,
    /// The tool's qualified name.
    pub tool: String,
    /// The name that people see of the tool: `deploy`.
    #[serde(default)]
    pub original: String,
    /// Why it requires confirmation, with the line that says so: `settings.yml:12  confirm: deploy*`.
    #[serde(default)]
    pub reason: String,
    /// The command line for people to read, secrets taken out.
    pub command: String,
    /// The project's own text of what that runs, where it is known, secrets taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where and how it would run, and what of it cannot be taken back: a sentence each, secrets taken out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// The project's root.
    pub project: String,
    /// The caller: `agent`, `human`, or `run` for a process of a run.
    pub caller: String,
}

/// A question, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ApprovalEntry", into = "ApprovalEntry")]
pub struct Approval {
    /// The id that people type to answer it.
    pub id: String,
    /// The question itself.
    pub question: ApprovalQuestion,
    /// When it was asked, in milliseconds since 1970.
    pub asked: u64,
    /// Whether it was answered, and how.
    pub state: ApprovalState,
}

/// The state of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalState {
    /// Nobody has answered yet.
    Waiting,
    /// A person said yes, at this time in milliseconds since 1970; it was not used yet.
    Granted(u64),
    /// A person said no, at this time.
    Denied(u64),
}

/// A question in the file.
#[derive(Debug, Serialize, Deserialize)]
struct ApprovalEntry {
    id: String,
    #[serde(flatten)]
    question: ApprovalQuestion,
    asked: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    granted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<u64>,
}

impl From<ApprovalEntry> for Approval {
    fn from(ApprovalEntry { id, question, asked, granted, denied }: ApprovalEntry) -> Self {
        // A no beats a yes.
        let state = match (denied, granted) {
            (Some(at), _) => ApprovalState::Denied(at),
            (None, Some(at)) => ApprovalState::Granted(at),
            (None, None) => ApprovalState::Waiting,
        };
        Self { id, question, asked, state }
    }
}

impl From<Approval> for ApprovalEntry {
    fn from(Approval { id, question, asked, state }: Approval) -> Self {
        let (granted, denied) = match state {
            ApprovalState::Waiting => (None, None),
            ApprovalState::Granted(at) => (Some(at), None),
            ApprovalState::Denied(at) => (None, Some(at)),
        };
        Self { id, question, asked, granted, denied }
    }
}

impl ApprovalQuestion {
    /// The question as every face puts it: with the project's own text and the facts before its last line. A text with a hidden
    /// middle says so, and what shows all of it.
    pub fn sentence(&self) -> String {
        let (tool, command, facts) = (&self.tool, visible(&self.command), self.told_facts());
        match self.quoted() {
            Some(quoted) => {
                let notice = quoted.notice(&format!("cuff why {tool}"));
                let notice = notice.map_or_else(String::new, |notice| notice + "\n");
                format!(
                    "{tool} requires your confirmation. It runs:\n{}\n{notice}{facts}Run `{command}`?",
                    quoted.text
                )
            }
            None if facts.is_empty() => format!("{tool} requires your confirmation. Run `{command}`?"),
            None => format!("{tool} requires your confirmation.\n{facts}Run `{command}`?"),
        }
    }

    /// The question as a terminal puts it: the tool, the reason, its text, and the command.
    pub fn at_terminal(&self) -> String {
        let Self { original: tool, reason, command, .. } = self;
        let (reason, command) = (visible(reason), visible(command));
        let text = self.quoted().map_or_else(String::new, |quoted| {
            let notice =
                quoted.notice(&format!("cuff why {tool}")).map_or_else(String::new, |notice| notice + "\n");
            format!("{}\n{notice}", quoted.text)
        });
        let facts = self.told_facts();
        format!("{tool} requires your confirmation ({reason})\n{text}{facts}Run `{command}`?")
    }

    /// The facts, a line each.
    pub fn told_facts(&self) -> String {
        self.facts.iter().flat_map(|fact| ["  ".into(), visible(fact), "\n".into()]).collect()
    }

    /// Everything that is known of what it runs, for a person who wants to see more.
    pub fn details(&self) -> String {
        let text = self.text.as_deref().map(quoted_whole).filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| "  the command line is all that is known".to_owned());
        let (project, command) = (visible(&self.project), visible(&self.command));
        format!("in {project}\n  $ {command}\n{text}")
    }

    /// The project's own text as people are shown it; `None` where nothing is known that the command line does not say.
    pub fn quoted(&self) -> Option<Quoted> {
        self.text.as_deref().map(quoted).filter(|quoted| !quoted.text.is_empty())
    }

    /// Why nobody can be asked, if so.
    ///
    /// # Errors
    /// When it is too long to be judged.
    pub fn is_legible(&self) -> Result<(), LedgerError> {
        if self.command.len() <= LONGEST {
            return Ok(());
        }
        let what = format!("a command line of more than {} KiB is too long to be judged", LONGEST / 1024);
        Err(LedgerError::NotAsked(what))
    }
}

impl Approval {
    /// Whether it is too old to matter at this time, in milliseconds since 1970.
    pub(super) fn has_expired(&self, now: u64) -> bool {
        match self.state {
            ApprovalState::Waiting => now.saturating_sub(self.asked) >= QUESTION_LASTS,
            // One of later than now was said by another clock, and nobody knows when.
            ApprovalState::Granted(at) => at > now || now - at >= ANSWER_LASTS,
            ApprovalState::Denied(at) => now.saturating_sub(at) >= QUESTION_LASTS,
        }
    }
}
