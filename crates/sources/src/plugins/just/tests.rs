use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::model::{
    Absence, BadCall, BadCallKind, Discovery, ENVIRONMENT, ErrorCode, File, Files, Governance, ListEntry,
    Origin, Probed, Role, Seen, Tool, check,
};
use crate::plugin::Plugin as _;

/// The project of the fixture, and the answer of just 1.59 for it.
const FILES: [(&str, &str); 3] = [
    ("justfile", include_str!("../../../../../fixtures/just/justfile")),
    ("publish.just", include_str!("../../../../../fixtures/just/publish.just")),
    ("ci/mod.just", include_str!("../../../../../fixtures/just/ci/mod.just")),
];
const DUMP: &str = include_str!("../../../../../fixtures/just/probes/just");

fn settings(config: Value) -> Values {
    let Value::Object(config) = config else { panic!("an object") };
    let (values, mistakes) = check(&config::FIELDS.iter().collect::<Vec<_>>(), &config);
    assert_eq!(mistakes, []);
    values
}

/// Everything that the plugin wants to look at, as discovery would show it.
fn seen(config: &Values, texts: &[(&str, &str)], answer: &Probed) -> Files {
    let mut files = Files::default();
    for _ in 0..16 {
        let wants = JUST.wants(config, &files);
        let fresh: Vec<Want> = wants.into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return files;
        }
        for want in fresh {
            match want {
                Want::File(path) => {
                    let text = texts.iter().find(|(name, _)| *name == path);
                    let file =
                        text.map(|(_, text)| File::new(Path::new("/project").join(&path), text.as_bytes()));
                    files.files.insert(path, file.map_or(Seen::Missing, Seen::File));
                }
                Want::Program(name) => _ = files.programs.insert(name, Some("/usr/bin/just".into())),
                Want::Probe(probe) => _ = files.probes.insert(probe, answer.clone()),
                Want::Glob(_) | Want::ProgramFile(_) => panic!("{want:?}"),
            }
        }
    }
    panic!("it wants more after each look")
}

fn printed(out: &str) -> Probed {
    Probed::Ended { code: 0, out: out.as_bytes().into(), err: String::new() }
}

fn discovered(config: &Values) -> Discovery {
    JUST.discover(config, &seen(config, &FILES, &printed(DUMP)))
}

fn named(found: &Discovery, name: &str) -> Tool {
    found.tools.iter().find(|tool| tool.original == name).unwrap().clone()
}

#[test]
fn public_recipes_become_tools_with_what_they_run() {
    let found = discovered(&Values::default());
    assert_eq!(found.problems, []);
    let lines = found.tools.iter().map(|tool| {
        let runs = tool.runs().unwrap_or_default().replace('\n', "; ");
        format!("{} | {} | {} | {} | {runs}", tool.name, tool.original, tool.description, tool.source)
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    just_list_recipes | list_recipes | List all available just recipes | justfile | 
    just_build | build | Compile the sources: [TARGET=all] [FLAGS]... (alias b) | justfile:10 | tsc --project $1 $@; rm -rf dist
    just_check | check | Check the phases of one month against the almanac: MONTH (group checks) | justfile:15 | node checks/almanac.js $1; echo "checked with {{…}}"
    just_clean | clean | Execute 'just clean' | justfile:30 | rm -rf dist
    just_craters | craters | Count the craters: PHOTO | justfile:27 | 
    just_publish | publish | Publish the calendar: [CHANNEL=beta] | publish.just:3 | npm publish --tag "$CHANNEL"; tsc --project release --strict; rm -rf dist
    just_release | release | Execute 'just release' | publish.just:6 | npm publish --tag "$CHANNEL"; tsc --project release --strict; rm -rf dist
    just_report | report | Print a report: [--format=FORMAT=text] [--all] FILES... | justfile:22 | node report.js $@ $@ $@
    just_ci__all | ci::all | Run what the server runs: [ARGS]... | ci/mod.just:2 | eslint . $@
    "#);
}

#[test]
fn settings_say_where_and_how_just_is_called() {
    let config = settings(json!({
        "working_directory": "app", "justfile_path": "-other", "just_command": "gjust --no-dotenv", "default_timeout": 7,
        "environment": {"A": "1"}, "recipes": "build",
    }));
    let files = seen(&config, &[("app/-other", "build:\n")], &printed(DUMP));
    let tool = named(&JUST.discover(&config, &files), "build");
    let Role::Run { command, rehearsal, .. } = &tool.role else { panic!("{tool:?}") };
    assert_eq!(command.line(), "gjust --no-dotenv --justfile ./-other build");
    assert_eq!((command.program.origin, rehearsal), (Origin::Settings, &Some("--dry-run")));
    assert_eq!((command.directory.as_path(), command.timeout.as_secs()), (Path::new("app"), 7));
    assert_eq!(command.environment, config.environment());
    let probes: Vec<String> = files.probes.keys().map(|probe| probe.command.line()).collect();
    assert_eq!(probes, ["gjust --no-dotenv --justfile ./-other --dump --dump-format json"]);
    assert!(files.programs.contains_key("gjust"));
    let own_path = settings(json!({"environment": {"PATH": "/x"}}));
    assert!(seen(&own_path, &FILES, &printed(DUMP)).programs.is_empty(), "{ENVIRONMENT:?} decides");
}

#[test]
fn just_is_asked_once_all_files_are_known() {
    let config = Values::default();
    let files = seen(&config, &FILES, &printed(DUMP));
    let read: Vec<&str> = files
        .files
        .iter()
        .filter(|(_, seen)| matches!(seen, Seen::File(_)))
        .map(|(path, _)| path.as_str())
        .collect();
    assert_eq!(read, ["ci/mod.just", "justfile", "publish.just"]);
    let first = Files::default();
    assert_eq!(
        JUST.wants(&config, &first),
        candidates(&config).into_iter().map(Want::File).collect::<Vec<_>>()
    );
    let hidden = seen(&config, &[(".justfile", "a:\n")], &printed(DUMP));
    assert!(hidden.probes.keys().all(|probe| probe.command.line().contains(" --justfile .justfile ")));
}

#[test]
fn without_an_answer_there_is_one_problem_and_the_list_tool() {
    let config = Values::default();
    let nothing = |fault| Probed::Nothing { fault, why: "it took longer than 10 s".into() };
    for (answer, fault) in [
        (nothing(ErrorCode::TimedOut), ErrorCode::TimedOut),
        (printed("{"), ErrorCode::SourceInvalid),
        (printed("{\"recipes\": 1}"), ErrorCode::SourceInvalid),
        (Probed::Ended { code: 1, out: [].into(), err: "error: x\n".into() }, ErrorCode::SourceInvalid),
    ] {
        let found = JUST.discover(&config, &seen(&config, &FILES, &answer));
        let names: Vec<&str> = found.tools.iter().map(|tool| tool.original.as_str()).collect();
        assert_eq!(names, ["list_recipes"], "{answer:?}");
        let faults: Vec<_> = found.problems.iter().map(|problem| problem.fault).collect();
        assert_eq!(faults, [Some(fault)], "{answer:?}");
    }
    let mut files = seen(&config, &FILES, &nothing(ErrorCode::NotStarted));
    files.programs.insert("just".into(), None);
    let problem = &JUST.discover(&config, &files).problems[0];
    assert_eq!(problem.fault, Some(ErrorCode::ProgramNotFound), "{problem:?}");
}

#[test]
fn settings_select_recipes() {
    let offered = |config: Value| {
        let found = discovered(&settings(config));
        let names = found.tools.iter().map(|tool| tool.original.clone()).skip(1);
        names.chain(found.problems.iter().map(ToString::to_string)).collect::<Vec<_>>().join(" ")
    };
    for (config, expected) in [
        (json!({"recipes": "build, ci::*"}), "build ci::all"),
        (json!({"exclude_recipes": "[!b]*"}), "build"),
        (
            json!({"recipes": "_stage, secret, build"}),
            "build `recipes` has `_stage`, which means no recipe, so that it offers nothing `recipes` has `secret`, which means no recipe, so that it offers nothing",
        ),
        (
            json!({"exclude_recipes": "[z-a]"}),
            "exclude_recipes: pattern `[z-a]`: invalid range; 'z' > 'a'; no recipe is offered until it is corrected",
        ),
        (json!({"recipes": "x*"}), "justfile: No recipes found"),
    ] {
        assert_eq!(offered(config.clone()), expected, "{config}");
    }
    assert_eq!(discovered(&settings(json!({"expose_list_recipes": false}))).tools[0].original, "build");
}

#[test]
fn a_recipe_that_is_not_offered_has_a_reason() {
    let config = settings(json!({"recipes": "build, clean", "exclude_recipes": "clean"}));
    let files = seen(&config, &FILES, &printed(DUMP));
    let said = |name: &str| match JUST.absence(&config, name, &files) {
        Absence::Because(problem) => problem.message,
        other => format!("{other:?}"),
    };
    for (name, expected) in [
        ("clean", "Recipe is excluded: clean"),
        ("just_check", "Recipe not in allowed patterns: check"),
        ("_stage", "Recipe is private: _stage"),
        ("secret", "Recipe is private: secret"),
        ("nothing", "Unknown"),
    ] {
        assert_eq!(said(name), expected, "{name}");
    }
    assert!(matches!(JUST.absence(&config, "clean", &Files::default()), Absence::Look(_)));
}

/// The planned words of an agent's or a person's call.
fn planned(config: &Values, recipe: &str, words: &[&str], governance: Governance) -> Result<String, BadCall> {
    let tool = named(&discovered(&Values::default()), recipe);
    let Role::Run { command, .. } = &tool.role else { panic!("{tool:?}") };
    let arguments = Values::of([(&config::ARGS, json!(words))]);
    let command = JUST.plan(config, &tool, (**command).clone(), &arguments, governance)?;
    let brought = command.arguments.iter().filter(|word| word.origin == Origin::Call).count();
    assert_eq!(brought, words.len());
    Ok(command.words()[3..].join("|"))
}

#[test]
fn words_of_an_agent_fit_the_parameters_exactly() {
    let strict = Values::default();
    for (recipe, words, expected) in [
        ("build", &[][..], "build"),
        ("build", &["A=1", "--flag", "clean", "ci::all", "-n"], "build|A=1|--flag|clean|ci::all|-n"),
        ("check", &["may"], "check|may"),
        ("check", &["secret"], "check|secret"),
        ("report", &["a"], "report|a"),
        ("report", &["--format=x", "--all", "-f", "y", "a", "b"], "report|--format=x|--all|-f|y|a|b"),
        ("craters", &[], "!args: this recipe takes at least 1 argument, not 0"),
        ("craters", &["a.png"], "!args: the text of this recipe is no shell's but of python3"),
        ("check", &[], "!args: this recipe takes at least 1 argument, not 0"),
        ("check", &["may", "clean"], "!args: this recipe takes at most 1 argument, not 2"),
        ("check", &["may", "june", "july"], "!args: this recipe takes at most 1 argument, not 3"),
        ("clean", &["_stage"], "!args: this recipe takes at most 0 arguments, not 1"),
        ("clean", &["version=1"], "!args: this recipe takes at most 0 arguments, not 1"),
        ("clean", &["ci::all"], "!args: this recipe takes at most 0 arguments, not 1"),
        ("clean", &["--yes"], "!args: this recipe takes at most 0 arguments, not 1"),
        ("build", &["--", "x"], "!args: \"--\" is no argument"),
        ("report", &["--", "x"], "!args: \"--\" is no whole option of this recipe"),
        ("report", &["--format"], "!args: \"--format\" is no whole option of this recipe"),
        ("report", &["--format", "-x", "a"], "!args: \"--format\" is no whole option of this recipe"),
        ("report", &["--all=x", "a"], "!args: \"--all=x\" is no whole option of this recipe"),
        ("report", &["-f=x", "a"], "!args: \"-f=x\" is no whole option of this recipe"),
        ("report", &["-fx", "a"], "!args: \"-fx\" is no whole option of this recipe"),
        ("report", &["--shell", "x"], "!args: \"--shell\" is no whole option of this recipe"),
        ("report", &["--all"], "!args: this recipe takes at least 1 argument, not 0"),
    ] {
        let said = planned(&strict, recipe, words, Governance::Governed).unwrap_or_else(|bad| {
            assert!(bad.help.is_some(), "{bad:?}");
            format!("!{}", bad.message)
        });
        assert_eq!(said, expected, "{recipe} {words:?}");
        let free = planned(&strict, recipe, words, Governance::Free).unwrap();
        assert_eq!(free, [&[recipe], words].concat().join("|"), "a person's words are passed on");
    }
}

#[test]
fn characters_that_a_shell_acts_on_are_for_settings_to_allow() {
    let literal = settings(json!({"arguments": "literal"}));
    for character in ";&|`$(){}[]<>\\'\"!*?~#^ \t\n\r\0".chars() {
        let word = format!("a{character}b");
        let bad = planned(&Values::default(), "check", &[&word], Governance::Governed).unwrap_err();
        assert_eq!(bad.kind, BadCallKind::Refused, "{character:?}");
        let allowed = planned(&literal, "check", &[&word], Governance::Governed);
        assert_eq!(allowed.is_ok(), character != '\0', "{character:?}");
    }
    for word in ["", "a.b/c:d@e%f+g-h_i,j=k", "日本"] {
        planned(&Values::default(), "check", &[word], Governance::Governed).unwrap();
    }
    planned(&literal, "craters", &["a'b"], Governance::Governed).unwrap();
}

#[test]
fn a_recipe_that_just_asks_about_requires_confirmation() {
    let found = discovered(&Values::default());
    for (recipe, expected) in [
        ("publish", "just --justfile justfile --yes publish"),
        ("release", "just --justfile justfile --yes release"),
        ("build", "just --justfile justfile build"),
    ] {
        let tool = named(&found, recipe);
        let Role::Run { command, .. } = &tool.role else { panic!("{tool:?}") };
        assert_eq!((command.line().as_str(), tool.confirms), (expected, recipe != "build"));
    }
}

#[test]
fn the_list_shows_parameters() {
    let tool = named(&discovered(&Values::default()), "report");
    let Role::Run { entry: ListEntry::Object(entry), .. } = &tool.role else { panic!("{tool:?}") };
    assert_eq!(
        Value::Object((**entry).clone()),
        json!({
            "recipe": "report",
            "description": "Print a report: [--format=FORMAT=text] [--all] FILES...",
            "parameters": [
                {"name": "format", "required": false, "long": "format", "short": "f", "default": "text"},
                {"name": "all", "required": false, "switch": true, "long": "all", "default": ""},
                {"name": "files", "required": true, "variadic": true},
            ],
        })
    );
}

#[test]
fn a_yes_is_for_all_files_of_the_justfile() {
    let config = Values::default();
    let files = seen(&config, &FILES, &printed(DUMP));
    let tool = named(&JUST.discover(&config, &files), "build");
    let binding = JUST.binding(&config, &files, &tool);
    let bound = binding.files.iter().map(|file| {
        let mark = if matches!(file.after, StatePart::Written) { " (written)" } else { "" };
        format!("{}{mark}", file.path)
    });
    assert_eq!(
        bound.collect::<Vec<_>>().join(" "),
        "justfile Justfile .justfile publish.just ci.just ci/mod.just ci/justfile ci/Justfile ci/.justfile .env (written)"
    );
}

#[test]
fn imports_in_a_circle_end() {
    let texts = [
        ("justfile", "import 'a.just'\nmod m 'a.just'\n"),
        ("a.just", "import 'justfile'\nmod m 'justfile'\n"),
    ];
    let config = Values::default();
    let found = JUST.discover(&config, &seen(&config, &texts, &printed(DUMP)));
    assert_eq!(named(&found, "build").source.file, "justfile");
}

#[test]
fn init_suggests_the_justfile() {
    let suggest = |answer: &Probed| {
        let files = seen(&Values::default(), &FILES, answer);
        let suggestion = JUST.suggest(&files).unwrap();
        let picks = suggestion.picking.map(|picking| picking.picks.len());
        assert_eq!(suggestion.warnings, [""; 0]);
        (suggestion.description, picks)
    };
    assert_eq!(suggest(&printed(DUMP)), ("Found justfile with 8 recipes".to_owned(), Some(8)));
    assert_eq!(suggest(&unasked()), ("Found justfile with 8 recipes".to_owned(), Some(8)));
    assert_eq!(JUST.suggest(&seen(&Values::default(), &[], &unasked())), None);
}

/// The answer where no settings allow the question.
fn unasked() -> Probed {
    Probed::Nothing { fault: ErrorCode::NotReady, why: "no settings".into() }
}

/// The recipes of a justfile by its text alone, then the problems.
fn by_text(justfile: &str) -> String {
    by_texts(&[("justfile", justfile)])
}

/// The same of several files.
fn by_texts(texts: &[(&str, &str)]) -> String {
    let config = settings(json!({"expose_list_recipes": false}));
    let found = JUST.discover(&config, &seen(&config, texts, &unasked()));
    let lines = found.tools.iter().map(|tool| {
        let runs = tool.runs().unwrap_or_default().replace('\n', "; ");
        let Role::Run { .. } = &tool.role else { panic!("{tool:?}") };
        let asks = if tool.confirms { "[asks] " } else { "" };
        let names = [std::slice::from_ref(&tool.original), &tool.aliases].concat().join(" = ");
        format!("{names} | {asks}{} | {runs}", tool.description)
    });
    lines.chain(found.problems.iter().map(ToString::to_string)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_text_alone_says_what_just_says() {
    let config = Values::default();
    let found = JUST.discover(&config, &seen(&config, &FILES, &unasked()));
    // just alone knows which values its lines get.
    let apart = |tool: Tool| tool.text(None).written(None).along(Vec::new());
    let of = |tools: Vec<Tool>| tools.into_iter().map(apart).collect::<Vec<_>>();
    let publish = named(&found, "publish").runs();
    assert_eq!(
        publish.unwrap(),
        "npm publish --tag \"$CHANNEL\"\ntsc --project {{target}} {{flags}}\nrm -rf dist"
    );
    assert_eq!(of(found.tools), of(discovered(&config).tools));
    assert_eq!(found.problems, []);
}

#[test]
fn the_text_alone_names_attributes_aliases_and_parameters() {
    insta::assert_snapshot!(by_text(
        r#"#!/usr/bin/env just --justfile
set shell := ['bash', '-uc']
set dotenv-load
alias b := build
version := "1" + '.2'
home := env('HOME')
list := '''
fake:
    rm -rf /
'''

# not a description

# Build it
[group('dev'), no-cd]
@build target='all' *flags:
    echo {{target}} {{version}} {{{{x}} {{ quote(flags) }}

[private]
hidden:
    echo h
_priv:
    echo p
[confirm('really?')]
ship: (build "release" home) && after
    git push
after:
release: ship
    -@echo done \
        twice

[doc('Tests: all of them')]
[arg('level', long, short='l')]
[arg('quiet', long, value='yes')]
test level quiet='' +names="a b":
    #!/usr/bin/env python3
    print("{{names}}")
[windows]
only:
    echo windows
[unix]
only:
    echo here
[doc]
plain $A=(home / 'x') b=`date`: # comment: here
	echo $A
    "#
    ), @r"
    after | Execute 'just after' | 
    build = b | Build it: [TARGET=all] [FLAGS]... (alias b; group dev) | echo $1 {{…}} {{x}} {{ quote(flags) }}
    only | Execute 'just only' | echo here
    plain | Execute 'just plain': [A] [B] | echo $A
    release | [asks] Execute 'just release' | echo done \;     twice; git push; echo {{target}} {{…}} {{x}} {{ quote(flags) }}
    ship | [asks] Execute 'just ship' | git push; echo {{target}} {{…}} {{x}} {{ quote(flags) }}
    test | Tests: all of them: --level=LEVEL [--quiet] [NAMES=a b]... | 
    ");
}

#[test]
fn files_are_known_behind_a_place_that_is_not_understood() {
    let config = Values::default();
    let texts = [("justfile", "a := (\nimport 'b.just'\nset dotenv-load\nc:\n"), ("b.just", "b:\n")];
    let files = seen(&config, &texts, &unasked());
    let found = JUST.discover(&config, &files);
    let names: Vec<&str> = found.tools.iter().map(|tool| tool.original.as_str()).collect();
    assert_eq!(names, ["list_recipes", "b"]);
    let bound = JUST.binding(&config, &files, &named(&found, "b")).files;
    let bound: Vec<&str> = bound.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(bound, ["justfile", "Justfile", ".justfile", "b.just", ".env"]);
    // In time in proportion: each of these lines opens a bracket that never ends.
    assert_eq!(by_text(&"(\n".repeat(200_000)).lines().count(), 1);
}

#[test]
fn the_text_says_what_only_just_can_read() {
    insta::assert_snapshot!(by_text(
        "import? 'perhaps.just'\nimport 'gone.just'\nimport x'~/own.just'\nmod lost\na:\n  @echo a\nif b {\n}\n\
         ? c:\nd x=: e\nf := 'open\ng:\n"
    ), @r"
    a | Execute 'just a' | echo a
    justfile:2: gone.just is not there, so its recipes are missing
    justfile:3: only just knows the file that is named here, so its recipes are missing
    justfile:4: lost.just is not there, so its recipes are missing
    justfile:7: this line is not understood without just
    justfile:9: this line is not understood without just
    justfile:10: this line is not understood without just
    justfile:11: the rest of this file is not understood without just
    ");
}

#[test]
fn a_private_module_has_no_recipes_and_a_cycle_of_modules_has_them_once() {
    insta::assert_snapshot!(by_texts(&[
        ("justfile", "[private]\nmod own 'a.just'\nmod a\nx:\n  echo\n"),
        ("a.just", "mod b\ny:\n  echo\n"),
        ("b.just", "mod c 'a.just'\nmod d 'b.just'\nz:\n  echo\n"),
    ]), @r"
    x | Execute 'just x' | echo
    a::y | Execute 'just a::y' | echo
    a::b::z | Execute 'just a::b::z' | echo
    b.just:1: a.just leads to itself, and just reads no justfile with a cycle
    b.just:2: b.just leads to itself, and just reads no justfile with a cycle
    ");
}

#[test]
fn lists_show_parameters_as_the_justfile_has_them() {
    let text = "x := 'y'\nnodoc env *rest:\n  echo \"{{env}}\" {{rest}} {{x}}\n\n# Say it\ndoc a:\n  echo {{a}}\n\nquiet $b:\n  @echo $b\n";
    let files = seen(&Values::default(), &[("justfile", text)], &unasked());
    let found = JUST.discover(&Values::default(), &files);
    let shown: Vec<String> =
        found.tools.iter().map(|tool| format!("{}: {}", tool.original, tool.told())).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    list_recipes: List all available just recipes
    doc: Say it: A
    nodoc: echo "{{env}}" {{rest}} y
    quiet: echo $b
    "#);
}
