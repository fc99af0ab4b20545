//! Recipes under the real just: the offered ones, allowed words, and the effects of changes of its files.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::landing::Landing;
use crate::support::mcp_session::{McpSession, called, id_in};
use crate::support::project::{Project, Run};
use crate::support::tools::{self, require};

/// A project with this justfile, and settings with this config; `None` where just is missing.
fn project(justfile: &str, config: &str) -> Option<Project> {
    require("just")?;
    let project = Project::empty();
    project.write("justfile", justfile);
    project.write("settings.yml", format!("version: '1'\nplugins:\n  just: {{config: {{{config}}}}}\n"));
    Some(project)
}

/// The recipes that are offered, one word each.
fn recipes(project: &Project) -> String {
    let list = project.cuff(["list", "--json"]).json();
    let tools = list["tools"].as_array().unwrap().iter().map(|tool| tool["original"].as_str().unwrap());
    tools.filter(|name| *name != "list_recipes").collect::<Vec<_>>().join(" ")
}

const JUSTFILE: &str = "\
import 'more.just'
mod ops
greeting := 'hello'

# Say hello
hello name='you' *rest:
    @echo {{greeting}} {{name}} {{rest}}

two a b:
    @echo \"two: {{a}}, {{b}}\"

[private]
hidden:
    @echo hidden

_helper:
    @echo helper
";

fn full() -> Option<Project> {
    let project = project(JUSTFILE, "")?;
    project.write("more.just", "# More\nmore:\n    @echo more\n");
    project.write("ops/mod.just", "up:\n    @echo up\n");
    Some(project)
}

#[test]
fn recipes_of_all_files_are_found_and_run() {
    let Some(project) = full() else { return };
    assert_eq!(recipes(&project), "hello more two ops::up");
    let listed = project.cuff(["list"]).succeeded().stdout;
    assert!(listed.contains("Say hello: [NAME=you] [REST]..."), "{listed}");
    for (words, expected) in [
        (&["run", "hello"][..], "hello you\n"),
        (&["run", "just_hello", "--", "me", "--and=x", "clean"], "hello me --and=x clean\n"),
        (&["run", "two", "--", "1", "2"], "two: 1, 2\n"),
        (&["run", "just.just_ops__up"], "up\n"),
        (&["just", "run", "more"], "more\n"),
    ] {
        let run = project.cuff(words).succeeded();
        assert!(run.stdout.ends_with(expected), "{words:?}: {run:?}");
    }
    let run = project.cuff(["run", "hidden"]).ended_with(127);
    assert!(run.stderr.contains("Recipe is private: hidden") && run.stderr.contains("JUST_301"), "{run:?}");
    let listed = called(&project, "just.just_list_recipes", &json!({}));
    let names = listed["structuredContent"]["data"]["recipes"].to_string();
    assert!(names.contains("just_hello") && names.contains("\"parameters\""), "{listed:#}");
}

#[test]
fn without_settings_the_text_says_the_same_recipes() {
    let Some(project) = full() else { return };
    let listed = || {
        let run = project.cuff(["just", "list"]).succeeded();
        run.stdout + &run.stderr
    };
    let by_just = listed();
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    assert_eq!(listed(), by_just);
    project.write("more.just", "import 'gone.just'\nmore:\n    @echo more\n");
    let said = project.cuff(["just", "list"]).succeeded().stderr;
    insta::assert_snapshot!(said, @r"
    warning: just: more.just:1: gone.just is not there, so its recipes are missing
    help: with settings that `cuff init` writes, cuff asks just itself
    ");
}

/// Recipes with an alias each, one of them private.
const ALIASES: &str = "\
alias g := greet
alias s := secret
greet *names:
    @echo hello {{names}}
[private]
secret:
    @echo psst
";

#[test]
fn an_alias_runs_its_recipe_and_is_no_second_tool() {
    let Some(project) = project(ALIASES, "") else { return };
    assert_eq!(recipes(&project), "greet");
    assert_eq!(project.cuff(["run", "g", "--", "you"]).succeeded().stdout, "hello you\n");
    let run = project.cuff(["run", "s"]).ended_with(127);
    assert!(run.stderr.contains("Recipe is private: secret"), "{run:?}");
    let answer = called(&project, "just.g", &json!({}));
    insta::assert_snapshot!(answer["content"][0]["text"].as_str().unwrap(), @r"
    Recipe greet has the alias g [JUST_301]
    help: call it by its own name: greet
    ");
}

#[test]
fn confirmation_of_a_recipe_holds_for_its_alias() {
    let Some(project) = project(ALIASES, "confirm: [greet]") else { return };
    let run = project.cuff(["run", "g", "--", "you"]).ended_with(126);
    assert!(run.stderr.contains("greet requires confirmation by a person"), "{run:?}");
}

#[test]
fn init_suggests_confirmation_by_the_text_of_recipes() {
    let Some(project) = project(
        "publish: test\n    git push && cargo publish\n\n[confirm]\nwipe:\n    echo wiped\n\ntest:\n    echo tested\n",
        "",
    ) else {
        return;
    };
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    let run = project.cuff(["init", "--yes"]).succeeded();
    insta::assert_snapshot!(run.stdout + &run.stderr, @r"
    Discovering plugins...
      [+] just: Found justfile with 3 recipes

    These tools look irreversible, so cuff asks you first (`confirm` in the settings):
      just: publish (`git push` at justfile:1)
      just: wipe (`[confirm]` in the justfile)
    Generated settings.yml with 1 plugin
    warning: agents do not have these settings before you approve them: nobody said yes at a terminal
    help: `cuff approve settings` lets them have it
    Next: `cuff list` shows the tools
          `cuff run test` runs one
          `cuff install --client claude-code` offers them to an agent
    ");
    let settings = fs::read_to_string(project.root().join("settings.yml")).unwrap();
    assert!(settings.contains("confirm:\n      - publish\n      - wipe\n"), "{settings}");
    let run = project.cuff(["run", "publish"]).ended_with(126);
    assert!(run.stderr.contains("confirm"), "{run:?}");
}

/// A command in every place where just could come to run one.
#[test]
fn listing_and_dry_runs_run_nothing() {
    let Some(project) = project("", "") else { return };
    let landing = Landing::beside(&project);
    let touch = landing.touch();
    project.write(
        "justfile",
        format!(
            "set unstable\nset lists\nset dotenv-command := [\"{touch}\"]\na := `{touch}`\n\
             export b := shell(\"{touch}\")\ngo x=`{touch}`: dep\n    +echo {{{{a}}}} {{{{b}}}} {{{{x}}}}; {touch}\n\
             dep:\n    {touch}\n"
        ),
    );
    assert_eq!(recipes(&project), "dep go");
    assert!(!landing.happened(), "listing ran something");
    let run = project.cuff(["run", "go", "--dry-run"]).succeeded();
    assert!((run.stdout + &run.stderr).contains("echo "), "just shows the recipe");
    assert!(!landing.happened(), "a dry run ran something");
    project.cuff(["run", "dep"]).succeeded();
    assert!(landing.happened(), "it can land");
}

struct Scene {
    project: Project,
    landing: Landing,
}

impl Scene {
    /// A recipe to call, and one that is excluded.
    fn new() -> Option<Self> {
        let project = project("", "exclude_recipes: deploy")?.inside_a_run();
        let landing = Landing::beside(&project);
        let touch = landing.touch();
        project.write(
            "justfile",
            format!(
                "mode := 'safe'\nbuild target='all':\n    @echo building {{{{target}}}} {{{{mode}}}}\nnone:\n    @echo none\n\
                 deploy *rest:\n    {touch}\nmod inner\n"
            ),
        );
        project.write("inner.just", format!("deploy:\n    {touch}\n"));
        project.script("../evil/sh", format!("#!/bin/sh\n{touch}\n"));
        project.write("../evil/justfile", format!("build:\n    {touch}\nnone:\n    {touch}\n"));
        Some(Self { project, landing })
    }

    /// The bare just with these words.
    fn bare(&self, recipe: &str, words: &[&str], environment: &[(&str, &str)]) -> Run {
        let mut just = Command::new(require("just").unwrap());
        just.arg(recipe).args(words);
        self.project.surround(&mut just);
        just.env("PATH", tools::path()).envs(environment.iter().copied());
        Run::of(just)
    }

    fn through_cuff(&self, recipe: &str, words: &[&str], environment: &[(&str, &str)]) -> Run {
        let environment = environment.iter().map(|(name, value)| format!("--env={name}={value}"));
        let start = ["run".to_owned(), recipe.to_owned()].into_iter().chain(environment);
        let words = words.iter().map(|word| (*word).to_owned());
        let all: Vec<String> = start.chain(["--".to_owned()]).chain(words).collect();
        let run = self.project.cuff(&all);
        assert!(!self.landing.happened(), "it landed: {run:?}");
        run
    }
}

#[test]
fn words_that_would_run_more_than_the_recipe_are_refused() {
    let Some(scene) = Scene::new() else { return };
    let touch = scene.landing.touch();
    let (joined, put_in, on_two) = (format!("x; {touch}"), format!("$({touch})"), format!("x\n{touch}"));
    for (recipe, words) in [
        ("build", &["x", "deploy"][..]),
        ("build", &["x", "inner::deploy"]),
        ("build", &["x", "inner", "deploy"]),
        ("build", &["--", "deploy"]),
        ("none", &["deploy"]),
        ("none", &["build", "x", "deploy"]),
        ("build", &[&joined]),
        ("build", &[&put_in]),
        ("build", &[&on_two]),
    ] {
        let bare = scene.bare(recipe, words, &[]);
        assert!(scene.landing.happened(), "{words:?} should land on just: {bare:?}");
        let run = scene.through_cuff(recipe, words, &[]).ended_with(126);
        assert!(run.stderr.contains("JUST_304"), "{words:?}: {run:?}");
    }
    // Behind a recipe these are plain arguments, for just as well.
    for word in ["mode=evil", "--yes", "--shell", "-f", "deploy", "inner::deploy"] {
        let run = scene.through_cuff("build", &[word], &[]).succeeded();
        assert!(run.stdout.ends_with(&format!("building {word} safe\n")), "{word}: {run:?}");
    }
    scene.through_cuff("deploy", &[], &[]).ended_with(127);
    let run = scene.through_cuff("none", &["--list"], &[]);
    assert!(run.stderr.contains("takes at most 0 arguments"), "{run:?}");
}

#[test]
fn variables_by_which_just_reads_or_runs_something_else_are_refused() {
    let Some(scene) = Scene::new() else { return };
    let evil = scene.project.outside().join("evil");
    let (file, folder) = (evil.join("justfile"), evil.to_str().unwrap());
    let file = file.to_str().unwrap();
    let attacks: [&[(&str, &str)]; 2] =
        [&[("JUST_JUSTFILE", file)], &[("JUST_JUSTFILE", file), ("JUST_WORKING_DIRECTORY", folder)]];
    for environment in attacks {
        let bare = scene.bare("build", &[], environment);
        assert!(scene.landing.happened(), "{environment:?} should land on just: {bare:?}");
        scene.through_cuff("build", &[], environment).ended_with(126);
    }
    for name in ["JUST_SHELL", "JUST_YES", "JUST_UNSTABLE", "JUST_DOTENV_COMMAND", "JUST_CHOOSER", "PATH"] {
        scene.through_cuff("build", &[], &[(name, folder)]).ended_with(126);
    }
    scene.through_cuff("build", &[], &[("MODE", "fast")]).succeeded();
}

#[test]
fn words_of_a_person_are_passed_on_exactly() {
    let Some(project) = full() else { return };
    let run = project.cuff(["run", "two", "--", "a b", "$HOME;", "more", "hello", "-n"]).succeeded();
    assert!(run.stdout.ends_with("\nmore\nhello -n\n") && run.stdout.contains("two: a b, "), "{run:?}");
    let run = project.cuff(["run", "two", "--", "a"]);
    assert!(run.code != 0 && run.stderr.contains("takes 2"), "just itself says so: {run:?}");
}

#[test]
fn cuff_asks_for_the_confirmations_of_just() {
    let justfile = "[confirm]\ndanger:\n    @echo ran\nlater: danger\nplain:\n    @echo plain\n";
    let Some(project) = project(justfile, "confirm: plain") else { return };
    for (tool, said) in [("danger", "ran"), ("later", "ran"), ("plain", "plain")] {
        let name = format!("just.just_{tool}");
        let answer = called(&project, &name, &json!({}));
        let text = answer["content"][0]["text"].as_str().unwrap();
        assert_eq!(answer["structuredContent"]["confirmation_required"], true, "{answer:#}");
        let shown = project.answer_at_terminal("y\r", &["approve", &id_in(text)]);
        assert_eq!(shown.code, 0, "{shown:?}");
        let answer = called(&project, &name, &json!({}));
        assert!(
            answer["structuredContent"]["data"]["stdout"].as_str().unwrap().ends_with(&format!("{said}\n")),
            "{answer:#}"
        );
    }
    project.cuff(["run", "danger"]).ended_with(126);
}

#[test]
fn a_change_of_any_file_is_offered_and_notified() {
    let Some(project) = full() else { return };
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize();
    session.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let names = session.names();
    assert!(names.contains(&"just.just_more".to_owned()), "{names:?}");
    for (file, text, name) in [
        ("justfile", format!("{JUSTFILE}\nextra:\n    @echo extra\n"), "just.just_extra"),
        ("more.just", "other:\n    @echo other\n".to_owned(), "just.just_other"),
        ("ops/mod.just", "down:\n    @echo down\n".to_owned(), "just.just_ops__down"),
    ] {
        project.write(file, text);
        let said = session.hear_within(Duration::from_secs(30)).unwrap();
        assert_eq!(said["method"], "notifications/tools/list_changed", "{file}: {said}");
        let names = session.names();
        assert!(names.contains(&name.to_owned()), "{file}: {names:?}");
    }
    project.write("justfile", "broken\n");
    session.hear_within(Duration::from_secs(30)).unwrap();
    assert_eq!(session.names(), ["just.just_list_recipes"]);
    session.leave();
    let said = project.cuff(["list"]);
    let said = said.stdout + &said.stderr;
    assert!(said.contains("justfile:1: just cannot read the justfile: "), "{said}");
}

#[test]
fn a_yes_is_for_the_files_of_the_justfile_as_they_were() {
    let Some(project) = full() else { return };
    project.write("settings.yml", "version: '1'\nplugins:\n  just: {config: {confirm: hello}}\n");
    let call = || called(&project, "just.just_hello", &json!({}));
    for (file, text) in [
        ("more.just", "more:\n    @echo evil\n"),
        ("ops/mod.just", "up:\n    @echo evil\n"),
        ("justfile", "import 'more.just'\nmod ops\nhello:\n    @echo evil\n"),
    ] {
        let answer = call();
        let id = id_in(answer["content"][0]["text"].as_str().unwrap());
        assert_eq!(project.answer_at_terminal("y\r", &["approve", &id]).code, 0);
        project.write(file, text);
        let answer = call();
        assert_ne!(answer["structuredContent"]["success"], true, "{file}: {answer:#}");
    }
}

/// The answer that contract tests and unit tests take for just's is its own.
#[test]
fn the_recorded_answer_is_what_just_says() {
    let Some(just) = require("just") else { return };
    let project = Project::of("just");
    let mut command = Command::new(just);
    project.surround(&mut command);
    command.args(["--justfile", "justfile", "--dump", "--dump-format", "json"]);
    let said: Value = Run::of(command).succeeded().json();
    let recorded: Value = serde_json::from_str(&project.read("probes/just")).unwrap();
    for part in ["recipes", "assignments", "settings", "aliases"] {
        assert_eq!(said[part], recorded[part], "{part}: record it anew");
        assert_eq!(
            said["modules"]["ci"][part], recorded["modules"]["ci"][part],
            "{part} of ci: record it anew"
        );
    }
}

#[test]
fn parameters_are_typed_and_given_by_their_names() {
    let Some(project) = project(
        "# Greet\n[arg('loud', long, value='yes')]\ngreet who loud='' +more='again':\n    @echo {{who}} {{loud}} {{more}}\n\
         # Build\nbuild target='all':\n    @echo {{target}}\n",
        "",
    ) else {
        return;
    };
    let mut session = McpSession::begun(&project, &[]);
    let tools = session.ask("tools/list", json!({}));
    let greet =
        tools["result"]["tools"].as_array().unwrap().iter().find(|tool| tool["title"] == "greet").unwrap();
    let schema = &greet["inputSchema"];
    assert_eq!(schema["required"], json!(["who"]), "{schema:#}");
    for (name, expected) in [
        ("who", json!({"type": "string"})),
        ("loud", json!({"type": "boolean"})),
        ("more", json!({"type": "array", "items": {"type": "string"}})),
        ("args", Value::Null),
    ] {
        assert_eq!(schema["properties"][name], expected, "{schema:#}");
    }
    for (arguments, expected) in [
        (json!({"who": "moon", "loud": true, "more": ["a", "b"]}), "moon yes a b\n"),
        (json!({"args": ["moon"]}), "moon again\n"),
        (json!({"who": "moon; id"}), "holds ';'"),
        (json!({"more": ["x"]}), "more is given by its place, behind who"),
        (json!({"who": "moon", "other": 1}), "other"),
    ] {
        let answer = session.call("just.just_greet", &arguments).to_string();
        let expected = expected.replace('\n', "\\n");
        assert!(answer.contains(&expected), "{arguments}: {answer}");
    }
    session.leave();
    let help = project.cuff(["run", "build", "--", "--help"]).succeeded().stdout;
    insta::assert_snapshot!(help, @r"
    Build: [TARGET=all]

    Usage: cuff run build [TARGET=all]

    Parameters:
      [TARGET=all]

    `cuff run --help` has the options of cuff.
    ");
    assert_eq!(project.cuff(["run", "build", "--help"]).succeeded().stdout, help);
    let listed = project.cuff(["list", "--long", "greet"]).succeeded().stdout;
    assert!(listed.contains("    WHO\n    [--loud]\n"), "{listed}");
}
