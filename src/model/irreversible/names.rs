//! Names that say of themselves that nothing takes back what is done.

use super::Looks;

/// Words of a name.
const NAMES: &[&str] = &[
    "deploy",
    "redeploy",
    "undeploy",
    "publish",
    "unpublish",
    "push",
    "upload",
    "destroy",
    "teardown",
    "drop",
    "reset",
    "delete",
    "wipe",
    "purge",
    "nuke",
    "rollback",
    "uninstall",
];

/// A word that builds have as well: of a thing that is called so, and not of what calls it.
const BUILDS: &str = "release";

/// First words of names that only make something, whatever else is in them: `build-release`, `css-reset`.
const MAKES: &[&str] = &[
    "build", "compile", "test", "tests", "e2e", "check", "verify", "validate", "lint", "bench", "start",
    "dev", "watch", "generate", "gen", "mock", "format", "css", "style",
];

/// First words of names for what ends with removing what it needed meanwhile.
const KEEPS: &[&str] = &[
    "dist",
    "package",
    "pack",
    "bundle",
    "install",
    "setup",
    "bootstrap",
    "docs",
    "coverage",
    "cov",
    "run",
    "all",
    "ci",
];

/// Words of a name for what removes things, wherever in its text it does.
const CLEANERS: &[&str] =
    &["clean", "cleanup", "cleanall", "distclean", "realclean", "mrproper", "clobber", "prune"];

/// What a name says: `deploy:prod`, `publishAll` and `db_reset` have a word for it.
pub(super) fn named(name: &str) -> Looks {
    let words = words(name);
    let plain = |word: &String| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    if makes(&words) {
        Looks::Calm
    } else if words.iter().map(plain).any(|word| NAMES.contains(&&*word)) {
        Looks::Lasts
    } else if words.iter().map(plain).any(|word| word == BUILDS) {
        Looks::Named
    } else {
        Looks::Calm
    }
}

/// Whether what is called so is there to remove things.
pub fn is_cleaner(name: &str) -> bool {
    words(name).iter().any(|word| CLEANERS.contains(&word.as_str()))
}

/// Whether what is called so only makes something, and may take away what it made meanwhile.
pub(in crate::model) fn is_maker(name: &str) -> bool {
    let words = words(name);
    makes(&words) || words.first().is_some_and(|first| KEEPS.contains(&first.as_str()))
}

fn makes(words: &[String]) -> bool {
    words.first().is_some_and(|first| MAKES.contains(&first.as_str()))
}

/// A name in its words: at what is no letter and no digit, and before a capital.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words
}
