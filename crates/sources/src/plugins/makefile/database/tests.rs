//! Output of make, without the parts that are never read.

use std::fmt::Write;

use insta::assert_snapshot;

use super::*;
use crate::model::Word;
use crate::plugins::makefile::targets::Doubt;
use crate::plugins::makefile::written::{CommentNearness, Written};

/// The output of make 4.3 for a Makefile with these properties:
///
/// - It prints a heading through `$(info)`.
/// - It has computed names (line 14: `$(addprefix build-,$(LIST)): prepare ## Build one`).
/// - It has a variable that looks like a section, and a recipe whose continued line looks like an entry.
/// - It includes `rules.mk`.
const RECORDED: &str = "\
# Make data base, printed on some day
# GNU Make 4.3

# Make data base, printed on Sat Nov 21 09:29:21 2026

# Variables

# makefile
MAKEFLAGS = pqrR
# makefile
CURDIR := /tmp/dbp6
# makefile (from 'rules.mk', line 1)
MAKEFILE_LIST := Makefile rules.mk
# makefile
SHELL = /bin/sh
# makefile (from 'Makefile', line 2)
define HELP
# Files

fake:
#  Phony target (prerequisite of .PHONY).
endef
# automatic
?F = $(notdir $?)
# makefile (from 'Makefile', line 1)
LIST = api web
# makefile
.DEFAULT_GOAL := all
# Pattern-specific Variable Values

build-% :
# makefile (from 'Makefile', line 11)
# MODE := fast

# 1 pattern-specific variable values
# Directories

# No files, no impossibilities in 0 directories.

# Implicit Rules

%.pdf: %.tex style
#  recipe to execute (from 'rules.mk', line 4):
	tex $<

%.in:

%.out: %.in
#  recipe to execute (from 'Makefile', line 24):
	 cp $< $@

%.out:

# 4 implicit rules, 0 (0.0%) terminal.
# Files

h#x: out
#  Implicit rule search has not been done.

# Not a target:
rules.mk:
#  Implicit rule search has not been done.

# Not a target:
.in:
#  Implicit rule search has not been done.

# Not a target:
Makefile:
#  Implicit rule search has not been done.

deploy-prod:
#  Implicit rule search has not been done.
#  recipe to execute (from 'Makefile', line 18):
	 @echo deploy

clean::
#  Phony target (prerequisite of .PHONY).
#  Implicit rule search has not been done.
#  recipe to execute (from 'Makefile', line 20):
	rm -rf out

clean:: prepare
#  Phony target (prerequisite of .PHONY).
#  Implicit rule search has not been done.
#  recipe to execute (from 'Makefile', line 21):
	 rm -f x

c$d: out
#  Implicit rule search has not been done.

build-web: prepare
#  Implicit rule search has not been done.
#  recipe to execute (from 'Makefile', line 15):
	@echo $(MODE) \\
fake2:

.in.out:
#  Implicit rule search has not been done.
#  recipe to execute (from 'Makefile', line 24):
	 cp $< $@

idle:
#  Phony target (prerequisite of .PHONY).
#  Implicit rule search has not been done.

out:
#  Implicit rule search has not been done.
#  recipe to execute (from 'rules.mk', line 2):
	mkdir out

# Not a target:
.DEFAULT:
#  Implicit rule search has not been done.

# makefile (from 'rules.mk', line 8)
all: MODE = x
all: build-api build-web | out
#  Phony target (prerequisite of .PHONY).
#  Implicit rule search has not been done.
# variable set hash-table stats:
# Load=1/32=3%, Rehash=0, Collisions=0/2=0%

# Not a target:
local.mk:
#  Implicit rule search has not been done.

grouped1: out
#  Implicit rule search has not been done.
#  Also makes: grouped2 grouped1
#  recipe to execute (from 'rules.mk', line 7):
	touch grouped1 grouped2

# Not a target:
.out:
#  Implicit rule search has not been done.

prepare:
#  Implicit rule search has not been done.
#  recipe to execute (from 'rules.mk', line 5):
	

# Not a target:
cuff-only-reads:
#  Command line target.
#  Implicit rule search has not been done.

grouped2: out
#  Implicit rule search has not been done.
#  Also makes: grouped2 grouped1
#  recipe to execute (from 'rules.mk', line 7):
	touch grouped1 grouped2

name with blanks: out
#  Implicit rule search has not been done.

build-api: prepare
#  Implicit rule search has not been done.
#  recipe to execute (from 'Makefile', line 15):
	@echo $(MODE) \\
fake2:

a:b: out
#  Implicit rule search has not been done.

.SUFFIXES: .in .out
#  Implicit rule search has not been done.

.PHONY: all clean idle
#  Implicit rule search has not been done.

# files hash-table stats:
# Load=24/1024=2%, Rehash=0, Collisions=1/65=2%
# Finished Make data base on Sat Nov 21 09:29:21 2026

";

fn project(folder: &str) -> MakefileProject {
    MakefileProject {
        file: path::join(folder, "Makefile"),
        folder: folder.into(),
        words: vec![Word::fixed("make")],
        goal: None,
    }
}

/// A rule with a comment.
fn described(at: Location, text: &str) -> Written {
    Written {
        names: Vec::new(),
        shared: None,
        is_pattern: false,
        needs: Vec::new(),
        head: String::new(),
        recipe: Vec::new(),
        branches: Vec::new(),
        recipe_at: None,
        is_double: false,
        described: Some((CommentNearness::Above, text.to_owned())),
        only_if: None,
        at,
    }
}

/// The reading of the recorded Makefile's text alone.
fn text() -> MakefileReading {
    let target = |name: &str, line, description: Option<&str>| MakeTarget {
        name: name.into(),
        phony: false,
        description: description.map(Into::into),
        prerequisites: false,
        recipe: false,
        needed: false,
        aliased: false,
        stands_for: None,
        source: Location::line("Makefile", line),
        only_if: None,
    };
    let remark = |line, what| described(Location::line("Makefile", line), what);
    let doubt = Doubt::new(Location::file("Makefile"), "who knows");
    let mut reading = MakefileReading::default();
    reading.makefile.targets = vec![
        target("all", 10, Some("Everything")),
        target("clean", 19, None),
        target("not there", 20, None),
        target("name with blanks", 26, None),
    ];
    reading.makefile.doubts = vec![doubt];
    reading.makefile.problems = vec![
        Problem::warning("odd"),
        Problem::warning("found after all").withholding("deploy-prod"),
        Problem::warning("still not there").withholding("stray"),
    ];
    reading.written.rules = vec![remark(10, "Everything"), remark(14, "Build one")];
    reading
}

fn listed(makefile: &Makefile) -> String {
    let mut out = String::new();
    for target in &makefile.targets {
        let flag = |is: bool, name: &'static str| if is { name } else { "" };
        writeln!(
            out,
            "{} ({}){}{}{}{} {}",
            target.name,
            target.source,
            flag(target.phony, " phony"),
            flag(target.prerequisites, " prerequisites"),
            flag(target.recipe, " recipe"),
            flag(target.needed, " needed"),
            target.description.as_deref().unwrap_or("-"),
        )
        .unwrap();
    }
    for pattern in &makefile.patterns {
        let description = pattern.description.as_deref().unwrap_or("-");
        writeln!(out, "{} ({}) pattern {description}", pattern.name, pattern.source).unwrap();
    }
    for problem in &makefile.problems {
        writeln!(out, "! {problem}").unwrap();
    }
    out
}

#[test]
fn targets_of_the_database_are_in_the_order_of_the_sources() {
    let makefile = read(&project("."), RECORDED.as_bytes(), &text()).unwrap().makefile;
    assert_eq!(makefile.doubts, []);
    assert_snapshot!(listed(&makefile), @"
    all (Makefile:10) phony prerequisites Everything
    build-api (Makefile:15) prerequisites recipe needed Build one
    build-web (Makefile:15) prerequisites recipe needed Build one
    deploy-prod (Makefile:18) recipe -
    clean (Makefile:19) phony prerequisites recipe -
    name with blanks (Makefile:26) prerequisites -
    out (rules.mk:2) recipe needed -
    prepare (rules.mk:5) recipe needed -
    grouped1 (rules.mk:7) prerequisites recipe -
    grouped2 (rules.mk:7) prerequisites recipe -
    a:b (Makefile) prerequisites -
    c$d (Makefile) prerequisites -
    h#x (Makefile) prerequisites -
    %.pdf (rules.mk:4) pattern -
    ! odd
    ! still not there
    ");
}

#[test]
fn without_the_text_the_lines_of_recipes_give_the_order() {
    let makefile = read(&project("sub"), RECORDED.as_bytes(), &MakefileReading::default()).unwrap().makefile;
    assert_snapshot!(listed(&makefile), @"
    build-api (sub/Makefile:15) prerequisites recipe needed -
    build-web (sub/Makefile:15) prerequisites recipe needed -
    deploy-prod (sub/Makefile:18) recipe -
    clean (sub/Makefile:20) phony prerequisites recipe -
    out (sub/rules.mk:2) recipe needed -
    prepare (sub/rules.mk:5) recipe needed -
    grouped1 (sub/rules.mk:7) prerequisites recipe -
    grouped2 (sub/rules.mk:7) prerequisites recipe -
    a:b (sub/Makefile) prerequisites -
    all (sub/Makefile) phony prerequisites -
    c$d (sub/Makefile) prerequisites -
    h#x (sub/Makefile) prerequisites -
    name with blanks (sub/Makefile) prerequisites -
    %.pdf (sub/rules.mk:4) pattern -
    ");
}

#[test]
fn files_of_the_database_are_those_that_make_read() {
    let files = |folder, out: &str| {
        read(&project(folder), out.as_bytes(), &MakefileReading::default()).unwrap().files
    };
    assert_eq!(files("sub", RECORDED), ["sub/Makefile", "sub/rules.mk"]);
    let emptied = RECORDED.replace("MAKEFILE_LIST := Makefile rules.mk", "MAKEFILE_LIST :=");
    assert_eq!(files(".", &emptied), ["Makefile", "rules.mk"]);
}

#[test]
fn the_last_whole_database_counts() {
    let other = RECORDED.replace("deploy-prod", "of another make");
    let read = |out: String| read(&project("."), out.as_bytes(), &MakefileReading::default());
    let names = |out: String| {
        let targets = read(out).unwrap().makefile.targets;
        targets
            .into_iter()
            .filter(|target| target.name.contains('o'))
            .map(|target| target.name)
            .collect::<Vec<_>>()
    };
    let ours = names(RECORDED.into());
    assert!(ours.iter().any(|name| name == "deploy-prod"));
    assert_eq!(names(format!("noise\n{other}{RECORDED}")), ours);
    assert_eq!(names(format!("{RECORDED}\n# Files\n\nlate:\n#  x\n")), ours);
    let before = RECORDED.replace("# Variables\n", "# Variables\n\nX := \n# Files\n\nmore:\n#  x\n");
    assert_eq!(names(before), ours, "the value of a variable");
    let target = RECORDED.replace("all: MODE = x\n", "all: MODE := \n# Files\n\nodd text\n");
    assert_eq!(names(target), ours, "the value of a target's own variable");
    // Make that re-reads its makefiles and is stopped has printed one whole database, which holds no longer.
    assert_eq!(read(format!("{RECORDED}{}", &RECORDED[..RECORDED.len() / 2])), None);
}

#[test]
fn no_cut_and_no_bytes_lead_astray() {
    let whole = RECORDED.as_bytes();
    let first = RECORDED.rfind("# Make data base").unwrap();
    let last =
        RECORDED.rfind("# Finished Make data base on ").unwrap() + "# Finished Make data base on ".len();
    for cut in 0..whole.len() {
        assert_eq!(read(&project("."), &whole[..cut], &text()).is_some(), cut >= last, "cut at {cut}");
        assert_eq!(read(&project("."), &whole[cut..], &text()).is_none(), cut > first, "from {cut}");
    }
    // Any line may be missing, or be another.
    let lines: Vec<&str> = RECORDED.split_inclusive('\n').collect();
    for at in 0..lines.len() {
        for other in [
            "",
            "\n",
            ":\n",
            "#  recipe to execute (from '', line 99999999999999999999):\n",
            "\u{0}: \u{0}\n",
        ] {
            let out = [&lines[..at], &[other], &lines[at + 1..]].concat().concat();
            let _ = read(&project("."), out.as_bytes(), &text());
        }
    }
    let latin = RECORDED.replace("deploy-prod", "caf\u{1}").into_bytes();
    let latin: Vec<u8> = latin.into_iter().map(|byte| if byte == 1 { 0xE9 } else { byte }).collect();
    let makefile = read(&project("."), &latin, &text()).unwrap().makefile;
    assert!(makefile.targets.iter().any(|target| target.name == "caf\u{FFFD}"));
}

#[test]
fn comments_go_to_the_rules_they_stand_on() {
    // Recipes are at 15, 18, 20, 21, 24 of Makefile and 2, 4, 5, 7 of rules.mk.
    for (file, line, owner, expected) in [
        ("Makefile", 14, None, &["build-api", "build-web"] as &[&str]),
        ("Makefile", 15, None, &["build-api", "build-web"]),
        ("Makefile", 12, None, &["build-api", "build-web"]),
        ("Makefile", 11, None, &[]),
        ("Makefile", 17, None, &["deploy-prod"]),
        ("Makefile", 17, Some("all"), &[]),
        ("Makefile", 17, Some("deploy-prod"), &["deploy-prod"]),
        ("Makefile", 14, Some("build-web"), &["build-api", "build-web"]),
        ("rules.mk", 6, None, &["grouped1", "grouped2"]),
        ("rules.mk", 3, None, &["%.pdf"]),
        ("elsewhere.mk", 6, None, &[]),
    ] {
        let at = Location::line(file, line);
        let mut text = MakefileReading::default();
        text.written.rules = vec![described(at.clone(), "mine")];
        text.makefile.targets = self::text().makefile.targets;
        text.makefile.targets.truncate(usize::from(owner.is_some()));
        for target in &mut text.makefile.targets {
            *target = MakeTarget {
                name: owner.unwrap_or_default().into(),
                description: None,
                source: at.clone(),
                ..target.clone()
            };
        }
        let makefile = read(&project("."), RECORDED.as_bytes(), &text).unwrap().makefile;
        let targets = makefile.targets.iter().map(|target| (&target.name, &target.description));
        let all =
            targets.chain(makefile.patterns.iter().map(|pattern| (&pattern.name, &pattern.description)));
        let mut described: Vec<_> =
            all.filter(|(_, text)| text.is_some()).map(|(name, _)| name.as_str()).collect();
        described.sort_unstable();
        assert_eq!(described, expected, "{file}:{line} {owner:?}");
    }
}

#[test]
fn a_comment_on_a_rule_of_many_files_describes_none_of_them() {
    let described = |files: usize, flag: &str| {
        let file =
            |at| format!("f{at}:\n{flag}#  x\n#  recipe to execute (from 'Makefile', line 15):\n\tcc\n\n");
        let files: String = (0..files).map(file).collect();
        let out = RECORDED.replace("\n# Files\n\nh#x", &format!("\n# Files\n\n{files}h#x"));
        let found = read(&project("."), out.as_bytes(), &text()).unwrap().makefile.targets;
        found.iter().filter(|target| target.description.as_deref() == Some("Build one")).count()
    };
    // `build-api` and `build-web` have that recipe as well.
    assert_eq!(described(18, ""), 20);
    assert_eq!(described(19, ""), 0);
    assert_eq!(described(19, "#  Phony target (prerequisite of .PHONY).\n"), 21);
}
