#![expect(clippy::disallowed_methods, reason = "tests make the trees they search")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use nix::fcntl::{OFlag, open, openat};
use nix::sys::stat::Mode;

use super::*;
use crate::model::Link;

const FOLDER: OFlag = OFlag::O_DIRECTORY;

/// A temporary tree of files; each file's content is its own path.
struct Tree(tempfile::TempDir);

impl Tree {
    fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for path in paths {
            let full = tree.at(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, path).unwrap();
        }
        tree
    }

    fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(path)
    }

    fn search(&self, patterns: &[&str], exclude: &[&str]) -> Matches {
        self.search_below(".", patterns, exclude, SearchLimits::default())
    }

    fn search_below(&self, base: &str, patterns: &[&str], exclude: &[&str], limits: SearchLimits) -> Matches {
        let glob = Glob::new(base, patterns.iter().copied()).without(exclude.iter().copied()).reading(8192);
        search(self.0.path(), &glob, limits)
    }
}

fn paths(matches: &Matches) -> String {
    matches.found.keys().cloned().collect::<Vec<_>>().join(" ")
}

#[test]
fn patterns_and_excludes_together() {
    let tree = Tree::of([
        "build.sh",
        "build/deploy.sh",
        "build/other.sh",
        "scripts/a.sh",
        "scripts/a_test.sh",
        "scripts/b.py",
        "scripts/internal_x.sh",
        "scripts/.hidden.sh",
        "scripts/deep/c.sh",
        "tools/t.sh",
        "tools/db/m.sh",
        "tools/db/vendor/v.sh",
        "tools/node_modules/n/n.sh",
        "tools/target/t.sh",
        ".git/hooks/h.sh",
    ]);
    for (wanted, exclude, expected) in [
        (
            &["scripts/*.sh", "scripts/*.py"][..],
            &["scripts/internal_*.sh", "**/*_test.sh"][..],
            "scripts/.hidden.sh scripts/a.sh scripts/b.py",
        ),
        (&["build/deploy.sh"], &[], "build/deploy.sh"),
        (&["build/deploy.sh"], &["build"], ""),
        (&["tools/**/*.sh"], &[], "tools/db/m.sh tools/db/vendor/v.sh tools/t.sh"),
        (&["tools/**/*.sh"], &["**/vendor"], "tools/db/m.sh tools/t.sh"),
        (&["tools/**/*.sh"], &["tools/**"], ""),
        (&["**/h.sh", "tools/target/*"], &[], "tools/target/t.sh"),
        (&[".git/hooks/*", "*.sh"], &[], ".git/hooks/h.sh build.sh"),
        (
            &["scripts/*.sh", "scripts/**/*.sh", "scripts/a.sh"],
            &["**/*_*", "**/.*"],
            "scripts/a.sh scripts/deep/c.sh",
        ),
        (&["none/*.sh", "build.sh/*", "*/none/**"], &[], ""),
    ] {
        let matches = tree.search(wanted, exclude);
        assert_eq!(paths(&matches), expected, "{wanted:?} without {exclude:?}");
        assert_eq!((matches.notes, matches.refused), (vec![], vec![]), "{wanted:?}");
    }
}

#[test]
fn a_base_of_its_own() {
    let tree = Tree::of(["sub/scripts/a.sh", "other/b.sh", "file"]);
    symlink("sub", tree.at("link")).unwrap();
    let found = |base: &str| {
        let matches = tree.search_below(base, &["scripts/*.sh"], &[], SearchLimits::default());
        (paths(&matches), matches.base)
    };
    let sub = tree.at("sub").canonicalize().unwrap();
    for base in ["sub", "./sub/", "link", "other/../sub", tree.at("sub").to_str().unwrap()] {
        assert_eq!(found(base), ("scripts/a.sh".into(), Some(sub.clone())), "{base}");
    }
    for base in ["none", "file", "file/below"] {
        assert_eq!(found(base), (String::new(), None), "{base}");
    }
}

#[test]
fn a_pattern_that_leaves_the_base_is_refused_and_the_others_hold() {
    let tree = Tree::of(["base/a.sh", "out.sh"]);
    let search = |wanted: &[&str], exclude: &[&str]| {
        let matches = tree.search_below("base", wanted, exclude, SearchLimits::default());
        let refused: Vec<_> = matches.refused.iter().map(|bad| bad.pattern.clone()).collect();
        (paths(&matches), refused.join(" "))
    };
    let absolute = tree.at("out.sh");
    let absolute = absolute.to_str().unwrap();
    assert_eq!(search(&["../*.sh", absolute, "*.sh"], &[]), ("a.sh".into(), format!("../*.sh {absolute}")));
    assert_eq!(search(&["x/../../*.sh", "[z-a]"], &[]), (String::new(), "x/../../*.sh [z-a]".into()));
    // An exclude that cannot be understood hides everything rather than nothing.
    assert_eq!(search(&["*.sh"], &["{a", "b"]), (String::new(), "{a".into()));
}

#[test]
fn a_match_has_size_mode_link_and_canonical_path() {
    let tree = Tree::of(["s/a.sh", "s/plain.sh"]);
    fs::write(tree.at("s/a.sh"), vec![b'x'; 10_000]).unwrap();
    fs::set_permissions(tree.at("s/a.sh"), fs::Permissions::from_mode(0o757)).unwrap();
    symlink("a.sh", tree.at("s/link.sh")).unwrap();
    let matches = tree.search(&["s/*.sh", "s/none.sh", "s"], &[]);
    assert_eq!(paths(&matches), "s/a.sh s/link.sh s/none.sh s/plain.sh");
    let file = |path: &str| match &matches.found[path] {
        Seen::File(file) => file.clone(),
        other => panic!("{path}: {other:?}"),
    };
    let (a, link, plain) = (file("s/a.sh"), file("s/link.sh"), file("s/plain.sh"));
    assert_eq!(
        (a.bytes.len(), a.size, a.mode, a.executable, a.link),
        (8192, 10_000, 0o757, true, Link::Direct)
    );
    assert_eq!((link.link, link.inode, &link.canonical), (Link::Symbolic, a.inode, &a.canonical));
    assert_eq!((plain.executable, plain.bytes.as_ref()), (false, &b"s/plain.sh"[..]));
    assert_eq!(matches.found["s/none.sh"], Seen::Missing);
    assert_eq!(matches.notes, ["s is a folder, not a file"]);
}

#[test]
fn links_pipes_and_names_that_are_no_text() {
    let tree = Tree::of(["s/a.sh", "elsewhere/e.sh"]);
    symlink("../elsewhere", tree.at("s/folder.sh")).unwrap();
    symlink("..", tree.at("s/up")).unwrap();
    symlink("nowhere", tree.at("s/broken.sh")).unwrap();
    symlink("loop.sh", tree.at("s/loop.sh")).unwrap();
    nix::unistd::mkfifo(&tree.at("s/pipe.sh"), Mode::S_IRWXU).unwrap();
    let name = |bytes| OsStr::from_bytes(bytes);
    fs::write(tree.at("s").join(name(b"\xff.sh")), "").unwrap();
    fs::write(tree.at("s").join(name(b"\xff.py")), "").unwrap();
    fs::create_dir(tree.at("s").join(name(b"dir\xff"))).unwrap();
    fs::write(tree.at("s").join(name(b"dir\xff")).join("x.sh"), "").unwrap();
    let matches = tree.search(&["s/**/*.sh"], &[]);
    assert_eq!(paths(&matches), "s/a.sh s/loop.sh");
    assert!(matches!(matches.found["s/loop.sh"], Seen::Unreadable(_)));
    insta::assert_debug_snapshot!(matches.notes, @r#"
    [
        "s/broken.sh is a symbolic link to nothing",
        "s/dir� is left out: its name is not UTF-8",
        "s/�.sh is left out: its name is not UTF-8",
    ]
    "#);
}

/// Root may list every folder, so the folder that cannot be listed is one whose path is too long to open.
#[test]
fn a_folder_that_cannot_be_listed_is_noted() {
    let tree = Tree::of(["s/a.sh"]);
    let name = "d".repeat(250);
    let mut folder = open(&tree.at("s"), FOLDER, Mode::empty()).unwrap();
    for _ in 0..20 {
        nix::sys::stat::mkdirat(&folder, name.as_str(), Mode::S_IRWXU).unwrap();
        folder = openat(&folder, name.as_str(), FOLDER, Mode::empty()).unwrap();
    }
    let matches = tree.search(&["s/**/*.sh"], &[]);
    assert_eq!(paths(&matches), "s/a.sh");
    assert_eq!(matches.notes.len(), 1);
    assert!(matches.notes[0].starts_with("cannot look into s/ddd"), "{}", matches.notes[0]);
}

#[test]
fn limits_cut_in_order_and_say_so() {
    let names: Vec<_> = (0..10_000).map(|n| format!("s/{n:05}.sh")).collect();
    let tree = Tree::of(names.iter().map(String::as_str));
    let search = |limits| tree.search_below(".", &["s/*.sh", "s/00003.sh"], &[], limits);
    let matches = search(SearchLimits::default());
    assert_eq!(matches.found.keys().collect::<Vec<_>>(), names.iter().take(5_000).collect::<Vec<_>>());
    assert_eq!(matches.notes, ["10000 files match and only the first 5000 are taken; narrow the patterns"]);
    let matches = search(SearchLimits { matches: 5_000, entries: 100 });
    assert!((100..=101).contains(&matches.found.len()));
    assert_eq!(matches.notes, ["the search stopped early: too many files; narrow the patterns"]);
}

#[test]
fn a_deep_tree_is_walked_without_recursion() {
    let deep = format!("s/{}a.sh", "d/".repeat(1_500));
    let tree = Tree::of([deep.as_str(), "s/b.sh"]);
    assert_eq!(paths(&tree.search(&["s/**/*.sh"], &[])), format!("s/b.sh {deep}"));
}

/// Folders that no pattern leads into are not even opened: one entry each is all that they cost.
#[test]
fn only_folders_that_can_hold_matches_are_visited() {
    let tree = Tree::of(["s/a.sh", "t/b/c.sh", "node_modules/n/1.sh", "node_modules/n/2.sh", "x/y/z/1.sh"]);
    for (patterns, visits) in [
        (&["s/*.sh"][..], 1),
        (&["s/a.sh"], 0),
        (&["*.sh"], 4),
        (&["t/**/*.sh"], 2),
        (&["*/*.sh"], 8),
        (&["**/*.sh"], 10),
    ] {
        let search = |entries| tree.search_below(".", patterns, &[], SearchLimits { matches: 99, entries });
        assert_eq!(search(visits).notes, [""; 0], "{patterns:?}");
        if let Some(fewer) = visits.checked_sub(1) {
            assert_eq!(search(fewer).notes.len(), 1, "{patterns:?}");
        }
    }
}

#[test]
fn patterns_and_excludes_without_effect_are_reported() {
    let tree = Tree::of(["a.sh", "b/c.sh", "b/test_d.sh", "vendor/e.sh"]);
    let idle = |patterns: &[&str], exclude: &[&str]| tree.search(patterns, exclude).idle;
    assert_eq!(
        idle(&["*.sh", "**/*.py", "named.sh"], &[]),
        ["**/*.py"],
        "one that is named is missing, and told so"
    );
    assert_eq!(idle(&["**/*.sh"], &["**/test_*", "vendor/", "**/*.bak", "none"]), ["**/*.bak", "none"]);
    assert_eq!(idle(&["a.sh"], &["a.sh"]), [""; 0], "it leaves out what is named");
    assert_eq!(idle(&["*.sh"], &["vendor/**"]), ["vendor/**"], "nothing wants what is there");
}

#[test]
fn a_file_behind_a_link_to_a_folder_matches_where_it_is_wanted() {
    let tree = Tree::of(["a/one/x", "b/two/x", "b/two/deep/x", "b/three/y"]);
    for (to, at) in [("../b/two", "a/two"), ("../b/three", "a/three"), ("..", "a/up"), ("nowhere", "a/gone")]
    {
        symlink(to, tree.at(at)).unwrap();
    }
    let names = |glob: Glob| {
        let matches = search(tree.0.path(), &glob, SearchLimits::default());
        assert_eq!(matches.notes, [""; 0]);
        matches.found.into_keys().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(Glob::new(".", ["a/*/x"])), "a/one/x");
    assert_eq!(names(Glob::new(".", ["a/*/x"]).behind_links("x")), "a/one/x a/two/x");
    assert_eq!(names(Glob::new(".", ["a/**/x"]).behind_links("x")), "a/one/x a/two/x");
    assert_eq!(names(Glob::new(".", ["a/*/x"]).without(["a/two/*"]).behind_links("x")), "a/one/x");
}
