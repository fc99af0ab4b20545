//! The heading above scripts: the folder that all of them are in, or the few that they are in.

use std::collections::BTreeSet;

use super::config;
use crate::model::{Heading, Tool, Values, path};

/// How many folders a heading names.
const MOST: usize = 3;

/// The folders of these scripts, from the root: `scripts/`.
pub(super) fn heading(config: &Values, tools: &[Tool]) -> Heading {
    let of = |tool: &Tool| path::join(config::base(config), path::split(&tool.original).0);
    let folders: BTreeSet<String> = tools.iter().filter(|tool| !tool.role.is_list()).map(of).collect();
    let Some(first) = folders.first() else { return Heading::default() };
    let written = |folder: &str| format!("{folder}/");
    if folders.len() == 1 {
        return Heading::of(written(first));
    }
    let common = path::upwards(first)
        .into_iter()
        .find(|above| *above != "." && folders.iter().all(|folder| path::upwards(folder).contains(above)));
    if let Some(common) = common {
        return Heading::of(written(common));
    }
    let top = |folder: &String| written(folder.split('/').next().unwrap_or_default());
    let tops: BTreeSet<String> = folders.iter().map(top).collect();
    let more = if tops.len() > MOST { ", …" } else { "" };
    Heading::of(tops.into_iter().take(MOST).collect::<Vec<_>>().join(", ") + more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Command, Location, Word};

    #[test]
    fn scripts_are_known_by_the_folder_that_all_are_in() {
        for (paths, expected) in [
            (&["scripts/a.sh", "scripts/b/c.sh"][..], "scripts/"),
            (&["tools/ci/a.sh", "tools/ci/b.sh"], "tools/ci/"),
            (&["tools/ci/a.sh", "tools/cia/b.sh"], "tools/"),
            (&["bin/x", "scripts/a.sh", "go.sh"], "./, bin/, scripts/"),
            (&["a/x", "b/x", "c/x", "d/x"], "a/, b/, c/, …"),
            (&["go.sh"], "./"),
            (&[], ""),
        ] {
            let script = |path: &&str| {
                Tool::running("s", *path, Location::file(*path), Command::new(Word::fixed("sh")))
            };
            let tools: Vec<Tool> = paths.iter().map(script).collect();
            assert_eq!(heading(&Values::default(), &tools).source, expected, "{paths:?}");
        }
    }
}
