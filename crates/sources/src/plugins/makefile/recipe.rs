//! The commands of a target, from the text of its rules: for people to judge, and for a guess at its effects.

use std::collections::HashMap;

use super::targets::{FALLBACK, KnownRules};
use super::written::{HOLE, MakefileScript, Written, can_be, is_open};
use crate::model::Location;

/// The longest text that is kept of one target, in lines.
pub(super) const MOST: usize = 200;

/// The same in bytes.
pub(super) const MOST_BYTES: usize = 32 * 1024;

/// The longest name that is followed, in bytes: patterns may make longer ones of it for ever.
const LONGEST_NAME: usize = 4096;

/// So many rules are held against a name that cannot be known.
const MOST_TRIED: usize = 1_000;

/// The line that replaces further commands, if there are too many to show.
pub(super) const MORE: &str = "… more that is not shown";

/// The line for commands that no text contains.
pub(super) const PERHAPS: &str = "… and perhaps what only make can tell";

/// The rules of a Makefile, found by the names of their targets.
#[derive(Debug, Default)]
pub(super) struct Recipes {
    pub(super) script: MakefileScript,
    named: HashMap<String, Vec<usize>>,
    /// The names that are patterns, and their rules.
    patterns: Vec<(String, usize)>,
    /// The same of those that cannot be known.
    holes: Vec<(String, usize)>,
    /// The places of the recipes of each target, from make.
    said: Option<HashMap<String, Vec<Location>>>,
}

/// The text of one target.
#[derive(Debug, PartialEq)]
pub(super) struct ShownRecipe {
    pub(super) text: Option<String>,
    /// Whether there is more of it.
    pub(super) is_cut: bool,
}

/// The text of the rules of one name.
#[derive(Debug)]
pub(super) struct RuleText<'a> {
    pub(super) lines: Vec<&'a str>,
    /// The targets that are made first.
    pub(super) needs: Vec<String>,
    /// Whether they say no more.
    pub(super) is_whole: bool,
    /// Whether something else that has a rule may be made first.
    pub(super) needs_more: bool,
}

impl Recipes {
    pub(super) fn new(script: MakefileScript, said: Option<HashMap<String, Vec<Location>>>) -> Self {
        let named = HashMap::with_capacity(script.rules.len());
        let mut recipes = Self { named, said, ..Self::default() };
        for (at, rule) in script.rules.iter().enumerate() {
            for name in &rule.names {
                let (has_hole, has_stem) = (name.contains(HOLE), name.contains('%'));
                if has_hole {
                    recipes.holes.push((name.clone(), at));
                } else if has_stem {
                    recipes.patterns.push((name.clone(), at));
                }
                if !has_stem {
                    recipes.named.entry(name.clone()).or_insert_with(|| Vec::with_capacity(1)).push(at);
                }
            }
        }
        Self { script, ..recipes }
    }

    /// The lines of a target's rules that name its prerequisites, and its commands, without make's own signs.
    pub(super) fn text(&self, name: &str, known: KnownRules) -> ShownRecipe {
        let (rules, _) = self.rules(name, Some(known));
        let mut lines = lines_of(&rules, first_running(&rules), false);
        let mut bytes = 0;
        let fits = |line: &&&str| {
            bytes += line.len() + 1;
            bytes <= MOST_BYTES
        };
        let kept = lines.iter().take(MOST).take_while(fits).count();
        let is_cut = kept < lines.len();
        lines.truncate(kept);
        if is_cut {
            lines.push(MORE);
        }
        let text = lines.join("\n");
        ShownRecipe { text: (!text.trim().is_empty()).then_some(text), is_cut }
    }

    /// All that the rules of a name say, be it a target's or not; `named`: also the line of a rule that only runs something.
    pub(super) fn rule_text(&self, name: &str, known: Option<KnownRules>, named: bool) -> RuleText<'_> {
        let (rules, is_certain) = self.rules(name, known);
        let running = first_running(&rules);
        let lines = lines_of(&rules, running, named);
        // make begins with the prerequisites of the rule that it runs.
        let (before, from) = rules.split_at(running.min(rules.len()));
        let order = from.iter().take(1).chain(before).chain(from.iter().skip(1));
        let mut needs: Vec<String> = order.flat_map(|rule| rule.needs_of(name)).collect();
        needs.retain(|need| need.len() <= LONGEST_NAME);
        let (all, too_many) = (needs.len(), self.named.len() + self.patterns.len() > MOST_TRIED);
        // An unknown name may be one that has a rule.
        needs.retain(|need| !is_open(need) || !too_many && !self.may_have_rule(need));
        let needs_more = needs.len() < all;
        needs.retain(|need| !is_open(need));
        RuleText { lines, needs, is_whole: is_certain, needs_more }
    }

    fn may_have_rule(&self, open: &str) -> bool {
        let open_ones = self.patterns.iter().chain(&self.holes).map(|(name, _)| name);
        self.named.keys().chain(open_ones).any(|name| can_be(name, open))
    }

    fn rules(&self, name: &str, known: Option<KnownRules>) -> (Vec<&Written>, bool) {
        let (places, is_certain) = self.places(name, known);
        (places.into_iter().map(|at| &self.script.rules[at]).collect(), is_certain)
    }

    /// Which rules may be a name's, in order, and whether there are surely no others.
    pub(super) fn places(&self, name: &str, known: Option<KnownRules>) -> (Vec<usize>, bool) {
        let all = &self.script.rules;
        let mut found: Vec<usize> = self.named.get(name).cloned().unwrap_or_default();
        let is_empty = |found: &[usize]| found.iter().all(|at| all[*at].recipe_at.is_none());
        if is_empty(&found) && !known.is_some_and(|known| known.phony) {
            // A pattern decides if no rule of the name has a recipe.
            let fitting = self.patterns.iter().filter(|(pattern, _)| can_be(pattern, name));
            found.extend(fitting.map(|(_, at)| at));
        }
        if is_empty(&found) {
            let fallbacks = self.named.get(FALLBACK).into_iter().flatten();
            found.extend(fallbacks.filter(|at| all[**at].recipe_at.is_some()));
        }
        let is_doubtful = self.holes.iter().any(|(open, _)| can_be(open, name));
        let mut is_certain = !(self.script.unsure
            || is_doubtful
            || known.is_some_and(|known| known.recipe) && is_empty(&found));
        if let Some(said) = self.said.as_ref().filter(|_| !is_certain) {
            let places = said.get(name).map(Vec::as_slice).unwrap_or_default();
            is_certain = places.iter().all(|place| {
                let is_here = |rule: &Written| rule.at.file == place.file && rule.recipe_at == place.line;
                let at = all.iter().position(is_here);
                found.extend(at);
                at.is_some()
            });
        }
        found.sort_unstable();
        found.dedup();
        (found, is_certain)
    }
}

/// The text of the rules of a name, of which one is the first that runs something. `named`: also the line of a rule that only
/// runs something.
fn lines_of<'a>(rules: &[&'a Written], running: usize, named: bool) -> Vec<&'a str> {
    let mut lines: Vec<&str> = Vec::new();
    for (at, rule) in rules.iter().enumerate() {
        let runs = at >= running;
        if !rule.needs.is_empty() || named && runs && !rule.recipe.is_empty() {
            lines.push(&rule.head);
        }
        if runs {
            rule.render(&mut lines);
        }
    }
    lines
}

/// Which of the rules of a name is the first that runs something: make takes the last recipe that there is.
pub(super) fn first_running(rules: &[&Written]) -> usize {
    let is_double = rules.iter().any(|rule| rule.is_double);
    let last =
        rules.iter().rposition(|rule| rule.only_if.is_none() && rule.recipe_at.is_some() && !is_double);
    last.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::PERHAPS;
    use crate::model::{File, Files, Seen, Tool, Values};
    use crate::plugin::Plugin;
    use crate::plugins::makefile::MakefileTargets;

    fn files(text: &str) -> Files {
        let file = File::new("/project/Makefile", text.as_bytes());
        Files { files: [("Makefile".to_owned(), Seen::File(file))].into(), ..Files::default() }
    }

    fn tools(text: &str) -> Vec<Tool> {
        let mut tools = MakefileTargets.discover(&Values::default(), &files(text)).tools;
        tools.retain(|tool| tool.original != "list_targets");
        tools
    }

    fn text(makefile: &str, name: &str) -> String {
        let tool = tools(makefile).into_iter().find(|tool| tool.original == name).unwrap();
        let perhaps = if tool.along.iter().any(|also| also == PERHAPS) { "?" } else { "" };
        format!("{}{perhaps}", tool.text.unwrap_or_default())
    }

    #[test]
    fn a_rule_is_shown_with_its_prerequisites_and_its_recipe() {
        let makefile = "ship: build \\\n  check ; echo go\n\t@git push\n\n# then\n\t-rm -rf x \\\n  y\nVAR = 1\n\tno:\nall: x\n";
        assert_eq!(text(makefile, "ship"), "ship: build check\necho go\ngit push\nrm -rf x \\\ny");
        assert_eq!(text("all: x\n\techo\nx: ; echo\n", "all"), "all: x\necho");
        let summaries: Vec<String> = tools(makefile).iter().map(|tool| tool.told().into_owned()).collect();
        assert_eq!(summaries[0], "ship: build check; echo go; git push; rm -rf x y", "all of it, in a line");
    }

    fn first(makefile: &str, name: &str) -> Vec<String> {
        tools(makefile).into_iter().find(|tool| tool.original == name).unwrap().along.to_vec()
    }

    /// A person says yes to all of it.
    #[test]
    fn prerequisites_are_shown_once_each_in_the_order_of_make() {
        let makefile = ".PHONY: ship build\nship: build deploy\nbuild: gen main.o\n\t@cc\ndeploy: build ; ./d\ngen:\n\techo gen\n\trm -rf gen\n\
                        %.o: %.c %.h\n\tcc -c\nmain.h: ; touch $@\n";
        let rules = [
            "gen:\necho gen\nrm -rf gen",
            "main.h:\ntouch $@",
            "%.o: %.c %.h\ncc -c",
            "build: gen main.o\ncc",
            "deploy: build\n./d",
        ];
        assert_eq!(first(makefile, "ship"), rules);
        assert_eq!(text(makefile, "ship"), "ship: build deploy");
        assert_eq!(text(makefile, "build"), "build: gen main.o\ncc");
        assert_eq!(first(".PHONY: a\na: b\nb: a c ; echo\nc:\n", "a"), ["b: a c\necho"]);
        let more = "… more that is not shown";
        let open = "a: $(shell ls) ; cc\nb: ; echo\n";
        assert_eq!((&*text(open, "a"), first(open, "a")), ("a: $(shell ls)\ncc?", vec![PERHAPS.to_owned()]));
        let long = format!("a: b c\nb: ; echo\nc:\n{}", "\techo\n".repeat(200));
        assert_eq!(first(&long, "a"), ["b:\necho", more]);
        let needs: Vec<String> = (0..300).map(|n| format!("b{n}")).collect();
        let wide = format!("a: {0}\n{0}: ; echo\n", needs.join(" "));
        assert!(first(&wide, "a").ends_with(&[more.to_owned()]));
    }

    /// All lines that make runs are shown, in any layout of the Makefile.
    #[test]
    fn no_line_that_make_runs_is_left_out() {
        let hidden = "a:\n\t@echo nice\nifeq ($(X),)\n\t@git push\nelse\n\t@echo b\nendif\n\t@echo c\n";
        assert_eq!(text(hidden, "a"), "echo nice\nifeq ($(X),)\ngit push\nelse\necho b\nendif\necho c");
        assert_eq!(text("a:\nifdef HOME\n\t@git push\nendif\n", "a"), "ifdef HOME\ngit push\nendif");
        // A variable of a call may choose another branch.
        let dead = "X = 1\na:\n\techo nice\nifeq ($(X),2)\na:\n\tgit push\nendif\n";
        assert_eq!(text(dead, "a"), "echo nice\ngit push");
        assert_eq!(text(".RECIPEPREFIX = >\na: b\n> @git push\nb: ; echo\n", "a"), "a: b\ngit push");
        let unknown = "ifdef HOME\n.RECIPEPREFIX = >\nendif\na:\n\t@echo nice\n";
        assert_eq!(text(unknown, "a"), "echo nice?");
    }

    /// After conditions, a line belongs to every rule that is open on one of the branches.
    #[test]
    fn lines_behind_a_branch_belong_to_the_rules_before_it_too() {
        for condition in ["ifdef N", "ifeq ($(HOME),/x)"] {
            let rule = format!("a:\n\t@echo nice\n{condition}\nb:\nendif\n\t@git push\n");
            assert_eq!(text(&rule, "a"), "echo nice\ngit push");
            for inner in ["X = 1", "include x.mk", "define X\nendef"] {
                let closed = format!("a:\n\t@echo nice\n{condition}\n{inner}\nendif\n\t@git push\n");
                assert!(text(&closed, "a").starts_with("echo nice\ngit push?"), "{}", text(&closed, "a"));
            }
            let orphan = format!("a:\n\t@echo nice\n{condition}\n$(X): b\nendif\n\t@git push\n");
            assert_eq!(text(&orphan, "a"), "echo nice\ngit push");
            let both = format!("a:\n{condition}\n\techo one\nelse\n\techo two\nendif\n\techo three\n");
            let expected = format!("{condition}\necho one\nelse\necho two\nendif\necho three");
            assert_eq!(text(&both, "a"), expected);
        }
        let either = "ifdef N\na:\nelse\nb:\nendif\n\techo one\n";
        assert_eq!(text(either, "b"), "echo one");
        let known = "Q = 1\na:\n\t@echo nice\nifeq ($(Q),2)\nb:\nendif\n\t@git push\n";
        assert_eq!(text(known, "a"), "echo nice\ngit push");
        // A rule without targets has taken its lines with it only until something else begins.
        let orphan = "$(NONE): x\n\techo lost\nX = 1\n\tY = 2\na: ; @echo $(Y)\n";
        assert_eq!(text(orphan, "a"), "echo $(Y)");
    }

    #[test]
    fn the_end_of_a_definition_is_known_or_reported_as_open() {
        for condition in ["ifdef N", "ifeq ($(HOME),/x)"] {
            let tab = format!(
                "a: ; @echo nice\n{condition}\ndefine X\n\tendef\nendif\na: ; @git push\n{condition}\nendef\nendif\n"
            );
            assert_eq!(text(&tab, "a"), "echo nice?");
            let within = format!(
                "a:\n\t@echo nice\n{condition}\ndefine X\n\tendef\nendif\n\t@git push\nendef\nendif\n\techo end\n"
            );
            assert_eq!(text(&within, "a"), "echo nice\necho end?");
            let nested = format!(
                "a: ; @echo nice\n{condition}\ndefine X\nX=\ndefine Y\nendef\nendif\na: ; git push\n{condition}\nendef\nendif\n"
            );
            assert!(text(&nested, "a").ends_with('?'), "{}", text(&nested, "a"));
        }
        let plain = "define X\n\tendef\ndefine Y\nendef\nendef\na: ; @echo nice\n";
        assert_eq!(text(plain, "a"), "echo nice");
    }

    #[test]
    fn every_rule_of_a_name_counts() {
        assert_eq!(text("a:\n\t@echo nice\na:\n\t@git push\n", "a"), "git push");
        assert_eq!(text("a::\n\techo one\na::\n\techo two\n", "a"), "echo one\necho two");
        assert_eq!(text("a:\n\techo a\na: b\nb: ; echo\n", "a"), "echo a\na: b");
        assert_eq!(text("a:\n\techo one\nifdef HOME\na:\n\techo two\nendif\n", "a"), "echo one\necho two");
        assert_eq!(text("a: ; echo\n$(shell echo a): ; x\n", "a"), "echo?");
        assert_eq!(text("X = ; git push\na: $(X)\n", "a"), "git push");
        assert_eq!(text("a: b\nb: ; echo\n%: ; git push\n", "a"), "a: b\ngit push");
        let long = format!("a:\n{}", "\techo\n".repeat(201));
        assert!(text(&long, "a").ends_with("echo\n… more that is not shown"));
    }
}
