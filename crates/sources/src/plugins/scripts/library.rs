//! Files that other scripts read in: they are no scripts to run.

use std::collections::BTreeSet;

use crate::model::{File, Seen, path as paths};

use super::names::split_extension;

/// Parts of names that libraries have.
const NAMES: &[&str] =
    &["lib", "libs", "library", "util", "utils", "common", "helper", "helpers", "functions", "setup", "i18n"];

/// How a file says of itself that others read it in.
const SAYINGS: &[&str] = &[
    "is meant to be sourced",
    "meant to be included",
    "should be sourced",
    "must be sourced",
    "to be sourced by",
    "is sourced by",
    "shell library",
    "bash library",
    "library for common",
];

/// How much of a file may say so, in lines.
const HEADER: usize = 30;

/// The scripts among these that are libraries: another reads them in, and they cannot be run by themselves or are called
/// like one; or they say so.
pub(super) fn libraries<'a>(
    found: impl Iterator<Item = (&'a String, &'a Seen)> + Clone,
) -> BTreeSet<&'a str> {
    let mut sourced = BTreeSet::new();
    for (_, seen) in found.clone() {
        if let Seen::File(file) = seen {
            sourced.extend(String::from_utf8_lossy(&file.bytes).lines().filter_map(read_in));
        }
    }
    let is_library = |(path, seen): (&'a String, &Seen)| {
        let Seen::File(file) = seen else { return None };
        let name = paths::split(path).1;
        let stands_alone = file.executable && file.bytes.starts_with(b"#!");
        let is_sourced = sourced.contains(name) && (!stands_alone || is_called_so(name));
        (is_sourced || !stands_alone && says_so(file)).then_some(path.as_str())
    };
    found.filter_map(is_library).collect()
}

/// The name of the file that a line of a shell script reads in.
fn read_in(line: &str) -> Option<String> {
    let line = line.trim_start();
    let rest = line.strip_prefix("source ").or_else(|| line.strip_prefix(". "))?;
    let path = rest.split([';', '&', '|']).next()?;
    // The folder may be any expression: `"$(dirname "$0")/colours.sh"`.
    let name = path.rsplit('/').next()?.split_whitespace().next()?.trim_matches(['"', '\'']);
    (!name.is_empty() && !name.contains('$')).then(|| name.to_owned())
}

fn is_called_so(name: &str) -> bool {
    let stem = split_extension(name).0.to_lowercase();
    stem.split(['-', '_', '.']).any(|part| NAMES.contains(&part))
}

fn says_so(file: &File) -> bool {
    let text = String::from_utf8_lossy(&file.bytes).to_lowercase();
    let mut comments = text.lines().take(HEADER).filter(|line| line.trim_start().starts_with('#'));
    comments.any(|line| SAYINGS.iter().any(|saying| line.contains(saying)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn files_that_others_read_in_are_libraries() {
        let file = |text: &str, executable: bool| {
            Seen::File(File { executable, ..File::new("/x", text.as_bytes()) })
        };
        let all: BTreeMap<String, Seen> = [
            ("scripts/build.sh", file("#!/bin/sh\n. ./scripts/test_lib.sh\nsource \"$(dirname \"$0\")/colours.sh\"\nsource scripts/deploy.sh;\n", true)),
            ("scripts/test_lib.sh", file("#!/bin/sh\n", true)),
            ("scripts/colours.sh", file("RED=1\n", false)),
            ("scripts/deploy.sh", file("#!/bin/sh\necho\n", true)),
            ("scripts/setup.sh", file("#!/bin/sh\n", true)),
            ("scripts/plain.py", file("print(1)\n", false)),
            ("git-lib.sh", file("# This shell scriptlet is meant to be included by other scripts\n", false)),
            ("says.sh", file("#!/bin/sh\n# It must be sourced to work\n", true)),
        ]
        .into_iter()
        .map(|(path, seen)| (path.to_owned(), seen))
        .collect();
        let found = libraries(all.iter());
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            ["git-lib.sh", "scripts/colours.sh", "scripts/test_lib.sh"]
        );
    }
}
