//! How files are named: relative to the project where they lie inside, else as the log does.

use std::path::{Path, PathBuf};

use super::scripts::Scripts;
use crate::model::path;

/// The words of a line that says where a build goes, `make[1]: Entering directory '/a/b'`, or that it comes back.
pub(super) const SIGNS: [&str; 2] = [ENTERING, LEAVING];
const ENTERING: &str = ": Entering directory ";
const LEAVING: &str = ": Leaving directory ";

/// How often a log may change folders; what follows is named by the last one.
const MOST_CHANGES: usize = 10_000;
/// How deep folders are remembered within others.
const DEEPEST: usize = 100;

/// The folders that names begin from.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    root: PathBuf,
    /// As [`path::join`] has it.
    directory: String,
    /// Where a build went and has not come back from.
    entered: Vec<String>,
    /// The folder that names begin from, from each of these bytes of the log on; `None` is `directory`.
    folders: Vec<(u64, Option<String>)>,
    /// The scripts that npm ran one after another.
    scripts: Scripts,
}

impl Files {
    /// `directory` is relative to the root.
    pub(super) fn new(root: &Path, directory: &Path) -> Self {
        Self { root: root.to_owned(), directory: directory.display().to_string(), ..Self::default() }
    }

    /// Learns from a line that begins at this byte of the log where a build goes.
    pub(super) fn learn(&mut self, text: &str, at: u64) {
        self.scripts.learn(text, at);
        if let Some(folder) = announced(text, ENTERING) {
            if self.entered.len() < DEEPEST {
                self.entered.push(folder.to_owned());
            }
        } else if let Some(folder) = announced(text, LEAVING) {
            let Some(place) = self.entered.iter().rposition(|entered| entered == folder) else { return };
            self.entered.remove(place);
        } else {
            return;
        }
        if self.folders.len() < MOST_CHANGES {
            self.folders.push((at, self.entered.last().cloned()));
        }
    }

    /// Which of several scripts a byte of the log belongs to: what two say alike is about two packages.
    pub(super) fn script(&self, at: u64) -> usize {
        self.scripts.number(at)
    }

    /// A better name for a file that was named at this byte of the log, known only when all of it was read.
    pub(super) fn rename(&self, file: &str, at: u64) -> Option<String> {
        self.scripts.rename(file, at, &self.root, &self.directory)
    }

    /// A file of the log by the name that it has in the project; `at` is where in the log it is named, `folder` that of
    /// the job that names it.
    pub(super) fn name(&self, printed: &str, at: u64, folder: Option<&str>) -> String {
        let named = printed.strip_prefix("file://").unwrap_or(printed);
        if self.root.as_os_str().is_empty() {
            return named.to_owned();
        }
        if let Some(inside) = named.strip_prefix("${workspaceFolder}/") {
            return path::join(".", inside.trim_start_matches('/'));
        }
        if let Ok(inside) = Path::new(named).strip_prefix(&self.root) {
            return inside.display().to_string();
        }
        let windows = named.contains('\\') || named.as_bytes().get(1) == Some(&b':');
        if named.starts_with(['/', '<', '~']) || windows || named.contains("://") {
            return named.to_owned();
        }
        let behind = self.folders.partition_point(|(from, _)| *from <= at);
        let entered = self.folders[..behind].last().and_then(|(_, folder)| folder.as_deref());
        let folder = entered.or(folder);
        if folder.is_none() && matches!(&*self.directory, "" | ".") && is_tidy(named) {
            return named.to_owned();
        }
        let joined = path::join(&path::join(&self.directory, folder.unwrap_or(".")), named);
        match Path::new(&joined).strip_prefix(&self.root) {
            Ok(inside) => inside.display().to_string(),
            Err(_) => joined,
        }
    }
}

/// Whether nothing in a name leads nowhere or back.
fn is_tidy(name: &str) -> bool {
    !name.is_empty() && !name.split('/').any(|part| matches!(part, "" | "." | ".."))
}

/// The folder between quotes behind the words, where a build says them.
fn announced<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (who, folder) = text.split_once(words)?;
    let program = who.split_once('[').map_or(who, |(program, _)| program);
    let builds = program.ends_with("make") || program.ends_with("make.exe") || program == "ninja";
    let folder = folder.strip_prefix(['\'', '`', '"'])?.strip_suffix(['\'', '"'])?;
    (builds && !program.contains(' ') && !folder.is_empty()).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_where_the_build_is() {
        let mut files = Files::new(Path::new("/home/me/tides"), Path::new("sub"));
        files.learn("make[1]: Entering directory '/home/me/tides/lib'", 10);
        files.learn("say: Entering directory 'elsewhere'", 15);
        files.learn("make[2]: Entering directory `/home/me/other'", 20);
        files.learn("make[2]: Leaving directory `/home/me/other'", 30);
        files.learn("make[1]: Leaving directory '/home/me/tides/lib'", 40);
        files.learn("ninja: Entering directory `build'", 50);
        for (at, name) in [
            (0, "sub/a.c"),
            (10, "lib/a.c"),
            (19, "lib/a.c"),
            (25, "/home/me/other/a.c"),
            (35, "lib/a.c"),
            (45, "sub/a.c"),
            (55, "sub/build/a.c"),
        ] {
            assert_eq!(files.name("./a.c", at, None), name, "{at}");
            assert_eq!(files.name("/home/me/tides/b/a.c", at, None), "b/a.c");
        }
    }
}
