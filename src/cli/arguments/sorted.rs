//! The words behind a tool's name, sorted into those of cuff and those of the tool.

use std::ffi::OsString;

use clap::Command;

use super::option_word::{option_word, takes_value};

/// The words of a line with `run` or `why` and a tool.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) struct Sorted {
    /// The line that clap understands: the commands, cuff's own options wherever they stand, the tool.
    pub(in crate::cli) own: Vec<OsString>,
    /// The tool.
    pub(in crate::cli) tool: String,
    /// Everything else behind the tool, and all that stands behind `--`.
    pub(in crate::cli) words: Vec<OsString>,
}

/// Sorts a line; `None` for any other command, without a tool, or with an unknown option before it. The tree is built.
pub(in crate::cli) fn sorted(tree: &Command, line: &[OsString]) -> Option<Sorted> {
    let mut command = tree;
    let (mut own, mut words) = (vec![line.first()?.clone()], Vec::new());
    let mut tool: Option<String> = None;
    let mut is_value = false;
    let mut rest = line.iter().skip(1);
    while let Some(word) = rest.next() {
        let text = word.to_str();
        let option = text.filter(|text| text.len() > 1).and_then(|text| option_word(command, text));
        if std::mem::take(&mut is_value) {
            own.push(word.clone());
        } else if text == Some("--") {
            words.extend(rest.cloned());
            break;
        } else if let Some((option, value)) = option {
            is_value = value.is_none() && takes_value(option);
            own.push(word.clone());
        } else if tool.is_some() {
            words.push(word.clone());
        } else if text?.starts_with('-') {
            return None;
        } else if std::ptr::eq(command, tree) {
            command =
                tree.find_subcommand(word).filter(|inner| ["run", "why"].contains(&inner.get_name()))?;
            own.push(word.clone());
        } else {
            tool = text.map(str::to_owned);
            own.push(word.clone());
        }
    }
    Some(Sorted { own, tool: tool?, words })
}

/// The long options of `cuff run`, without dashes.
pub(in crate::cli) fn long_options(command: &Command) -> Vec<String> {
    command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::built_tree;

    #[test]
    fn own_options_are_own_wherever_they_stand_before_the_dashes() {
        let tree = built_tree(&[]);
        for (line, expected) in [
            ("cuff run t --title x --dry-run", Some(("cuff run t --dry-run", "--title x"))),
            ("cuff -C web run --json t --title=x -5", Some(("cuff -C web run --json t", "--title=x -5"))),
            (
                "cuff run t --timeout 5 --a b --timeout=6",
                Some(("cuff run t --timeout 5 --timeout=6", "--a b")),
            ),
            ("cuff run t --a b -- --timeout 5 -- x", Some(("cuff run t", "--a b --timeout 5 -- x"))),
            ("cuff why t --a -q", Some(("cuff why t -q", "--a"))),
            ("cuff run --a t", None),
            ("cuff run -- t", None),
            ("cuff list t --a", None),
            ("cuff run", None),
            ("cuff", None),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let found = sorted(&tree, &words);
            let joined = |words: &[OsString]| {
                words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
            };
            let found = found.map(|found| {
                assert_eq!(found.tool, "t", "{line}");
                (joined(&found.own), joined(&found.words))
            });
            let expected = expected.map(|(own, words)| (own.to_owned(), words.to_owned()));
            assert_eq!(found, expected, "{line}");
        }
    }
}
