//! A project of a few files, for tests of plugins' checks of package managers.

use std::path::Path;

use super::{FACT, PackageManager};
use crate::model::{Command, File, Files, Location, Matches, Seen, Tool, Want, Word, path};

/// The files by their paths. Of a program's own package the folder is the program in angle brackets: `<npm>/package.json`.
pub(in crate::plugins) type FileTexts<'a> = &'a [(&'a str, &'a str)];

/// A tool that a manager runs in a folder.
pub(in crate::plugins) fn tool(name: &str, manager: PackageManager, folder: &str) -> Tool {
    let command =
        Command::new(Word::fixed(manager.program())).arguments([Word::fixed("run")]).directory(folder);
    Tool::running(name, name, Location::file("package.json"), command)
        .fact(FACT, manager.program().to_owned())
}

/// The answers to wants, asked until nothing new is wanted.
pub(in crate::plugins) fn seen(texts: FileTexts<'_>, wants: impl Fn(&Files) -> Vec<Want>) -> Files {
    let at = |path: &str| {
        let there = texts.iter().find(|(name, _)| *name == path);
        // A folder is there where a file lies in it.
        let inside = format!("{path}/");
        let is_folder = texts.iter().any(|(name, _)| name.starts_with(&inside));
        match there {
            Some((_, text)) => Seen::File(File::new(Path::new("/project").join(path), text.as_bytes())),
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
                    seen.globs.insert(glob, Matches { found, ..Matches::default() }.into());
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
