//! Plans that a person must say yes to, each time.

use std::path::Path;

use crate::ledger::Consent;
use crate::model::{Command, EnvironmentPolicy, Identity, Origin};

use super::permit::Permit;

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

    /// What tells this plan from every other, for the ledger: the tool and what is known of it, the project, the folder
    /// that links lead to, program and words, the file that is run, and what the call or the settings set in the
    /// environment.
    pub fn digest(
        &self,
        tool: &str,
        facts: &[(&'static str, String)],
        project: &Path,
        folder: &Path,
    ) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        // Each list begins with its length: else its end could pass for the beginning of the next.
        let count = |length: usize| (length as u64).to_le_bytes();
        part(tool.as_bytes());
        part(&count(facts.len()));
        for (name, value) in facts {
            part(name.as_bytes());
            part(value.as_bytes());
        }
        for path in [project, &self.0.directory, folder] {
            part(path.as_os_str().as_encoded_bytes());
        }
        let words = self.0.words();
        part(&count(words.len()));
        for word in words {
            part(word.as_bytes());
        }
        if let Some(Identity { path, device, inode }) = &self.0.script {
            part(path.as_os_str().as_encoded_bytes());
            part(&device.to_le_bytes());
            part(&inode.to_le_bytes());
        }
        let set: Vec<_> = self.0.environment.iter().filter(|change| change.origin != Origin::Fixed).collect();
        part(&count(set.len()));
        for change in set {
            part(change.name.as_bytes());
            part(change.value.as_bytes());
        }
        if self.0.environment_policy != EnvironmentPolicy::default() {
            part(self.0.environment_policy.name().as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The plan for a person to read, as a shell would be told it: where it runs, what the call sets in the environment,
    /// and the command line.
    pub fn line(&self) -> String {
        let quoted = |text: &str| {
            shlex::try_quote(text).map_or_else(|_| text.escape_debug().to_string(), String::from)
        };
        let directory = self.0.directory.display().to_string();
        let moved = !["", "."].contains(&directory.as_str());
        let mut line = if moved { format!("cd {} && ", quoted(&directory)) } else { String::new() };
        for change in self.0.environment.iter().filter(|change| change.origin == Origin::Call) {
            line.extend([&change.name, "=", &quoted(&change.value), " "]);
        }
        line + &self.0.line()
    }

    /// The permit, for a person's yes.
    pub fn confirmed(self, _: Consent) -> Permit {
        Permit::new(self.0)
    }
}
