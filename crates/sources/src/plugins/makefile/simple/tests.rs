use super::*;
use crate::model::{Matches, Seen, Word};
use crate::plugins::makefile::targets::Doubt;

fn file(path: &str, bytes: &[u8]) -> Seen {
    Seen::File(File::new(Path::new("/project").join(path), bytes))
}

/// A reading of the first of these files, looked at until nothing is wanted.
fn reading(texts: &[(&str, &[u8])]) -> MakefileReading {
    reading_within(MOST_BYTES, texts)
}

fn reading_within(most: usize, texts: &[(&str, &[u8])]) -> MakefileReading {
    let project = MakefileProject {
        file: texts[0].0.to_owned(),
        folder: ".".to_owned(),
        words: vec![Word::fixed("make")],
        goal: None,
    };
    let seen = |path: &str| {
        let found = texts.iter().find(|(name, _)| *name == path);
        found.map_or(Seen::Missing, |(name, bytes)| file(name, bytes))
    };
    let mut files = Files::default();
    files.files.insert(project.file.clone(), seen(&project.file));
    for _ in 0..20 {
        let reading = read_within(most, &project, "##", &files);
        if reading.wants.is_empty() {
            return reading;
        }
        for want in reading.wants {
            match want {
                Want::File(path) => _ = files.files.insert(path.clone(), seen(&path)),
                Want::Glob(glob) => {
                    let (patterns, _) = crate::model::Patterns::new(glob.patterns.iter().map(String::as_str));
                    let hits = texts.iter().filter(|(name, _)| patterns.matches(name));
                    let mut found: std::collections::BTreeMap<_, _> =
                        hits.map(|(name, _)| ((*name).to_owned(), file(name, b""))).collect();
                    if found.is_empty() && !glob.patterns[0].contains('*') {
                        found.insert(glob.patterns[0].clone(), Seen::Missing);
                    }
                    let matches = Matches { base: Some("/project".into()), found, ..Matches::default() };
                    files.globs.insert(glob, matches.into());
                }
                Want::Program(_) | Want::ProgramFile(_) | Want::Probe(_) => panic!("reading runs nothing"),
            }
        }
    }
    panic!("it wants more and more")
}

/// A reading in lines: targets with their marks, patterns, doubts, problems.
fn render(reading: &MakefileReading) -> String {
    let Makefile { targets, patterns, doubts, problems } = &reading.makefile;
    let mut lines = Vec::new();
    for target in targets {
        let marks: String =
            [(target.phony, 'P'), (target.prerequisites, 'p'), (target.recipe, 'r'), (target.needed, 'n')]
                .into_iter()
                .filter_map(|(set, mark)| set.then_some(mark))
                .collect();
        let about = target.description.as_ref().map_or_else(String::new, |text| format!(" \"{text}\""));
        let only = target
            .only_if
            .as_ref()
            .map_or_else(String::new, |doubt| format!(" if {}: {}", doubt.at, doubt.what));
        lines.push(format!("{:?} {marks} {}{about}{only}", target.name, target.source.line.unwrap_or(0)));
    }
    lines.extend(patterns.iter().map(|pattern| format!("pattern {}", pattern.name)));
    let others = |doubt: &Doubt| match &doubt.others[..] {
        [] => String::new(),
        others => format!(" and {others:?}"),
    };
    lines.extend(doubts.iter().map(|doubt| format!("doubt {}{}: {}", doubt.at, others(doubt), doubt.what)));
    lines.extend(problems.iter().map(|problem| format!("{:?} {problem}", problem.severity)));
    lines.join("\n")
}

fn text(makefile: &str) -> String {
    render(&reading(&[("Makefile", makefile.as_bytes())]))
}

#[test]
fn rules_in_all_their_forms() {
    insta::assert_snapshot!(text(
        "all: prog test\n\
         prog: prog.o \\\n   util.o\n\tcc\n\
         test clean:: ; echo\n\
         a b &: c\n\tx\n\
         %.o: %.c\n\tcc\n\
         x.o y.o: %.o: %.c lib.h | dir\n\tcc\n\
         .c.o:\n\tcc\n\
         .venv:\n\tpython\n\
         .PHONY: all \\\n  test\n\
         .PHONY: clean\n\
         a\\:b c\\ d \\#e f\\%g ./h i/j.k:\n\tx\n\
         dollar$$: ; x\n"
    ), @r##"
    "all" Pp 1
    "prog" prn 2
    "test" Prn 5
    "clean" Pr 5
    "a" pr 6
    "b" pr 6
    "x.o" pr 10
    "y.o" pr 10
    ".venv" r 14
    "a:b" r 19
    "c d" r 19
    "#e" r 19
    "f%g" r 19
    "h" r 19
    "i/j.k" r 19
    "dollar$" r 21
    pattern %.o
    "##);
}

#[test]
fn assignments_and_definitions_are_no_targets() {
    insta::assert_snapshot!(text(
        "A=b: c\nA := b: c\nA ?= x:\nA += y:\nA ::= z:\nA :::= z:\nA != echo a:\n\
         export B = x: y\nunexport B\nvpath %.c src:lib\n\
         target: A = b\ntarget: private A := b\n\
         define D\nnot: a target\n\tnor: this\ndefine E\ninner:\nendef\nendef\n\
         real:\n\tlooks: like a rule\n# comment: too \\\n goes: on\n\n\tstill: recipe\n\
         .RECIPEPREFIX = >\nother:\n> recipe: it is\n"
    ), @r#"
    "real" r 20
    "other" r 27
    "#);
}

#[test]
fn a_target_knows_its_condition_unless_every_way_has_it() {
    insta::assert_snapshot!(text(
        "MODE = fast\n\
         ifeq ($(MODE),fast)\nalways: ; x\nfast: ; x\nelse\nslow: ; x\nendif\nalways: ; x\n\
         ifdef CI\ndeploy: ; x\nelse\nlocal: ; x\nendif\n\
         ifeq ($(shell hostname),mine)\nopen: ; x\nboth: ; x\nelse ifeq \"$(X)\" \"y\"\nboth: ; x\nno: ; x\nelse\nboth: ; x\nxdg: ; x\nendif\n\
         ifneq ($(MODE),)\nifndef MODE\nnever: ; x\nendif\nendif\n\
         ifeq (a,b)\nifdef Z\nelse\nendif\ndefine X\nelse\nendif\nendef\nelse\nyes: ; x\nendif\n"
    ), @r#"
    "always" r 3
    "fast" r 4 if Makefile:2: ifeq ($(MODE),fast)
    "slow" r 6 if Makefile:5: else of ifeq ($(MODE),fast)
    "deploy" r 10 if Makefile:9: ifdef CI
    "local" r 12 if Makefile:11: else of ifdef CI
    "open" r 15 if Makefile:14: ifeq ($(shell hostname),mine)
    "both" r 16
    "no" r 19 if Makefile:17: else ifeq "$(X)" "y"
    "xdg" r 22 if Makefile:20: else of ifeq ($(shell hostname),mine)
    "never" r 26 if Makefile:24: ifneq ($(MODE),)
    "yes" r 38 if Makefile:37: else of ifeq (a,b)
    "#);
}

#[test]
fn literal_values_and_lists_are_put_into_names() {
    insta::assert_snapshot!(text(
        "NAMES = one two\nOBJ := $(addprefix out/,$(addsuffix .o,$(NAMES)))\n\
         $(NAMES): ; x\n${NAMES}-x: ; x\n$(OBJ): ; x\n\
         LATE: $(AFTER)\nAFTER = z\n$(AFTER)$A: ; x\n\
         RULE = from: a ; git push\n$(RULE)\n\
         EXE =\nifdef W\nEXE = .exe\nDIR = d\nendif\n$(DIR)prog$(EXE) made: $(EXE)\n"
    ), @r#"
    "one" r 3
    "two" r 3
    "two-x" r 4
    "out/one.o" r 5
    "out/two.o" r 5
    "LATE"  6
    "z" r 8
    "from" pr 10
    "dprog"  16 if Makefile:12: ifdef W
    "made"  16 if Makefile:12: ifdef W
    doubt Makefile:16: the names of these targets depend on $(EXE), which is set under a condition
    "#);
}

/// The doubt is said once for a file.
#[test]
fn names_that_only_make_knows_are_a_doubt() {
    for (line, expected) in [
        ("$(shell ls): ; x", "the names of these targets depend on $(shell ls)"),
        ("$(NAMES:one=two): ; x", "the names of these targets depend on $(NAMES:one=two)"),
        ("$(foreach n,a b,run-$(n)): ; x", "the names of these targets depend on $(foreach n,a b,run-$(n))"),
        ("$(foreach n,a b,$(eval $(n): ; x))", "`$(eval …)` may make rules that only make knows"),
        ("$(call rule,x)", "what this line says depends on $(call rule,x)"),
        (".PHONY: $(shell ls) known", "which targets are phony depends on $(shell ls)"),
        ("LOOP = $(LOOP)\n$(LOOP): ; x", "the names of these targets depend on text that is too long"),
        ("X != ls\n.RECIPEPREFIX = $(X)", "what recipe lines begin with is not known"),
        ("load x.so", "a loaded object may define anything"),
        // Files on the way to others are no targets that anybody misses.
        ("$(OBJ).o: x.h ; cc", ""),
        ("$(shell ls).o: x.c ; cc", ""),
    ] {
        let makefile = reading(&[("Makefile", format!("{line}\n").repeat(2).as_bytes())]).makefile;
        let doubts: Vec<&str> = makefile.doubts.iter().map(|doubt| doubt.what.as_str()).collect();
        assert_eq!(doubts.concat(), expected, "{line}");
        assert!(makefile.doubts.iter().all(|doubt| doubt.others.len() == 1), "{line}");
    }
}

#[test]
fn includes_are_followed_within_the_project() {
    let files: &[(&str, &[u8])] = &[
        ("Makefile", b"include mk/*.mk\n-include gone.mk\ninclude missing.mk /etc/x.mk ../up.mk $(shell x).mk\ninclude $(DIR)/made.mk\nDIR = sub\nsub/made.mk: ; x\ninclude $(DIR)/made.mk\nlast: ; x\n$(sort $(wildcard src/*.c)): ; x\n$(wildcard cmd/*): ; x\n"),
        ("mk/a.mk", b"FROM_A = a\na: ; x\ninclude mk/b.mk\n"),
        ("mk/b.mk", b"include mk/a.mk\n$(FROM_A)-b: ; x\n"),
        ("src/one.c", b""),
        ("src/two.c", b""),
    ];
    insta::assert_snapshot!(render(&reading(files)), @r#"
    "a" r 2
    "a-b" r 2
    "sub/made.mk" r 6
    "last" r 8
    "src/one.c" r 9
    "src/two.c" r 9
    doubt Makefile:3 and [4, 7, 10]: `/etc/x.mk` lies outside of the project and is not read
    Warning mk/b.mk:1: `mk/a.mk` includes itself; it is read once here
    Warning mk/a.mk:3: `mk/b.mk` includes itself; it is read once here
    Warning Makefile:3: included file `missing.mk` is not in the project
    "#);
}

#[test]
fn comments_describe_targets() {
    insta::assert_snapshot!(text(
        "## Build it\nbuild: x ## really\n\n## lost\n\ntest: ## Run the\\\n   tests\n\
         ## Clean up\n## all of it\n.PHONY: clean\nclean:\n\trm\n\
         .PHONY: lint ## Look for mistakes\nlint:\n\tx ## not this\n\
         ## section\n.PHONY: p q\np q:\n\
         ##@ Heading\nr: # plain\n\
         ## deploy: Ship it\ndeploy s: t # see ## also\n\
         %-x: ## Make some x\n"
    ), @r#"
    "build" p 2 "really"
    "test"  6 "Run the tests"
    "clean" Pr 11 "Clean up all of it"
    "lint" Pr 14 "Look for mistakes"
    "p" P 18
    "q" P 18
    "r"  20
    "deploy" p 22 "also"
    "s" p 22 "also"
    pattern %-x
    "#);
}

#[test]
fn broken_files_say_where() {
    insta::assert_snapshot!(text(
        "ok: ; x\n    eight spaces\nendif\nelse\nifeq a b\nendif\nafter: ; x\n\
         a: b: c\na: %.o %.c: d\nnul\0here: x\nnext: ; x\n\
         ifdef X\n"
    ), @r#"
    "ok" r 1
    "after" r 7
    "nul�here" p 10
    "next" r 11
    Error Makefile:2: "eight spaces" is no rule and no assignment: make stops here
    Error Makefile:3: `endif` belongs to no condition: make stops here
    Error Makefile:4: `else` belongs to no condition: make stops here
    Error Makefile:8: the target pattern between two colons is not one word with a %: make stops here
    Error Makefile:9: the target pattern between two colons is not one word with a %: make stops here
    Error Makefile:12: `ifdef X` has no `endif`: make stops here
    "#);
    insta::assert_snapshot!(text("define X\na:\n"), @"Error Makefile:1: `define X` has no `endef`: make stops here");
}

/// Each of these would take for ever, or the stack, if nothing bounded it.
#[test]
fn hostile_texts_are_bounded() {
    let text = |text: &str| render(&reading_within(1 << 20, &[("Makefile", text.as_bytes())]));
    let doubling: Vec<String> = (0..60).map(|n| format!("V{} = $(V{n}) $(V{n})", n + 1)).collect();
    let doubling = doubling.join("\n");
    let bomb = text(&format!("V0 = x\n{doubling}\n$(V60): ; x\nafter: ; x\n"));
    assert!(
        bomb.contains(
            "doubt Makefile:62 and [63]: the names of these targets depend on text that is too long"
        ),
        "{bomb}"
    );
    let deep = |open: &str, close: &str| {
        text(&format!("{}x{}: ; x\nafter: ; x\n", open.repeat(50_000), close.repeat(50_000)))
    };
    for open in ["$(sort ", "$(", "$(addprefix x,"] {
        assert!(deep(open, ")").contains("doubt Makefile:1"), "{open}");
        assert!(deep(open, "").contains("doubt Makefile:1"), "{open}");
    }
    let conditions =
        text(&format!("{}a: ; x\n{}", "ifneq ($(shell x),)\n".repeat(20_000), "endif\n".repeat(20_000)));
    assert_eq!(conditions, "\"a\" r 20001 if Makefile:1: ifneq ($(shell x),)");
    let defining = text(&format!("{}a: ; x\n", "define X\n".repeat(20_000)));
    assert!(defining.contains("`define X` has no `endef`"), "{defining}");
    let many = text(&"$(shell x): ; x\n".repeat(20_000));
    assert!(many.len() < 200_000 && many.starts_with("doubt Makefile:1 and [2, 3"), "one doubt");
}

#[test]
fn large_files_are_read_whole() {
    let many: Vec<String> =
        (0..5_000).map(|n| format!("t{n}: ## Target {n}\n\techo {n}\nLIST += t{n}")).collect();
    let many = many.join("\n");
    let read = reading(&[("Makefile", format!("{many}\n.PHONY: $(LIST)\n").as_bytes())]);
    assert_eq!(read.makefile.targets.len(), 5_000);
    assert!(
        read.makefile
            .targets
            .iter()
            .all(|target| target.phony && target.recipe && target.description.is_some())
    );
    let long = format!("all: {}\n\tx\n# {}\nlast: ; x\n", "a\\:b ".repeat(500_000), "y".repeat(2_500_000));
    assert_eq!(render(&reading(&[("Makefile", long.as_bytes())])), "\"all\" pr 1\n\"last\" r 4");
}

#[test]
fn forwarded_and_mentioned_names_are_targets() {
    let names = |text: &str| {
        let targets = reading(&[("Makefile", text.as_bytes())]).makefile.targets;
        targets
            .iter()
            .map(|one| format!("{}{}", one.name, if one.aliased { "*" } else { "" }))
            .collect::<Vec<_>>()
    };
    // The plainer name of each target that a rule forwards to; one that has a rule of its own keeps that.
    let common = ".PHONY: common-test common-lint\ncommon-test: ; go test\ncommon-lint: ; lint\ntest: common-test\n%: common-% ;\n";
    assert_eq!(names(common), ["common-test*", "common-lint*", "test", "lint"]);
    // A target that rules mention and only the catch-all rule makes, unless it looks like a file.
    let redis = "default: all\n.DEFAULT:\n\tcd src && $(MAKE) $@\ninstall: FORCE src/x.o conf.h\n\tcd src\n";
    assert_eq!(names(redis), ["default", "install", "all"]);
    assert_eq!(names("all: dep\n\ttrue\n"), ["all"], "without a catch-all rule a mentioned name is a file");
}
