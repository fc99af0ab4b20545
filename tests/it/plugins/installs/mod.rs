//! Real installs by npm, pnpm and bun: confirmed, refused, at the terminal and over MCP.

mod registry;

use std::process::Command;

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run};
use crate::support::terminal::Shown;
use crate::support::tools;
use registry::Registry;

const MANAGERS: [&str; 3] = ["npm", "pnpm", "bun"];

/// A project for one manager, with a registry that has the package `moon`, and a script of its own that an install runs.
struct Scene {
    manager: &'static str,
    project: Project,
    /// Ends with the scene.
    _registry: Registry,
}

impl Scene {
    /// `None` where the manager is missing and may be.
    fn new(manager: &'static str) -> Option<Self> {
        for program in [manager, "node", "npm", "python3"] {
            tools::require(program)?;
        }
        let project = Project::empty();
        let registry = Registry::start(&project);
        let address = registry.address();
        project.write(".npmrc", format!("registry={address}\naudit=false\nfund=false\n"));
        let manifest = json!({"name": "sky", "version": "1.0.0", "license": "MIT", "private": true,
            "scripts": {"postinstall": "node -e \"fs.writeFileSync('scripted', '')\""}});
        project.write("package.json", format!("{manifest:#}\n"));
        let port = address.trim_end_matches('/').rsplit(':').next().unwrap_or_default();
        let open = format!("{{containment: {{network: {{loopback: [{port}]}}}}}}");
        project.write("settings.yml", format!("version: '1'\nplugins:\n  {manager}: {{config: {open}}}\n"));
        Some(Self { manager, project, _registry: registry })
    }

    fn tool(&self, task: &str) -> String {
        format!("{}.{task}", self.manager)
    }

    /// `cuff run` of a task at a terminal, with this answer to the question.
    fn answered(&self, answer: &str, task: &str, words: &[&str]) -> Shown {
        let tool = self.tool(task);
        let mut all = vec!["run", &tool, "--"];
        all.extend(words);
        self.project.answer_at_terminal(answer, &all)
    }

    /// Whether the package is installed.
    fn is_installed(&self) -> bool {
        self.exists("node_modules/moon/package.json")
    }

    fn exists(&self, path: &str) -> bool {
        self.project.root().join(path).exists()
    }

    /// Removes the files of an install, except the lock file and package.json.
    fn clear(&self) {
        for path in ["node_modules", "scripted"] {
            let path = self.project.root().join(path);
            if path.is_dir() {
                std::fs::remove_dir_all(&path).expect("a folder of the install's");
            } else if path.exists() {
                std::fs::remove_file(&path).expect("a file of the install's");
            }
        }
    }
}

#[test]
fn who_types_an_install_is_asked_where_settings_say_so_alone() {
    for scene in MANAGERS.into_iter().filter_map(Scene::new) {
        let manager = scene.manager;
        scene.answered("", "install", &["moon"]).succeeded();
        assert!(scene.is_installed(), "{manager}: without a question");
        scene.clear();
        let settings = format!("version: '1'\nplugins:\n  {manager}:\n    config:\n      confirm: install\n");
        scene.project.write("settings.yml", settings);
        let question = format!(
            "(settings.yml:5  confirm: install)\n  in {}\n  not contained: it has your rights and the network\nRun `{manager} install --save-dev moon@'^1'`?",
            scene.project.root().display()
        );
        for (answer, code) in [("n\r", 126), ("\r", 126), ("\u{3}", 130)] {
            let run = scene.answered(answer, "install", &["--save-dev", "moon@^1"]).ended_with(code);
            assert!(run.text.contains(&question), "{}", run.text);
            assert!(run.text.contains("Nothing was run"), "{}", run.text);
            assert!(!scene.exists("node_modules") && !scene.exists("scripted"), "{manager}");
        }
        // If no person can be asked, the question waits.
        let run = scene.project.cuff(["run", &scene.tool("install"), "moon"]).ended_with(126);
        assert!(run.stderr.contains("cuff approve "), "{}", run.stderr);
        let run = scene.project.cuff(["run", &scene.tool("install"), "--yes", "moon"]).ended_with(126);
        assert!(run.stderr.contains("cuff approve "), "a yes that is no person's: {}", run.stderr);
        assert!(!scene.exists("node_modules"), "{manager}");

        let dry = scene.project.cuff(["run", &scene.tool("install"), "--dry-run", "moon"]).succeeded();
        assert_eq!(dry.stdout, format!("Would execute: {manager} install moon\n"));

        let run = scene.answered("y\r", "install", &["--save-dev", "moon@^1"]).succeeded();
        assert!(run.text.contains(&question), "{}", run.text);
        assert!(scene.is_installed(), "{manager}: {}", run.text);
        let manifest: Value = serde_json::from_str(&scene.project.read("package.json")).expect("JSON");
        let range = manifest["devDependencies"]["moon"].as_str();
        assert!(range.is_some_and(|range| range.starts_with("^1")), "{manager}: {manifest}");
    }
}

#[test]
fn scripts_can_be_left_out() {
    for scene in MANAGERS.into_iter().filter_map(Scene::new) {
        scene.answered("", "install", &["moon"]).succeeded();
        scene.clear();
        let run = scene.answered("", "install", &["--ignore-scripts"]).succeeded();
        assert!(scene.is_installed() && !scene.exists("scripted"), "{}: {}", scene.manager, run.text);
        scene.clear();
        let run = scene.answered("", "install", &[]).succeeded();
        assert!(scene.is_installed() && scene.exists("scripted"), "{}: {}", scene.manager, run.text);
    }
}

#[test]
fn an_agent_waits_for_a_person_each_time() {
    for scene in MANAGERS.into_iter().filter_map(Scene::new) {
        let manager = scene.manager;
        scene.answered("", "install", &["moon"]).succeeded();
        scene.clear();
        let mut agent = McpSession::begun(&scene.project, &[]);
        let tool = scene.tool("ci");
        let call = |agent: &mut McpSession| agent.call(&tool, &json!({"args": ["--prefer-offline"]}));

        let first = call(&mut agent);
        let id = waits(&first, &tool);
        assert_eq!(waits(&call(&mut agent), &tool), id, "{manager}: one question, however often it is asked");
        let nobody = scene.project.cuff(["approve", &id]).ended_with(126);
        assert!(nobody.stderr.contains("only a person at a terminal can answer"), "{}", nobody.stderr);
        assert!(!scene.is_installed(), "{manager}");

        scene.project.answer_at_terminal("y", &["approve", &id]).succeeded();
        let other = agent.call(&tool, &json!({"args": ["--offline"]}));
        assert_ne!(waits(&other, &tool), id, "{manager}: a yes is for one command");
        assert!(!scene.is_installed(), "{manager}");
        let done = call(&mut agent);
        assert_eq!(done["structuredContent"]["success"], true, "{manager}: {done:#}");
        assert!(scene.is_installed() && scene.exists("scripted"), "{manager}: {done:#}");
        scene.clear();
        assert_ne!(waits(&call(&mut agent), &tool), id, "{manager}: a yes counts once");
        assert!(!scene.exists("node_modules"), "{manager}");
        agent.leave();
    }
}

/// The id under which a call waits for a person.
fn waits(answer: &Value, tool: &str) -> String {
    assert_eq!(answer["isError"], true, "{answer:#}");
    let result = &answer["structuredContent"];
    assert_eq!(result["tool"], *tool, "{answer:#}");
    assert!(result["error_code"].as_str().is_some_and(|code| code.ends_with("_307")), "{answer:#}");
    let help = result["help"].as_str().unwrap_or_default();
    let id = help.split("cuff approve ").nth(1).and_then(|rest| rest.split('`').next());
    id.unwrap_or_else(|| panic!("no id: {answer:#}")).to_owned()
}

/// Each has an effect with the bare program, shown first if it needs no network. Through cuff it has none,
/// even with a person at the terminal who confirms everything.
#[test]
fn installs_outside_the_project_are_refused_without_asking() {
    for scene in MANAGERS.into_iter().filter_map(Scene::new) {
        // A person is not governed.
        let scene = Scene { project: scene.project.inside_a_run(), ..scene };
        let manager = scene.manager;
        let outside = scene.project.outside();
        let landed = outside.join("landed");
        let touch = format!("touch '{}'\n", landed.display());
        let evil = scene.project.script("../evil/run", format!("#!/bin/sh\n{touch}")).display().to_string();
        let manifest = json!({"name": "evil", "version": "1.0.0", "scripts": {"postinstall": touch.trim()}});
        scene.project.write("../evil/package.json", manifest.to_string());
        scene.project.write(
            "../evil/pnpmfile.cjs",
            format!("require('fs').writeFileSync('{}', '')", landed.display()),
        );
        let folder = outside.join("evil").display().to_string();
        let attacks: &[Vec<String>] = &match manager {
            "npm" => [
                vec![format!("--script-shell={evil}")],
                vec!["--script-shell".into(), evil.clone()],
                vec![format!("--prefix={folder}")],
                vec!["--pref".into(), folder.clone()],
                vec!["-C".into(), folder.clone()],
            ]
            .to_vec(),
            "pnpm" => vec![
                vec![format!("--config.script-shell={evil}")],
                vec![format!("--pnpmfile={folder}/pnpmfile.cjs")],
                vec![format!("--dir={folder}")],
                vec!["-C".into(), folder.clone()],
            ],
            _ => vec![vec![format!("--cwd={folder}")], vec!["--cwd".into(), folder.clone()]],
        };
        for words in attacks {
            let mut bare = Command::new(manager);
            bare.arg("install").args(words);
            scene.project.surround(&mut bare);
            let run = Run::of(bare);
            assert!(landed.exists(), "{manager} {words:?} should land: {run:?}");
            std::fs::remove_file(&landed).expect("what just landed");
            scene.clear();

            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let run = scene.answered("", "install", &words).ended_with(126);
            assert!(run.text.contains("_304]") && !run.text.contains("[y/N]"), "{words:?}: {}", run.text);
            assert!(!landed.exists() && !scene.exists("scripted"), "{words:?}");
        }
        for words in
            [&["-g", "moon"][..], &["--global"], &["file:../evil"], &[&folder], &["moon@file:../evil"]]
        {
            let run = scene.answered("", "install", words).ended_with(126);
            assert!(!run.text.contains("[y/N]"), "{words:?}: {}", run.text);
        }
    }
}

#[test]
fn a_call_works_in_a_folder_of_the_project_and_in_no_other() {
    for scene in MANAGERS.into_iter().filter_map(Scene::new) {
        let manager = scene.manager;
        scene.project.write("web/package.json", r#"{"name": "web", "version": "1.0.0", "private": true}"#);
        scene
            .project
            .write("../evil/package.json", r#"{"name": "evil", "version": "1.0.0", "private": true}"#);
        std::os::unix::fs::symlink("../evil", scene.project.root().join("out")).expect("a folder of ours");
        let mut agent = McpSession::begun(&scene.project, &[]);
        let tool = scene.tool("install");
        for (cwd, expected) in [
            ("../evil", r#"cwd: "../evil" climbs with `..`"#),
            ("web/../../evil", r#"cwd: "web/../../evil" climbs with `..`"#),
            ("/", r#"cwd: "/" is absolute"#),
            ("out", "cwd: out leads out of the project, to "),
        ] {
            let answer = agent.call(&tool, &json!({"cwd": cwd, "args": ["moon"]}));
            let error = answer["structuredContent"]["error"].as_str().unwrap_or_default();
            assert!(error.starts_with(expected), "{manager}: {answer:#}");
        }
        let call = |agent: &mut McpSession| agent.call(&tool, &json!({"cwd": "web", "args": ["moon"]}));
        let id = waits(&call(&mut agent), &tool);
        scene.project.answer_at_terminal("y", &["approve", &id]).succeeded();
        let done = call(&mut agent);
        assert_eq!(done["structuredContent"]["success"], true, "{manager}: {done:#}");
        assert!(
            scene.exists("web/node_modules/moon") && !scene.exists("node_modules"),
            "{manager}: {done:#}"
        );
        agent.leave();
    }
}

#[test]
fn init_goes_by_lock_files() {
    let said = |files: &[(&str, &str)]| {
        let project = Project::empty();
        for (path, text) in files {
            project.write(path, text);
        }
        project.cuff(["init", "--yes", "--exclude", "packagejson"])
    };
    let own = ("package.json", r#"{"name": "x"}"#);
    said(&[own]).ended_with(1);
    let both = said(&[own, ("package-lock.json", "{}"), ("pnpm-lock.yaml", "")]).succeeded().stdout;
    insta::assert_snapshot!(both.replace("(CUFF)", ""), @r"
    Discovering plugins...
      [+] npm: Found package-lock.json
          Warning: pnpm-lock.yaml lies there as well: keep one package manager and its lock file
      [+] pnpm: Found pnpm-lock.yaml
          Warning: package-lock.json lies there as well: keep one package manager and its lock file

    Generated settings.yml with 2 plugins
    ");
    let asked = said(&[("package.json", r#"{"packageManager": "bun@1.2.0"}"#), ("package-lock.json", "{}")]);
    insta::assert_snapshot!(asked.succeeded().stdout, @r"
    Discovering plugins...
      [+] npm: Found package-lock.json
          Warning: package.json asks for bun as its packageManager, not npm
      [+] bun: Found packageManager: bun in package.json
          Warning: package-lock.json lies there as well: keep one package manager and its lock file

    Generated settings.yml with 2 plugins
    ");
}

#[test]
fn ci_without_a_lock_file_says_why() {
    let Some(scene) = Scene::new("npm") else { return };
    let run = scene.project.cuff(["run", "npm.ci"]).ended_with(127);
    assert!(
        run.stderr.contains("There is no package-lock.json for `ci` to go by [NPM_301]"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("`install` writes it"), "{}", run.stderr);
}

/// A fresh clone lacks the programs of its scripts: the hint names the install.
#[test]
fn a_fresh_clone_gets_the_command_that_installs() {
    for scene in MANAGERS.into_iter().filter_map(Scene::new) {
        let Scene { manager, project, .. } = &scene;
        project.write(
            "settings.yml",
            format!("version: '1'\nplugins:\n  {manager}: {{}}\n  packagejson: {{}}\n"),
        );
        let mut package: Value = serde_json::from_str(&project.read("package.json")).expect("JSON");
        package["scripts"] = json!({"check": "moon-of-nowhere", "other": "exit 3"});
        project.write("package.json", package.to_string());
        let help = "nothing that package.json depends on is installed";
        let run = |script: &str| project.cuff(["run", &format!("{manager}_{script}")]);
        assert!(!run("check").stderr.contains(help), "{manager}: it depends on nothing");

        scene.answered("", "install", &["moon"]).succeeded();
        assert!(!run("check").stderr.contains(help), "{manager}: it is installed");
        scene.clear();
        for script in ["check", "other"] {
            let run = run(script);
            let expected = format!("help: {help}: `cuff run ci`, then try again\n");
            assert!(run.stderr.contains(&expected), "{manager} {script}: {}", run.stderr);
        }
        let doctor = project.cuff(["doctor"]);
        assert!(doctor.stdout.contains(&format!("packagejson: {help}")), "{manager}: {}", doctor.stdout);
        let mut agent = McpSession::begun(project, &[]);
        let result = agent.call(&format!("packagejson.{manager}_check"), &json!({}));
        let expected = format!("{help}: call {manager}.ci, then try again");
        assert_eq!(result["structuredContent"]["help"], *expected, "{manager}: {result:#}");
        agent.leave();

        project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
        let stderr = run("check").stderr;
        assert!(stderr.contains(&format!("{help}: `{manager} install`")), "{manager}: {stderr}");
    }
}

/// An install in the root is one for the packages of its workspace, and for no other folder.
#[test]
fn install_hints_name_the_workspace_root() {
    let project = Project::empty();
    let package = json!({"dependencies": {"moon": "1"}, "scripts": {"check": "exit 1"}}).to_string();
    project.write("web/package.json", &package);
    let settings = "version: '1'\nplugins:\n  npm: {}\n  web: {module: packagejson, config: {working_directory: web}}\n  \
                    far: {module: packagejson, config: {working_directory: web}}\n";
    project.write("settings.yml", settings);
    let doctor_of = |root: Value| {
        project.write("package.json", root.to_string());
        project.cuff(["doctor"]).stdout
    };
    let what = "web, far: nothing that package.json depends on is installed\n      ";
    let doctor = doctor_of(json!({}));
    assert!(doctor.contains(&format!("{what}`npm install` in web\n")), "{doctor}");
    let doctor = doctor_of(json!({"workspaces": ["web"]}));
    assert!(doctor.contains(&format!("{what}`cuff run install`\n")), "{doctor}");
    project.write("web/package.json", package.replace("moon", "").replace("\"\":\"1\"", ""));
    let doctor = doctor_of(json!({}));
    assert!(!doctor.contains("nothing that package.json"), "it depends on nothing: {doctor}");
}
