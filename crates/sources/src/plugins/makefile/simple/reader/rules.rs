//! A line that may be a rule: its targets, what they need, and whether a recipe follows.

use std::collections::BTreeSet;

use super::MakefileReader;
use crate::model::shown;
use crate::plugins::makefile::simple::comments::CommentNearness;
use crate::plugins::makefile::simple::conditions::Open;
use crate::plugins::makefile::simple::lines::joined;
use crate::plugins::makefile::simple::variables::{Assignment, ExpandedText};
use crate::plugins::makefile::simple::words::{HOLE, find, find_expanded, names, plain_names};
use crate::plugins::makefile::special::is_special;
use crate::plugins::makefile::written::{Written, is_open};

impl MakefileReader<'_> {
    /// Reads a line that is neither an assignment nor a directive.
    pub(super) fn rule(&mut self, line: &str) {
        let (head, behind) = line.split_at(find(line, b";#").unwrap_or(line.len()));
        let head = joined(head);
        let colon = find(&head, b":").unwrap_or(head.len());
        if Assignment::read(head[colon..].trim_start_matches(':')).is_some() {
            return self.close();
        }
        let (before, after) = (self.variables.expand(&head[..colon]), self.variables.expand(&head[colon..]));
        let text = [&*before.text, &after.text].concat();
        // A variable may hold the colon, or the beginning of a recipe.
        let (text, own) = text.split_at(find_expanded(&text, b";").unwrap_or(text.len()));
        let own = behind.strip_prefix(';').or_else(|| own.strip_prefix(';'));
        let Some(colon) = find_expanded(text, b":") else { return self.no_rule(&head, text, before.cause) };
        let needs = text[colon..].trim_start_matches(':');
        let (shared, needs) = match find_expanded(needs, b":") {
            Some(at) => (Some(needs[..at].trim()), &needs[at + 1..]),
            None => (None, needs),
        };
        if shared.is_some_and(|shared| !is_open(shared) || shared.contains(' ')) {
            self.close();
            let what = "the target pattern between two colons is not one word with a %";
            return self.stops(what, "write a pattern such as `%.o`, or take the second colon out");
        }
        let targets = names(text[..colon].strip_suffix('&').unwrap_or(&text[..colon]));
        let is_pattern = shared.is_none() && targets.first().is_some_and(|(_, is_pattern)| *is_pattern);
        // A target that the text does not know matches the pattern.
        let hollow = shared.map(|shared| shared.replace('%', &HOLE.to_string()));
        let known =
            |(name, _): (String, bool)| hollow.clone().filter(|_| name.contains(HOLE)).unwrap_or(name);
        let names: Vec<String> =
            targets.into_iter().map(known).flat_map(|name| self.matching(name)).collect();
        let comment = behind.strip_prefix('#').map(|_| joined(behind));
        let needs = plain_names(&needs.replacen('|', " ", 1));
        let needs: Vec<String> = needs.into_iter().flat_map(|name| self.matching(name)).collect();
        let described = self.described(&names, &needs, comment.as_deref());
        let mut written = Written {
            names,
            shared: shared.map(str::to_owned),
            needs,
            head: head.trim().to_owned(),
            recipe: Vec::new(),
            branches: Vec::new(),
            recipe_at: None,
            is_pattern,
            is_double: text[colon..].starts_with("::"),
            described,
            only_if: self.conditions.around().or(before.only_if.as_ref()).cloned(),
            at: self.at.clone(),
        };
        if let Some(own) = own.filter(|own| !own.trim().is_empty()) {
            written.add_recipe(own, self.at.line.unwrap_or(1));
        }
        self.note(&written, &before, after.cause.as_deref());
        self.open = Open { rules: BTreeSet::from([self.script.rules.len()]), closed: false };
        self.script.rules.push(written);
    }

    /// The files that a name stands for, if it is a pattern of some.
    fn matching(&self, name: String) -> Vec<String> {
        let is_wild = name.contains(['*', '?', '[']);
        let found = is_wild.then(|| self.variables.globs.find(&name)).flatten().unwrap_or_default();
        if found.is_empty() { vec![name] } else { found }
    }

    /// Reports a line without a colon, unless it stands for nothing.
    fn no_rule(&mut self, head: &str, text: &str, cause: Option<String>) {
        self.close();
        if let Some(cause) = cause {
            self.leave_unread(format!("what this line says depends on {cause}"));
        } else if !text.trim().is_empty() && self.conditions.around().is_none() {
            let what = format!("\"{}\" is no rule and no assignment", shown(head.trim()));
            self.stops(&what, "a colon is missing, or a tab at the line's start");
        }
    }

    /// The description of a rule; that of `.PHONY` is one of its prerequisites.
    fn described(
        &mut self,
        names: &[String],
        needs: &[String],
        comment: Option<&str>,
    ) -> Option<(CommentNearness, String)> {
        let is_phony = names == [".PHONY"];
        let behind =
            comment.and_then(|comment| self.comments.behind(comment, if is_phony { needs } else { names }));
        let behind = behind.map(|text| (CommentNearness::Behind, text));
        if names.iter().all(|name| !is_special(name)) {
            let above = self.comments.above(names);
            return behind.or(above);
        }
        match needs {
            [only] if is_phony => self.comments.wait_for(only),
            _ => self.comments.forget(),
        }
        behind
    }

    /// Notes what a rule means for others, and what only make knows of it.
    fn note(&mut self, rule: &Written, before: &ExpandedText, cause: Option<&str>) {
        for name in &rule.names {
            match name.as_str() {
                ".PHONY" => {
                    let text = rule.described.as_ref().map(|(_, text)| text);
                    for need in &rule.needs {
                        let known = self.facts.phony.entry(need.clone()).or_default();
                        *known = known.take().or_else(|| text.cloned());
                    }
                    if let Some(cause) = cause {
                        self.doubt(format!("which targets are phony depends on {cause}"));
                    }
                }
                ".SUFFIXES" => self.facts.suffixes.add(rule.needs.clone()),
                _ if before.only_if.is_none() => self.conditions.add(name.clone()),
                _ => {}
            }
        }
        // A rule for unknown files that are made of others is a step on the way to them.
        let is_step =
            |name: &String| name.contains(['.', '/']) && !rule.needs.is_empty() && rule.described.is_none();
        if let Some(cause) = &before.cause
            && rule
                .names
                .iter()
                .any(|name| (name.contains(HOLE) || before.only_if.is_some()) && !is_step(name))
        {
            self.doubt(format!("the names of these targets depend on {cause}"));
        }
    }
}
