//! The rules of a Makefile as they are written, in any order and under any conditions.

pub(super) use super::simple::{CommentNearness, HOLE};
use super::targets::Doubt;
use crate::model::Location;

/// So many lines that part a recipe in ways are kept.
const MOST_BRANCHES: usize = 200;

/// One rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    /// Its targets; a [`HOLE`] is an unknown part of a name.
    pub(super) names: Vec<String>,
    /// The pattern that all of them share: `%.o` in `x.o y.o: %.o: %.c`.
    pub(super) shared: Option<String>,
    /// Whether its targets are patterns: `%.o: %.c`.
    pub(super) is_pattern: bool,
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
    /// Whether it has two colons, and adds to the others of its name.
    pub(super) is_double: bool,
    /// The comment that describes it.
    pub(super) described: Option<(CommentNearness, String)>,
    /// The condition that it stands under.
    pub(super) only_if: Option<Doubt>,
    /// The place of its beginning.
    pub(super) at: Location,
}

/// Every rule, in order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct MakefileScript {
    pub(super) rules: Vec<Written>,
    /// Whether there may be others, or other lines of them.
    pub(super) unsure: bool,
}

impl Written {
    /// Adds a line to its recipe.
    pub(super) fn add_recipe(&mut self, text: &str, line: usize) {
        self.recipe_at.get_or_insert(line);
        let text = text.trim_start_matches(['@', '-', '+', ' ', '\t']);
        self.recipe.extend(text.lines().map(|line| line.trim().to_owned()));
    }

    /// Adds a line that begins, parts or ends a condition.
    pub(super) fn add_branch(&mut self, text: &str) {
        if self.branches.len() < MOST_BRANCHES {
            self.branches.push((self.recipe.len(), text.trim().to_owned()));
        }
    }

    /// Its targets that are patterns or have an unknown part.
    pub(super) fn open_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str).filter(|name| is_open(name))
    }

    /// Appends its commands for people, with the conditions around some of them.
    pub(super) fn render<'a>(&'a self, lines: &mut Vec<&'a str>) {
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
        let mut patterns = self.shared.as_deref().into_iter().chain(self.open_names());
        let (before, behind) = patterns.find(|pattern| can_be(pattern, name)).and_then(ends).unzip();
        let stem =
            before.zip(behind).and_then(|(before, behind)| name.strip_prefix(before)?.strip_suffix(behind));
        let with =
            |need: &String| stem.map_or_else(|| need.clone(), |stem| need.replacen([HOLE, '%'], stem, 1));
        self.needs.iter().map(with).collect::<Vec<_>>().into_iter()
    }
}

/// Whether a name has an unknown part, or is a pattern.
pub(super) fn is_open(name: &str) -> bool {
    name.contains([HOLE, '%'])
}

/// The text before and behind the open part of a name.
fn ends(name: &str) -> Option<(&str, &str)> {
    Some((&name[..name.find([HOLE, '%'])?], &name[name.rfind([HOLE, '%'])? + 1..]))
}

/// Whether two names, of which either may be open, can be the same.
pub(super) fn can_be(one: &str, other: &str) -> bool {
    match (ends(one), ends(other)) {
        (None, None) => one == other,
        (None, Some(_)) => can_be(other, one),
        (Some((before, behind)), None) => {
            other.len() >= before.len() + behind.len() && other.starts_with(before) && other.ends_with(behind)
        }
        (Some((one, _)), Some((other, _))) => one.starts_with(other) || other.starts_with(one),
    }
}
