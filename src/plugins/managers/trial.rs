//! A project of a few files, for the tests of what plugins say about package managers.

use std::path::Path;

use super::{FACT, PackageManager};
use crate::model::{
    Command, Effects, Entry, EnvironmentPolicy, File, Files, Later, Link, Location, Matches, Role, Seen,
    Tool, Want, Word, path,
};

/// The files by their paths. Of a program's own package the folder is the program in angle brackets: `<npm>/package.json`.
pub(in crate::plugins) type Texts<'a> = &'a [(&'a str, &'a str)];

/// A tool that a manager runs in a folder.
pub(in crate::plugins) fn tool(name: &str, manager: PackageManager, folder: &str) -> Tool {
    let command = Command {
        program: Word::fixed(manager.program()),
        arguments: vec![Word::fixed("run")],
        directory: folder.into(),
        environment: Vec::new(),
        environment_policy: EnvironmentPolicy::Inherit,
        timeout: std::time::Duration::from_secs(1),
        script: None,
        needs_yes: false,
        if_missing: None,
    };
    Tool {
        name: name.into(),
        original: name.into(),
        description: String::new(),
        parameters: &[],
        is_described: false,
        effects: Effects::UNKNOWN,
        role: Role::Run { command: Box::new(command), entry: Entry::Original, rehearsal: None },
        source: Location::file("package.json"),
        text: None,
        along: Later::default(),
        content: None,
        metadata: vec![(FACT, manager.program().to_owned())],
    }
}

/// What is seen of them until nothing new is wanted.
pub(in crate::plugins) fn seen(texts: Texts<'_>, wants: impl Fn(&Files) -> Vec<Want>) -> Files {
    let at = |path: &str| {
        let there = texts.iter().find(|(name, _)| *name == path);
        // A folder is there where a file lies in it.
        let inside = format!("{path}/");
        let is_folder = texts.iter().any(|(name, _)| name.starts_with(&inside));
        match there {
            Some((_, text)) => Seen::File(file(path, text)),
            None if is_folder => Seen::Unreadable("a folder, not a file".into()),
            None => Seen::Missing,
        }
    };
    let mut seen = Files::default();
    for _ in 0..8 {
        let fresh: Vec<Want> = wants(&seen).into_iter().filter(|want| !seen.answers(want)).collect();
        if fresh.is_empty() {
            return seen;
        }
        for want in fresh {
            match want {
                Want::File(path) => {
                    let found = at(&path);
                    seen.files.insert(path, found);
                }
                Want::Glob(glob) => {
                    assert_eq!(glob.head, 0, "nothing of them is read");
                    let found =
                        glob.patterns.iter().map(|name| (name.clone(), at(&path::join(&glob.base, name))));
                    let found = found.collect();
                    seen.globs.insert(glob, Matches { found, ..Matches::default() });
                }
                Want::ProgramFile(wanted) => {
                    let found = at(&format!("<{}>/{}", wanted.command.program.text, wanted.name));
                    seen.program_files.insert(wanted, found);
                }
                other => panic!("{other:?}"),
            }
        }
    }
    panic!("it wants more and more");
}

fn file(path: &str, text: &str) -> File {
    File {
        bytes: text.as_bytes().into(),
        size: text.len() as u64,
        mode: 0o644,
        executable: false,
        link: Link::Direct,
        canonical: Path::new("/project").join(path),
        device: 1,
        inode: 1,
    }
}
