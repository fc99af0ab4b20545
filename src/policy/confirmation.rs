//! Plans that a person must say yes to, each time.

use crate::ledger::Consent;
use crate::model::{Command, Origin};

use super::Permit;

/// A command that policy allows once a person has said yes to it.
#[derive(Debug)]
#[must_use = "nothing runs before a person has said yes"]
pub struct Unconfirmed(Command);

impl Unconfirmed {
    pub(super) fn new(command: Command) -> Self {
        Self(command)
    }

    /// What would be executed.
    pub fn command(&self) -> &Command {
        &self.0
    }

    /// What tells this plan from every other, for the ledger: the tool, the project, program and words, folder, and what
    /// the call sets in the environment.
    pub fn digest(&self, tool: &str, project: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut part = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        part(tool);
        part(project);
        part(&self.0.directory.display().to_string());
        self.0.words().into_iter().for_each(&mut part);
        part("environment");
        for change in self.0.environment.iter().filter(|change| change.origin == Origin::Call) {
            part(&change.name);
            part(&change.value);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The permit, for a person's yes.
    pub fn confirmed(self, _: Consent) -> Permit {
        Permit::new(self.0)
    }
}
