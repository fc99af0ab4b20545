//! A `settings.yml` that another program brought: many have a file of that name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::keys::{LARGEST, TOP_KEYS};
use super::parse;
use super::tree::Content;
use crate::model::Seen;
use crate::sys::files::{self, Stamp};
use crate::sys::read_file;

/// More than any settings file has, in bytes: another program's may be large.
const LARGEST_READ: u64 = 64 * 1024 * 1024;

/// Whether a settings file is another program's: it says something, and has none of cuff's top keys. A file that cannot be
/// read is none. The answer is remembered while the stamp of the file is the same: a server asks for each call.
pub fn is_foreign(file: &Path) -> bool {
    static JUDGED: Mutex<BTreeMap<PathBuf, (Stamp, bool)>> = Mutex::new(BTreeMap::new());
    let Some(stamp) = files::stamp(file) else { return false };
    let mut judged = JUDGED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, is_foreign)) = judged.get(file).filter(|(known, _)| *known == stamp) {
        return *is_foreign;
    }
    let is_foreign = match read_file::file(file, LARGEST_READ) {
        Seen::File(file) => is_foreign_text(&String::from_utf8_lossy(&file.bytes)),
        Seen::Missing | Seen::Unreadable(_) => false,
    };
    judged.insert(file.to_owned(), (stamp, is_foreign));
    is_foreign
}

fn is_foreign_text(text: &str) -> bool {
    // Most settings of cuff are known by a line, and need no parser here.
    let is_key = |line: &str| {
        let mut keys = TOP_KEYS.iter().filter_map(|key| line.trim_matches(['"', '\'']).strip_prefix(key));
        keys.any(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(':'))
    };
    if text.lines().any(|line| is_key(line.trim_start_matches('\u{feff}'))) {
        return false;
    }
    if text.len() as u64 > LARGEST {
        return true;
    }
    match parse::parse(text) {
        Ok((root, _)) => match root.content {
            Content::Map(map) => TOP_KEYS.iter().all(|key| map.get(key).is_none()),
            Content::Scalar(value) => !value.is_null(),
            Content::List(_) => true,
        },
        // Braces have their keys in any line, and a slip in them is to be reported.
        Err(_) => !text.trim_start().starts_with('{') || !TOP_KEYS.iter().any(|key| text.contains(key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_key_of_cuff_is_another_programs() {
        for (text, expected) in [
            ("", false),
            ("# nothing yet\n", false),
            ("version: \"1\"\n", false),
            ("plugins:\n  makefile: {}\n", false),
            ("\u{feff}plugins: {}\n", false),
            ("\"plugins\" : {}\n", false),
            ("plugin_settings: {}\n", false),
            ("{plugins: {}}\n", false),
            ("plugins: [\n", false),
            ("a: 1\nplugins : {\n", false),
            ("title: My site\ntheme: dark\n", true),
            ("- one\n- two\n", true),
            ("just text\n", true),
            ("site:\n  version: 3\n  plugins: []\n", true),
            ("name: {{ template }}\n  - of version 2", true),
            ("{plugins: [", false),
            ("pluginsdir: x\n", true),
        ] {
            assert_eq!(is_foreign_text(text), expected, "{text:?}");
        }
        let large = "key: value\n".repeat(40_000);
        assert!(is_foreign_text(&large) && !is_foreign_text(&format!("{large}plugins: {{}}\n")));
    }
}
