//! The source lines that findings are about, where they are at hand.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::model::{Location, RunId, Seen};
use crate::sys::{files, read_file};

/// The largest source that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// The most sources that are read.
const MOST: usize = 100;

/// How much of a line is shown, in characters: a bundle may be a single one.
const LONGEST_LINE: usize = 200;

/// The sources of a project. A log can name any file: only those inside of the project are read, and none
/// that keeps secrets (`.env`). No line is shown of a file that changed after the run began: another line may
/// be there by now.
#[derive(Debug)]
pub struct SourceExcerpts {
    root: PathBuf,
    since: Option<RunId>,
    changed: BTreeSet<String>,
    read: HashMap<String, Option<String>>,
}

impl SourceExcerpts {
    /// The sources of the project with this root, as a run saw them.
    pub fn of(root: &Path, since: Option<RunId>) -> Self {
        Self { root: files::canonical(root), since, changed: BTreeSet::new(), read: HashMap::new() }
    }

    /// The files that were asked for and have changed since.
    pub fn changed(&self) -> Vec<&str> {
        self.changed.iter().map(String::as_str).collect()
    }

    /// The line at a place, without its indent, as the file has it now.
    pub fn line(&mut self, place: &Location) -> Option<String> {
        let number = place.line?.checked_sub(1)?;
        if !self.read.contains_key(&place.file) {
            if self.read.len() == MOST {
                return None;
            }
            let text = self.text(&place.file);
            self.read.insert(place.file.clone(), text);
        }
        let line = self.read.get(&place.file)?.as_ref()?.lines().nth(number)?.trim();
        let mut shown: String = line.chars().take(LONGEST_LINE).collect();
        if shown.len() < line.len() {
            shown.push('…');
        }
        (!line.is_empty()).then_some(shown)
    }

    fn text(&mut self, file: &str) -> Option<String> {
        let path = files::canonical(&self.root.join(file));
        let keeps_secrets = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".env"));
        if !path.starts_with(&self.root) || keeps_secrets {
            return None;
        }
        let began = self.since.map_or(u64::MAX, RunId::milliseconds);
        if files::changed(&path).is_some_and(|changed| changed > began) {
            self.changed.insert(file.to_owned());
            return None;
        }
        match read_file::file(&path, LARGEST) {
            Seen::File(file) => String::from_utf8(file.bytes.to_vec()).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "lays out the files")]
    fn a_log_has_no_line_shown_but_those_of_the_project() {
        let outside = tempfile::tempdir().unwrap();
        let root = outside.path().join("project");
        fs::create_dir(&root).unwrap();
        for (file, text) in [
            ("secret", "elsewhere\n"),
            ("project/a.ts", "\n  let a;\n"),
            ("project/.env", "API=hush-hush\n"),
            ("project/min.js", &"é".repeat(100_000)),
        ] {
            fs::write(outside.path().join(file), text).unwrap();
        }
        symlink(outside.path().join("secret"), root.join("link.ts")).unwrap();
        symlink(".env", root.join("env.ts")).unwrap();
        let mut sources = SourceExcerpts::of(&root, None);
        let mut line = |file: &str, line| sources.line(&Location::at(file, line, 1));
        assert_eq!(line("a.ts", 2).as_deref(), Some("let a;"));
        assert_eq!(line("./sub/../a.ts", 2).as_deref(), None, "there is no such folder");
        for file in ["../secret", "link.ts", ".env", "env.ts", "/etc/passwd", "."] {
            assert_eq!(line(file, 1), None, "{file}");
        }
        let absolute = outside.path().join("secret").display().to_string();
        assert_eq!(
            (line(&absolute, 1), line("a.ts", 1), line("a.ts", 0), line("a.ts", 9)),
            Default::default()
        );
        assert_eq!(line("min.js", 1), Some("é".repeat(LONGEST_LINE) + "…"));
        assert_eq!(sources.changed(), [""; 0]);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "lays out the file")]
    fn a_file_that_changed_since_has_no_lines_and_a_note() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.ts"), "let a;\n").unwrap();
        let at = files::changed(&root.path().join("a.ts")).unwrap();
        for (began, shown) in [(at, true), (at - 1, false)] {
            let mut sources = SourceExcerpts::of(root.path(), Some(RunId::new(began, [0; 10])));
            assert_eq!(sources.line(&Location::at("a.ts", 1, 1)).is_some(), shown);
            assert_eq!(sources.changed().is_empty(), shown);
        }
    }
}
