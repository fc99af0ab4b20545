//! What recipes run once the values of variables are put in: for a guess at what that does.

use std::collections::{BTreeMap, HashSet};

use super::MOST_BYTES;
use super::assignment::{Assignment, Operator};
use super::reader::Reader;
use super::variables::{HOLE, Variable};
use super::words::words;
use crate::model::may_tell;
use crate::plugins::makefile::written::Script;

/// Of so many other values of one variable each is put in by itself, what are left together.
const MOST_VALUES: usize = 8;

/// Of a list that is longer than this in bytes and tells nothing, the first word stands for all.
const LONG: usize = 256;

impl Reader<'_> {
    /// Keeps a value that a variable may have: for some targets, or under conditions.
    pub(super) fn may_be(&mut self, assignment: &Assignment<'_>) {
        let Assignment::Set { name, operator, value, overriding } = assignment else { return };
        if name.contains([HOLE, '$']) || !self.variables.yields(name, *overriding) {
            return;
        }
        let before = self.variables.get(name).filter(|_| *operator == Operator::Append);
        let value = before.map_or_else(|| (*value).to_owned(), |before| format!("{} {value}", before.value));
        if self.spend(value.len()) {
            self.drafts.written.others.push(((*name).to_owned(), value));
        }
    }

    /// Takes what a call sets, which beats what the text does.
    pub(super) fn take_given(&mut self) {
        for (name, value) in &self.project.given.values {
            self.variables.set(name, Variable { overriding: true, ..plain(value.clone()) });
        }
    }

    /// Puts the values of variables into what rules run: last those that they end with, before them the others.
    pub(super) fn put_in(&mut self, script: &mut Script) {
        // What a recipe evaluates on its way is read when it runs, and changes no other here.
        self.at.line = None;
        self.bytes_left = MOST_BYTES;
        let own = ["*", "<", "^", "?", "+", "%"].map(|name| (name, "\0"));
        for (name, value) in
            [("MAKE", "make"), ("MAKE_COMMAND", "make"), ("RM", "rm -f"), ("@", "$$@")].into_iter().chain(own)
        {
            if self.variables.get(name).is_none() {
                self.variables.set(name, plain(value.to_owned()));
            }
        }
        self.put_in_goals(script);
        let mut others: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in std::mem::take(&mut script.others) {
            let values = others.entry(name).or_default();
            if values.contains(&value) {
                continue;
            }
            match values.get_mut(MOST_VALUES - 1) {
                Some(last) => last.extend([" ", &value]),
                None => values.push(value),
            }
        }
        let telling = self.telling(&others);
        others.retain(|name, _| telling.contains(name));
        self.variables.shorten(LONG, |name| !telling.contains(name));
        let last = self.variables.clone();
        for pass in 0..others.values().map(Vec::len).max().unwrap_or_default() {
            for (name, values) in &others {
                if let Some(value) = values.get(pass).cloned() {
                    self.variables.set(name, plain(value));
                }
            }
            self.expand_recipes(script, &telling);
        }
        self.variables = last;
        self.expand_recipes(script, &telling);
        script.unsure |= self.unread;
    }

    /// What `.DEFAULT_GOAL` says, or may.
    fn put_in_goals(&mut self, script: &mut Script) {
        let is_it = |name: &str| name == ".DEFAULT_GOAL";
        let others = script.others.iter().filter(|(name, _)| is_it(name)).map(|(_, value)| value.clone());
        let mut values: Vec<String> = others.collect();
        let own = self.variables.get(".DEFAULT_GOAL").map(|own| own.value.clone());
        script.has_goal = values.is_empty() && own.as_ref().is_some_and(|own| !own.trim().is_empty());
        values.extend(own);
        for value in values {
            let text = self.expand(&value).text;
            script.goals.extend(words(&text).map(str::to_owned));
        }
    }

    /// The variables that may make a recipe look irreversible: by a value of theirs, or of one that it refers to. What a
    /// call sets may.
    fn telling(&self, others: &BTreeMap<String, Vec<String>>) -> HashSet<String> {
        let own = self.variables.iter().map(|(name, variable)| (name, variable.value.as_str()));
        let others = others.iter().flat_map(|(name, values)| values.iter().map(|value| (&**name, &**value)));
        let (telling, mut rest): (Vec<_>, Vec<_>) = own.chain(others).partition(|(_, value)| may_tell(value));
        let given = self.project.given.values.iter().map(|(name, _)| name.clone());
        let mut found: HashSet<String> =
            telling.into_iter().map(|(name, _)| name.to_owned()).chain(given).collect();
        loop {
            let (more, left): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|(_, value)| refers_to(value, &found));
            if more.is_empty() {
                return found;
            }
            found.extend(more.into_iter().map(|(name, _)| name.to_owned()));
            rest = left;
        }
    }

    fn expand_recipes(&mut self, script: &mut Script, telling: &HashSet<String>) {
        let has_words = !self.project.given.words.is_empty();
        let is_meant = |line: &String| line.contains('$') && (has_words || refers_to(line, telling));
        for rule in script.rules.iter_mut().filter(|rule| rule.recipe.iter().any(is_meant)) {
            let text = rule.recipe.join("\n").replace("\\\n", " ");
            let lines = text.lines().map(|line| self.expand(line).text);
            let text = lines.collect::<Vec<_>>().join("\n");
            let given = &self.project.given;
            let text = if given.is_nothing() { text } else { given.in_text(&text) };
            rule.meant.retain(|before| *before != text);
            rule.meant.push(text);
        }
    }
}

/// Whether a text may refer to one of these variables.
fn refers_to(text: &str, names: &HashSet<String>) -> bool {
    let mut references = text.split('$').skip(1).peekable();
    while let Some(reference) = references.next() {
        let is_open = reference.starts_with(['(', '{']) && !reference.contains([')', '}', ' ', ',']);
        // A name that is put together may be any.
        if is_open && references.peek().is_some() {
            return true;
        }
        let mut words = reference.split(|c: char| c.is_whitespace() || "(){},:=".contains(c));
        let first = reference.get(..1).is_some_and(|first| names.contains(first));
        if first || words.any(|word| names.contains(word)) {
            return true;
        }
    }
    false
}

fn plain(value: String) -> Variable {
    Variable { value, recursive: true, cause: None, assumed: None, overriding: false }
}
