//! The real programs that cuff calls, exactly the versions in `tests/tools/package-lock.json` and `requirements.txt`.

use std::env;
use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The search path of the tests: the programs of `tests/tools/install`, then those of the machine.
pub(crate) fn path() -> OsString {
    ahead(&installed())
}

/// The same, with one of our programs first under another's name: `("pnpm8", "pnpm")`.
///
/// `folder` must be the caller's own; a link is made in it.
pub(crate) fn path_with(program: &str, name: &str, folder: &Path) -> OsString {
    symlink(installed().join(program), folder.join(name)).expect("a folder that links can be made in");
    let mut path = folder.as_os_str().to_owned();
    path.push(":");
    path.push(self::path());
    path
}

/// The path of a program that a test needs.
///
/// It panics if the program is missing, and says how to get it, so that nothing is skipped unseen. A
/// developer without a network may set `CUFF_TEST_OFFLINE`. Then the answer is `None`, the test ends there,
/// and says so. On a build server (`CI` is set) that variable counts for nothing.
#[must_use]
pub(crate) fn require(program: &str) -> Option<PathBuf> {
    let found = env::split_paths(&path()).map(|folder| folder.join(program)).find(|file| file.is_file());
    if found.is_some() {
        return found;
    }
    assert!(
        may_skip(),
        "{program} is missing: run tests/tools/install, which installs what requirements.txt and package.json name, and install \
         Node.js 20 and Python 3 for node, npm and python3. Without a network set CUFF_TEST_OFFLINE=1 to skip."
    );
    skipped(&format!("{program} is missing"));
    None
}

/// Whether a program is there that only the packages of the system have. Without it the test ends there and says so, past the
/// capture of the test runner.
#[must_use]
pub(crate) fn of_system(program: &str, package: &str) -> bool {
    let is_there = env::split_paths(&path()).any(|folder| folder.join(program).is_file());
    if !is_there {
        impossible(&format!("{program} is missing: apt-get install {package}"));
    }
    is_there
}

/// Whether this user asked to skip tests that need a network.
pub(crate) fn may_skip() -> bool {
    env::var_os("CUFF_TEST_OFFLINE").is_some() && env::var_os("CI").is_none()
}

/// Says that a test proves nothing today, since a person wanted that.
pub(crate) fn skipped(why: &str) {
    impossible(&format!("{why}, and CUFF_TEST_OFFLINE is set"));
}

/// Says, past the capture of the test runner, that a test proves nothing today.
pub(crate) fn impossible(why: &str) {
    use std::io::Write as _;
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let message = format!("SKIPPED {name}: {why}\n");
    // `eprintln!` is captured and thrown away where a test passes; writing to the stream itself is not.
    std::io::stderr().write_all(message.as_bytes()).expect("standard error");
}

/// Whether the system gives a process of this user mounts of its own.
pub(crate) fn has_namespaces() -> bool {
    let words: &[&str] =
        if nix::unistd::geteuid().is_root() { &["-m", "true"] } else { &["-U", "-m", "true"] };
    std::process::Command::new("unshare").args(words).status().is_ok_and(|status| status.success())
}

fn installed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/bin")
}

fn ahead(folder: &Path) -> OsString {
    let mut path = folder.as_os_str().to_owned();
    if let Some(machine) = env::var_os("PATH") {
        path.push(":");
        path.push(machine);
    }
    path
}

/// Every program that the installer offers starts, and is the version that its name says.
#[test]
fn every_installed_program_starts() {
    for (program, version) in [
        ("pnpm", "10."),
        ("pnpm8", "8."),
        ("yarn", "1."),
        ("yarn4", "4."),
        ("bun", "1."),
        ("just", "just 1."),
        ("uv", "uv 0."),
        ("task", "3."),
        ("cmake", "cmake version 4."),
        ("ctest", "ctest version 4."),
        ("deno", "deno 2."),
        ("turbo", "2."),
        ("lefthook", "lefthook version 2."),
        ("pre-commit", "pre-commit 4."),
        ("pytest", "pytest 9."),
        ("ruff", "ruff 0."),
        ("poe", "Poe the Poet - version: 0."),
        ("tsc", "Version "),
        ("eslint", "v10."),
        ("eslint9", "v9."),
        ("eslint8", "v8."),
    ] {
        let Some(file) = require(program) else { return };
        let output = std::process::Command::new(file)
            .arg("--version")
            .current_dir("/")
            .env("PATH", path())
            .output()
            .expect("a program that starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with(version), "{program} --version says {said:?}");
    }
}
