#![expect(clippy::disallowed_methods, reason = "tests lay out the files")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::kept_files::KeptFiles;

/// A project `root/app` in a repository `root`, with a hook and an installed program.
fn scene() -> tempfile::TempDir {
    let base = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = base.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for folder in [".git/objects", ".git/refs"] {
        fs::create_dir_all(base.path().join(folder)).unwrap();
    }
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(".git/config", "[core]\n\thooksPath = tools/hooks\n");
    write(".git/hooks/pre-commit.sample", "");
    write("tools/hooks/pre-push", "#!/bin/sh\n");
    write(".git/modules/libs/one/HEAD", "ref: refs/heads/main\n");
    write(".git/modules/libs/one/config", "[core]\n\tworktree = ../../../../libs/one\n");
    write("app/.npmrc", "a=b\n");
    write("app/.husky/_/husky.sh", "");
    write("app/.claude/settings.json", "{}");
    write("app/node_modules/x/cli.js", "");
    fs::create_dir_all(base.path().join("app/node_modules/.bin")).unwrap();
    symlink("../x/cli.js", base.path().join("app/node_modules/.bin/x")).unwrap();
    write("app/prepared/x", "");
    base
}

fn changes(deed: impl FnOnce(&Path)) -> Vec<String> {
    let base = scene();
    let base = base.path();
    // All that is laid out is older than a step of the file system's clock.
    std::thread::sleep(2 * STEP);
    let (known, app) = (KeptFiles::default(), base.join("app"));
    let look = |is_afresh| LaterFiles::look(FileReader { known: &known, is_afresh }, &[&app]);
    let before = look(false);
    deed(base);
    let after = look(true);
    let outside = files::canonical(base).display().to_string() + "/";
    before.changes(&after, &app).into_iter().map(|path| path.replace(&outside, "^/")).collect()
}

/// What is done, how, and what is told of it.
type Deed = (&'static str, fn(&Path), &'static [&'static str]);

const DEEDS: [Deed; 24] = [
    ("nothing", |_| {}, &[]),
    ("another file", |at| fs::write(at.join("app/index.js"), "x").unwrap(), &[]),
    ("a sample", |at| fs::write(at.join(".git/hooks/pre-commit.sample"), "x").unwrap(), &[]),
    ("the same content", |at| fs::write(at.join("app/.npmrc"), "a=b\n").unwrap(), &[]),
    (
        "a hook",
        |at| fs::write(at.join(".git/hooks/post-checkout"), "x").unwrap(),
        &["^/.git/hooks/post-checkout"],
    ),
    (
        "a submodule's configuration",
        |at| fs::write(at.join(".git/modules/libs/one/config"), "[core]\n\tfsmonitor = x\n").unwrap(),
        &["^/.git/modules/libs/one/config"],
    ),
    (
        "a submodule's hook",
        |at| {
            fs::create_dir_all(at.join(".git/modules/libs/one/hooks")).unwrap();
            fs::write(at.join(".git/modules/libs/one/hooks/pre-commit"), "x").unwrap();
        },
        &["^/.git/modules/libs/one/hooks/pre-commit"],
    ),
    (
        "another folder of programs",
        |at| {
            let programs = at.join("app/node_modules/.bin");
            fs::rename(&programs, at.join("app/old")).unwrap();
            fs::rename(at.join("app/prepared"), programs).unwrap();
        },
        &["node_modules/.bin"],
    ),
    ("a submodule", |at| submodule(at, "2"), OF_A_SUBMODULE),
    ("a submodule in a short index", |at| submodule(at, "4"), OF_A_SUBMODULE),
    (
        "a submodule in an index of several files",
        |at| {
            submodule(at, "2");
            git(at, &["update-index", "--split-index"]);
        },
        &["^/.git/index"],
    ),
    (
        "other data for the repository, in a file that is too long to read",
        |at| fs::write(at.join(".git/commondir"), "../evil".to_owned() + &"\n".repeat(300_000)).unwrap(),
        &["^/.git/commondir"],
    ),
    (
        "other data for a worktree",
        |at| {
            fs::create_dir_all(at.join(".git/worktrees/w")).unwrap();
            fs::write(at.join(".git/worktrees/w/commondir"), "../../../evil").unwrap();
        },
        &["^/.git/worktrees/w/commondir"],
    ),
    (
        "an editor's workspace",
        |at| fs::write(at.join("app/My.code-workspace"), "{}").unwrap(),
        &["My.code-workspace"],
    ),
    ("git's configuration", |at| fs::write(at.join(".git/config"), "[core]\n").unwrap(), &["^/.git/config"]),
    (
        "a hook elsewhere",
        |at| fs::write(at.join("tools/hooks/pre-push"), "x").unwrap(),
        &["^/tools/hooks/pre-push"],
    ),
    (
        "a right to run",
        |at| {
            fs::set_permissions(at.join("tools/hooks/pre-push"), fs::Permissions::from_mode(0o755)).unwrap();
        },
        &["^/tools/hooks/pre-push"],
    ),
    ("a file that goes", |at| fs::remove_file(at.join("app/.npmrc")).unwrap(), &[".npmrc"]),
    (
        "a file that comes",
        |at| {
            fs::create_dir(at.join("app/.vscode")).unwrap();
            fs::write(at.join("app/.vscode/tasks.json"), "{}").unwrap();
        },
        &[".vscode/tasks.json"],
    ),
    (
        "deep in a folder",
        |at| fs::write(at.join("app/.husky/_/husky.sh"), "x").unwrap(),
        &[".husky/_/husky.sh"],
    ),
    (
        "an agent's settings",
        |at| fs::write(at.join("app/.claude/settings.json"), "x").unwrap(),
        &[".claude/settings.json"],
    ),
    ("of the repository", |at| fs::write(at.join(".mcp.json"), "{}").unwrap(), &["^/.mcp.json"]),
    (
        "an installed program",
        |at| {
            symlink("../y", at.join("app/node_modules/.bin/y")).unwrap();
            fs::write(at.join("app/node_modules/.bin/z"), "").unwrap();
        },
        &["node_modules/.bin: 2 files"],
    ),
    (
        "a program of a store",
        |at| {
            fs::hard_link(at.join("app/node_modules/x/cli.js"), at.join("store")).unwrap();
            fs::write(at.join("app/node_modules/x/cli.js"), "x").unwrap();
        },
        &["node_modules/.bin: 1 file", "node_modules/.bin/x (one of 2 hard links)"],
    ),
];

/// Runs git in a folder, as nobody in particular.
fn git(folder: &Path, words: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
    let mut git = std::process::Command::new("git");
    git.arg("-C").arg(folder).args(identity).args(words).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = git.output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository that is part of the one around it, and whose configuration starts a program at each `git status` there.
fn submodule(base: &Path, version: &str) {
    let inner = base.join("app/docs/inner");
    fs::create_dir_all(&inner).unwrap();
    git(&inner, &["init", "-q"]);
    git(&inner, &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(&inner, &["config", "core.fsmonitor", "evil"]);
    git(base, &["update-index", "--index-version", version]);
    git(base, &["add", "-f", "app/docs/inner", "app/.npmrc", "app/.claude", "app/prepared"]);
}

const OF_A_SUBMODULE: &[&str] = &["docs/inner/.git/config"];

#[test]
fn each_planted_file_is_told_and_nothing_else() {
    for (what, deed, expected) in DEEDS {
        assert_eq!(changes(deed), expected, "{what}");
    }
}

#[test]
fn each_folder_is_told_before_the_second_file_of_any() {
    let told = changes(|at| {
        (0..99).for_each(|number| fs::write(at.join(format!("app/.claude/{number}")), "").unwrap());
        fs::write(at.join(".git/hooks/post-checkout"), "x").unwrap();
    });
    assert_eq!(
        (told.len(), &told[..2]),
        (100, &["^/.git/hooks/post-checkout".to_owned(), ".claude/0".into()][..])
    );
}

#[test]
#[ignore = "a measurement"]
fn how_long_a_look_takes() {
    let base = scene();
    let app = base.path().join("app");
    for at in 0..200 {
        fs::write(app.join(format!("node_modules/x/{at}.js")), "").unwrap();
        symlink(format!("../x/{at}.js"), app.join(format!("node_modules/.bin/{at}"))).unwrap();
        if at < 40 {
            fs::write(base.path().join(format!(".git/hooks/{at}")), "").unwrap();
            fs::write(app.join(format!(".claude/{at}")), "").unwrap();
        }
    }
    std::thread::sleep(Duration::from_millis(300));
    let known = KeptFiles::default();
    for _ in 0..5 {
        let start = std::time::Instant::now();
        let look = |is_afresh| LaterFiles::look(FileReader { known: &known, is_afresh }, &[&app, &app]);
        let before = look(false);
        let first = start.elapsed();
        let after = look(true);
        assert!(before.changes(&after, &app).is_empty());
        eprintln!("{first:?}, both {:?}", start.elapsed());
    }
}
