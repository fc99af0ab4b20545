//! A line that may be a rule: its targets, what they need, and whether a recipe follows.
//!
//! A rule may have prerequisites and unknown targets that look like files (`$(OBJECTS): %.o: %.c`). Such a
//! rule is nearly always an intermediate step, and raises no doubt.

use std::borrow::Cow;

use super::Reader;
use crate::model::{Fault, Problem, shown};
use crate::plugins::makefile::simple::assignment;
use crate::plugins::makefile::simple::comments::Nearness;
use crate::plugins::makefile::simple::comments::Remark;
use crate::plugins::makefile::simple::conditions::Weight;
use crate::plugins::makefile::simple::drafts::{Forward, Rule};
use crate::plugins::makefile::simple::lines::joined;
use crate::plugins::makefile::simple::names;
use crate::plugins::makefile::simple::scan::{around_percent, until};
use crate::plugins::makefile::simple::tokens::{Token, token};
use crate::plugins::makefile::simple::variables::HOLE;
use crate::plugins::makefile::simple::words;
use crate::plugins::makefile::special::is_special;
use crate::plugins::makefile::targets::{Doubt, FALLBACK, Pattern};
use crate::plugins::makefile::written::Written;

/// A rule's line with the part before its colon expanded.
struct Split {
    /// The targets, unquoted and not yet parted.
    targets: String,
    /// The text behind the colon that is already expanded.
    behind: String,
    /// From where on the line is not expanded yet.
    rest: usize,
    /// Whether a recipe begins on the line.
    recipe: bool,
    /// The unknown value that the targets depend on.
    cause: Option<String>,
}

/// The causes of holes in the two sides of a rule.
struct Causes {
    targets: Option<String>,
    prerequisites: Option<String>,
}

impl Causes {
    /// The cause for the prerequisites, else the one for the targets: an unknown text before the colon may
    /// contain prerequisites too.
    fn or_whichever(self) -> Option<String> {
        self.prerequisites.or(self.targets)
    }
}

/// Two texts as one.
fn together<'t>(first: &str, rest: &'t str) -> Cow<'t, str> {
    if first.is_empty() { Cow::Borrowed(rest) } else { [first, rest].concat().into() }
}

/// The cause of a hole whose own cause was lost.
const SOMETHING: &str = "something that is not known";

impl Reader<'_> {
    /// Reads a line that is neither an assignment nor a directive.
    pub(super) fn rule(&mut self, raw: &str) {
        self.drafts.end_rule();
        let (head, place) = until(raw, b";#", false);
        let behind = place.map(|place| &raw[place..]);
        let comment = behind.filter(|text| text.starts_with('#')).map(joined);
        let command = behind.and_then(|text| text.strip_prefix(';'));
        let line = joined(&head);
        let (split, names) = match self.split(&line, command.is_some()) {
            Ok(split) => {
                let targets = split.targets.strip_suffix('&').unwrap_or(&split.targets);
                let names = self.globbed(names::all(targets));
                (split, names)
            }
            Err(orphaned) => {
                self.drafts.owners.orphaned = orphaned;
                return self.comments.forget();
            }
        };
        if names.is_empty() {
            self.drafts.owners.orphaned = true;
            return self.comments.forget();
        }
        let behind = split.behind.strip_prefix(':').unwrap_or(&split.behind);
        let unexpanded = &line[split.rest..];
        if assignment::read(&together(behind, unexpanded), true).is_some() {
            return self.comments.forget();
        }
        let rest = self.expand(unexpanded);
        let whole = together(behind, &rest.text);
        let mut prerequisites = Cow::Borrowed(&*whole);
        let mut own = command.map(str::to_owned);
        let mut recipe = command.is_some_and(|command| !command.trim().is_empty()) || split.recipe;
        if command.is_none()
            && !split.recipe
            && let (kept, Some(place)) = until(&whole, b";", true)
        {
            let text = whole[place + 1..].to_owned();
            recipe = !text.trim().is_empty();
            own = Some(text);
            prerequisites = kept;
        }
        let place = self.drafts.written.begin(Written {
            names: names.clone(),
            open: Vec::new(),
            needs: Vec::new(),
            head: line.trim().to_owned(),
            recipe: own.into_iter().filter(|own| !own.trim().is_empty()).collect(),
            branches: Vec::new(),
            recipe_at: recipe.then_some(self.at.line).flatten(),
            is_settled: self.conditions.depth() == 0,
            is_double: split.behind.starts_with(':') || line[split.rest..].starts_with(':'),
            is_hidden: split.recipe,
            at: self.at.clone(),
        });
        self.drafts.owners.written = vec![place];
        let causes = Causes { targets: split.cause, prerequisites: rest.cause };
        self.record(place, names, &prerequisites, recipe, comment.as_deref(), causes);
    }

    /// Expands word by word up to the colon. `Err` if this is no rule: whether later recipe lines belong to
    /// nothing.
    fn split(&mut self, line: &str, command: bool) -> Result<Split, bool> {
        let (first, begin, mut end) = token(line, 0);
        match first {
            Token::End | Token::Semicolon => return Err(false),
            Token::Colon => return Err(true),
            Token::Word => {}
        }
        let mut split =
            Split { targets: String::new(), behind: String::new(), rest: end, recipe: false, cause: None };
        let mut begin = begin;
        loop {
            let expanded = self.expand(&line[begin..end]);
            split.cause = split.cause.or(expanded.cause);
            let expanded_piece = expanded.text;
            let mut piece = Cow::Borrowed(&*expanded_piece);
            if !command
                && !split.recipe
                && let (kept, Some(place)) = until(&expanded_piece, b";", true)
            {
                // All that follows belongs to the recipe.
                let rest = self.expand(&line[end..]).text;
                split.recipe = !piece[place + 1..].trim().is_empty() || !rest.trim().is_empty();
                piece = kept;
                end = line.len();
            }
            let (before, colon) = until(&piece, b":", true);
            split.targets.push_str(&before);
            if let Some(colon) = colon {
                piece[colon + 1..].clone_into(&mut split.behind);
                split.rest = end;
                return Ok(split);
            }
            let (next, from, to) = token(line, end);
            if next == Token::End {
                self.not_a_rule(line, &split);
                return Err(false);
            }
            split.targets.push(' ');
            // A blank before the colon is no part of it.
            (begin, end) = (from, to);
        }
    }

    /// Reports a line without a colon, unless it expanded to nothing.
    fn not_a_rule(&mut self, line: &str, split: &Split) {
        if split.targets.contains(HOLE) {
            let cause = split.cause.as_deref().unwrap_or(SOMETHING);
            self.drafts.written.unsure = true;
            self.doubt(format!("what this line says depends on {cause}"));
        } else if !split.targets.trim().is_empty() && self.conditions.weight() == Weight::Live {
            let what = format!("\"{}\" is no rule and no assignment: make stops here", shown(line.trim()));
            self.complain(
                Problem::error(Fault::SourceInvalid, what)
                    .help("a colon is missing, or a tab at the line's start"),
            );
        }
    }

    fn record(
        &mut self,
        place: usize,
        names: Vec<String>,
        prerequisites: &str,
        recipe: bool,
        comment: Option<&str>,
        causes: Causes,
    ) {
        let Some((stem, prerequisites)) = self.static_pattern(prerequisites) else {
            return self.comments.forget();
        };
        let unquoted = prerequisites.contains('\\').then(|| prerequisites.replace("\\:", ":"));
        let (mut needs, order_only) = names::split(unquoted.as_deref().unwrap_or(prerequisites), Some(b'|'));
        needs.extend(order_only.map(names::all).unwrap_or_default());
        let needs = self.globbed(needs);
        self.drafts.written.need(&needs, stem.as_ref());
        if let [special] = &names[..]
            && is_special(special)
        {
            return self.special(special, needs, comment, causes.or_whichever());
        }
        for special in names.iter().filter(|name| is_special(name)) {
            let cause = causes.prerequisites.as_ref().or(causes.targets.as_ref()).cloned();
            self.tell(special, needs.clone(), None, cause);
        }
        let behind = comment.and_then(|comment| self.comments.behind(comment, &names));
        let above = self.comments.above(&names);
        let described = behind.map(|text| (Nearness::Behind, text)).or(above);
        if let Some((_, description)) = &described {
            self.remarks.push(Remark { at: self.at.clone(), description: description.clone() });
        }
        self.need(&names, stem.as_ref(), &needs);
        let has_needs = !needs.is_empty();
        let looks_like_files = |name: &str| name.contains(['.', '/']);
        let is_step = has_needs
            && described.is_none()
            && match &stem {
                Some((before, behind)) => looks_like_files(before) || looks_like_files(behind),
                None => names.iter().all(|name| !name.contains(HOLE) || looks_like_files(name)),
            };
        if names.iter().any(|name| name.contains(HOLE) && !is_step) {
            let cause = causes.targets.unwrap_or_else(|| SOMETHING.to_owned());
            self.doubt(format!("the names of these targets depend on {cause}"));
        }
        if stem.is_none() && !recipe {
            self.forward(&names, &needs);
        }
        // Behind a plain name make takes a pattern for a plain name too, and complains.
        let mixed = names.first().is_some_and(|name| !name.contains(HOLE) && around_percent(name).is_err());
        let known = names.into_iter().filter(|name| !name.contains(HOLE) && !is_special(name));
        let plain = stem.is_some() || mixed;
        // make warns of a target that a static pattern does not match, and gives it the recipe alone.
        let matches = |name: &str| {
            stem.as_ref().is_none_or(|(before, behind)| {
                words::stem(name, before, behind).is_some() || before.contains(HOLE)
            })
        };
        let explicit = known.filter_map(|name| self.explicit(name, plain, described.as_ref()));
        let targets = explicit
            .map(|name| (has_needs && matches(&name), name))
            .map(|(needs, name)| (name, needs))
            .collect();
        let certainty = self.conditions.certainty();
        self.drafts.mention(&certainty, needs);
        self.assume();
        let ghost = self.conditions.weight() == Weight::Ghost;
        self.drafts.add(Rule { targets, recipe, described, certainty, ghost, place });
    }

    /// Notes a pattern rule that only passes its targets on: `%: common-% ;`.
    fn forward(&mut self, names: &[String], needs: &[String]) {
        if let ([made], [need]) = (names, needs)
            && let (Ok(made), Ok(need)) = (around_percent(made), around_percent(need))
        {
            let [made, need] = [made, need].map(|(before, behind)| (before.into_owned(), behind.to_owned()));
            let is_plainer = made.0.is_empty() && made.1.is_empty() && need != made;
            if is_plainer {
                self.drafts.add_forward(Forward { made, need });
            }
        }
    }

    /// The name of an explicit target; a pattern rule is kept apart, unless its `%` is a `plain` letter here.
    fn explicit(
        &mut self,
        name: String,
        plain: bool,
        described: Option<&(Nearness, String)>,
    ) -> Option<String> {
        match around_percent(&name) {
            Err(unquoted) if unquoted == name => {}
            Err(unquoted) => return Some(unquoted.into_owned()),
            Ok((before, behind)) if plain => return Some(format!("{before}%{behind}")),
            Ok(_) => {
                let description = described.map(|(_, text)| text.clone());
                let pattern = Pattern { name: name.clone(), description, source: self.at.clone() };
                self.drafts.add_pattern(pattern);
                return None;
            }
        }
        Some(name)
    }

    /// Rules that speak to make itself.
    fn special(&mut self, name: &str, needs: Vec<String>, comment: Option<&str>, cause: Option<String>) {
        self.drafts.begin_other_rule();
        let behind = comment.and_then(|comment| self.comments.behind(comment, &needs));
        match (name, &needs[..]) {
            (".PHONY", [only]) => self.comments.wait_for(only),
            _ => self.comments.forget(),
        }
        self.tell(name, needs, behind.as_deref(), cause);
    }

    /// Applies a rule for a special target to its prerequisites.
    fn tell(&mut self, name: &str, needs: Vec<String>, description: Option<&str>, cause: Option<String>) {
        match name {
            ".PHONY" => self.phony(needs, description, cause),
            ".SUFFIXES" => self.drafts.add_suffixes(&needs),
            // With prerequisites alone it makes nothing.
            FALLBACK if needs.is_empty() => {
                let (name, source) = (FALLBACK.to_owned(), self.at.clone());
                self.drafts.add_pattern(Pattern { name, description: None, source });
            }
            _ => {}
        }
    }

    fn phony(&mut self, names: Vec<String>, description: Option<&str>, cause: Option<String>) {
        let ghost = self.conditions.weight() == Weight::Ghost;
        let is_open = names.iter().any(|name| name.contains(HOLE));
        self.drafts.add_phony(names, description, ghost);
        if is_open {
            let cause = cause.unwrap_or_else(|| SOMETHING.to_owned());
            self.doubt(format!("which targets are phony depends on {cause}"));
        }
    }

    /// Reports a rule's assumption about the environment.
    fn assume(&mut self) {
        if let Some((condition, variable)) = self.conditions.assumption() {
            let what =
                format!("{}: read as where the environment does not set {}", condition.what, shown(variable));
            let doubt = Doubt { at: condition.at.clone(), what };
            self.doubtful(doubt);
        }
    }
}
