//! What a target runs, as the text of its rules says it: for people to judge, and for a guess at what it does.

use std::collections::HashMap;

use super::targets::{FALLBACK, Target};
use super::written::{HOLE, Script, Shape, Written, is_open};
use crate::model::Location;

/// The longest text that is kept of one target, in lines.
pub(super) const MOST: usize = 200;

/// The same in bytes.
pub(super) const MOST_BYTES: usize = 32 * 1024;

/// The longest name that is followed, in bytes: patterns may make longer ones of it for ever.
const LONGEST_NAME: usize = 4096;

/// So many rules are held against a name that cannot be known.
const MOST_TRIED: usize = 1_000;

/// Stands for what a target runs and nobody is shown, for there is too much of it.
pub(super) const MORE: &str = "… more that is not shown";

/// Stands for what no text says.
pub(super) const PERHAPS: &str = "… and perhaps what only make can tell";

/// The rules of a Makefile, to be found by what they make.
#[derive(Debug, Default)]
pub(super) struct Recipes {
    pub(super) script: Script,
    named: HashMap<String, Vec<usize>>,
    /// The names that are patterns, and their rules.
    patterns: Vec<(Shape, usize)>,
    /// The same of those that cannot be known.
    holes: Vec<(Shape, usize)>,
    /// Where make says that the recipes of each target begin.
    said: Option<HashMap<String, Vec<Location>>>,
}

/// The text of one target.
#[derive(Debug, PartialEq)]
pub(super) struct Shown {
    pub(super) text: Option<String>,
    /// Whether there is more of it.
    pub(super) is_cut: bool,
}

/// What the rules of one name say.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) lines: Vec<&'a str>,
    /// What is made first.
    pub(super) needs: Vec<String>,
    /// Whether they say no more.
    pub(super) is_whole: bool,
    /// Whether something else that has a rule may be made first.
    pub(super) needs_more: bool,
}

impl Recipes {
    pub(super) fn new(mut script: Script, said: Option<HashMap<String, Vec<Location>>>) -> Self {
        let mut recipes = Self { said, ..Self::default() };
        for (at, rule) in script.rules.iter_mut().enumerate() {
            rule.open = rule.names.iter().filter(|name| is_open(name)).cloned().collect();
            for name in &rule.names {
                let (has_hole, has_stem) = (name.contains(HOLE), name.contains('%'));
                if has_hole {
                    recipes.holes.push((Shape::of(name), at));
                } else if has_stem {
                    recipes.patterns.push((Shape::of(name), at));
                }
                if !has_stem {
                    recipes.named.entry(name.clone()).or_default().push(at);
                }
            }
        }
        Self { script, ..recipes }
    }

    /// The lines of a target's rules that name what is made first, and what they run, without make's own signs.
    pub(super) fn text(&self, target: &Target) -> Shown {
        let Told { mut lines, .. } = self.told(&target.name, Some(target), false);
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
        Shown { text: (!text.trim().is_empty()).then_some(text), is_cut }
    }

    /// All that the rules of a name say, be it a target's or not; `named`: also the line of a rule that only runs something.
    pub(super) fn told(&self, name: &str, target: Option<&Target>, named: bool) -> Told<'_> {
        let (rules, is_certain) = self.rules(name, target);
        let running = first_running(&rules);
        let mut lines: Vec<&str> = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            let runs = at >= running;
            if !rule.needs.is_empty() || named && runs && !rule.recipe.is_empty() {
                lines.push(&rule.head);
            }
            lines.extend(rule.told().filter(|_| runs));
        }
        // make begins with what the rule needs that it runs.
        let (before, from) = rules.split_at(running.min(rules.len()));
        let order = from.iter().take(1).chain(before).chain(from.iter().skip(1));
        let mut needs: Vec<String> = order.flat_map(|rule| rule.needs_of(name)).collect();
        needs.retain(|need| need.len() <= LONGEST_NAME);
        let (all, too_many) = (needs.len(), self.named.len() + self.patterns.len() > MOST_TRIED);
        // What cannot be known may be what has a rule.
        needs.retain(|need| !is_open(need) || !too_many && !self.may_have_rule(need));
        let is_whole = is_certain && !rules.iter().any(|rule| rule.is_hidden);
        let needs_more = needs.len() < all;
        needs.retain(|need| !is_open(need));
        Told { lines, needs, is_whole, needs_more }
    }

    /// Whether a rule is written for a name.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// How many patterns a name is held against.
    pub(super) fn patterns(&self) -> usize {
        self.patterns.len()
    }

    fn may_have_rule(&self, open: &str) -> bool {
        let (shape, open) = (Shape::of(open), open.into());
        self.named.keys().any(|name| shape.can_be(&name.as_str().into()))
            || self.patterns.iter().chain(&self.holes).any(|(shape, _)| shape.can_be(&open))
    }

    fn rules(&self, name: &str, target: Option<&Target>) -> (Vec<&Written>, bool) {
        let (places, is_certain) = self.places(name, target);
        (places.into_iter().map(|at| &self.script.rules[at]).collect(), is_certain)
    }

    /// Which rules may be a name's, in order, and whether there are surely no others.
    pub(super) fn places(&self, name: &str, target: Option<&Target>) -> (Vec<usize>, bool) {
        let (all, asked) = (&self.script.rules, name.into());
        let mut found: Vec<usize> = self.named.get(name).cloned().unwrap_or_default();
        let is_empty = |found: &[usize]| found.iter().all(|at| all[*at].recipe_at.is_none());
        if is_empty(&found) && !target.is_some_and(|target| target.phony) {
            // A pattern says what is run where no rule of the name does.
            let fitting = self.patterns.iter().filter(|(pattern, _)| pattern.can_be(&asked));
            found.extend(fitting.map(|(_, at)| at));
        }
        if is_empty(&found) {
            let fallbacks = self.named.get(FALLBACK).into_iter().flatten();
            found.extend(fallbacks.filter(|at| all[**at].recipe_at.is_some()));
        }
        let is_doubtful = self.holes.iter().any(|(open, _)| open.can_be(&asked));
        let mut is_certain = !(self.script.unsure
            || is_doubtful
            || target.is_some_and(|target| target.recipe) && is_empty(&found));
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

/// Which of the rules of a name is the first that runs something: make takes the last recipe that there is.
pub(super) fn first_running(rules: &[&Written]) -> usize {
    let is_double = rules.iter().any(|rule| rule.is_double);
    let last = rules.iter().rposition(|rule| rule.is_settled && rule.recipe_at.is_some() && !is_double);
    last.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::PERHAPS;
    use crate::model::{CONFIRM, Discovery, File, Files, Link, Seen, Tool, Values, lasting};
    use crate::plugin::Plugin;
    use crate::plugins::makefile::MakefileTargets;
    use crate::plugins::makefile::config::TARGETS;

    fn files(text: &str) -> Files {
        let file = File {
            bytes: text.as_bytes().into(),
            end: std::sync::Arc::default(),
            size: text.len() as u64,
            mode: 0o644,
            executable: false,
            link: Link::Direct,
            canonical: "/project/Makefile".into(),
            device: 1,
            inode: 1,
        };
        Files { files: [("Makefile".to_owned(), Seen::File(file))].into(), ..Files::default() }
    }

    fn discovery(text: &str, confirm: &str) -> Discovery {
        MakefileTargets.discover(&Values::of([(&CONFIRM, json!(confirm))]), &files(text))
    }

    fn tools(text: &str) -> Vec<Tool> {
        let mut tools = discovery(text, "").tools;
        tools.retain(|tool| tool.original != "list_targets");
        tools
    }

    fn text(makefile: &str, name: &str) -> String {
        let tool = tools(makefile).into_iter().find(|tool| tool.original == name).unwrap();
        let is_one = irreversible(makefile, "").contains(&tool.original);
        let perhaps = if tool.along.iter().any(|also| also == PERHAPS) { "?" } else { "" };
        format!("{}{perhaps}|{is_one}", tool.text.unwrap_or_default())
    }

    fn irreversible(makefile: &str, confirm: &str) -> Vec<String> {
        let Discovery { tools, ways, .. } = discovery(makefile, confirm);
        let found = lasting(&[(Path::new("."), &ways)]).remove(0);
        let names = tools.into_iter().map(|tool| tool.original);
        names.filter(|name| found.contains_key(&**name)).collect()
    }

    #[test]
    fn a_rule_is_told_with_what_it_makes_first_and_what_it_runs() {
        let makefile = "ship: build \\\n  check ; echo go\n\t@git push\n\n# then\n\t-rm -rf x \\\n  y\nVAR = 1\n\tno:\nall: x\n";
        assert_eq!(text(makefile, "ship"), "ship: build check\necho go\ngit push\nrm -rf x \\\ny|true");
        assert_eq!(text("all: x\n\techo\nx: ; echo\n", "all"), "all: x\necho|false");
        let told: Vec<String> = tools(makefile).iter().map(Tool::told).collect();
        assert_eq!(told[0], "ship: build check; echo go; git push; rm -rf x y", "all of it, in a line");
    }

    fn first(makefile: &str, name: &str) -> Vec<String> {
        tools(makefile).into_iter().find(|tool| tool.original == name).unwrap().along.to_vec()
    }

    /// A person says yes to all of it.
    #[test]
    fn what_is_made_first_is_told_once_each_as_make_would_run_it() {
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
        assert_eq!(text(makefile, "ship"), "ship: build deploy|true");
        assert_eq!(text(makefile, "build"), "build: gen main.o\ncc|false", "it is judged by its own");
        assert_eq!(first(".PHONY: a\na: b\nb: a c ; echo\nc:\n", "a"), ["b: a c\necho"]);
        let more = "… more that is not shown";
        let open = "a: $(shell ls) ; cc\nb: ; echo\n";
        assert_eq!(
            (&*text(open, "a"), first(open, "a")),
            ("a: $(shell ls)\ncc?|false", vec![PERHAPS.to_owned()])
        );
        let long = format!("a: b c\nb: ; echo\nc:\n{}", "\techo\n".repeat(200));
        assert_eq!(first(&long, "a"), ["b:\necho", more]);
        let needs: Vec<String> = (0..300).map(|n| format!("b{n}")).collect();
        let wide = format!("a: {0}\n{0}: ; echo\n", needs.join(" "));
        assert!(first(&wide, "a").ends_with(&[more.to_owned()]));
    }

    /// What is shown is what make runs, however the Makefile is laid out.
    #[test]
    fn no_line_that_make_runs_is_left_out() {
        let hidden = "a:\n\t@echo nice\nifeq ($(X),)\n\t@git push\nelse\n\t@echo b\nendif\n\t@echo c\n";
        assert_eq!(text(hidden, "a"), "echo nice\nifeq ($(X),)\ngit push\nelse\necho b\nendif\necho c|true");
        assert_eq!(text("a:\nifdef HOME\n\t@git push\nendif\n", "a"), "ifdef HOME\ngit push\nendif|true");
        // What a call sets may take another branch.
        let dead = "X = 1\na:\n\techo nice\nifeq ($(X),2)\na:\n\tgit push\nendif\n";
        assert_eq!(text(dead, "a"), "echo nice\ngit push|true");
        assert_eq!(text(".RECIPEPREFIX = >\na: b\n> @git push\nb: ; echo\n", "a"), "a: b\ngit push|true");
        let unknown = "ifdef HOME\n.RECIPEPREFIX = >\nendif\na:\n\t@echo nice\n";
        assert_eq!(text(unknown, "a"), "echo nice?|false");
    }

    /// Where conditions part ways, a line belongs to every rule that is open on one of them.
    #[test]
    fn lines_behind_a_branch_belong_to_the_rules_before_it_too() {
        for condition in ["ifdef N", "ifeq ($(HOME),/x)"] {
            let rule = format!("a:\n\t@echo nice\n{condition}\nb:\nendif\n\t@git push\n");
            assert_eq!(text(&rule, "a"), "echo nice\ngit push|true");
            for inner in ["X = 1", "include x.mk", "define X\nendef"] {
                let closed = format!("a:\n\t@echo nice\n{condition}\n{inner}\nendif\n\t@git push\n");
                assert!(text(&closed, "a").starts_with("echo nice\ngit push?"), "{}", text(&closed, "a"));
            }
            let orphan = format!("a:\n\t@echo nice\n{condition}\n$(X): b\nendif\n\t@git push\n");
            assert_eq!(text(&orphan, "a"), "echo nice\ngit push|true");
            let both = format!("a:\n{condition}\n\techo one\nelse\n\techo two\nendif\n\techo three\n");
            let told = format!("{condition}\necho one\nelse\necho two\nendif\necho three|false");
            assert_eq!(text(&both, "a"), told);
        }
        let either = "ifdef N\na:\nelse\nb:\nendif\n\techo one\n";
        assert_eq!(text(either, "b"), "echo one|false");
        let known = "Q = 1\na:\n\t@echo nice\nifeq ($(Q),2)\nb:\nendif\n\t@git push\n";
        assert_eq!(text(known, "a"), "echo nice\ngit push|true");
        // A rule without targets has taken its lines with it only until something else begins.
        let orphan = "$(NONE): x\n\techo lost\nX = 1\n\tY = 2\na: ; @echo $(Y)\n";
        assert_eq!(text(orphan, "a"), "echo $(Y)|false");
    }

    #[test]
    fn where_a_definition_ends_is_known_or_said_to_be_open() {
        let tab = "a: ; @echo nice\nQ=1\nifeq ($(Q),2)\ndefine X\n\tendef\nendif\na: ; @git push\nifeq ($(Q),2)\nendef\nendif\n";
        assert_eq!(text(tab, "a"), "git push|true");
        let within =
            "a:\n\t@echo nice\nifeq (1,2)\ndefine X\n\tendef\nendif\n\t@git push\nendef\nendif\n\techo end\n";
        assert_eq!(text(within, "a"), "echo nice\necho end|false");
        for condition in ["ifdef N", "ifeq ($(HOME),/x)"] {
            let nested = format!(
                "a: ; @echo nice\n{condition}\ndefine X\nX=\ndefine Y\nendef\nendif\na: ; git push\n{condition}\nendef\nendif\n"
            );
            assert!(text(&nested, "a").ends_with("?|false"), "{}", text(&nested, "a"));
        }
        let plain = "define X\n\tendef\ndefine Y\nendef\nendef\na: ; @echo nice\n";
        assert_eq!(text(plain, "a"), "echo nice|false");
    }

    #[test]
    fn every_rule_of_a_name_counts() {
        assert_eq!(text("a:\n\t@echo nice\na:\n\t@git push\n", "a"), "git push|true");
        assert_eq!(text("a::\n\techo one\na::\n\techo two\n", "a"), "echo one\necho two|false");
        assert_eq!(text("a:\n\techo a\na: b\nb: ; echo\n", "a"), "echo a\na: b|false");
        assert_eq!(
            text("a:\n\techo one\nifdef HOME\na:\n\techo two\nendif\n", "a"),
            "echo one\necho two|false"
        );
        assert_eq!(text("a: ; echo\n$(shell echo a): ; x\n", "a"), "echo?|false");
        assert_eq!(text("X = ; git push\na: $(X)\n", "a"), "git push|true");
        assert_eq!(text("a: b\nb: ; echo\n%: ; git push\n", "a"), "a: b\ngit push|true");
        let long = format!("a:\n{}", "\techo\n".repeat(201));
        assert!(text(&long, "a").ends_with("echo\n… more that is not shown|false"));
    }

    #[test]
    fn what_variables_stand_for_counts() {
        for makefile in [
            "cmd = git push\na: ; $(cmd)\n",
            "a: ; ${cmd} --tags\nGIT := git\ncmd = $(GIT) push\n",
            "a: cmd = git push\na: ; $(cmd)\n",
            "cmd = echo\na: b\na: cmd = git push\nb: ; $(cmd)\n",
            "define run\nls\ngit $(1)\nendef\na: ; $(call run,push)\n",
            "cmd = ls\nifeq ($(X),1)\ncmd = git push\nendif\na: ; $(cmd)\n",
            "X = 1\ncmd = ls\nifeq ($(X),2)\ncmd = git push\nendif\na: ; $(cmd)\n",
            "cmd = git push\nifdef HOME\ncmd = ls\nendif\na: ; $(cmd)\n",
            "cmd = ls\nifdef X\ndefine cmd\ngit push\nendef\nendif\na: ; $(cmd)\n",
            "cmd = kubectl\nifdef X\ncmd += delete\nendif\na: ; $(cmd)\n",
            "X = 1\nifeq ($(X),2)\na: cmd = git push\nendif\na: ; $(cmd)\n",
            "clean = rm -rf dist\na: ; @$(clean)\n",
            "sub = $(MAKE) -s\na: ; $(sub) ship\nship: ; git push\n",
            "a: ; $(if $(DRY),echo,git push)\n",
        ] {
            assert!(irreversible(makefile, "").contains(&"a".to_owned()), "{makefile}");
        }
        for makefile in [
            "cmd = git pull\na: ; $(cmd)\n",
            "cmd = git push\ncmd = ls\na: ; $(cmd)\n",
            "NAME = push\na: ; docker build -t x:$(shell git rev-parse HEAD) . ; echo $(NAME)\n",
            "a: ; $(eval cmd = ls) $(CC) $@ $<\n",
        ] {
            assert_eq!(irreversible(makefile, ""), Vec::<String>::new(), "{makefile}");
        }
        let later = "cmd = git push\na: ; $(eval cmd = ls)\nb: ; $(cmd)\n";
        assert_eq!(irreversible(later, ""), ["b"]);
    }

    #[test]
    fn a_way_to_a_guarded_target_is_guarded() {
        let makefile = "deploy: ; x\nship: deploy\nship2:\n\t+$(MAKE) -s deploy\nship3: ; make ship2\nown: ; $(MAKE) $(T)\n\
                        build: scrub ; cc\nscrub: ; rm -rf gen\nsub: ; $(MAKE) -C lib all\nself: ; $(MAKE) -s $@\n";
        assert_eq!(irreversible(makefile, ""), ["deploy", "ship", "ship2", "ship3", "own", "scrub"]);
        let makefile = ".PHONY: go a b c\nall: ; echo\ngo: ; echo\na: go\nb: | a\nc: b-x\n%-x: go ; echo\n";
        assert_eq!(irreversible(makefile, ""), Vec::<String>::new());
        for confirm in ["go", "make_go"] {
            assert_eq!(irreversible(makefile, confirm), ["go", "a", "b", "c"]);
        }
        let long: Vec<String> =
            (0..3_000).map(|n| format!(".PHONY: t{n}\nt{n}: t{} ; echo\n", n + 1)).collect();
        assert_eq!(irreversible(&format!("{}t3000: ; git push\n", long.concat()), "").len(), 3_001);
    }

    /// However many others there are, and whichever rule makes it.
    #[test]
    fn everything_that_is_offered_is_judged() {
        let patterns = "all: ; ls\n%.ship: ; git push\nsub-%: ; git push\n";
        let config = Values::of([(&TARGETS, json!("*, prod.ship, sub-x"))]);
        let found = MakefileTargets.discover(&config, &files(patterns));
        let lasting = lasting(&[(Path::new("."), &found.ways)]).remove(0);
        assert!(lasting.contains_key("prod.ship") && lasting.contains_key("sub-x"), "{lasting:?}");
        let padded = (0..20_500).map(|n| format!("x{n}:\n")).collect::<Vec<_>>().concat();
        assert_eq!(irreversible(&format!("{padded}ship:\n\tgit push\n"), ""), ["ship"]);
    }

    /// However many a pattern makes, each with all calls of its recipe, or however many patterns there are.
    #[test]
    fn names_with_more_calls_than_can_be_kept_are_taken_for_the_worst() {
        let names = |begin: &str, count: usize, end: &str| -> String {
            (0..count).map(|n| format!(" {begin}{n}{end}")).collect::<Vec<_>>().concat()
        };
        let recipe =
            format!("one: ; ls\nall:{}\n%.x: ; make{}\n", names("n", 1_000, ".x"), names("m", 500, ""));
        let patterns = (0..5_000).map(|n| format!("%.p{n}: ; ls\n")).collect::<Vec<_>>().concat();
        let patterns = format!("one: ; ls\nall:{}\n{patterns}", names("n", 5_000, ".x"));
        for makefile in [recipe, patterns] {
            let ways = discovery(&makefile, "").ways;
            assert!(ways.iter().map(|way| way.calls.len()).sum::<usize>() < 300_000);
            let found = lasting(&[(Path::new("."), &ways)]).remove(0);
            assert!(
                found.contains_key("all") && !found.contains_key("one"),
                "what is beyond it cannot be known"
            );
        }
        // Each of them in all of them would take minutes.
        let one_rule = format!("one: ; ls\n{}: x ; git push\n", names("n", 10_000, ""));
        assert_eq!(discovery(&one_rule, "").ways.len(), 10_002);
    }

    /// Compilers write down what each object includes: thousands of headers, which nothing makes.
    #[test]
    fn needs_that_no_rule_makes_are_no_calls() {
        let headers = (0..2_000).map(|n| format!(" h{n}")).collect::<Vec<_>>().concat();
        let objects = (0..150).map(|n| format!("o{n}.o:{headers}\nall: o{n}.o\n")).collect::<Vec<_>>();
        let makefile =
            format!("all: ; ld\nship: o0.o pushed ; echo\npushed: ; git push\n{}", objects.concat());
        assert_eq!(irreversible(&makefile, ""), ["ship", "pushed"]);
    }

    #[test]
    fn what_calls_more_names_than_can_be_followed_is_taken_for_the_worst() {
        let many = |ends: &str| (0..20_100).map(|n| format!(" n{n}.{ends}")).collect::<Vec<_>>().concat();
        let rules = "%.xxx: ; @:\n%.yyy: ; git push\n";
        let makefile = format!("nice:{} hidden.yyy\nfew: n5.xxx\n{rules}", many("xxx"));
        assert_eq!(irreversible(&makefile, ""), ["nice"]);
    }

    /// An agent writes one whose rules are not all known, and goes by those of another.
    #[test]
    fn a_need_may_have_its_rule_in_what_is_included() {
        let ways = discovery("X := $(shell echo x.mk)\nship: pushed\n\techo\ninclude $(X)\n", "").ways;
        let other = discovery("pushed: ; git push\n", "").ways;
        let found = lasting(&[(Path::new("."), &ways), (Path::new("."), &other)]).remove(0);
        assert!(found.contains_key("ship"), "{found:?}");
    }

    #[test]
    fn however_many_need_however_many_the_time_has_a_bound() {
        let names = |begin: &str| (0..3_000).map(|n| format!(" {begin}{n}")).collect::<Vec<_>>().concat();
        let makefile = format!("all: n2999\none: ; ls\n{}:{}\n", names("n"), names("h"));
        assert!(irreversible(&makefile, "").contains(&"all".to_owned()), "what is beyond it cannot be known");
    }

    /// It may remove more with whatever program, and call what removes first.
    #[test]
    fn what_is_there_to_remove_removes_in_whatever_order() {
        let makefile =
            "clean: ; rm -rf obj\ndistclean: clean ; find . -name x | xargs rm -f\nbuild: clean ; cc x\n";
        assert_eq!(irreversible(makefile, ""), ["clean", "distclean"]);
        // make knows by itself how to make `prog`.
        assert_eq!(irreversible("clean: ; rm -rf prog\nfresh: clean prog\n", ""), ["clean"]);
    }

    #[test]
    fn other_words_for_a_way_there_count() {
        for makefile in [
            "a: .stamp/pushed ; echo\n.stamp/pushed: ; git push\n",
            "a: ; $(MAKE_COMMAND) p\np: ; git push\n",
            "b: ; echo\nM = $(MAKE)\na: ; $(M) p\np: ; git push\n",
            ".DEFAULT_GOAL := p\na: ; $(MAKE)\np: ; git push\n",
            "b: ; echo\na: ; make\np: ; git push\n.DEFAULT_GOAL = $(P)\nP = p\n",
            "ifdef X\n.DEFAULT_GOAL = b\nendif\np: ; git push\nb: ; echo\na: ; make\n",
            ".out/p: ; git push\nb: ; echo\na: ; make\n",
            ".SUFFIXES: .md .pub\na: c.pub ; echo\n.md.pub: ; git push\n",
            "a: c.o ; echo\n.c.o: ; git push\n",
            ".SUFFIXES: .x\na: f ; echo\n.x: ; git push\n",
            ".DEFAULT: ; git push\na: zz ; echo\n",
            "a: ; trap 'make p' EXIT; ls\np: ; git push\n",
            "a: ; for i in $$($(MAKE) -s p); do ls; done\np: ; git push\n",
            "a: ; X=$$(make p)\np: ; git push\n",
            "a: ; echo \"v $$(make -s p)\"\np: ; git push\n",
            "clean: ; rm -rf obj\na: clean ; rm -f x\n",
            "clean: ; rm -rf obj\na: clean ; @echo gone\n",
        ] {
            assert!(irreversible(makefile, "").contains(&"a".to_owned()), "{makefile}");
        }
        for makefile in [
            ".DEFAULT_GOAL := b\na: ; $(MAKE)\nb: ; echo\n.stamp: ; git push\n",
            ".DELETE_ON_ERROR:\n.PHONY: a\na: b ; echo\nb: ; echo\n.DEFAULT: ; git push\n",
            ".c.o: ; $(CC) -c $<\na: c.o b.x ; echo\n.c.x: ; git push\n",
            "a: ; @echo 'make p: pushes'\np: ; git push\n",
            "clean: ; rm -rf obj\na: clean ; cc x\n",
            ".DEFAULT: p\na: zz ; echo\np: ; git push\n",
        ] {
            assert!(!irreversible(makefile, "").contains(&"a".to_owned()), "{makefile}");
        }
    }
}
