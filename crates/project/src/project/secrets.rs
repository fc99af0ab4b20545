//! The secrets that a run could print: of the environment it gets, and of the project's `.env` files.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::model::{Change, Glob, Origin, Pathname, Seen};
use crate::redact::{self, Secrets};
use crate::sys::{Environment, KeptFiles};

/// How much of a `.env` file is read, in bytes.
const LARGEST: u64 = 64 * 1024;

/// How many lists of secrets are kept: one for each server, and those of processes.
const MOST_KEPT: usize = 16;

/// The secrets of the last runs, by names and values: what looks for them takes longer to make than a short call.
#[derive(Default)]
pub(crate) struct KeptSecrets(Mutex<Vec<SecretFinder>>);

/// Names and values, and what looks for them.
type SecretFinder = (Vec<(String, String)>, Secrets);

/// Names and values would end up in a log.
impl std::fmt::Debug for KeptSecrets {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("KeptSecrets")
    }
}

impl KeptSecrets {
    /// The secrets of these names and values.
    pub(crate) fn of(&self, pairs: Vec<(String, String)>) -> Secrets {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, secrets)) = kept.iter().find(|(known, _)| *known == pairs) {
            return secrets.clone();
        }
        let secrets = Secrets::new(pairs.iter().map(|(name, value)| (name, value)));
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push((pairs, secrets.clone()));
        secrets
    }
}

/// The secrets to hide in the output of a process that is started with these changes in this project.
pub(crate) fn of_run(
    files: &KeptFiles,
    root: &Path,
    environment: &Environment,
    changes: &[Change],
) -> Secrets {
    Secrets::new(pairs_of_run(files, root, environment, changes))
}

/// The same as names and values.
pub(crate) fn pairs_of_run(
    files: &KeptFiles,
    root: &Path,
    environment: &Environment,
    changes: &[Change],
) -> Vec<(String, String)> {
    let mut pairs = of_environment(environment, changes.iter());
    pairs.extend(of_files(files, root).into_iter().flat_map(|(_, pairs)| pairs));
    pairs
}

/// The secrets to hide in a question to a person. Neither a call nor a file of the project adds to them.
/// Either could call a word secret, and the person would say yes to words that cannot be read.
pub(crate) fn of_question(environment: &Environment, changes: &[Change]) -> Secrets {
    Secrets::new(of_environment(environment, changes.iter().filter(|change| change.origin != Origin::Call)))
}

/// The files with values that are hidden in the output of runs, and the names of those values.
pub(crate) fn hidden(files: &KeptFiles, root: &Path) -> Vec<(Pathname, Vec<String>)> {
    let names = |pairs: Vec<(String, String)>| {
        let mut names: Vec<String> = pairs
            .into_iter()
            .filter(|(_, value)| redact::is_looked_for(value))
            .map(|(name, _)| name)
            .collect();
        names.dedup();
        names
    };
    let files = of_files(files, root).into_iter().map(|(file, pairs)| (file, names(pairs)));
    files.filter(|(_, names)| !names.is_empty()).collect()
}

/// Whether a variable or header of this name and value seems to hold a secret.
pub(crate) fn is_secret(name: &str, value: &str) -> bool {
    /// How values begin that are secrets under any name.
    const BEGINNINGS: [&str; 10] =
        ["Bearer ", "Basic ", "ghp_", "gho_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA"];
    BEGINNINGS.iter().any(|begin| value.starts_with(begin))
        || !redact::of_environment(std::iter::once((name, value))).is_empty()
}

fn of_environment<'c>(
    environment: &Environment,
    changes: impl Iterator<Item = &'c Change>,
) -> Vec<(String, String)> {
    let inherited =
        environment.variables().filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
    let set = changes.map(|change| (change.name.as_str(), change.value.as_str()));
    let mut pairs = redact::of_environment(set.chain(inherited));
    pairs.extend(redact::of_settings(environment.hidden()));
    pairs
}

/// Examples that a repository carries (`.env.example`) hold none.
fn of_files(files: &KeptFiles, root: &Path) -> Vec<(Pathname, Vec<(String, String)>)> {
    let examples = [".env.example", ".env.sample", ".env.template", ".env.dist", ".env.schema"];
    let glob = Glob::new(".", [".env", ".env.*"]).without(examples).reading(LARGEST);
    let matches = files.search(root, &glob);
    let pairs = matches.found.iter().filter_map(|(path, seen)| match seen {
        Seen::File(file) => Some((path.clone(), redact::of_dotenv(&String::from_utf8_lossy(&file.bytes)))),
        Seen::Missing | Seen::Unreadable(_) => None,
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_kept_for_the_same_names_and_values_alone() {
        let kept = KeptSecrets::default();
        let pairs = |value: &str| vec![("TOKEN".to_owned(), value.to_owned())];
        for value in ["hush-hush", "other-one", "hush-hush"] {
            let secrets = kept.of(pairs(value));
            assert_eq!(secrets.redact("hush-hush other-one").matches("[redacted:TOKEN]").count(), 1);
            assert!(!secrets.redact(value).contains(value));
        }
        assert_eq!(kept.0.lock().unwrap().len(), 2);
        (0..100).for_each(|count| drop(kept.of(pairs(&format!("secret-number-{count}")))));
        assert_eq!(kept.0.lock().unwrap().len(), MOST_KEPT);
        assert!(!format!("{kept:?}").contains("secret"));
    }
}
