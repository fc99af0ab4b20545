//! The rules of a Makefile as they are written, in any order and under any conditions.

pub(super) use super::simple::HOLE;
use crate::model::Location;

/// One rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    /// Its targets; a [`HOLE`] is an unknown name.
    pub(super) names: Vec<String>,
    /// Those of them that are open, once all rules are there.
    pub(super) open: Vec<String>,
    /// The targets that are made first.
    pub(super) needs: Vec<String>,
    /// Its line, without its recipe.
    pub(super) head: String,
    /// Its commands, without make's own signs.
    pub(super) recipe: Vec<String>,
    /// The lines that part it in ways, each with how many lines of it come before.
    pub(super) branches: Vec<(usize, String)>,
    /// The line that its recipe begins on, where it has one.
    pub(super) recipe_at: Option<usize>,
    /// Whether its recipe replaces the earlier ones under any conditions.
    pub(super) is_settled: bool,
    /// Whether it has two colons, and adds to the others of its name.
    pub(super) is_double: bool,
    /// Whether a variable holds a part of its recipe.
    pub(super) is_hidden: bool,
    /// The place of its beginning.
    pub(super) at: Location,
}

/// So many lines that part a recipe in ways are kept.
const MOST_BRANCHES: usize = 200;

/// Every rule, in order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Script {
    /// Also those of branches that are not taken: a variable of a call may have make take them.
    pub(super) rules: Vec<Written>,
    /// Whether there may be others, or other lines of them.
    pub(super) unsure: bool,
    /// The one of a branch that is not taken.
    dead: Option<usize>,
}

impl Script {
    /// Adds a rule. Returns its position.
    pub(super) fn begin(&mut self, rule: Written) -> usize {
        self.dead = None;
        let recipe = rule.recipe.iter().flat_map(|text| plain(text)).collect();
        self.rules.push(Written { recipe, ..rule });
        self.rules.len() - 1
    }

    /// Adds a rule of a branch that is not taken, as far as its text shows its targets.
    pub(super) fn begin_dead(&mut self, text: &str, at: &Location) {
        let (head, own) = text.split_once(';').map_or((text, None), |(head, own)| (head, Some(own)));
        let Some((names, needs)) = head.split_once(':') else { return };
        let words = |text: &str| text.trim_matches([':', '&', ' ']).split_whitespace().map(hollow).collect();
        self.dead = Some(self.rules.len());
        self.rules.push(Written {
            names: words(names),
            open: Vec::new(),
            needs: words(needs),
            head: head.trim().to_owned(),
            recipe: own.into_iter().flat_map(plain).collect(),
            branches: Vec::new(),
            recipe_at: own.and(at.line),
            is_settled: false,
            is_double: needs.starts_with(':'),
            is_hidden: false,
            at: at.clone(),
        });
    }

    /// Adds a line that begins, parts or ends a condition to the recipes of these rules.
    pub(super) fn add_branch(&mut self, text: &str, rules: &[usize]) {
        for at in rules {
            let Some(rule) = self.rules.get_mut(*at) else { continue };
            if rule.branches.len() >= MOST_BRANCHES {
                continue;
            }
            rule.branches.push((rule.recipe.len(), text.trim().to_owned()));
        }
    }

    /// No more recipe lines belong to the last rule of a branch that is not taken.
    pub(super) fn close(&mut self) {
        self.dead = None;
    }

    /// Sets the prerequisites of the last rule, and the beginning and end of all its targets.
    pub(super) fn need(&mut self, needs: &[String], stem: Option<&(String, String)>) {
        let Some(rule) = self.rules.last_mut() else { return };
        rule.needs = needs.to_vec();
        let Some((before, behind)) = stem else { return };
        for name in rule.names.iter_mut().filter(|name| name.contains(HOLE)) {
            *name = format!("{before}{HOLE}{behind}");
        }
        for need in &mut rule.needs {
            *need = need.replace('%', "\0");
        }
    }

    /// Adds a line to the recipes of these rules, without the recipe prefix. `dead`: its branch is not taken.
    /// Such a line belongs to the last rule of that branch, if there is one.
    pub(super) fn add_recipe(&mut self, text: &str, line: usize, rules: &[usize], dead: bool) {
        if !dead {
            self.dead = None;
        }
        for at in self.dead.as_slice().iter().chain(rules.iter().filter(|_| self.dead.is_none())) {
            let Some(rule) = self.rules.get_mut(*at) else { continue };
            rule.recipe_at.get_or_insert(line);
            rule.recipe.extend(plain(text));
        }
    }
}

impl Written {
    /// Appends its commands for people, with the conditions around some of them.
    pub(super) fn render<'a>(&'a self, lines: &mut Vec<&'a str>) {
        if self.branches.is_empty() {
            return lines.extend(self.recipe.iter().map(String::as_str));
        }
        let mut branches = self.telling_branches().into_iter().peekable();
        for (at, line) in self.recipe.iter().enumerate() {
            while let Some((_, branch)) = branches.next_if(|(before, _)| *before <= at) {
                lines.push(branch.as_str());
            }
            lines.push(line);
        }
        lines.extend(branches.map(|(_, branch)| branch.as_str()));
    }

    /// The conditions that hold lines of it. A condition that ends before the next line, or that also holds
    /// another rule, is left out.
    fn telling_branches(&self) -> Vec<&(usize, String)> {
        let (mut kept, mut open): (Vec<usize>, Vec<(usize, Vec<usize>)>) = (Vec::new(), Vec::new());
        for (place, (before, line)) in self.branches.iter().enumerate() {
            match line.split(char::is_whitespace).next() {
                Some("else") => open.iter_mut().last().into_iter().for_each(|(_, lines)| lines.push(place)),
                Some("endif") => {
                    let Some((began, lines)) = open.pop() else { continue };
                    if began < *before {
                        kept.extend(lines.into_iter().chain([place]));
                    }
                }
                _ => open.push((*before, vec![place])),
            }
        }
        let rest = open.into_iter().filter(|(began, _)| *began < self.recipe.len());
        kept.extend(rest.flat_map(|(_, lines)| lines));
        kept.sort_unstable();
        kept.into_iter().map(|place| &self.branches[place]).collect()
    }

    /// The prerequisites of one of its names, with the stem of a pattern.
    pub(super) fn needs_of(&self, name: &str) -> impl Iterator<Item = String> {
        let is_of = |pattern: &&String| Shape::of(pattern).can_be(&name.into());
        let pattern = self.open.iter().find(is_of).and_then(|pattern| pattern.split_once('%'));
        let stem = pattern.and_then(|(before, behind)| name.strip_prefix(before)?.strip_suffix(behind));
        self.needs
            .iter()
            .map(move |need| stem.map_or_else(|| need.clone(), |stem| need.replacen([HOLE, '%'], stem, 1)))
    }
}

/// The lines of a command, without make's own signs.
fn plain(text: &str) -> impl Iterator<Item = String> {
    let text = text.trim_start_matches(['@', '-', '+', ' ', '\t']);
    text.lines().map(|line| line.trim().to_owned())
}

/// A word with a [`HOLE`] for all that make would put in from its first variable on.
pub(super) fn hollow(word: &str) -> String {
    word.split_once('$').map_or_else(|| word.to_owned(), |(before, _)| format!("{before}{HOLE}"))
}

/// A name that may have holes, or a pattern's `%`, by its beginning and end.
#[derive(Debug)]
pub(super) struct Shape {
    begins: String,
    ends: Option<String>,
}

impl Shape {
    pub(super) fn of(name: &str) -> Self {
        let open = |byte: &u8| matches!(byte, b'\0' | b'%');
        let first = name.bytes().position(|byte| open(&byte));
        let last = name.bytes().rposition(|byte| open(&byte));
        let begins = name[..first.unwrap_or(name.len())].to_owned();
        Self { begins, ends: last.map(|last| name[last + 1..].to_owned()) }
    }

    /// Whether it can be this one.
    pub(super) fn can_be(&self, name: &Name<'_>) -> bool {
        let (begins, all) = (self.begins.as_str(), name.text);
        match (&self.ends, name.open) {
            (None, _) => begins == all,
            (Some(_), Some(open)) => all[..open].starts_with(begins) || begins.starts_with(&all[..open]),
            (Some(ends), None) => {
                all.len() >= begins.len() + ends.len() && all.starts_with(begins) && all.ends_with(&**ends)
            }
        }
    }
}

/// A name that is held against shapes.
#[derive(Debug)]
pub(super) struct Name<'a> {
    text: &'a str,
    /// The offset of the first of its own holes, if it has any.
    open: Option<usize>,
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, open: text.bytes().position(|byte| matches!(byte, b'\0' | b'%')) }
    }
}

/// Whether a name has holes, or is a pattern.
pub(super) fn is_open(name: &str) -> bool {
    name.contains([HOLE, '%'])
}
