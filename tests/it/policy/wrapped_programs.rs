//! Words and variables that make a wrapped program run something else. The test first shows that each lands
//! on the bare program, and then that it does not as an agent's call.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::landing::Landing;
use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run};
use crate::support::tools;

/// A project whose scripts wrap programs, and a file that an attack makes where it lands.
struct Scene {
    project: Project,
    landing: Landing,
}

const SCRIPTS: [(&str, &str); 9] = [
    ("show", "node show.js"),
    ("tests", "node --test"),
    ("lint", "eslint ."),
    ("mk", "make build"),
    ("log", "git log"),
    ("pack", "tar cf x.tar show.js"),
    ("seek", "find . -name show.js"),
    ("serve", "node show.js &"),
    ("fmt", "sh -c 'true \"$@\"' --"),
];

impl Scene {
    fn new() -> Self {
        let project = Project::empty();
        let landing = Landing::beside(&project);
        let scripts: serde_json::Map<String, Value> =
            SCRIPTS.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
        project.write("package.json", json!({ "scripts": scripts }).to_string());
        project.write("show.js", "console.log('shown')\n");
        project.write("eslint.config.js", "module.exports = [];\n");
        let evil = format!("require('fs').writeFileSync('{}', '');module.exports = [];\n", landing.path());
        project.write("evil.js", evil);
        project.write("a.test.js", "require('node:test')('x', () => {});\n");
        project.write("Makefile", "build:\n\t@echo building $(A)\nclean:\n\t$(RM) nothing\n");
        project.script("evil.sh", format!("#!/bin/sh\n{}\n", landing.touch()));
        project.script("scripts/level.sh", "#!/bin/bash\nif [[ $LEVEL -gt 3 ]]; then echo high; fi\n");
        project.script("scripts/pack.sh", "#!/bin/sh\nfiles=$*\ntar cf /dev/null $files\n");
        project.write("settings.yml", settings(""));
        for words in [
            &["init", "-q"][..],
            &["add", "show.js"],
            &["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x"],
        ] {
            let mut git = Command::new("git");
            project.surround(git.args(words));
            Run::of(git).succeeded();
        }
        project.approve();
        Self { project, landing }
    }

    /// Runs the attack on the bare program.
    fn bare(&self, words: &[String], environment: &[(&str, String)]) {
        let mut command = Command::new(&words[0]);
        self.project.surround(command.args(&words[1..]));
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        let run = Run::of(command);
        assert!(self.landing.happened(), "{words:?} with {environment:?} should land: {run:?}");
    }

    /// Makes the call as an agent, which is refused.
    fn refused(&self, agent: &mut McpSession, tool: &str, arguments: &Value) -> String {
        let result = agent.call(tool, arguments);
        assert!(!self.landing.happened(), "{tool} {arguments} landed: {result}");
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        result["structuredContent"]["error"].as_str().unwrap_or_default().to_owned()
    }

    fn agent(&self) -> McpSession {
        McpSession::begun(&self.project, &[])
    }
}

fn settings(more: &str) -> String {
    format!(
        "version: '1'\nplugins:\n  packagejson: {{config: {{package_manager: npm{more}}}}}\n  \
         makefile: {{config: {{extractor: simple}}}}\n  scripts: {{config: {{patterns: ['scripts/*.sh']}}}}\n"
    )
}

fn words(line: &[&str]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

#[test]
fn a_variable_that_is_a_file_of_variables_reaches_no_node() {
    for (manager, program) in [("npm", "npm"), ("pnpm", "pnpm"), ("yarn", "yarn")] {
        if tools::require(program).is_none() || tools::require("node").is_none() {
            return;
        }
        let scene = Scene::new();
        scene.project.write(
            "settings.yml",
            settings("").replace("package_manager: npm", &format!("package_manager: {manager}")),
        );
        scene.project.approve();
        let url = format!(
            "data:text/javascript,import(%22node:fs%22).then(f=>f.writeFileSync(%22{}%22,%22%22))",
            scene.landing.path()
        );
        let value = format!("\nNODE_OPTIONS=--import={url}\n");
        let file = "--env-file=/proc/self/environ";
        let line: &[&str] = if manager == "npm" {
            &["npm", "run", "show", "--", file]
        } else {
            &[manager, "run", "show", file]
        };
        scene.bare(&words(line), &[("X", value.clone())]);
        let mut agent = scene.agent();
        let tool = format!("packagejson.{manager}_show");
        for (arguments, expected) in [
            (
                json!({"extra_args": file, "env": {"X": value}}),
                "The value of environment variable X holds \\u{a}",
            ),
            (
                json!({"extra_args": file}),
                "\"--env-file=/proc/self/environ\" is not passed on: node would read",
            ),
            (json!({"extra_args": "--env-file-if-exists=/x"}), "node would read variables from that file"),
        ] {
            let said = scene.refused(&mut agent, &tool, &arguments);
            assert!(said.contains(expected), "{said}");
        }
        // Other options of node come behind the script, which gets them.
        let passed = agent.call(&tool, &json!({"extra_args": "--import=./evil.js -r ./evil.js"}));
        assert_eq!(passed["isError"], json!(false), "{passed}");
        assert!(!scene.landing.happened());
        agent.leave();
    }
}

#[test]
fn words_that_a_wrapped_program_acts_on_are_refused() {
    if ["npm", "eslint", "make", "node"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let scene = Scene::new();
    let mut agent = scene.agent();
    let script = scene.project.root().join("evil.sh").display().to_string();
    let shell = format!("SHELL={script}");
    for (tool, bare, attack) in [
        ("lint", vec!["eslint", "."], vec!["-c", "evil.js"]),
        ("lint", vec!["eslint", "."], vec!["--config=evil.js"]),
        ("mk", vec!["make", "build"], vec![&shell]),
        ("tests", vec!["node", "--test"], vec!["--import", "./evil.js"]),
    ] {
        let bare: Vec<String> = words(&bare).into_iter().chain(words(&attack)).collect();
        scene.bare(&bare, &[]);
        let line = shlex::try_join(attack.iter().copied()).expect("no NUL");
        let said =
            scene.refused(&mut agent, &format!("packagejson.npm_{tool}"), &json!({ "extra_args": line }));
        assert!(
            said.starts_with(&format!("{:?} is not passed on: ", attack[0])),
            "{tool} {attack:?}: {said}"
        );
    }
    agent.leave();
}

#[test]
fn a_refusal_names_the_word_and_the_line_that_allows_it() {
    if ["npm", "node", "make"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let scene = Scene::new();
    let mut agent = scene.agent();
    for (tool, line, expected) in [
        ("mk", "A=b", "\"A=b\" is not passed on: make runs other tools of this project"),
        ("mk", "deploy", "\"deploy\" is not passed on: make runs other tools of this project"),
        ("serve", "./evil.sh", "\"./evil.sh\" is not passed on: its text joins commands by more than `&&`"),
        ("tests", "../evil.js", "\"../evil.js\" is not passed on: it lies outside of the project"),
        ("tests", "--import=./evil.js", "node --test takes only flags that filter, select or report"),
        (
            "lint",
            "--fix",
            "\"--fix\" is not passed on: eslint takes only flags that filter, select or report",
        ),
    ] {
        let said =
            scene.refused(&mut agent, &format!("packagejson.npm_{tool}"), &json!({ "extra_args": line }));
        assert!(said.contains(expected), "{tool} {line}: {said}");
    }
    // Everyday words pass, and the audit log has a line for each refusal.
    let passed = agent.call("packagejson.npm_show", &json!({"extra_args": "--verbose -p 3000"}));
    assert_eq!(passed["isError"], json!(false), "{passed}");
    agent.leave();
    let audit = scene.project.cuff(["audit", "--json"]).succeeded().stdout;
    assert!(audit.contains("make runs other tools of this project"), "{audit}");
}

#[test]
fn variables_that_reach_make_and_bash_are_plain_text() {
    if ["npm", "make", "bash"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let scene = Scene::new();
    let touch = format!("touch {}", scene.landing.path());
    scene.bare(&words(&["npm", "run", "mk"]), &[("A", format!("$(shell {touch})"))]);
    scene.bare(&words(&["make", "-e", "clean"]), &[("RM", touch.clone())]);
    scene.bare(&words(&["/bin/bash", "scripts/level.sh"]), &[("LEVEL", format!("a[$({touch})]"))]);
    let mut agent = scene.agent();
    for (tool, name, value, expected) in [
        (
            "packagejson.npm_mk",
            "A",
            format!("$(shell {touch})"),
            "The value of environment variable A holds $",
        ),
        ("packagejson.npm_mk", "RM", touch.clone(), "Blocked environment variables: RM"),
        ("packagejson.npm_mk", "MAKE_COMMAND", touch.clone(), "Blocked environment variables: MAKE_COMMAND"),
        ("makefile.make_build", "A", "x y".into(), ""),
        (
            "makefile.make_build",
            "A",
            "--x".into(),
            "puts environment variable A in the place of a program or an option",
        ),
        (
            "scripts.script_scripts_level",
            "LEVEL",
            format!("a[$({touch})]"),
            "The value of environment variable LEVEL holds [",
        ),
        ("scripts.script_scripts_level", "PREFIX", "x".into(), "Blocked environment variables: PREFIX"),
        ("scripts.script_scripts_level", "PYLINTRC", "x".into(), "Blocked environment variables: PYLINTRC"),
        (
            "scripts.script_scripts_level",
            "COMPOSE_FILE",
            "x".into(),
            "Blocked environment variables: COMPOSE_FILE",
        ),
    ] {
        let arguments = json!({"env": {name: value}});
        if expected.is_empty() {
            assert_eq!(agent.call(tool, &arguments)["isError"], json!(false), "{tool} {arguments}");
        } else {
            let said = scene.refused(&mut agent, tool, &arguments);
            assert!(said.contains(expected), "{said}");
        }
    }
    agent.leave();
}

#[test]
fn settings_narrow_words_and_variables_of_single_tools() {
    if tools::require("npm").is_none() {
        return;
    }
    let scene = Scene::new();
    scene.project.write(
        "settings.yml",
        settings(
            ", env: [NODE_ENV, CI], words: values, tools: {tests: {env: none}, 'npm_log': {words: none}}",
        ),
    );
    scene.project.approve();
    let mut agent = scene.agent();
    for (tool, arguments, expected) in [
        ("show", json!({"env": {"CI": "1"}, "extra_args": "word"}), ""),
        ("show", json!({"env": {"PORT": "1"}}), "Environment variables that the settings do not allow: PORT"),
        (
            "show",
            json!({"extra_args": "--verbose"}),
            "\"--verbose\" is no value: the settings say `words: values`",
        ),
        ("show", json!({"extra_args": "A=b"}), "\"A=b\" is no value"),
        ("tests", json!({"env": {"CI": "1"}}), "Environment variables that the settings do not allow: CI"),
        ("log", json!({"extra_args": "HEAD"}), "the settings say `words: none` for this tool"),
    ] {
        let tool = format!("packagejson.npm_{tool}");
        if expected.is_empty() {
            assert_eq!(agent.call(&tool, &arguments)["isError"], json!(false), "{tool} {arguments}");
        } else {
            let said = scene.refused(&mut agent, &tool, &arguments);
            assert!(said.contains(expected), "{said}");
        }
    }
    // Settings also open what the rules refuse.
    let opened = ", tools: {mk: {words: flags}, lint: {words: values}}";
    scene.project.write("settings.yml", settings(opened));
    scene.project.approve();
    assert_eq!(agent.call("packagejson.npm_mk", &json!({"extra_args": "clean"}))["isError"], json!(false));
    let said = scene.refused(&mut agent, "packagejson.npm_lint", &json!({"extra_args": "-c evil.js"}));
    assert!(said.contains("`words: values`"), "{said}");
    // A narrower setting holds at once, a looser one waits for a person.
    scene.project.write(
        "settings.yml",
        settings(
            ", env: [NODE_ENV, CI], words: values, tools: {tests: {env: none}, 'npm_log': {words: none}}",
        ),
    );
    scene.project.approve();
    scene.project.write(
        "settings.yml",
        settings(", env: none, words: values, tools: {tests: {env: none}, 'npm_log': {words: none}}"),
    );
    let said = scene.refused(&mut agent, "packagejson.npm_show", &json!({"env": {"CI": "1"}}));
    assert!(said.contains("do not allow: CI"), "{said}");
    scene.project.write("settings.yml", settings(", tools: {mk: {words: flags}}"));
    let said = scene.refused(&mut agent, "packagejson.npm_mk", &json!({"extra_args": "clean"}));
    assert!(said.contains("make runs other tools") || said.contains("`words: values`"), "{said}");
    let said = scene.refused(&mut agent, "packagejson.npm_show", &json!({"extra_args": "--verbose"}));
    assert!(said.contains("`words: values`"), "{said}");
    agent.leave();
    // Nobody keeps a person from anything.
    scene.project.cuff(["run", "npm_log", "--env", "PORT=1", "--", "--oneline"]).succeeded();
}

#[test]
fn limits_that_are_misspelt_take_the_instance_out() {
    let scene = Scene::new();
    for (config, expected) in [
        ("env: {A: b}", "`env` names those that a call may set"),
        ("env: [A-B]", "`env[0]` must be the name of a variable"),
        ("words: value", "did you mean `values`?"),
        ("tools: [x]", "must be a mapping of patterns to limits"),
        ("tools: {x: {word: none}}", "did you mean `words`?"),
        ("tool: {x: {words: none}}", "did you mean `tools`?"),
    ] {
        scene.project.write("settings.yml", settings(&format!(", {config}")));
        let listed = scene.project.cuff(["list", "--plugin", "packagejson"]);
        assert!(listed.stderr.contains(expected), "{config}: {}", listed.stderr);
    }
}

#[test]
fn a_person_at_a_terminal_is_not_governed() {
    if ["npm", "make"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let scene = Scene::new();
    let output = format!("--output={}", scene.landing.path());
    scene.project.cuff(["run", "npm_log", "--", &output]).succeeded();
    assert!(scene.landing.happened(), "git wrote where the person said");
    let made = scene.project.cuff([
        "run",
        "make_build",
        "--env",
        "LD_X=1",
        "--",
        "clean",
        "A=$(shell echo ran)",
        "-i",
    ]);
    let made = made.succeeded().stdout;
    assert!(made.contains("building ran\n") && made.contains("nothing\n"), "{made}");
    let level =
        scene.project.cuff(["run", "scripts/level.sh", "--env", "LEVEL=4", "--env", "PATH=/usr/bin:/bin"]);
    assert_eq!(level.succeeded().stdout, "high\n");
    let why = scene.project.cuff(["why", "npm_mk", "--json", "--", "clean"]).succeeded().json();
    assert_eq!((&why["decision"], &why["agents"]["allowed"]), (&json!("permitted"), &json!(false)), "{why}");
}
