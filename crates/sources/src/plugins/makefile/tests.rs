use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use super::found::FoundMakefile;
use super::project::MakefileProject;
use super::recipe::Recipes;
use super::targets::{Doubt, MakeTarget, Makefile, TargetPattern};
use super::*;
use crate::model::{Change, Content, ErrorCode, File, Location, Origin, Probed, Role, Seen, TRUST, check};

fn settings(config: Value) -> Values {
    let Value::Object(config) = config else { panic!("an object") };
    let fields: Vec<_> = config::FIELDS.iter().collect();
    let (values, mistakes) = check(&fields, &config);
    assert_eq!(mistakes, []);
    values
}

fn files(texts: &[(&str, &str)]) -> Files {
    let mut files = Files::default();
    for (name, text) in texts {
        let file = File::new(Path::new("/project").join(name), text.as_bytes());
        files.files.insert((*name).to_owned(), Seen::File(file));
    }
    files
}

fn place(line: usize) -> Location {
    Location { line: Some(line), ..Location::file("Makefile") }
}

fn doubt(line: usize, what: &str) -> Doubt {
    Doubt::new(place(line), what)
}

/// Targets by a word each: `p` phony, `d` described, `n` needed, `:` prerequisites, `r` recipe, `?` conditional.
fn makefile(targets: &[(&str, &str)]) -> Makefile {
    let target = |(line, (name, is)): (usize, &(&str, &str))| MakeTarget {
        name: (*name).to_owned(),
        phony: is.contains('p'),
        description: is.contains('d').then(|| format!("Does {name}")),
        prerequisites: is.contains(':'),
        recipe: is.contains('r'),
        needed: is.contains('n'),
        aliased: false,
        stands_for: None,
        source: place(line),
        only_if: is.contains('?').then(|| doubt(99, "ifdef CI").into()),
    };
    Makefile { targets: (1..).zip(targets).map(target).collect(), ..Makefile::default() }
}

fn found(project: MakefileProject, makefile: &Makefile) -> FoundMakefile {
    FoundMakefile {
        project,
        makefile: makefile.clone(),
        note: "how it was read".to_owned(),
        remedy: "have make say which",
        absent: Vec::new(),
        problems: Vec::new(),
        content: None,
        keeping: Vec::new(),
        recipes: Recipes::default(),
        places: OnceLock::new(),
    }
}

fn discovered(makefile: &Makefile, config: &Values) -> Discovery {
    let project = MakefileProject::new(config, &files(&[("Makefile", "")])).unwrap();
    offer(&found(project, makefile).into(), config)
}

/// The names that are offered, then the problems, then the notes.
fn offered(makefile: &Makefile, config: Value) -> String {
    let config = settings(config);
    let found = discovered(makefile, &config);
    let names = found.tools.iter().skip(1).map(|tool| tool.original.clone());
    let problems =
        found.problems.iter().map(|p| format!("{:?}: {p} ({})", p.severity, p.help.as_deref().unwrap_or("")));
    names.chain(problems).chain(found.notes.into_iter().skip(1)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_target_becomes_a_tool() {
    let makefile = makefile(&[("test-unit.fast", "pr"), ("lint:all", "dr")]);
    let config = settings(json!({
        "working_directory": "app", "environment": {"A": "1"}, "parallel_jobs": 3, "make_command": "gmake -w",
        "makefile_path": "other.mk", "default_timeout": 7,
    }));
    let project = MakefileProject::new(&config, &files(&[("app/other.mk", "")])).unwrap();
    let found = offer(&found(project, &makefile).into(), &config);
    let lines: Vec<_> = found
        .tools
        .iter()
        .map(|t| format!("{} | {} | {} | {}", t.name, t.original, t.description, t.source))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    make_list_targets | list_targets | List all available make targets | app/other.mk
    make_test_unit_fast | test-unit.fast | Execute 'make test-unit.fast' | Makefile:1
    make_lint__all | lint:all | Does lint:all | Makefile:2
    ");
    let Role::Run { command, rehearsal, .. } = &found.tools[1].role else { panic!("a tool that runs") };
    assert_eq!(command.line(), "gmake -w -f other.mk -j3 test-unit.fast");
    assert_eq!(command.program.origin, Origin::Settings);
    assert_eq!((command.directory.as_path(), command.timeout.as_secs()), (Path::new("app"), 7));
    assert_eq!(command.environment, [Change::new("A", "1", Origin::Settings)]);
    let shown =
        json!({"target": "test-unit.fast", "description": "Execute 'make test-unit.fast'", "phony": true});
    assert_eq!(found.tools[1].shown(), Some(shown));
    assert_eq!(*rehearsal, Some("-n"));
    assert_eq!(found.tools[1].metadata, [("makefile", "app/other.mk".to_owned())]);
    let distrusted = discovered(&makefile, &settings(json!({"trust_makefile": false})));
    assert!(
        matches!(distrusted.tools[1].role, Role::Run { rehearsal: None, .. }),
        "a dry run starts nothing then"
    );
    let hostile = self::makefile(&[("a", "pr")]);
    let mut target = hostile.targets[0].clone();
    target.description = Some("\u{1b}[2J\u{202e}evil\nmore".into());
    let found = discovered(&Makefile { targets: vec![target], ..hostile }, &Values::default());
    assert_eq!(found.tools[1].description, "[2Jevil");
}

#[test]
fn make_s_own_choice_needs_no_words() {
    for (config, seen, expected) in [
        (json!({}), &["Makefile"][..], "Makefile | make"),
        (json!({}), &["Makefile", "makefile"], "makefile | make"),
        (json!({}), &["Makefile", "makefile", "GNUmakefile"], "GNUmakefile | make"),
        (json!({}), &[], "Makefile | make"),
        (json!({"makefile_path": "makefile"}), &["makefile"], "makefile | make"),
        (json!({"makefile_path": "makefile"}), &["makefile", "GNUmakefile"], "makefile | make -f makefile"),
        (
            json!({"makefile_path": "build/Makefile"}),
            &["Makefile", "build/Makefile"],
            "build/Makefile | make -f build/Makefile",
        ),
        (json!({"makefile_path": "-"}), &["-"], "- | make -f ./-"),
        (json!({"makefile_path": "~x"}), &["~x"], "~x | make -f './~x'"),
        (json!({"makefile_path": "/m/x.mk"}), &["/m/x.mk"], "/m/x.mk | make -f /m/x.mk"),
        (json!({"makefile_path": "../x.mk", "working_directory": "a"}), &["x.mk"], "x.mk | make -f ../x.mk"),
        (json!({"working_directory": "a/"}), &["Makefile", "a/makefile"], "a/makefile | make"),
    ] {
        let texts: Vec<_> = seen.iter().map(|name| (*name, "")).collect();
        let project = MakefileProject::new(&settings(config.clone()), &files(&texts)).unwrap();
        let words: Vec<_> = project.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(format!("{} | {}", project.file, shlex::try_join(words).unwrap()), expected, "{config}");
    }
    let bad = settings(json!({"make_command": "make 'x"}));
    insta::assert_snapshot!(MakefileProject::new(&bad, &Files::default()).unwrap_err(), @"make_command cannot be split into words, so no target is offered");
}

#[test]
fn wants_come_to_an_end() {
    let config = settings(json!({"makefile_path": "build.mk"}));
    let mut seen = Files::default();
    let wants = MakefileTargets.wants(&config, &seen);
    let names = ["GNUmakefile", "makefile", "Makefile", "build.mk"];
    assert_eq!(wants, names.map(|name| Want::File(name.into())));
    for name in names {
        seen.files.insert(name.into(), Seen::Missing);
    }
    assert!(MakefileTargets.wants(&config, &seen).iter().all(|want| seen.answers(want)));
    seen.files.extend(files(&[("build.mk", "")]).files);
    assert!(MakefileTargets.wants(&config, &seen).contains(&Want::Program("make".into())));
    // A path is not looked for: it counts from the folder that make runs in.
    let config = config.with(&config::MAKE_COMMAND, json!("./tools/make"));
    assert!(MakefileTargets.wants(&config, &seen).iter().all(|want| seen.answers(want)));
}

#[test]
fn an_unreadable_makefile_is_a_problem_and_no_suggestion() {
    for (seen, expected) in [
        (Seen::Missing, "Some(SourceNotFound) Makefile not found: Makefile"),
        (
            Seen::Unreadable("it is a folder".into()),
            "Some(SourceNotFound) Makefile cannot be read: it is a folder",
        ),
    ] {
        let files = Files { files: [("Makefile".to_owned(), seen)].into(), ..Files::default() };
        let found = MakefileTargets.discover(&Values::default(), &files);
        let said: Vec<_> = found.problems.iter().map(|p| format!("{:?} {p}", p.fault)).collect();
        assert_eq!((said.join("\n").as_str(), found.tools.len()), (expected, 0));
        assert_eq!(MakefileTargets.suggest(&files), None);
    }
    let mut odd = files(&[("Makefile", "")]);
    odd.programs.insert("make".into(), None);
    let FoundMakefile { problems, .. } = &*look(&Values::default(), &odd).unwrap();
    let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["make is not installed or not on the PATH"]);
    let elsewhere = settings(json!({ "environment": { "PATH": "/opt/gnu/bin" } }));
    assert_eq!(look(&elsewhere, &odd).unwrap().problems, [], "who sets another PATH has make there");
}

#[test]
fn by_itself_what_people_call_is_offered() {
    let makefile = makefile(&[
        ("phony", "pn"),
        ("described", "dn"),
        ("clean", "rn"),
        ("app", ":r"),
        ("all", ":"),
        ("main.o", ":rn"),
        ("group", ":n"),
        ("empty", ""),
        ("ci", "pr?"),
        ("out/x.o", ":rn"),
    ]);
    insta::assert_snapshot!(offered(&makefile, json!({})), @r#"
    phony
    described
    clean
    app
    all
    ci
    "#);
    for (config, expected) in [
        (json!({"targets": "ci, *.o"}), "main.o\nci\nout/x.o"),
        (json!({"targets": ["empty", "group"], "exclude_targets": "g*"}), "empty"),
        (json!({"targets": "*,empty,ci", "exclude_targets": ["[!ec]*"]}), "clean\nempty\nci"),
        (
            json!({"targets": "*,main.o,ci", "exclude_targets": "ci"}),
            "phony\ndescribed\nclean\napp\nall\nmain.o",
        ),
    ] {
        assert_eq!(offered(&makefile, config.clone()), expected, "{config}");
    }
    insta::assert_snapshot!(offered(&makefile, json!({"targets": ""})), @"Warning: Makefile: No targets found (give it targets, or see what `targets` and `exclude_targets` in the settings leave out)");
    insta::assert_snapshot!(offered(&makefile, json!({"targets": "all,[z-a]"})), @r"
    all
    Error: targets: pattern `[z-a]`: invalid range; 'z' > 'a'; the other patterns still count (write it as for fnmatch: * any text, ? one character, [abc] one of these, [!abc] none of these)
    ");
    insta::assert_snapshot!(offered(&makefile, json!({"exclude_targets": "[z-a]"})), @"
    Error: exclude_targets: pattern `[z-a]`: invalid range; 'z' > 'a'; no target is offered until it is corrected (write it as for fnmatch: * any text, ? one character, [abc] one of these, [!abc] none of these)
    ");
}

/// A target under a condition is offered, and says so; what only make knows takes a line for each file.
#[test]
fn open_questions_take_a_line_for_each_file() {
    let mut makefile = makefile(&[("a", "pr"), ("b", "dr?")]);
    let depends = "the names of these targets depend on $(X)";
    let with =
        |at, others: std::ops::Range<usize>| Doubt { others: others.collect(), ..Doubt::new(at, depends) };
    makefile.doubts = vec![
        with(place(20), 0..0),
        with(Location::line("a.mk", 1), 2..4),
        with(Location::line("b.mk", 3), 4..103),
    ];
    let config = settings(json!({}));
    let told = |makefile: &Makefile| {
        let found = discovered(makefile, &config);
        let tools = found.tools.iter().skip(1).map(|tool| format!("{}: {}", tool.original, tool.description));
        tools.chain(found.problems.iter().map(ToString::to_string)).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(told(&makefile), @r"
    a: Execute 'make a'
    b: Does b (only if Makefile:99: ifdef CI)
    Makefile:20: the names of these targets depend on $(X); targets may be missing here, the others are offered
    a.mk:1: the names of these targets depend on $(X); targets may be missing here and in lines 2, 3, the others are offered
    b.mk:3: the names of these targets depend on $(X); targets may be missing here and in lines 4, 5, 6 and 96 more, the others are offered
    ");
    assert_eq!(unsettled::summary(&makefile).unwrap(), format!("Makefile:20: {depends}; and 104 more"));
    makefile.doubts = (0..100).map(|at| with(Location::line(format!("{at}.mk"), 1), 0..0)).collect();
    let many = discovered(&makefile, &config).problems;
    assert_eq!(many.len(), 21);
    insta::assert_snapshot!(many[20], @"19.mk: 80 more like the one before");
    assert!(many[20].help.is_some(), "the help comes last");
}

#[test]
fn a_missing_make_is_reported_once() {
    let mut seen = files(&[("Makefile", "all: ; x\nifdef CI\nci: ; x\nendif\n")]);
    seen.programs.insert("make".into(), None);
    for name in ["GNUmakefile", "makefile"] {
        seen.files.insert(name.into(), Seen::Missing);
    }
    let wants = MakefileTargets.wants(&Values::default(), &seen);
    let Some(Want::Probe(probe)) = wants.iter().find(|want| matches!(want, Want::Probe(_))) else {
        panic!("{wants:?}")
    };
    let nothing = Probed::Nothing { fault: ErrorCode::ProgramNotFound, why: "make is not installed".into() };
    seen.probes.insert(probe.clone(), nothing);
    let said: Vec<_> = MakefileTargets
        .discover(&Values::default(), &seen)
        .problems
        .iter()
        .map(ToString::to_string)
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    make is not installed or not on the PATH
    ");
}

#[test]
fn a_name_that_only_the_settings_know() {
    let mut makefile = makefile(&[("build", "pr"), ("x", "r")]);
    let pattern = |name: &str| TargetPattern {
        name: name.into(),
        description: Some("Builds one".into()),
        source: place(9),
    };
    makefile.patterns = ["build-%", "out/%.o"].map(pattern).into();
    insta::assert_snapshot!(offered(&makefile, json!({"targets": "build-a,sub/build-b,build-,out/x.o,x.o,bulid,-build-x"})), @r#"
    build-a
    sub/build-b
    out/x.o
    Error: Makefile: target "-build-x" is not offered: make would take its name for an option (rename the target, or name it in exclude_targets)
    Warning: targets: no target is called "build-" (did you mean `build`?)
    Warning: targets: no target is called "x.o" (correct it or take it out; `make -pRrq` prints every target)
    Warning: targets: no target is called "bulid" (did you mean `build`?)
    "#);
    makefile.doubts = vec![doubt(3, "the names of these targets depend on $(shell ls)")];
    insta::assert_snapshot!(offered(&makefile, json!({"targets": "bulid,./x", "exclude_targets": "z"})), @r#"
    bulid
    Warning: Makefile:3: the names of these targets depend on $(shell ls); targets may be missing here, the others are offered (have make say which, or name targets under `targets` to offer them all the same)
    Error: Makefile: target "./x" is not offered: make would drop the ./ of its name (rename the target, or name it in exclude_targets)
    bulid is offered because `targets` names it; whether the Makefile has it could not be read: Makefile:3: the names of these targets depend on $(shell ls)
    "#);
}

#[test]
fn names_that_make_would_misread_are_problems() {
    let fine = [
        "a b", "a$b", "a%b", "a;b", "a#b", "a\\b", "a&", "a|b", "it's", "a/b", ".x", "123", "é", "a)",
        "include",
    ];
    let bad = [
        "",
        "-f",
        "--eval=x",
        "--",
        "a=b",
        "~root",
        "./a",
        "lib(x.o)",
        "*.o",
        "a?",
        "a[b]",
        "a\u{1b}[2J",
        "a\u{202e}b",
        "a\u{fffd}",
    ];
    for name in fine {
        assert_eq!(selection::objection(name), None, "{name}");
    }
    let named: Vec<_> = bad.iter().map(|name| (*name, "pr")).collect();
    insta::assert_snapshot!(offered(&makefile(&named), json!({})), @r#"
    Info: Makefile:1: target "" is not offered: its name is empty (rename the target, or name it in exclude_targets)
    Info: Makefile:2: target "-f" is not offered: make would take its name for an option (rename the target, or name it in exclude_targets)
    Info: Makefile:3: target "--eval=x" is not offered: make would take its name for an option (rename the target, or name it in exclude_targets)
    Info: Makefile:4: target "--" is not offered: make would take its name for an option (rename the target, or name it in exclude_targets)
    Info: Makefile:5: target "a=b" is not offered: make would take its name for a variable (rename the target, or name it in exclude_targets)
    Info: Makefile:6: target "~root" is not offered: make would take its name for a home folder (rename the target, or name it in exclude_targets)
    Info: Makefile:7: target "./a" is not offered: make would drop the ./ of its name (rename the target, or name it in exclude_targets)
    Info: Makefile:8: target "lib(x.o)" is not offered: make would take its name for a member of an archive (rename the target, or name it in exclude_targets)
    Info: Makefile:9: target "*.o" is not offered: make takes its name for a pattern of files (rename the target, or name it in exclude_targets)
    Info: Makefile:10: target "a?" is not offered: make takes its name for a pattern of files (rename the target, or name it in exclude_targets)
    Info: Makefile:11: target "a[b]" is not offered: make takes its name for a pattern of files (rename the target, or name it in exclude_targets)
    Info: Makefile:12: target "a\u{1b}[2J" is not offered: its name holds characters that cannot be seen, or bytes that are no text (rename the target, or name it in exclude_targets)
    Info: Makefile:13: target "a\u{202e}b" is not offered: its name holds characters that cannot be seen, or bytes that are no text (rename the target, or name it in exclude_targets)
    Info: Makefile:14: target "a�" is not offered: its name holds characters that cannot be seen, or bytes that are no text (rename the target, or name it in exclude_targets)
    "#);
    let many: Vec<String> = (0..100).map(|number| format!("-{number}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), "pr")).collect();
    assert_eq!(discovered(&makefile(&many), &Values::default()).problems.len(), 21);
    assert_eq!(selection::objection(&"é".repeat(2048)), None);
    assert_eq!(selection::objection(&"a".repeat(4097)), Some("its name is longer than any path"));
}

/// A text of 5 MB can have 500,000 targets, whose tools take gigabytes.
#[test]
fn more_targets_than_anybody_can_choose_among_are_left_out() {
    let names: Vec<String> = (0..10_002).map(|number| format!("t{number}")).collect();
    let rules: Vec<_> = names.iter().map(|name| (name.as_str(), "r")).collect();
    let whole = discovered(&makefile(&rules[..10_000]), &Values::default());
    assert_eq!((whole.tools.len(), whole.problems.len()), (10_001, 0));
    let cut = discovered(&makefile(&rules), &Values::default());
    assert_eq!(cut.tools.len(), 10_001, "and the list");
    insta::assert_snapshot!(cut.problems[0], @r#"Makefile: the first 10000 targets are offered, and 2 more are not: "t10000" is the first of them"#);
    insta::assert_snapshot!(offered(&makefile(&rules), json!({"targets": "t10001"})), @"t10001");
}

#[test]
fn a_target_that_is_not_offered_has_a_reason() {
    let mut makefile =
        makefile(&[("dist", "pr"), ("main.o", ":rn"), ("empty", ""), ("ci", "pr?"), ("-x", "pr")]);
    makefile.patterns = vec![TargetPattern { name: "build-%".into(), description: None, source: place(9) }];
    let config = settings(json!({"targets": "*", "exclude_targets": "dist"}));
    let project = MakefileProject::new(&config, &files(&[("Makefile", "")])).unwrap();
    let absent = self::makefile(&[("windows", "pr?")]).targets;
    let found = Arc::new(FoundMakefile { absent, ..found(project, &makefile) });
    let said: Vec<String> =
        ["dist", "make_dist", "main.o", "empty", "ci", "-x", "build-a", "windows", "nothing"]
            .into_iter()
            .map(|name| match absence::because(&found, &config, name) {
                Absence::Because(problem) => format!("{problem} ({})", problem.help.as_deref().unwrap()),
                Absence::ByName(tool, problem) => {
                    let Role::Run { command, .. } = &tool.role else { panic!("it runs") };
                    format!("{problem} ({}) by name: {}", problem.help.as_deref().unwrap(), command.line())
                }
                other => format!("{name}: {other:?}"),
            })
            .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    Makefile:1: Target is excluded: dist (`exclude_targets` in the settings leaves it out)
    Makefile:1: Target is excluded: dist (`exclude_targets` in the settings leaves it out)
    Makefile:2: Target is not offered by itself: main.o (only other targets need it; add it to `targets` in settings.yml) by name: make main.o
    Makefile:3: Target is not offered by itself: empty (its rule has nothing to do; add it to `targets` in settings.yml) by name: make empty
    ci: Unknown
    Makefile:5: Target cannot be called safely: -x (make would take its name for an option; rename it)
    Makefile:9: Target is not offered by itself: build-a (the rule for `build-%` could make it; add it to `targets` in settings.yml) by name: make build-a
    Makefile:1: Target is there only under a condition that does not hold: windows (Makefile:99: ifdef CI; `environment` and `make_command` in the settings can change what holds)
    nothing: Unknown
    ");
    let few = settings(json!({"targets": "other"}));
    let Absence::Because(problem) = absence::because(&found, &few, "dist") else { panic!("a reason") };
    assert_eq!(problem.to_string(), "Makefile:1: Target not in allowed patterns: dist");
}

#[test]
fn suggestions_describe_the_findings() {
    let suggestion = MakefileTargets.suggest(&files(&[("GNUmakefile", "")])).unwrap();
    let config: Vec<_> =
        suggestion.config.iter().map(|(field, value)| format!("{}: {value}", field.name)).collect();
    insta::assert_snapshot!(config.join("\n"), @r#"
    makefile_path: "./GNUmakefile"
    targets: "*"
    exclude_targets: ""
    extractor: "auto"
    trust_makefile: true
    cache_ttl: 300
    working_directory: "."
    default_timeout: 300
    expose_list_targets: true
    "#);
    assert_eq!(suggestion.items, ["make_list_targets"]);
    assert_eq!(suggestion.description, "Found GNUmakefile with 0 targets");
    let open = "all: ; x\nifdef CI\nci: ; x\nendif\n$(shell ls): ; x\n-x: ; x\n";
    let suggestion = MakefileTargets.suggest(&files(&[("Makefile", open)])).unwrap();
    insta::assert_snapshot!(suggestion.notes.join("\n"), @r#"Makefile:6: target "-x" is not offered: make would take its name for an option; rename the target, or name it in exclude_targets"#);
    assert!(suggestion.warnings.is_empty(), "{:?}", suggestion.warnings);
    let [undecided] = &suggestion.undecided[..] else { panic!("{:?}", suggestion.undecided) };
    let (_, first) = &undecided.answers[0];
    let written = suggestion.config.iter().find(|(field, _)| *field == undecided.field);
    assert_eq!(
        (undecided.field.name, first, written.map(|(_, value)| value)),
        ("trust_makefile", &json!(false), Some(first))
    );
    insta::assert_snapshot!(undecided.because.join("\n"), @r"
    the text alone leaves targets open: Makefile:5: the names of these targets depend on $(shell ls); and 1 more
    make knows them all, but reading a Makefile can run commands in it: $(shell …), !=
    ");
}

fn contents(texts: &[(&str, &str)], config: &Values) -> Vec<Option<Content>> {
    let mut files = files(texts);
    files.files.entry("local.mk".into()).or_insert(Seen::Missing);
    let tools = MakefileTargets.discover(config, &files).tools;
    tools.into_iter().filter(|tool| tool.original != "list_targets").map(|tool| tool.content).collect()
}

/// Any line can change any recipe.
#[test]
fn under_pinned_trust_a_target_has_the_text_of_all_that_make_reads() {
    let config = Values::of([(&TRUST, json!("pinned"))]);
    let makefile = "include inc.mk\nX = 1\na b: ; echo $(X)\n";
    let before = contents(&[("Makefile", makefile), ("inc.mk", "Y = 1\n")], &config);
    let [Some(a), Some(b)] = &before[..] else { panic!("{before:?}") };
    assert_eq!(a, b);
    assert_eq!(&*a.text, format!("# Makefile\n{makefile}# inc.mk\nY = 1\n"));
    for other in [
        [("Makefile", makefile), ("inc.mk", "Y = 2\n")],
        [("Makefile", &makefile.replace("X = 1", "X = 2")), ("inc.mk", "Y = 1\n")],
    ] {
        assert_ne!(contents(&other, &config), before);
    }
    let none = contents(&[("Makefile", makefile), ("inc.mk", "")], &Values::default());
    assert_eq!(none, [None, None], "nothing is compared under `trust: names`");
    // Unreadable text is unknown, and so cannot be approved.
    for unknown in ["include $(shell echo x.mk)", "include /etc/x.mk", "-include $(shell ls).d", "load x.so"]
    {
        let text = format!("{unknown}\na: ; echo\n");
        assert_eq!(contents(&[("Makefile", &text)], &config), [None], "{unknown}");
    }
    let optional = contents(&[("Makefile", "-include local.mk\na: ; echo\n")], &config);
    assert!(matches!(&optional[..], [Some(_)]), "{optional:?}");
    let unseen = contents(&[("Makefile", "-include other.mk\na: ; echo\n")], &config);
    assert_eq!(unseen, [None], "a file that was not looked at");
    let asked = MakefileTargets.wants(&config, &files(&[("Makefile", "$(shell echo a): ; echo\n")]));
    assert!(!asked.iter().any(|want| matches!(want, Want::Probe(_))), "make would run what nobody approved");
}
