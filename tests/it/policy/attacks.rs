//! The table of attacks: each lands on the bare program, which the test shows first, and not through cuff.

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::support::landing::Landing;
use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run};
use crate::support::tools;

/// A project with tools under npm, bash, python and perl, and evil things beside it. Calls come from inside a
/// run, as those of an agent's shell do, unless the scene is a person's.
struct Scene {
    project: Project,
    evil: PathBuf,
    landing: Landing,
}

impl Scene {
    fn new() -> Self {
        let person = Self::of_person();
        Self { project: person.project.inside_a_run(), ..person }
    }

    fn of_person() -> Self {
        let project = Project::empty();
        let landing = Landing::beside(&project);
        let evil = project.outside().join("evil");
        project.write("package.json", r#"{"scripts": {"show": "node show.js"}}"#);
        project.write("show.js", "process.argv.slice(2).forEach(word => console.log(JSON.stringify(word)))");
        project.script("scripts/hello.sh", "#!/bin/bash\n# Greets\necho hello\n");
        project.script("scripts/hello.py", "#!/usr/bin/env python3\nprint('hello')\n");
        project.script("scripts/hello.pl", "#!/usr/bin/env perl\nprint 'hello';\n");
        let scene = Self { project, evil, landing };
        let touch = scene.landing.touch() + "\n";
        scene.project.script("scripts/pack.sh", "tar cf tmp.tar show.js && tar xf tmp.tar\n");
        scene.plant("run", &format!("#!/bin/sh\n{touch}"));
        scene.plant("bash_env", &touch);
        scene.plant("node.js", &format!("require('fs').writeFileSync('{}', '')", scene.landing.path()));
        scene.plant("path/node", &format!("#!/bin/sh\n{touch}"));
        scene.plant("python/sitecustomize.py", &format!("open('{}', 'w')", scene.landing.path()));
        scene.plant(
            "perl/Evil.pm",
            &format!("package Evil; open(my $f, '>', '{}'); 1;", scene.landing.path()),
        );
        scene.plant("home/.npmrc", &format!("script-shell={}\n", scene.evil.join("run").display()));
        scene.plant(
            "preload.c",
            &format!(
                "#include <fcntl.h>\n__attribute__((constructor)) static void f(void) {{ open(\"{}\", O_CREAT, 0600); }}\n",
                scene.landing.path()
            ),
        );
        scene
    }

    /// The same with scripts that run under this manager, in the version that `program` is.
    fn under(manager: &str, program: &str) -> Self {
        let mut scene = Self::of_person();
        let settings =
            format!("version: '1'\nplugins:\n  packagejson: {{config: {{package_manager: {manager}}}}}\n");
        scene.project.write("settings.yml", settings);
        if program != manager {
            let folder = scene.project.outside().join("programs");
            std::fs::create_dir(&folder).expect("a folder of ours");
            let path = tools::path_with(program, manager, &folder);
            scene.project = scene.project.variable("PATH", path);
        }
        if program == "yarn4" {
            // Yarn 2 and later run nothing in a package that was never installed.
            scene.project.write(".yarnrc.yml", "nodeLinker: node-modules\nenableTelemetry: false\n");
            scene.project.write("yarn.lock", "");
            let mut install = Command::new("yarn");
            install.arg("install");
            scene.project.surround(&mut install);
            Run::of(install).succeeded();
        }
        scene
    }

    fn plant(&self, path: &str, text: &str) {
        // Beside the project: `write` takes any path from the root.
        self.project.script(&format!("../evil/{path}"), text);
    }

    fn evil(&self, path: &str) -> String {
        self.evil.join(path).display().to_string()
    }

    /// The attack on the bare program.
    fn bare(&self, words: &[&str], environment: &[(&str, String)]) -> bool {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        self.project.surround(&mut command);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        let run = Run::of(command);
        self.landing.happened() || panic!("{words:?} with {environment:?} should land: {run:?}")
    }

    /// The attack through cuff.
    fn through_cuff(&self, tool: &[&str], environment: &[(&str, String)]) -> Run {
        let mut words: Vec<String> = tool.iter().map(ToString::to_string).collect();
        words.extend(environment.iter().map(|(name, value)| format!("--env={name}={value}")));
        let run = self.project.cuff(&words);
        assert!(!self.landing.happened(), "{words:?} landed: {run:?}");
        run
    }
}

/// The bare program, the tool that runs the same through cuff, and the variables.
type Case<'a> = (&'a [&'a str], &'a str, &'a [(&'a str, String)]);

const NPM: &[&str] = &["npm", "run", "show"];
const BASH: &[&str] = &["/bin/bash", "scripts/hello.sh"];
const TAR: &[&str] = &["/bin/sh", "scripts/pack.sh"];
const PYTHON: &[&str] = &["python3", "scripts/hello.py"];
const PERL: &[&str] = &["perl", "scripts/hello.pl"];

#[test]
fn variables_that_run_code_before_the_tool_are_refused() {
    let scene = Scene::new();
    let object = scene.evil("preload.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o", &object, &scene.evil("preload.c")])
        .status()
        .expect("a C compiler, which Rust needs as well");
    assert!(compiled.success());
    let path = format!("{}:{}", scene.evil("path"), tools::path().display());
    let cases: &[Case] = &[
        (NPM, "show", &[("npm_config_script_shell", scene.evil("run"))]),
        (NPM, "show", &[("NPM_CONFIG_SCRIPT_SHELL", scene.evil("run"))]),
        (NPM, "show", &[("NODE_OPTIONS", format!("--require={}", scene.evil("node.js")))]),
        (NPM, "show", &[("HOME", scene.evil("home"))]),
        (NPM, "show", &[("PATH", path)]),
        (NPM, "show", &[("LD_PRELOAD", object)]),
        (BASH, "scripts/hello.sh", &[("BASH_ENV", scene.evil("bash_env"))]),
        (BASH, "scripts/hello.sh", &[("BASH_FUNC_echo%%", format!("() {{ {}; }}", scene.evil("run")))]),
        (TAR, "scripts/pack.sh", &[("TAR_OPTIONS", format!("--to-command={}", scene.evil("run")))]),
        (PYTHON, "scripts/hello.py", &[("PYTHONPATH", scene.evil("python"))]),
        (PERL, "scripts/hello.pl", &[("PERL5OPT", format!("-I{} -MEvil", scene.evil("perl")))]),
    ];
    for (bare, tool, environment) in cases {
        // Linux alone knows LD_PRELOAD.
        if cfg!(target_os = "linux") || environment[0].0 != "LD_PRELOAD" {
            assert!(scene.bare(bare, environment));
        }
        let plugin = if *tool == "show" { "packagejson" } else { "scripts" };
        scene.project.write(
            "settings.yml",
            "version: '1'\nplugins:\n  packagejson: {}\n  scripts:\n    config: {patterns: ['scripts/*']}\n",
        );
        let run = scene.through_cuff(&[plugin, "run", tool], environment).ended_with(126);
        assert!(run.stderr.contains(environment[0].0), "the message names it: {}", run.stderr);
    }
}

#[test]
fn shell_characters_never_reach_a_shell() {
    let person = Scene::of_person();
    let scene = Scene::new();
    let settings = "version: '1'\nplugins:\n  packagejson: {}\n  scripts:\n    config: {patterns: ['scripts/hello.sh']}\n";
    scene.project.write("settings.yml", settings);
    let mut agent = McpSession::begun(&scene.project, &[]);
    let touch = scene.evil("run");
    for hostile in [
        format!("; {touch}"),
        format!("$({touch})"),
        format!("`{touch}`"),
        format!("x\n{touch}"),
        format!("x\r{touch}"),
        format!("| {touch}"),
        format!("&& {touch}"),
    ] {
        let run = scene.through_cuff(&["packagejson", "run", "show", "--", &hostile], &[]).ended_with(126);
        assert!(run.stderr.contains("Dangerous character in arguments: "), "{}", run.stderr);
        let run = scene.through_cuff(&["scripts", "run", "scripts/hello.sh", "--", &hostile], &[]);
        let run = run.ended_with(126);
        assert!(run.stderr.contains("Argument contains dangerous characters: "), "{}", run.stderr);
        let quoted = format!("'{hostile}'");
        for (tool, arguments, said) in [
            ("packagejson.npm_show", json!({"extra_args": quoted}), "Dangerous character in arguments: "),
            (
                "scripts.script_scripts_hello",
                json!({"args": [hostile]}),
                "Argument contains dangerous characters: ",
            ),
        ] {
            let refused = agent.call(tool, &arguments);
            let error = refused["structuredContent"]["error"].as_str().unwrap_or_default();
            assert!(error.contains(said), "{refused}");
        }
        // A person's words arrive as words, or are refused.
        person.through_cuff(&["packagejson", "run", "show", "--", &hostile], &[]);
        person.through_cuff(&["scripts", "run", "scripts/hello.sh", "--", &hostile], &[]).succeeded();
    }
    agent.leave();
    assert!(!scene.landing.happened() && !person.landing.happened());
}

/// A word that passes arrives as one word, whichever manager carries it. A word that a manager would take for
/// itself is refused.
#[test]
fn words_stay_single_words_under_every_manager() {
    for (manager, program) in [
        ("npm", "npm"),
        ("pnpm", "pnpm"),
        ("pnpm", "pnpm8"),
        ("yarn", "yarn"),
        ("yarn", "yarn4"),
        ("bun", "bun"),
    ] {
        if tools::require(program).is_none() {
            return;
        }
        let scene = Scene::under(manager, program);
        for word in hostile_words(&scene) {
            stays_a_word(&scene, program, &word);
        }
    }
}

fn hostile_words(scene: &Scene) -> Vec<String> {
    let plain = [
        "plain",
        "two words",
        ">",
        "<",
        "*",
        "?",
        "~",
        "{a,b}",
        "a'b",
        "a\"b",
        "a\\b",
        "#",
        "!",
        "%PATH%",
        "é🚀",
        "",
        "--flag",
        "--",
        "-",
        "--prefix=/tmp",
        "-C/tmp",
        "--cwd=/tmp",
        "--version",
        "--help",
        "-h",
        "--silent",
        "--if-present",
        "--filter=x",
        "--shell=system",
    ];
    let redirect = format!(">{}", scene.landing.path());
    let shell = format!("--script-shell={}", scene.evil("run"));
    plain.into_iter().map(str::to_owned).chain([redirect, shell]).collect()
}

fn stays_a_word(scene: &Scene, program: &str, word: &str) {
    let run = scene.through_cuff(&["run", "show", "--", word], &[]);
    let printed: Vec<String> = run
        .stdout
        .lines()
        .filter(|line| line.starts_with('"'))
        .map(|line| serde_json::from_str(line).expect("what show.js prints"))
        .collect();
    match run.code {
        0 => assert_eq!(printed, [word], "{program}: {run:?}"),
        126 => assert_eq!(printed, Vec::<String>::new(), "{program} {word:?}: {run:?}"),
        code => panic!("{program} {word:?} ended with {code}: {run:?}"),
    }
}

#[test]
fn script_paths_outside_the_allow_list_run_nothing() {
    let scene = Scene::new();
    std::os::unix::fs::symlink(scene.evil("run"), scene.project.root().join("scripts/link.sh"))
        .expect("a link");
    let inside = scene.project.root().join("scripts/hello.sh").display().to_string();
    let settings =
        "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*.sh', 'scripts/*.py']}}}\n";
    scene.project.write("settings.yml", settings);
    for (path, code) in [
        ("../evil/run", 126),
        (&scene.evil("run"), 126),
        ("scripts/../../evil/run", 126),
        ("scripts/link.sh", 126),
        ("show.js", 127),
        (&inside, 127),
    ] {
        let run = scene.through_cuff(&["scripts", "run", path], &[]).ended_with(code);
        assert!(run.stderr.contains("error: "), "{}", run.stderr);
    }
    let list = scene.project.cuff(["scripts", "list"]);
    assert!(
        list.stderr.contains("Script resolves outside base directory: scripts/link.sh"),
        "{}",
        list.stderr
    );
}

#[test]
fn arguments_that_are_not_utf8_are_refused_by_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let scene = Scene::new();
    let broken = OsStr::from_bytes(b"caf\xe9");
    scene.project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    let words = [OsStr::new("packagejson"), OsStr::new("run"), OsStr::new("show"), broken];
    let run = scene.project.cuff(words).ended_with(64);
    assert!(run.stderr.contains("argument 1 is not valid UTF-8"), "{}", run.stderr);
    let person = Scene::of_person();
    for name in ["A B", "1A", ""] {
        let variable = format!("--env={name}=x");
        let run = scene.project.cuff(["packagejson", "run", "show", &variable]).ended_with(126);
        assert!(run.stderr.contains(&format!("{name:?} is not plain")), "{}", run.stderr);
        // A person may set every variable that a process can get; an empty name is none.
        let code = if name.is_empty() { 126 } else { 0 };
        person.project.cuff(["packagejson", "run", "show", &variable]).ended_with(code);
    }
}

/// Settings are the operator's: what a call may not set, they may.
#[test]
fn the_operator_may_set_what_a_call_may_not() {
    let scene = Scene::new();
    let settings = format!(
        "version: '1'\nplugins:\n  packagejson:\n    config:\n      containment: 'off'\n      environment:\n        NODE_OPTIONS: --require={}\n",
        scene.evil("node.js")
    );
    scene.project.write("settings.yml", settings);
    let run = scene.project.cuff(["run", "show", "word"]).succeeded();
    assert!(scene.landing.happened() && run.stdout.contains("\"word\""), "{run:?}");
}
