//! Reads line by line: the kind of each line, and its effect on later ones.

mod include;
mod rules;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use super::comments::Comments;
use super::conditions::{Conditions, Open};
use super::globs::Globs;
use super::lines::{joined, lines};
use super::targets::Facts;
use super::variables::{Assignment, Variables};
use super::words::{HOLE, find, first_word, is_space};
use crate::model::{ErrorCode, Files, Location, Problem, shown};
use crate::plugins::makefile::project::MakefileProject;
use crate::plugins::makefile::targets::Doubt;
use crate::plugins::makefile::written::MakefileScript;

/// The doubt about lines that no text contains.
const EVALUATES: &str = "`$(eval …)` may make rules that only make knows";
/// How many problems are kept.
const MOST_PROBLEMS: usize = 1000;

/// The state of a reading.
#[derive(Debug)]
pub(super) struct MakefileReader<'a> {
    pub(super) project: &'a MakefileProject,
    pub(super) files: &'a Files,
    pub(super) variables: Variables<'a>,
    pub(super) comments: Comments<'a>,
    /// The names that includes gave.
    pub(super) includes: BTreeSet<String>,
    /// The first doubt of each file.
    pub(super) doubts: Vec<Doubt>,
    pub(super) problems: Vec<Problem>,
    /// The place of the line that is read.
    pub(super) at: Location,
    /// The files that are being read, each included by the one before.
    pub(super) reading: Vec<String>,
    /// The folder that nothing is included from outside of, links resolved.
    pub(super) root: Option<PathBuf>,
    /// Included files that were not found.
    pub(super) missing: Vec<(Location, String)>,
    /// Whether make may read more than was read.
    pub(super) unread: bool,
    pub(super) script: MakefileScript,
    pub(super) facts: Facts,
    /// The rules that recipe lines belong to.
    pub(super) open: Open,
    pub(super) conditions: Conditions,
    /// The first character of recipe lines.
    prefix: char,
}

impl<'a> MakefileReader<'a> {
    pub(super) fn new(
        project: &'a MakefileProject,
        prefix: &'a str,
        files: &'a Files,
        most_bytes: usize,
    ) -> Self {
        let globs = Globs { files, folder: &project.folder, wants: RefCell::default() };
        let mut variables = Variables::new(globs, most_bytes);
        if let Some(goal) = &project.goal {
            variables.fix("MAKECMDGOALS", Some(goal));
        }
        Self {
            project,
            files,
            variables,
            comments: Comments::new(prefix),
            includes: BTreeSet::new(),
            doubts: Vec::new(),
            problems: Vec::new(),
            at: Location::file(&project.file),
            reading: Vec::new(),
            root: None,
            missing: Vec::new(),
            unread: false,
            script: MakefileScript::default(),
            facts: Facts::default(),
            open: Open::default(),
            conditions: Conditions::default(),
            prefix: '\t',
        }
    }

    /// Reads the lines of a file.
    pub(super) fn read(&mut self, file: &str, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes).replace(HOLE, "\u{fffd}");
        let depth = self.conditions.depth();
        self.reading.push(file.to_owned());
        // The names of the definitions that are open, and the line of the first.
        let mut definition: Option<(String, usize, usize)> = None;
        for (number, line) in lines(text.strip_prefix('\u{feff}').unwrap_or(&text)) {
            self.at = Location::line(file, number);
            if !self.variables.spend(line.len() + 1) {
                self.leave_unread("reading was given up: there is too much of it".to_owned());
                break;
            }
            definition = match definition.take() {
                Some((name, inner, begun)) => self.define(&line, inner).map(|inner| (name, inner, begun)),
                None => self.line(&line).map(|name| (name, 0, number)),
            };
        }
        if let Some((name, _, begun)) = definition {
            self.at = Location::line(file, begun);
            self.stops(&format!("`define {}` has no `endef`", shown(&name)), "end it with a line `endef`");
        }
        while let Some(doubt) = self.conditions.current(depth).cloned() {
            self.at = doubt.at;
            self.stops(&format!("`{}` has no `endif`", doubt.what), "end it with a line `endif`");
            self.conditions.end(&mut self.open);
        }
        // A recipe ends with its file.
        self.open = Open::default();
        self.reading.pop();
    }

    /// Reads one line outside of definitions. Returns the name of a definition that it begins.
    fn line(&mut self, line: &str) -> Option<String> {
        if let Some(text) = line.strip_prefix(self.prefix).filter(|_| !self.open.rules.is_empty()) {
            self.recipe(text);
            return None;
        }
        let whole = joined(line);
        let text = find(&whole, b"#").map_or(&*whole, |at| &whole[..at]).trim_start_matches(is_space);
        if text.is_empty() {
            self.comments.note(&whole);
            return None;
        }
        if evaluates(text) {
            self.leave_unread(EVALUATES.to_owned());
            self.variables.forget();
        }
        let (word, rest) = first_word(text);
        if let Some(assignment) = Assignment::read(text) {
            self.close();
            self.assign(&assignment);
        } else if is_condition(word) || matches!(word, "else" | "endif") {
            self.comments.forget();
            self.part(text, word, rest);
        } else if let Some(name) = defined(text) {
            self.close();
            self.variables.fix(name, None);
            return Some(name.to_owned());
        } else {
            self.directive(line, word, rest);
        }
        None
    }

    fn directive(&mut self, line: &str, word: &str, rest: &str) {
        match word {
            "export" | "unexport" => {
                self.comments.forget();
                self.variables.declare(rest);
            }
            "vpath" | "endef" => self.comments.forget(),
            "undefine" => self.variables.fix(rest.trim_end(), None),
            "include" | "-include" | "sinclude" => {
                self.close();
                self.include(rest, word == "include");
            }
            "load" | "-load" => {
                self.close();
                self.leave_unread("a loaded object may define anything".to_owned());
            }
            _ => self.rule(line),
        }
    }

    /// No more recipe lines belong to the last rule, and no comment to the next.
    pub(super) fn close(&mut self) {
        self.comments.forget();
        self.open = Open::default();
    }

    fn assign(&mut self, assignment: &Assignment<'_>) {
        let only_if = self.conditions.around().cloned();
        self.variables.set(assignment, only_if.as_ref());
        if assignment.name == ".RECIPEPREFIX" {
            let value = self.variables.expand("$(.RECIPEPREFIX)");
            if value.cause.is_some() || value.only_if.is_some() {
                return self.leave_unread("what recipe lines begin with is not known".to_owned());
            }
            self.prefix = value.text.chars().next().unwrap_or('\t');
        }
    }

    fn recipe(&mut self, text: &str) {
        self.comments.forget();
        match Assignment::read(text).filter(|_| self.open.closed) {
            // The line sets a variable under some condition.
            Some(assignment) => self.variables.fix(assignment.name, None),
            None if self.open.closed => {
                self.leave_unread("whether a line is a recipe's depends on a condition".to_owned());
            }
            None => {}
        }
        let line = self.at.line.unwrap_or(1);
        for place in &self.open.rules {
            if let Some(rule) = self.script.rules.get_mut(*place) {
                rule.add_recipe(text, line);
            }
        }
    }

    /// Takes a line of a definition with so many others within it that are open; `None` when it was the last.
    fn define(&mut self, line: &str, inner: usize) -> Option<usize> {
        let is_recipe = line.starts_with(self.prefix);
        let (word, _) = first_word(line);
        if evaluates(line) {
            self.leave_unread(EVALUATES.to_owned());
        }
        // In lines that do not count, make looks for the next `endef` alone, and in recipes too.
        if self.conditions.depth() > 0 && word == if is_recipe { "endef" } else { "define" } {
            self.leave_unread("where a definition ends depends on a condition".to_owned());
        }
        match word {
            "define" if !is_recipe => Some(inner + 1),
            "endef" if !is_recipe => inner.checked_sub(1),
            _ => Some(inner),
        }
    }

    /// Reads a line that begins, parts or ends a condition.
    fn part(&mut self, text: &str, word: &str, rest: &str) {
        let mut rules = self.open.rules.clone();
        let doubt = |text: &str| Doubt::new(self.at.clone(), shown(text.trim_end()));
        let is_one = match word {
            "else" if is_condition(first_word(rest).0) => {
                self.conditions.alternative(Some(doubt(text)), &self.at, &mut self.open)
            }
            "else" => self.conditions.alternative(None, &self.at, &mut self.open),
            "endif" => self.conditions.end(&mut self.open),
            _ => self.conditions.begin(doubt(text), &self.open),
        };
        if !is_one {
            return self
                .stops(&format!("`{word}` belongs to no condition"), "take it out, or begin the condition");
        }
        rules.extend(&self.open.rules);
        for place in rules {
            if let Some(rule) = self.script.rules.get_mut(place) {
                rule.add_branch(text);
            }
        }
    }

    /// Records that something decides about targets that only make knows.
    pub(super) fn doubt(&mut self, what: String) {
        match self.doubts.iter_mut().rfind(|doubt| doubt.at.file == self.at.file) {
            None => self.doubts.push(Doubt::new(self.at.clone(), what)),
            Some(first) if first.at == self.at || first.others.last() == self.at.line.as_ref() => {}
            Some(first) => first.others.extend(self.at.line),
        }
    }

    /// Records a part that make may read and this reader does not, at the current line.
    pub(super) fn leave_unread(&mut self, what: String) {
        self.unread = true;
        self.variables.are_all = false;
        self.doubt(what);
    }

    /// Records that make cannot read on here.
    pub(super) fn stops(&mut self, what: &str, help: &str) {
        let what = format!("{what}: make stops here");
        self.complain(Problem::error(ErrorCode::SourceInvalid, what).help(help));
    }

    /// Records a problem at the line that is read.
    pub(super) fn complain(&mut self, problem: Problem) {
        let problem = problem.at(self.at.clone());
        if self.problems.len() < MOST_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

fn is_condition(word: &str) -> bool {
    matches!(word, "ifdef" | "ifndef" | "ifeq" | "ifneq")
}

/// The name behind `define`, if a line begins with that.
fn defined(text: &str) -> Option<&str> {
    match first_word(text) {
        ("define", rest) => Some(first_word(rest).0),
        ("export" | "override" | "private", rest) => defined(rest),
        _ => None,
    }
}

/// Whether make may read what a text expands to as further lines.
fn evaluates(text: &str) -> bool {
    text.split(['(', '{']).skip(1).any(|rest| match first_word(rest) {
        ("call", name) => name.starts_with('$') || name.starts_with("eval"),
        (word, _) => word == "eval",
    })
}
