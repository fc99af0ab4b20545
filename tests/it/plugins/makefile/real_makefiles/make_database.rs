//! The targets of the real make, read by other code than cuff's own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::support::project::Project;

/// A goal of ours, so that make reads everything and then has nothing to do.
const NOTHING: &str = "nothing-of-the-project";

/// An explicit target.
#[derive(Debug, Default)]
pub(super) struct Target {
    pub(super) phony: bool,
    /// It has a recipe or prerequisites.
    pub(super) does: bool,
}

/// All that `$(shell …)` is answered with: most Makefiles that ask for anything ask for the system's name.
const SHELL: &str = r"#!/bin/sh
for line; do :; done
case $line in
*uname\ -[mpr]*) exit 1 ;;
*uname*) echo Linux ;;
*) exit 1 ;;
esac
";

/// The explicit targets of a Makefile; `None` if make refuses it, for example if a file is missing that only
/// a configuration script writes.
///
/// Nothing of the project runs: its commands are given to a shell of ours, and no Makefile can change that.
pub(super) fn targets(makefile: &Path, scratch: &Project) -> Option<BTreeMap<String, Target>> {
    let shell = scratch.script("shell", SHELL);
    // A file, since an unread pipe would fill up.
    let database = scratch.root().join("database");
    let mut make = std::process::Command::new("make");
    scratch.surround(&mut make);
    let status = make
        .arg("-pRrq")
        .arg(format!("--eval={NOTHING}: ;"))
        .arg(format!("SHELL={}", shell.display()))
        .arg("-C")
        .arg(makefile.parent().expect("a file in a folder"))
        .arg("-f")
        .arg(makefile.file_name().expect("a file"))
        .arg(NOTHING)
        .env("LC_ALL", "C")
        .stdout(fs::File::create(&database).expect("a folder of ours"))
        .stderr(Stdio::null())
        .status()
        .expect("make, which README asks for");
    let bytes = fs::read(&database).expect("what make printed");
    // 0 and 1: there is nothing to do, or something; 2: it gave up.
    status.code().is_some_and(|code| code < 2).then(|| parsed(&String::from_utf8_lossy(&bytes)))
}

fn parsed(database: &str) -> BTreeMap<String, Target> {
    let (_, files) = database.rsplit_once("\n# Files\n").expect("the heading of make's database");
    let (files, _) = files.split_once("\n# files hash-table stats").expect("the end of that part");
    let mut found: BTreeMap<String, Target> = BTreeMap::new();
    for entry in files.split("\n\n") {
        let lines: Vec<&str> = entry.lines().filter(|line| !line.is_empty()).collect();
        let Some((name, prerequisites)) = rule(&lines) else { continue };
        // `.PHONY` and its kin are words to make, not targets.
        let is_special =
            name.starts_with('.') && name[1..].bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if lines.contains(&"# Not a target:") || is_special || name == NOTHING {
            continue;
        }
        // A target with several double-colon rules has an entry for each.
        let target = found.entry(name.to_owned()).or_default();
        target.phony |= lines.iter().any(|line| line.starts_with("#  Phony target"));
        target.does |= !prerequisites.is_empty()
            || lines.iter().any(|line| {
                line.starts_with("#  recipe to execute") || line.starts_with("#  commands to execute")
            });
    }
    found
}

/// The first line that is a rule: no comment, and no variable of the target, which follows a comment about
/// its origin.
fn rule<'a>(lines: &[&'a str]) -> Option<(&'a str, &'a str)> {
    let at = (0..lines.len()).find(|&at| {
        let is_variable = at > 0 && lines[at - 1].starts_with("# ") && !lines[at - 1].starts_with("#  ");
        let is_first = at == 0 || lines[at - 1] == "# Not a target:";
        !lines[at].starts_with(['#', '\t']) && (is_first || !is_variable)
    })?;
    let (name, prerequisites) =
        lines[at].split_once(": ").or_else(|| Some((lines[at].strip_suffix(':')?, "")))?;
    Some((name.strip_suffix(':').unwrap_or(name), prerequisites.trim()))
}

#[test]
fn the_database_of_make_is_read_correctly() {
    let project = Project::empty();
    let text = ".PHONY: all none\nall: two ; @:\nnone:\ntwo:: x\ntwo:: y\n\t@:\nfor: V := 1\n\
                a\\:\\:b: V = of a target\na\\:\\:b: ; @:\nx y:\n%.o: %.c ; @:\nS := $(shell touch ran)\n";
    let makefile = project.write("Makefile", text);
    let found = targets(&makefile, &project).expect("a database");
    let said: Vec<_> =
        found.iter().map(|(name, target)| (name.as_str(), target.phony, target.does)).collect();
    let expected = [
        ("a::b", false, true),
        ("all", true, true),
        ("none", true, false),
        ("two", false, true),
        ("x", false, false),
        ("y", false, false),
    ];
    assert_eq!(said, expected);
    assert!(!project.root().join("ran").exists(), "nothing of the project runs");
}
