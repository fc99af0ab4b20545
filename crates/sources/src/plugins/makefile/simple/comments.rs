//! Comments that describe targets: directly above a rule, or behind it.

use std::borrow::Cow;

use crate::model::{describes, one_line};

/// How near a comment is to the rule that it describes; the nearest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::plugins::makefile) enum CommentNearness {
    /// Behind it: `test: build ## Run the tests`.
    Behind,
    /// On the lines directly above it.
    Above,
    /// Behind or above the `.PHONY` line that names it.
    Phony,
}

/// The comments above the line that is read.
#[derive(Debug)]
pub(super) struct Comments<'a> {
    prefix: &'a str,
    above: Vec<String>,
    /// The only target that they may describe: that of a `.PHONY` line below them.
    only: Option<String>,
}

impl<'a> Comments<'a> {
    pub(super) fn new(prefix: &'a str) -> Self {
        Self { prefix, above: Vec::new(), only: None }
    }

    /// Notes a line of a comment or blanks.
    pub(super) fn note(&mut self, line: &str) {
        let line = line.trim();
        if line.is_empty() || self.only.is_some() {
            self.forget();
        }
        if line.starts_with(self.prefix) {
            self.above.extend(self.text(line).map(str::to_owned));
        }
    }

    /// Discards the note, since another line came.
    pub(super) fn forget(&mut self) {
        self.above.clear();
        self.only = None;
    }

    /// Reserves the comments so far for the rule of this target, whose `.PHONY` line comes first.
    pub(super) fn wait_for(&mut self, target: &str) {
        self.only = Some(target.to_owned());
    }

    /// The description from the comments above a rule with these targets.
    pub(super) fn above(&mut self, targets: &[String]) -> Option<(CommentNearness, String)> {
        let nearness = match self.only.take() {
            Some(only) if !targets.contains(&only) => {
                self.above.clear();
                return None;
            }
            Some(_) => CommentNearness::Phony,
            None => CommentNearness::Above,
        };
        let text = std::mem::take(&mut self.above).join(" ");
        Some((nearness, described(&text, targets)?))
    }

    /// The description of these targets from the comment behind a rule, its `#` included.
    pub(super) fn behind(&self, comment: &str, targets: &[String]) -> Option<String> {
        let place = comment.find(self.prefix).filter(|_| !self.prefix.is_empty())?;
        described(self.text(&comment[place..])?, targets)
    }

    /// A comment without its marks; headings (`##@ Tests`) and rulers (`######`) have no text.
    fn text<'t>(&self, comment: &'t str) -> Option<&'t str> {
        let text = comment.strip_prefix(self.prefix)?.trim_start_matches('#').trim();
        let says = !text.starts_with('@') && describes(text);
        says.then_some(text)
    }
}

/// The text as one line, without the name of the target in front: `## test: Run the tests`.
fn described(text: &str, targets: &[String]) -> Option<String> {
    let named =
        targets.iter().find_map(|target| text.strip_prefix(target.as_str())?.trim_start().strip_prefix(':'));
    one_line(named.unwrap_or(text).trim()).map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(lines: &[&str]) -> Option<String> {
        let mut comments = Comments::new("##");
        for line in lines {
            comments.note(line);
        }
        comments.above(&["test".to_owned()]).map(|(_, text)| text)
    }

    #[test]
    fn comments_above_describe_what_follows_at_once() {
        for (lines, expected) in [
            (&["## Run it"][..], Some("Run it")),
            (&["## Run it", "## twice"], Some("Run it twice")),
            (&["## Run it", ""], None),
            (&["# Run it"], None),
            (&["##Run it", "# a note"], Some("Run it")),
            (&["##@ Tests"], None),
            (&["########", "## Run it ", "## ------"], Some("Run it")),
            (&["## test: Run it"], Some("Run it")),
            (&["  ## test : Run it"], Some("Run it")),
            (&["## tests: Run it"], Some("tests: Run it")),
            (&["## Copyright 2024 X", "## SPDX-License-Identifier: MIT"], None),
            (&["## $(CC) -o x", "## shellcheck disable=SC1"], None),
        ] {
            assert_eq!(above(lines).as_deref(), expected, "{lines:?}");
        }
    }

    #[test]
    fn comments_behind_need_the_prefix_somewhere() {
        let comments = Comments::new("##");
        let behind = |comment: &str| comments.behind(comment, &["test".to_owned()]);
        assert_eq!(behind("## Run it").as_deref(), Some("Run it"));
        assert_eq!(behind("# really ## Run it").as_deref(), Some("Run it"));
        assert_eq!(behind("# Run it"), None);
        assert_eq!(behind("##"), None);
    }
}
