//! What is made before a target, for people to read below what the target itself runs.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::recipe::{MORE, MOST, MOST_BYTES, Recipes, Shown, Told};
use super::targets::{Makefile, Target};

/// So many names are followed for one target.
const MOST_NAMES: usize = 100;

/// The same for all targets of a Makefile.
const MOST_FOLLOWED: usize = 1_000;

/// The longest text that is kept of all of them, in bytes.
const MOST_OF_ALL: usize = 4 * 1024 * 1024;

/// What makes the targets of a Makefile what they need.
#[derive(Debug)]
pub(super) struct First<'a> {
    recipes: &'a Recipes,
    targets: HashMap<&'a str, &'a Target>,
    told: HashMap<String, Rc<Told<'a>>>,
    followed: usize,
    bytes: usize,
}

/// A name on the way through what is needed, or the end of one that all it needs is made for.
#[derive(Debug)]
enum Step<'a> {
    Begin(String),
    End(Rc<Told<'a>>),
}

impl<'a> First<'a> {
    pub(super) fn new(recipes: &'a Recipes, makefile: &'a Makefile) -> Self {
        let targets = makefile.targets.iter().map(|target| (target.name.as_str(), target)).collect();
        Self { recipes, targets, told: HashMap::new(), followed: 0, bytes: 0 }
    }

    /// The rules of what is made before a target, each once and in make's order, as far as its own text leaves room.
    pub(super) fn of(&mut self, target: &Target, own: &Shown) -> Vec<String> {
        let text = own.text.as_deref().unwrap_or_default();
        let (mut lines, mut bytes) = (text.lines().count(), text.len());
        let mut seen: HashSet<String> = [target.name.clone()].into();
        let begun = self.recipes.told(&target.name, Some(target), false);
        let mut is_whole = begun.is_whole && !begun.needs_more;
        let mut waiting: Vec<Step<'_>> = begun.needs.into_iter().rev().map(Step::Begin).collect();
        let mut first = Vec::new();
        while let Some(step) = waiting.pop() {
            match step {
                Step::Begin(name) if seen.contains(&name) => {}
                Step::Begin(_) if seen.len() > MOST_NAMES || self.followed > MOST_FOLLOWED => {
                    is_whole = false;
                    break;
                }
                Step::Begin(name) => {
                    self.followed += 1;
                    let told = self.told(&name);
                    seen.insert(name);
                    let needs = told.needs.iter().rev().cloned().map(Step::Begin);
                    waiting.push(Step::End(Rc::clone(&told)));
                    waiting.extend(needs);
                }
                Step::End(told) => {
                    let text = told.lines.join("\n");
                    (lines, bytes) = (lines + told.lines.len(), bytes + text.len() + 1);
                    is_whole &= told.is_whole && !told.needs_more;
                    if lines > MOST || bytes > MOST_BYTES || self.bytes + text.len() > MOST_OF_ALL {
                        is_whole = false;
                        break;
                    }
                    self.bytes += text.len();
                    first.extend((!text.is_empty()).then_some(text));
                }
            }
        }
        // Its own text has said so, where that is not whole.
        if !is_whole && (own.is_whole || !first.is_empty()) {
            first.push(MORE.to_owned());
        }
        first
    }

    fn told(&mut self, name: &str) -> Rc<Told<'a>> {
        if let Some(told) = self.told.get(name) {
            return Rc::clone(told);
        }
        let told = Rc::new(self.recipes.told(name, self.targets.get(name).copied(), true));
        self.told.insert(name.to_owned(), Rc::clone(&told));
        told
    }
}
