//! Targets under the real make: allowed and refused words, and names that arrive unchanged.

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::support::landing::Landing;
use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run};

/// A Makefile with a target to call and an excluded one, and evil files outside of the project.
struct Scene {
    project: Project,
    evil: PathBuf,
    landing: Landing,
}

impl Scene {
    fn new() -> Self {
        // If make's environment has no SHELL, a word of its command line finds none to run.
        let project = Project::empty().variable("SHELL", "/bin/sh");
        let (evil, landing) = (project.outside().join("evil"), Landing::beside(&project));
        let scene = Self { project: project.inside_a_run(), evil, landing };
        let touch = scene.landing.touch();
        scene.project.write(
            "Makefile",
            format!(
                ".PHONY: build odd deploy\nbuild: ## Build it\n\t@echo \"building $(MODE)\" $(FLAGS)\n\
                 odd: missing\n\t@echo odd\ndeploy:\n\t{touch}\nmissing:\n\t@false\n"
            ),
        );
        scene.project.write(
            "settings.yml",
            "version: '1'\nplugins:\n  makefile: {config: {exclude_targets: deploy, extractor: simple}}\n",
        );
        // Outside of the project: `write` takes any path from the root.
        scene.project.script("../evil/shell", format!("#!/bin/sh\n{touch}\n"));
        scene.project.write("../evil/other.mk", format!("$(shell {touch})\nbuild: ;\n"));
        scene.project.write("../evil/Makefile", format!("$(shell {touch})\nbuild: ;\n"));
        scene
    }

    fn evil(&self, path: &str) -> String {
        self.evil.join(path).display().to_string()
    }

    /// Runs the bare make with these words and variables.
    fn bare(&self, words: &[&str], environment: &[(&str, String)]) -> Run {
        let mut make = Command::new("make");
        make.arg("build").args(words);
        self.project.surround(&mut make);
        make.envs(environment.iter().map(|(name, value)| (name, value)));
        Run::of(make)
    }

    fn through_cuff(&self, words: &[&str], environment: &[(&str, String)]) -> Run {
        let environment: Vec<String> =
            environment.iter().map(|(name, value)| format!("--env={name}={value}")).collect();
        let words = ["run", "build"]
            .into_iter()
            .chain(environment.iter().map(String::as_str))
            .chain(["--"])
            .chain(words.iter().copied());
        let run = self.project.cuff(words);
        assert!(!self.landing.happened(), "it landed: {run:?}");
        run
    }
}

#[test]
fn words_that_make_would_act_on_are_refused() {
    let scene = Scene::new();
    let touch = format!("touch {}", scene.landing.path());
    let (shell, other, folder) = (scene.evil("shell"), scene.evil("other.mk"), scene.evil(""));
    let shell_variable = format!("SHELL={shell}");
    let flags = format!(".SHELLFLAGS=-c '{touch}' --");
    let makeflags = format!("MAKEFLAGS=--eval=$(shell {touch})");
    let eval = format!("--eval=$(shell {touch})");
    let (file, cluster) = (format!("--file={other}"), format!("-kf{other}"));
    let (bang, pasted) = (format!("MODE!={touch}"), format!("FLAGS=; {touch}"));
    let (expanded, colon) = (format!("MODE=$(shell {touch})"), format!("MODE:=$(shell {touch})"));
    let attacks: &[&[&str]] = &[
        &["deploy"],
        &["--", "deploy"],
        &["-k", "deploy"],
        &["-j", "deploy"],
        &["MODE=x", "deploy"],
        &[&shell_variable],
        &[&flags],
        &[&eval],
        &["--eval", &eval["--eval=".len()..]],
        &["-E", &eval["--eval=".len()..]],
        &["-f", &other],
        &[&file],
        &[&cluster],
        &["-C", &folder],
        &[&bang],
        &[&expanded],
        &[&colon],
        &[&pasted],
    ];
    for words in attacks {
        let bare = scene.bare(words, &[]);
        assert!(scene.landing.happened(), "{words:?} should land on make: {bare:?}");
        let run = scene.through_cuff(words, &[]).ended_with(126);
        assert!(run.stderr.contains("MAKE_304"), "{words:?}: {}", run.stderr);
    }
    // A word without effect on its own target may have one on a make below it.
    scene.through_cuff(&[&makeflags], &[]).ended_with(126);
}

#[test]
fn variables_by_which_make_reads_more_are_refused() {
    let scene = Scene::new();
    let touch = format!("touch {}", scene.landing.path());
    let include = format!(r"--eval=include\ {}", scene.evil("other.mk"));
    for variable in [
        ("MAKEFILES", scene.evil("other.mk")),
        ("MAKEFLAGS", include.clone()),
        ("GNUMAKEFLAGS", include),
        // make expands variables of its environment, and pastes them into lines for a shell.
        ("MODE", format!("$(shell {touch})")),
        ("FLAGS", format!("; {touch}")),
        ("FLAGS", format!("`{touch}`")),
    ] {
        let name = variable.0;
        let bare = scene.bare(&[], std::slice::from_ref(&variable));
        assert!(scene.landing.happened(), "{name} should land on make: {bare:?}");
        let run = scene.through_cuff(&[], &[variable]).ended_with(126);
        assert!(run.stderr.contains(name) && run.stderr.contains("MAKE_304"), "{}", run.stderr);
    }
    scene.through_cuff(&[], &[("SHELL", scene.evil("shell"))]).ended_with(126);
}

/// make passes variables of its command line to the programs of its recipes.
#[test]
fn variables_of_the_command_line_are_judged_as_those_of_the_environment() {
    let scene = Scene::new();
    for name in ["PATH", "LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV", "CFLAGS", "GIT_SSH_COMMAND"] {
        let word = format!("{name}=/evil");
        let run = scene.through_cuff(&[&word], &[]).ended_with(126);
        let said = format!("Blocked environment variables: {name}");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
}

/// `LDLIBS=-fplugin=x` has the compiler load x, `ARFLAGS=rv --plugin x` ar: make itself says which variables its rules use.
#[test]
fn variables_of_built_in_rules_are_refused() {
    let scene = Scene::new();
    let mut make = Command::new("make");
    make.args(["-p", "-f", "/dev/null"]);
    scene.project.surround(&mut make);
    let database = Run::of(make).stdout;
    let plain =
        |name: &&str| name.bytes().all(|byte| byte.is_ascii_uppercase() || b"_0123456789".contains(&byte));
    let names: std::collections::BTreeSet<&str> = database
        .split("$(")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(name, _)| name))
        .filter(plain)
        .collect();
    assert!(names.len() > 40 && names.contains("LDLIBS") && names.contains("TARGET_ARCH"), "{names:?}");
    for name in names {
        let run = scene.through_cuff(&[&format!("{name}=-fplugin=x")], &[]).ended_with(126);
        assert!(run.stderr.contains(name) && run.stderr.contains("MAKE_304"), "{}", run.stderr);
        scene.through_cuff(&[], &[(name, "-fplugin=x".to_owned())]).ended_with(126);
    }
}

#[test]
fn allowed_words_and_variables_arrive_at_make() {
    let scene = Scene::new();
    let run =
        scene.through_cuff(&["MODE=a b*", "-s", "-j", "2", "-B", "--no-print-directory"], &[]).succeeded();
    assert_eq!(run.stdout, "building a b*\n");
    let run = scene.through_cuff(&[], &[("MODE", "fast".to_owned())]).succeeded();
    assert_eq!(run.stdout, "building fast\n");
    // It reads options behind the target, even where POSIX says otherwise.
    for posix in [&[][..], &[("POSIXLY_CORRECT", "1".to_owned())]] {
        let run = scene.through_cuff(&["-n", "MODE=x"], posix).succeeded();
        assert!(run.stdout.contains("echo \"building x\""), "{run:?}");
    }
    let run = scene.project.cuff(["run", "deploy"]).ended_with(127);
    assert!(run.stderr.contains("Target is excluded: deploy"), "{}", run.stderr);
    let run = scene.project.cuff(["run", "odd", "--", "-k"]).ended_with(2);
    assert!(run.failed("odd", "exit code 2, "), "{}", run.stderr);
}

#[test]
fn a_call_asks_make_once_even_where_nothing_is_remembered() {
    let project = Project::empty();
    project.write("Makefile", "$(shell echo x >> count; echo made): ; @echo it\n");
    project.write("settings.yml", "version: '1'\nplugins:\n  makefile: {config: {cache_ttl: 0}}\n");
    assert_eq!(project.cuff(["run", "made"]).succeeded().stdout, "it\n");
    assert_eq!(project.read("count"), "x\nx\n", "once to list, and once as make reads it to run");
}

/// Recipes mount and install `$(PWD)`, which make takes from its environment.
#[test]
fn the_working_directory_of_make_is_its_own() {
    let project = Project::empty().variable("PWD", "/elsewhere");
    project.write("sub/Makefile", "where: ; @echo $(PWD)\n");
    project.write("settings.yml", "version: '1'\nplugins:\n  makefile: {config: {working_directory: sub}}\n");
    let folder = project.root().join("sub").canonicalize().expect("a folder of ours");
    let run = project.cuff(["run", "where"]).succeeded();
    assert_eq!(run.stdout, format!("{}\n", folder.display()));
}

/// The table of `selection.rs`: each odd name that is offered is the goal that make gets, with any allowed word behind it.
#[test]
fn odd_names_are_goals_as_they_are() {
    let project = Project::empty();
    let names = [
        (r"a\ b", "a b"),
        ("a$$b", "a$b"),
        (r"a\%b", "a%b"),
        (r"a\:b", "a:b"),
        (r"a\#b", "a#b"),
        (r"a\b", r"a\b"),
        ("a,b", "a,b"),
        ("a|b", "a|b"),
        ("a!b", "a!b"),
        ("@", "@"),
        ("a~", "a~"),
        ("{a,b}", "{a,b}"),
        ("a<b", "a<b"),
        ("a/b", "a/b"),
        (".a", ".a"),
        ("123", "123"),
        ("include", "include"),
        ("é", "é"),
        ("+a", "+a"),
        ("a)", "a)"),
        ("it's", "it's"),
        ("a\"b", "a\"b"),
        ("a`b", "a`b"),
        ("a^b", "a^b"),
    ];
    let rule = |(number, (written, _)): (usize, &(&str, &str))| {
        format!("{written}:\n\t@echo goal {number} $(MODE)\n")
    };
    let rules: String = names.iter().enumerate().map(rule).collect();
    project.write("Makefile", format!("first: ; @echo WRONG\n{rules}"));
    for (number, (_, name)) in names.iter().enumerate() {
        for words in [
            &["MODE=x"][..],
            &["-j", "MODE=x"],
            &["-j4", "MODE=x"],
            &["-k", "-s", "-B", "--no-print-directory", "MODE=x"],
        ] {
            let mut make = Command::new("make");
            make.arg(name).args(words);
            project.surround(&mut make);
            assert_eq!(Run::of(make).succeeded().stdout, format!("goal {number} x\n"), "{name} {words:?}");
        }
    }
    let list = project.cuff(["makefile", "list", "--json"]).succeeded().json().to_string();
    for name in ["a b", "a$b", "123", "é"] {
        assert!(list.contains(&format!("\"{name}\"")), "{name}: {list}");
    }
    assert_eq!(project.cuff(["makefile", "run", "123", "--", "MODE=x"]).succeeded().stdout, "goal 15 x\n");
}

#[test]
fn names_that_would_be_options_are_neither_offered_nor_run() {
    let scene = Scene::new();
    let touch = format!("touch {}", scene.landing.path());
    let names = ["-f", "--eval=x", "a=b", "~root", "\u{1b}[2J"];
    let rules =
        names.map(|name| format!("{name}: ## Says {name}\n\t{touch}\n")).concat().replace('=', "$(E)");
    scene.project.write("Makefile", format!("E := =\n{rules}$(shell {touch}): ; {touch}\n"));
    let list = scene.project.cuff(["makefile", "list"]);
    let said = list.stdout + &list.stderr;
    assert!(said.contains("make would take its name for an option") && !said.contains('\u{1b}'), "{said}");
    assert!(
        said.contains("Makefile:12: the names of these targets depend on"),
        "reading cannot know all: {said}"
    );
    for name in names {
        let run = scene.project.cuff(["makefile", "run", "--", name]).ended_with(127);
        let why = format!("target \"{}\" is not offered: ", name.replace('\u{1b}', "\\u{1b}"));
        assert!(run.stderr.contains(&why), "{name:?}: {}", run.stderr);
    }
    assert!(!scene.landing.happened(), "nothing of it ran");
}

#[test]
fn a_person_makes_any_target_by_its_name_and_nobody_else_does() {
    let project = Project::empty();
    project.write(
        "Makefile",
        ".PHONY: all\nall: step\n\t@echo made all\nstep: other\nother:\n\t@echo made other\n%:\n\t@echo caught $@ $(MODE)\nkept:\n\t@echo kept\n",
    );
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  makefile: {config: {exclude_targets: 'kept, secret*', extractor: simple}}\n",
    );
    for (words, output) in [
        (&["run", "distclean"] as &[&str], "caught distclean\n"),
        (&["run", "makefile.distclean"], "caught distclean\n"),
        (&["run", "step"], "made other\ncaught step\n"),
        (&["run", "distclean", "--", "MODE=fast"], "caught distclean fast\n"),
        (&["run", "distclean", "--dry-run"], "Would execute: make distclean\necho caught distclean \n"),
    ] {
        let run = project.cuff(words).succeeded();
        assert_eq!(run.stdout, output, "{words:?}: {run:?}");
    }
    assert!(project.cuff(["why", "distclean"]).succeeded().stdout.contains("make distclean"));
    let listed = project.cuff(["list", "--json"]).succeeded().json().to_string();
    assert!(!listed.contains("distclean"), "it is run, and not listed: {listed}");
    // The settings keep these from everybody; a name that make would read in another way is none.
    for name in ["kept", "secrets", "-n", "A=b", "~root"] {
        let run = project.cuff(["run", "--", name]);
        assert_ne!(run.code, 0, "{name}: {run:?}");
        assert_eq!(run.stdout, "", "{name}: {run:?}");
    }
    let inside = Project::at(&project).inside_a_run();
    let marked = Project::at(&project).variable("CLAUDECODE", "1");
    for governed in [&inside, &marked] {
        let run = governed.cuff(["run", "distclean"]).ended_with(127);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.contains("the rule for `%` could make it"), "{}", run.stderr);
        governed.cuff(["run", "step"]).ended_with(127);
    }
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize_with(&json!({}));
    for name in ["makefile.make_distclean", "distclean", "makefile.distclean"] {
        session.begin("tools/call", json!({"name": name, "arguments": {}}));
        let answer = session.hear().to_string();
        assert!(!answer.contains("caught"), "{answer}");
    }
    session.leave();
}

#[test]
fn a_confirmed_target_behind_a_catch_all_rule_asks_and_runs() {
    let project = Project::empty();
    project.write("Makefile", "all:\n\t@echo made all\n%:\n\t@echo caught $@\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  makefile: {config: {confirm: dist*, extractor: simple}}\n",
    );
    let shown = project.answer_at_terminal("y", &["run", "distclean"]);
    assert!(shown.code == 0 && shown.text.contains("caught distclean"), "{}", shown.text);
    let shown = project.answer_at_terminal("n", &["run", "distclean"]);
    assert!(shown.code != 0 && !shown.text.contains("caught distclean"), "{}", shown.text);
}
