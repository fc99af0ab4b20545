//! What a target runs, as the text of its rule says it: for people to judge, and for a guess at what it does.

use std::borrow::Cow;
use std::collections::HashMap;

use super::targets::Target;
use crate::model::{Files, Location};

/// The longest text that is kept of one rule, in lines.
const MOST: usize = 200;

/// The lines of the files that rules are in.
#[derive(Debug)]
pub(super) struct Recipes<'f> {
    files: &'f Files,
    lines: HashMap<String, Vec<Cow<'f, str>>>,
}

impl<'f> Recipes<'f> {
    pub(super) fn new(files: &'f Files) -> Self {
        Self { files, lines: HashMap::new() }
    }

    /// The rule's own line where that names what is made first, and the lines below it that begin as a recipe's do, without
    /// make's own signs. `None` where it has neither.
    pub(super) fn text(&mut self, target: &Target) -> Option<String> {
        let Location { file, line, .. } = &target.source;
        let lines = self.lines.entry(file.clone()).or_insert_with(|| {
            let file = self.files.file(file);
            let text = file.map(|file| String::from_utf8_lossy(&file.bytes)).unwrap_or_default();
            match text {
                Cow::Borrowed(text) => text.lines().map(Cow::Borrowed).collect(),
                Cow::Owned(text) => text.lines().map(|line| Cow::Owned(line.to_owned())).collect(),
            }
        });
        let mut lines = lines.get((*line)?.saturating_sub(1)..)?.iter().map(Cow::as_ref);
        let mut rule = String::new();
        // make's own database names the place of the recipe.
        let is_recipe = lines.clone().next().is_some_and(|line| line.starts_with('\t'));
        for line in lines.by_ref().take(if is_recipe { 0 } else { usize::MAX }) {
            rule.push_str(line.strip_suffix('\\').unwrap_or(line));
            if !line.ends_with('\\') {
                break;
            }
        }
        let (made_first, own) = rule.split_once(';').unwrap_or((&rule, ""));
        let mut recipe: Vec<String> = Vec::new();
        if target.prerequisites && !made_first.is_empty() {
            recipe.push(made_first.trim().to_owned());
        }
        if !own.trim().is_empty() {
            recipe.push(own.trim().to_owned());
        }
        let mut goes_on = false;
        for line in lines.take(MOST) {
            let is_recipe = goes_on || line.starts_with('\t');
            if !is_recipe && !line.trim().is_empty() && !line.trim_start().starts_with('#') {
                break;
            }
            goes_on = is_recipe && line.ends_with('\\');
            if is_recipe {
                recipe.push(line.trim().trim_start_matches(['@', '-', '+']).to_owned());
            }
        }
        let text = recipe.join("\n");
        (!text.trim().is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{File, Link, Seen};

    #[test]
    fn a_rule_is_told_with_what_it_makes_first_and_what_it_runs() {
        let text = "deploy: build \\\n  check ; echo go\n\t@git push\n\n# then\n\t-rm -rf x \\\n  y\nVAR = 1\n\tno\nall: deploy\nnone:\n";
        let file = File {
            bytes: text.as_bytes().into(),
            size: text.len() as u64,
            mode: 0o644,
            executable: false,
            link: Link::Direct,
            canonical: "/project/Makefile".into(),
            device: 1,
            inode: 1,
        };
        let files = Files { files: [("Makefile".to_owned(), Seen::File(file))].into(), ..Files::default() };
        let mut recipes = Recipes::new(&files);
        let mut of = |line: usize, prerequisites: bool| {
            recipes.text(&Target {
                name: String::new(),
                phony: false,
                description: None,
                prerequisites,
                recipe: true,
                needed: false,
                source: Location { line: Some(line), ..Location::file("Makefile") },
                only_if: None,
            })
        };
        assert_eq!(of(1, true).unwrap(), "deploy: build   check\necho go\ngit push\nrm -rf x \\\ny");
        assert_eq!(of(10, true).as_deref(), Some("all: deploy"));
        assert_eq!(of(11, false), None);
        assert_eq!(of(99, true), None);
    }
}
