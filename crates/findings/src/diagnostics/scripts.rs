//! The scripts of several packages that npm or yarn 1 runs one after another. `> name@1.0.0 build` begins one, or `yarn run v1.22.22`.
//! If one fails, `npm error path /a/b` or `Directory: /a/b` names its folder afterwards.

use std::path::Path;

use crate::model::path;

/// The words of a line that begins a script of yarn, or says in which folder a script failed.
pub(super) const TRIGGERS: [&str; 4] = [YARN, "npm error path /", "npm ERR! path /", "Directory: /"];
const YARN: &str = "yarn run v";

/// The most scripts that are kept apart.
const MOST: usize = 10_000;

/// The scripts of one log.
#[derive(Debug, Clone, Default)]
pub(super) struct Scripts(Vec<Script>);

#[derive(Debug, Clone)]
struct Script {
    /// Its beginning, in bytes.
    begins: u64,
    folder: Option<String>,
}

impl Scripts {
    /// Learns from a line that begins at this byte of the log.
    pub(super) fn learn(&mut self, text: &str, at: u64) {
        if is_banner(text) {
            if self.0.len() < MOST {
                self.0.push(Script { begins: at, folder: None });
            }
        } else if let Some(folder) = failed_in(text)
            && let Some(last) = self.0.last_mut()
        {
            last.folder.get_or_insert_with(|| folder.to_owned());
        }
    }

    /// Which script a byte of the log belongs to, by its number.
    pub(super) fn number(&self, at: u64) -> usize {
        self.0.partition_point(|script| script.begins <= at)
    }

    /// The first byte of the script that a byte of the log belongs to; 0 where no script was announced.
    pub(super) fn start(&self, at: u64) -> u64 {
        self.number(at).checked_sub(1).and_then(|last| self.0.get(last)).map_or(0, |script| script.begins)
    }

    /// A file named from npm's working directory, renamed from the folder of its script. `None` if the log
    /// names no other folder.
    pub(super) fn rename(&self, file: &str, at: u64, root: &Path, directory: &str) -> Option<String> {
        let script = self.0.get(self.number(at).checked_sub(1)?)?;
        let folder = Path::new(script.folder.as_deref()?).strip_prefix(root).ok()?.display().to_string();
        let (folder, directory) = (path::join(".", &folder), path::join(".", directory));
        if folder == directory || file.starts_with('/') || Path::new(file).starts_with(&folder) {
            return None;
        }
        Some(path::join(&folder, &path::within(&directory, file)))
    }
}

/// The folder in which a script failed: `npm error path /a/b`.
pub(super) fn failed_in(text: &str) -> Option<&str> {
    let folder = TRIGGERS.iter().find_map(|trigger| text.strip_prefix(trigger.strip_suffix('/')?));
    folder.filter(|folder| folder.starts_with('/')).map(str::trim)
}

/// `> name@1.0.0 build`, `yarn run v1.22.22`
fn is_banner(text: &str) -> bool {
    if text.starts_with(YARN) {
        return true;
    }
    let package = text.strip_prefix("> ").and_then(|text| text.split(' ').next());
    let version = package.and_then(|package| package.rsplit_once('@')).map(|(_, version)| version);
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_script_says_where_it_was() {
        let mut scripts = Scripts::default();
        for (text, at) in [
            ("> a@1.0.0 build", 10),
            ("npm error path /home/me/tides/packages/a", 50),
            ("> @x/b@1.0.0 build", 100),
            ("> tsc", 120),
            ("> c@1.0.0 build", 200),
            ("npm error path /elsewhere", 250),
        ] {
            scripts.learn(text, at);
        }
        let name = |file, at| scripts.rename(file, at, Path::new("/home/me/tides"), ".");
        assert_eq!(name("src/a.ts", 30).as_deref(), Some("packages/a/src/a.ts"));
        for (file, at) in [
            ("packages/a/src/a.ts", 30),
            ("/usr/a.ts", 30),
            ("src/a.ts", 5),
            ("src/a.ts", 130),
            ("src/a.ts", 230),
        ] {
            assert_eq!(name(file, at), None, "{file} {at}");
        }
        assert_eq!([0, 10, 99, 100, 500].map(|at| scripts.number(at)), [0, 1, 1, 2, 3]);
        let below = scripts.rename("web/a.ts", 30, Path::new("/home/me/tides"), "web");
        assert_eq!(below.as_deref(), Some("packages/a/a.ts"));
    }
}
