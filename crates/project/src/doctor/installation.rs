//! How this cuff was installed. Its package says so, in a file beside the binary; cuff knows no package manager.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Check;
use crate::model::Seen;
use crate::sys::{Environment, files, programs, read_file};

/// The file of a package, from the folder above that of the binary.
const FILE: &str = "lib/cuff/installed.json";
/// The file of `cargo install` and `cargo binstall`, likewise.
const OF_CARGO: &str = ".crates2.json";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 10;

/// How this cuff was installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The binary itself, not a link or a script that leads to it.
    pub binary: PathBuf,
    /// The installer of it.
    pub by: String,
    /// The line to type for a newer version.
    pub upgrade: String,
    /// Whether it lies in a cache that may be emptied at any time.
    pub is_temporary: bool,
}

/// One way in which a package can have been installed.
#[derive(Debug, Deserialize)]
struct InstallWay {
    /// The part of the binary's path that only this way has; empty for the last.
    #[serde(default)]
    path: String,
    by: String,
    upgrade: String,
    #[serde(default)]
    is_temporary: bool,
}

impl Installation {
    /// Reads how the cuff at this path was installed.
    pub fn of(binary: &Path) -> Self {
        let binary = files::canonical(binary);
        let above = binary.parent().and_then(Path::parent).unwrap_or(&binary);
        let (by, upgrade, is_temporary) = match read_file::file(&above.join(FILE), LARGEST) {
            Seen::File(file) => match way(&file.bytes, &binary) {
                Some(way) => (way.by, way.upgrade, way.is_temporary),
                None => unknown(
                    format!("a package whose {FILE} cannot be understood"),
                    "install the package again",
                ),
            },
            Seen::Unreadable(why) => {
                unknown(format!("a package whose {FILE} cannot be read: {why}"), "install it again")
            }
            Seen::Missing if files::look(&above.join(OF_CARGO)).is_some() => {
                unknown("cargo install".to_owned(), "the line that you installed it with, again")
            }
            Seen::Missing => unknown("no package".to_owned(), "put a newer binary in its place"),
        };
        Self { binary, by, upgrade, is_temporary }
    }

    /// Says where this cuff is, and which one the name `cuff` starts where that is another.
    pub fn checks(&self, environment: &Environment) -> Vec<Check> {
        let mut checks =
            vec![Check::pass(format!("this cuff was installed by {}: {}", self.by, self.binary.display()))];
        let search_path = programs::inherited_search_path(environment);
        let mut found = programs::find_all("cuff", search_path, environment.directory());
        let mut known = Vec::new();
        found.retain(|path| {
            let file = files::canonical(path);
            let is_new = !known.contains(&file);
            known.push(file);
            is_new
        });
        let others: Vec<String> = found.iter().skip(1).map(|path| path.display().to_string()).collect();
        if let (Some(first), false) = (found.first(), others.is_empty()) {
            let first = first.display();
            let what = format!(
                "there are {} cuffs on the PATH; shells and agents start {first}, and not {}",
                found.len(),
                others.join(", ")
            );
            let remedy = format!(
                "remove what you do not want; `{first} --version --verbose` says how it was installed"
            );
            checks.push(Check::warn(what, remedy));
        }
        checks
    }
}

/// Whether a program is the script of a package that starts the package's binary.
pub fn is_launcher(path: &Path) -> bool {
    let names = |bytes: &[u8]| bytes.windows(FILE.len()).any(|part| part == FILE.as_bytes());
    matches!(read_file::file(path, LARGEST), Seen::File(file) if file.bytes.starts_with(b"#!") && names(&file.bytes))
}

/// The first way that this path is of.
fn way(bytes: &[u8], binary: &Path) -> Option<InstallWay> {
    let ways: Vec<InstallWay> = serde_json::from_slice(bytes).ok()?;
    ways.into_iter().find(|way| binary.to_string_lossy().contains(&way.path))
}

fn unknown(by: String, upgrade: &str) -> (String, String, bool) {
    (by, upgrade.to_owned(), false)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests make the folders that are looked at")]
mod tests {
    use std::fs;

    use super::*;

    /// The parts that are read of a binary at this path below a folder, with these files beside it.
    fn read(path: &str, files: &[(&str, &str)]) -> (String, String, bool) {
        let root = tempfile::tempdir().unwrap();
        let binary = root.path().join(path);
        let above = binary.parent().unwrap().parent().unwrap();
        for (name, text) in files.iter().chain(&[("bin/cuff", "")]) {
            let file = above.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let Installation { by, upgrade, is_temporary, .. } = Installation::of(&binary);
        (by, upgrade, is_temporary)
    }

    #[test]
    fn packages_say_how_they_were_installed() {
        let npm = include_str!("../../../../packaging/installed/npm.json");
        let pypi = include_str!("../../../../packaging/installed/pypi.json");
        for (path, text, by, upgrade, is_temporary) in [
            (
                "a/lib/node_modules/cuff/node_modules/cuff-linux-x64/bin/cuff",
                npm,
                "npm install --global",
                "npm install --global cuff@latest",
                false,
            ),
            ("a/node_modules/cuff-linux-x64/bin/cuff", npm, "npm", "npm install cuff@latest", false),
            (".npm/_npx/1f/node_modules/cuff-linux-x64/bin/cuff", npm, "npx", "npx cuff@latest", true),
            ("share/uv/tools/cuff/bin/cuff", pypi, "uv tool", "uv tool upgrade cuff", false),
            (".cache/uv/archive-v0/x/bin/cuff", pypi, "uvx", "uvx cuff@latest", true),
            ("venv/bin/cuff", pypi, "pip", "pip install --upgrade cuff", false),
        ] {
            assert_eq!(
                read(path, &[(FILE, text)]),
                (by.to_owned(), upgrade.to_owned(), is_temporary),
                "{path}"
            );
        }
        for (name, text) in [
            ("arch", include_str!("../../../../packaging/installed/arch.json")),
            ("deb", include_str!("../../../../packaging/installed/deb.json")),
            ("make", include_str!("../../../../packaging/installed/make.json")),
            ("rpm", include_str!("../../../../packaging/installed/rpm.json")),
            ("tarball", include_str!("../../../../packaging/installed/tarball.json")),
        ] {
            assert!(way(text.as_bytes(), Path::new("/usr/bin/cuff")).is_some(), "{name}");
        }
    }

    #[test]
    fn a_binary_without_a_package_says_so() {
        assert_eq!(read("target/bin/cuff", &[]).0, "no package");
        assert_eq!(read(".cargo/bin/cuff", &[(OF_CARGO, "{}")]).0, "cargo install");
        assert_eq!(
            read("usr/bin/cuff", &[(FILE, "[")]).0,
            "a package whose lib/cuff/installed.json cannot be understood"
        );
    }
}
