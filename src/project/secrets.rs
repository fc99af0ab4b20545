//! The secrets that a run could print: of the environment it gets, and of the project's `.env` files.

use std::path::Path;

use crate::model::{Change, Glob, Origin, Pathname, Seen};
use crate::redact::{self, Secrets};
use crate::sys::{Environment, KeptFiles};

/// How much of a `.env` file is read, in bytes.
const LARGEST: u64 = 64 * 1024;

/// What must be hidden in what a process prints that is started with these changes in this project.
pub(crate) fn of_run(
    files: &KeptFiles,
    root: &Path,
    environment: &Environment,
    changes: &[Change],
) -> Secrets {
    let mut pairs = of_environment(environment, changes.iter());
    pairs.extend(of_files(files, root).into_iter().flat_map(|(_, pairs)| pairs));
    Secrets::new(pairs)
}

/// What must be hidden in what a person is asked about: nothing that a call, or whoever writes to the project, could
/// name a secret so that the person says yes to words that cannot be read.
pub(crate) fn of_question(environment: &Environment, changes: &[Change]) -> Secrets {
    Secrets::new(of_environment(environment, changes.iter().filter(|change| change.origin != Origin::Call)))
}

/// The files whose values are hidden in what runs print, and the names of those.
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
