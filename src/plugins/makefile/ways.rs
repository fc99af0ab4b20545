//! What make runs for each name and what that calls: for a guess at what nothing takes back.
//!
//! It goes by what the text says. A name or a word that only running could tell leads nowhere: else every target of a
//! Makefile that has one would look like its worst.

use std::collections::{HashMap, HashSet, VecDeque};

use super::config::TARGETS;
use super::recipe::{Recipes, first_running};
use super::special::is_special;
use super::targets::Target;
use super::written::{HOLE, Written, is_open};
use super::{Found, tool_name};
use crate::model::{CONFIRM, Call, Looks, Patterns, Runner, Values, Way, is_cleaner, looks, only_removes};

/// So many names are followed. What calls one beyond that is taken for the worst.
const MOST_NAMES: usize = 20_000;

/// So many patterns in a row lead to a name.
const MOST_STEMS: usize = 4;

/// So many calls are kept in all, and so many patterns held against names: a recipe's calls are those of every name that a
/// pattern makes by it. Beyond that a name is taken for the worst.
const MOST_CALLS: usize = 250_000;
const MOST_TRIED: usize = 5_000_000;

/// The longest name that is followed, in bytes.
const LONGEST_NAME: usize = 4096;

/// A name that is known in part is one with so many letters.
const FEWEST_LETTERS: usize = 3;

/// Every name that has a rule, and those that patterns have one for when somebody needs them.
pub(super) fn ways(found: &Found, config: &Values) -> Vec<Way> {
    let (guarded, _) = Patterns::new(config.texts(&CONFIRM));
    let targets = found.makefile.targets.iter().map(|target| (target.name.as_str(), target)).collect();
    let judged = found.recipes.script.rules.iter().map(Judged::new).collect();
    let mut names = Names {
        recipes: &found.recipes,
        targets,
        judged,
        guarded,
        seen: HashSet::new(),
        waiting: VecDeque::new(),
        leading: HashMap::new(),
        called: 0,
        tried: 0,
    };
    let written = found.recipes.script.rules.iter().flat_map(|rule| &rule.names);
    let own = written.filter(|name| !is_special(name) && !name.contains('%'));
    let mut ways = vec![names.default()];
    // What is offered comes first: it is never too much.
    let offered = found.makefile.targets.iter().map(|target| target.name.as_str());
    for name in offered.chain(config.texts(&TARGETS)).filter(|name| *name != "*") {
        if names.seen.insert(name.to_owned()) {
            names.waiting.push_back((name.to_owned(), 0));
        }
    }
    for name in own {
        names.add(name, 0);
    }
    while let Some((name, stems)) = names.waiting.pop_front() {
        ways.push(names.way(name, stems));
    }
    ways
}

/// The names of a Makefile, as they come up.
struct Names<'a> {
    recipes: &'a Recipes,
    targets: HashMap<&'a str, &'a Target>,
    /// The rules, in their order.
    judged: Vec<Judged>,
    guarded: Patterns,
    seen: HashSet<String>,
    /// With how many patterns led there.
    waiting: VecDeque<(String, usize)>,
    /// Whether needs may lead anywhere.
    leading: HashMap<String, bool>,
    /// How many calls are kept.
    called: usize,
    /// How many patterns were held against names.
    tried: usize,
}

/// What a rule runs.
struct Judged {
    looks: Looks,
    calls: Vec<Call>,
    /// Whether it runs anything.
    runs: bool,
    /// Whether that puts nothing back.
    only_removes: bool,
    /// Whether that is told the name of what it makes, or of what it makes that from.
    makes_it: bool,
}

impl Names<'_> {
    /// Whether a name is followed, or need not be.
    fn add(&mut self, name: &str, stems: usize) -> bool {
        let is_known = name.chars().filter(char::is_ascii_alphabetic).take(FEWEST_LETTERS).count();
        let is_known = is_known == FEWEST_LETTERS || !name.contains(HOLE);
        if !is_known || stems > MOST_STEMS || self.seen.contains(name) {
            return true;
        }
        let most = MOST_NAMES.max(2 * self.targets.len());
        let has_room = self.seen.len() < most && name.len() <= LONGEST_NAME;
        if has_room {
            self.seen.insert(name.to_owned());
            self.waiting.push_back((name.to_owned(), stems));
        }
        has_room
    }

    /// Whether a need may lead anywhere: a header that nothing makes does not, and objects have thousands. Where not all
    /// rules are known any name may have one.
    fn leads_on(&mut self, name: &str) -> bool {
        self.tried += 1;
        if let Some(leads) = self.leading.get(name) {
            return *leads;
        }
        if self.tried > MOST_TRIED {
            return true;
        }
        self.tried += self.recipes.patterns();
        let (places, is_certain) = self.recipes.places(name, self.targets.get(name).copied());
        let is_guarded = || self.guarded.matches(name) || self.guarded.matches(&tool_name(name));
        let leads = !places.is_empty() || !is_certain || is_guarded();
        if self.leading.len() < MOST_CALLS {
            self.leading.insert(name.to_owned(), leads);
        }
        leads
    }

    /// What make does where it is told nothing.
    fn default(&self) -> Way {
        let script = &self.recipes.script;
        let mut names = script.rules.iter().filter(|rule| rule.is_settled).flat_map(|rule| &rule.names);
        let first = names.find(|name| (!name.starts_with('.') || name.contains('/')) && !is_open(name));
        let first = first.filter(|_| !script.has_goal).into_iter();
        let calls = first.chain(&script.goals).map(|name| need(name, true)).collect();
        Way { by: Runner::Make, name: String::new(), looks: Looks::Calm, is_guarded: false, calls }
    }

    fn way(&mut self, name: String, stems: usize) -> Way {
        self.tried += self.recipes.patterns();
        if self.called > MOST_CALLS || self.tried > MOST_TRIED {
            let (by, looks) = (Runner::Make, Looks::Lasts);
            return Way { by, name, looks, is_guarded: false, calls: Vec::new() };
        }
        let target = self.targets.get(name.as_str()).copied();
        let places = self.recipes.places(&name, target).0.into_iter();
        let places: Vec<usize> = places.filter(|at| self.applies(*at, &name)).collect();
        let rules: Vec<&Written> = places.iter().map(|at| &self.recipes.script.rules[*at]).collect();
        let mut needs: Vec<(String, bool)> = Vec::new();
        for need in rules.iter().flat_map(|rule| rule.needs_of(&name)) {
            if let Some((_, is_last)) = needs.last_mut() {
                *is_last = false;
            }
            if self.leads_on(&need) {
                needs.push((need, true));
            }
        }
        let mut way =
            Way { by: Runner::Make, looks: Looks::Calm, is_guarded: false, name, calls: Vec::new() };
        let running = places.iter().skip(first_running(&rules)).map(|at| &self.judged[*at]);
        for judged in running.filter(|judged| judged.runs) {
            // What is removed before the last is put back.
            let stays = judged.only_removes || way.looks == Looks::Lasts;
            way.looks = if stays { way.looks.max(judged.looks) } else { judged.looks };
            for call in &mut way.calls {
                call.is_last &= judged.only_removes;
            }
            way.calls.extend(judged.calls.iter().cloned());
        }
        let puts_back = |at: &usize| self.judged[*at].runs && !self.judged[*at].only_removes;
        let ends = !places.iter().any(puts_back);
        way.calls.extend(needs.iter().map(|(name, is_last)| need(name, *is_last && ends)));
        self.called += way.calls.len();
        let mut is_beyond = false;
        for call in way.calls.iter().filter(|call| call.by == Runner::Make) {
            let stems = if self.recipes.is_named(&call.name) { 0 } else { stems + 1 };
            is_beyond |= !self.add(&call.name, stems);
        }
        // What is called after a file says nothing of what is done.
        let makes_it = || places.iter().all(|at| !self.judged[*at].runs || self.judged[*at].makes_it);
        let is_file = way.name.contains(HOLE) || way.name.contains(['/', '.']) && makes_it();
        let is_phony = target.is_some_and(|target| target.phony);
        way.looks =
            if rules.is_empty() || is_file && !is_phony { way.looks } else { way.looks.named(&way.name) };
        if is_beyond {
            way.looks = Looks::Lasts;
        }
        way.is_guarded = self.guarded.matches(&way.name) || self.guarded.matches(&tool_name(&way.name));
        way
    }

    /// Whether make would go by a rule. By one for any name it does where that leads to another that has its own.
    fn applies(&self, at: usize, name: &str) -> bool {
        let rule = &self.recipes.script.rules[at];
        let is_for_any = !rule.names.iter().any(|own| own == name || own.len() > 1);
        let stemmed = rule.needs.iter().any(|need| need.contains('%'));
        !is_for_any || !stemmed || rule.needs_of(name).any(|need| self.recipes.is_named(&need))
    }
}

impl Judged {
    fn new(rule: &Written) -> Self {
        let text = rule.text();
        let makes_it = ["$@", "$(@", "$*", "$(*", "$<"].iter().any(|own| text.contains(own));
        let name = if rule.names.iter().any(|name| is_cleaner(name)) { "clean" } else { "" };
        let (looks, calls, runs) = (looks(name, &text), Call::all(&text), !text.trim().is_empty());
        Self { looks, calls, runs, only_removes: only_removes(&text), makes_it }
    }
}

fn need(name: &str, is_last: bool) -> Call {
    Call { by: Runner::Make, name: name.to_owned(), elsewhere: false, is_last }
}
