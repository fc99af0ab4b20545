//! Plans that a person allows always, until their text changes.

use serde::{Deserialize, Serialize};

use super::approval::ApprovalQuestion;

/// A plan that a person allows always: exactly this plan of this tool in this project, for people at a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlwaysAllowed {
    /// The digest of the plan and of the files that its tool reads, as of a question.
    pub digest: String,
    /// The tool's qualified name.
    pub tool: String,
    /// Its name in the project: `deploy`.
    pub original: String,
    /// The command line for people to read, secrets taken out.
    pub command: String,
    /// The project's root.
    pub project: String,
    /// When the person said so, in milliseconds since 1970.
    pub since: u64,
}

impl AlwaysAllowed {
    /// The entry for a question that was answered with always.
    pub(super) fn of(question: &ApprovalQuestion, since: u64) -> Self {
        Self {
            digest: question.digest.clone(),
            tool: question.tool.clone(),
            original: question.original.clone(),
            command: question.command.clone(),
            project: question.project.clone(),
            since,
        }
    }

    /// Whether it is for this very plan.
    pub(super) fn is_for(&self, question: &ApprovalQuestion) -> bool {
        self.digest == question.digest && self.tool == question.tool && self.project == question.project
    }

    /// Whether a person means it by this name: the qualified one, the tool's own, or the project's.
    pub fn is_called(&self, name: &str) -> bool {
        let local = self.tool.split_once('.').map_or(self.tool.as_str(), |(_, local)| local);
        [self.tool.as_str(), local, self.original.as_str()].contains(&name)
    }
}
