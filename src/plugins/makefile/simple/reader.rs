//! Reads line by line, as make does: the kind of each line, and its effect on later ones.

mod branches;
mod expand;
mod functions;
mod include;
mod rules;
mod setting;
mod stems;

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::assignment::{self, Assignment};
use super::comments::{Comments, Remark};
use super::conditions::{Conditions, Weight};
use super::drafts::Drafts;
use super::forks::Forks;
use super::lines::{Line, Lines, joined};
use super::scan::{first_word, is_space, without_comment};
use super::trace::Trace;
use super::variables::{HOLE, Local, Variables};
use crate::model::{Fault, Files, Location, Problem, Want, shown};
use crate::plugins::makefile::project::Project;
use crate::plugins::makefile::targets::Doubt;

/// How deep conditions, includes, references and `$(eval …)` may lie within each other.
const DEEPEST: usize = 100;
/// How many doubts and problems are kept.
const MOST_FINDINGS: usize = 100;

/// The state of a reading.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) project: &'a Project,
    pub(super) files: &'a Files,
    pub(super) variables: Variables,
    pub(super) conditions: Conditions,
    pub(super) drafts: Drafts,
    pub(super) comments: Comments<'a>,
    pub(super) wants: BTreeSet<Want>,
    /// The names that includes gave.
    pub(super) includes: BTreeSet<String>,
    pub(super) doubts: Vec<Doubt>,
    pub(super) problems: Vec<Problem>,
    /// The place of the line that is read.
    pub(super) at: Location,
    /// The files that are being read, each included by the one before.
    pub(super) reading: Vec<String>,
    /// The files that make has read so far, as its `MAKEFILE_LIST` names them.
    pub(super) makefiles: Vec<String>,
    /// The folder that nothing is included from outside of, links resolved.
    pub(super) root: Option<PathBuf>,
    /// The folder that make runs in, links resolved, where that is known.
    pub(super) here: Option<String>,
    /// The comments on rules.
    pub(super) remarks: Vec<Remark>,
    /// Included files that were not found: the place, and whether make may do without.
    pub(super) missing: Vec<(Location, String)>,
    /// How deep the work is nested.
    pub(super) depth: usize,
    /// How many bytes may still be read or made.
    pub(super) bytes_left: usize,
    /// The trace of the current expansion.
    pub(super) trace: Trace,
    /// The variables of `$(call …)` and `$(foreach …)` around it, the innermost last.
    pub(super) locals: Vec<Local>,
    /// The variables whose values are being expanded.
    pub(super) expanding: Vec<String>,
    /// The first character of recipe lines.
    recipe_prefix: char,
    /// The ways through the conditions that are open.
    pub(super) forks: Forks,
    /// Whether make may read more than was read.
    pub(super) unread: bool,
}

/// A definition over several lines that is being read.
struct Definition {
    name: String,
    operator: assignment::Operator,
    body: Vec<String>,
    /// How many definitions within it are open.
    inner: usize,
    counts: bool,
    /// The line that it begins on.
    number: usize,
    overriding: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(project: &'a Project, prefix: &'a str, files: &'a Files, most_bytes: usize) -> Self {
        Self {
            project,
            files,
            variables: Variables::default(),
            conditions: Conditions::default(),
            drafts: Drafts::default(),
            comments: Comments::new(prefix),
            wants: BTreeSet::new(),
            includes: BTreeSet::new(),
            doubts: Vec::new(),
            problems: Vec::new(),
            at: Location::file(&project.file),
            reading: Vec::new(),
            makefiles: Vec::new(),
            root: None,
            here: None,
            remarks: Vec::new(),
            missing: Vec::new(),
            depth: 0,
            bytes_left: most_bytes,
            trace: Trace::default(),
            locals: Vec::new(),
            expanding: Vec::new(),
            recipe_prefix: '\t',
            forks: Forks::default(),
            unread: false,
        }
    }

    /// Reads the lines of a text: a file from its first line on, or the argument of an `$(eval …)`, from the
    /// line of that.
    pub(super) fn read(&mut self, file: &str, text: &str, evaluated_at: Option<usize>) {
        let depth = self.conditions.depth();
        let mut definition = None;
        for mut line in Lines::of(text, evaluated_at.unwrap_or(1)) {
            line.number = evaluated_at.unwrap_or(line.number);
            if !self.spend(line.text.len() + 1) {
                break;
            }
            if self.at.file == file {
                self.at.line = Some(line.number);
            } else {
                self.at = Location::line(file, line.number);
            }
            if line.cut {
                self.complain(Problem::warning("a NUL character hides the rest of this line, for make too"));
            }
            match definition.take() {
                Some(open) => definition = self.define(open, &line),
                None => definition = self.line(&line),
            }
        }
        if let Some(open) = definition {
            self.at.line = Some(open.number);
            let what = format!("`define {}` has no `endef`: make stops here", shown(&open.name));
            self.complain(Problem::error(Fault::SourceInvalid, what).help("end it with a line `endef`"));
        }
        if let Some(condition) = self.conditions.close_to(depth) {
            let what = format!("`{}` has no `endif`: make stops at the end of this file", condition.what);
            self.at = condition.at;
            self.complain(Problem::error(Fault::SourceInvalid, what).help("end it with a line `endif`"));
        }
        self.forks.give_up(depth);
        // A recipe ends with its file.
        self.drafts.end_rule();
    }

    /// Reads one line outside of definitions. Returns a definition that it begins.
    fn line(&mut self, line: &Line<'_>) -> Option<Definition> {
        let dead = self.conditions.weight() == Weight::Dead;
        if line.text.is_empty() {
            self.comments.forget();
            return None;
        }
        if let Some(text) = line.text.strip_prefix(self.recipe_prefix) {
            let Drafts { written, owners, .. } = &mut self.drafts;
            written.add_recipe(text, line.number, &owners.written, dead);
            if owners.takes_recipe() {
                self.recipe(dead);
                return None;
            }
        }
        let whole = joined(&line.text);
        let (text, _) = without_comment(&whole);
        let text = text.trim_start_matches(is_space);
        if let Some(assignment) = assignment::read(text, false) {
            self.comments.forget();
            return self.assign(&assignment, dead);
        }
        let (word, rest) = first_word(text);
        if word.is_empty() {
            self.comments.note(&whole, dead);
            return None;
        }
        if self.shown_condition(text, word, rest) {
            self.comments.forget();
            return None;
        }
        if dead {
            self.drafts.written.begin_dead(text, &self.at);
            return None;
        }
        match word {
            "export" | "unexport" => {
                self.comments.forget();
                let names = self.expand(rest).text;
                self.export(&names);
            }
            "vpath" | "endef" => self.comments.forget(),
            "include" | "-include" | "sinclude" => {
                self.comments.forget();
                self.drafts.end_rule();
                let rest = rest.to_owned();
                self.include(&rest, word == "include");
            }
            "load" | "-load" => {
                self.leave_unread("a loaded object may define anything".to_owned());
                self.comments.forget();
            }
            _ => self.rule(&line.text),
        }
        None
    }

    /// A recipe line, which the rules that are open have got.
    fn recipe(&mut self, dead: bool) {
        self.comments.forget();
        if self.drafts.owners.closed {
            self.drafts.written.unsure = true;
            self.leave_unread("whether a line is a recipe's depends on a condition".to_owned());
        }
        if !dead {
            self.drafts.add_recipe();
        }
    }

    /// Sets or unsets a variable, or begins to define one.
    fn assign(&mut self, assignment: &Assignment<'_>, dead: bool) -> Option<Definition> {
        if let Assignment::Define { rest, overriding } = assignment {
            let (name, operator) = match assignment::definition(rest) {
                Some((name, operator, _)) => (name, operator),
                None => (rest.trim_end(), assignment::Operator::Recursive),
            };
            if !dead {
                self.drafts.end_rule();
            }
            let name = if dead { name.to_owned() } else { self.expand(name).text.into_owned() };
            let number = self.at.line.unwrap_or(1);
            return Some(Definition {
                name,
                operator,
                body: Vec::new(),
                inner: 0,
                counts: !dead,
                number,
                overriding: *overriding,
            });
        }
        if dead {
            return None;
        }
        self.drafts.end_rule();
        match assignment {
            Assignment::Set { name, operator, value, overriding } => {
                let name = self.expand(name).text;
                self.set(&name, *operator, value, *overriding);
            }
            Assignment::Undefine { name, overriding } => {
                let name = self.expand(name).text;
                self.unset(&name, *overriding);
            }
            Assignment::Define { .. } => {}
        }
        None
    }

    /// Takes a line of a definition; `None` when it was the last.
    fn define(&mut self, mut open: Definition, line: &Line<'_>) -> Option<Definition> {
        let is_recipe = line.text.starts_with(self.recipe_prefix);
        let whole = joined(&line.text);
        let (text, _) = without_comment(&whole);
        let word = first_word(&text).0;
        if open.counts && self.conditions.weight() != Weight::Live && ends_elsewhere(word, is_recipe) {
            self.drafts.written.unsure = true;
            self.leave_unread("where a definition ends depends on a condition".to_owned());
        }
        // In lines that do not count, make looks only for the next `endef`, except in recipes.
        if !is_recipe || !open.counts && !self.drafts.owners.takes_recipe() {
            match word {
                "define" if open.counts => open.inner += 1,
                "endef" if open.inner == 0 => {
                    let (name, body) = (&*open.name, &*open.body.join("\n"));
                    if open.counts {
                        self.set(name, open.operator, body, open.overriding);
                    }
                    return None;
                }
                "endef" => open.inner -= 1,
                _ => {}
            }
        }
        open.body.push(whole.into_owned());
        Some(open)
    }

    /// Applies the immediate effect of assigning a special variable.
    pub(super) fn assigned(&mut self, name: &str, value: &str) {
        if name != ".RECIPEPREFIX" {
            return;
        }
        if value.starts_with(HOLE) {
            self.drafts.written.unsure = true;
            self.doubt("what recipe lines begin with is not known".to_owned());
        } else {
            self.recipe_prefix = value.chars().next().unwrap_or('\t');
        }
    }

    /// Takes these bytes from the budget of a reading. Returns `false`, after a problem, when nothing is
    /// left.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        if self.bytes_left == 0 {
            return false;
        }
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        if self.bytes_left == 0 {
            self.leave_unread(
                "reading was given up: there is too much of it, or it grows without end".to_owned(),
            );
        }
        self.bytes_left > 0
    }

    /// Records a doubt at the current line.
    pub(super) fn doubt(&mut self, what: String) {
        self.doubtful(Doubt { at: self.at.clone(), what });
    }

    /// Records a part that make may read and this reader does not, at the current line.
    pub(super) fn leave_unread(&mut self, what: String) {
        self.unread = true;
        self.doubt(what);
    }

    /// Records a doubt, as long as there are not too many to read.
    pub(super) fn doubtful(&mut self, doubt: Doubt) {
        if self.doubts.len() < MOST_FINDINGS && !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// Records a problem at the line that is read.
    pub(super) fn complain(&mut self, problem: Problem) {
        let problem = problem.at(self.at.clone());
        if self.problems.len() < MOST_FINDINGS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// Whether a line within a definition ends it elsewhere where that does not count than where it does.
fn ends_elsewhere(word: &str, is_recipe: bool) -> bool {
    word == if is_recipe { "endef" } else { "define" }
}
