//! The packages of workspaces, as the managers themselves list them.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::project::{Project, Run};
use crate::support::tools;

/// Folders with a package each, and other things that a pattern could find.
fn monorepo() -> Project {
    let project = Project::empty();
    for folder in [
        "packages/ui",
        "packages/api",
        "packages/skip",
        "packages/group/one",
        "packages/group/two",
        "apps/web",
        "apps/web/nested",
        "apps/.hidden",
        "tools/cli",
        "packages/node_modules/dependency",
        "libs/a",
        "libs/b",
        "libs/c",
    ] {
        let name = folder.replace('/', "-").replace('.', "");
        let manifest =
            json!({"name": format!("@shop/{name}"), "version": "1.0.0", "scripts": {"test": "true"}});
        project.write(&format!("{folder}/package.json"), manifest.to_string());
    }
    project.write("packages/empty/readme.md", "");
    project
}

/// The folders of the packages whose scripts are offered without any settings.
fn offered(project: &Project) -> BTreeSet<String> {
    let listed = project.cuff(["list", "--json"]).json();
    let tools = listed["tools"].as_array().unwrap();
    let folder = |tool: &Value| tool["file"].as_str()?.strip_suffix("/package.json").map(str::to_owned);
    tools.iter().filter_map(folder).collect()
}

fn listed(project: &Project, program: &str, words: &[&str]) -> Option<String> {
    tools::require(program)?;
    let mut command = Command::new(program);
    command.args(words);
    project.surround(&mut command);
    Some(Run::of(command).succeeded().stdout)
}

const PATTERNS: &[&[&str]] = &[
    &["packages/*"],
    &["packages/*", "apps/*", "tools/cli"],
    &["packages/**", "apps/**"],
    &["./packages/ui", "apps/*/"],
    &["packages/*", "!packages/skip"],
    &["packages/**", "!**/group/**", "libs/{a,b}"],
];

fn manifest(project: &Project, more: &Value) {
    let mut manifest =
        json!({"name": "shop", "version": "1.0.0", "private": true, "scripts": {"build": "true"}});
    manifest.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    project.write("package.json", manifest.to_string());
}

#[test]
fn npm_lists_the_same() {
    for patterns in PATTERNS {
        let project = monorepo();
        manifest(&project, &json!({"workspaces": patterns}));
        let quiet = ["install", "--package-lock-only", "--offline", "--no-audit", "--no-fund"];
        if listed(&project, "npm", &quiet).is_none() {
            return;
        }
        let said =
            listed(&project, "npm", &["query", ".workspace", "--package-lock-only"]).unwrap_or_default();
        let found: Vec<Value> = serde_json::from_str(&said).unwrap();
        let folders: BTreeSet<String> =
            found.iter().map(|found| found["location"].as_str().unwrap().to_owned()).collect();
        assert_eq!(offered(&project), folders, "{patterns:?}");
    }
}

#[test]
fn pnpm_lists_the_same() {
    for patterns in PATTERNS {
        let project = monorepo();
        manifest(&project, &json!({"packageManager": "pnpm@9.0.0"}));
        let lines: Vec<String> = patterns.iter().map(|pattern| format!("  - '{pattern}'")).collect();
        project.write("pnpm-workspace.yaml", format!("packages:\n{}\ncatalog: {{}}\n", lines.join("\n")));
        let words =
            ["-r", "list", "--json", "--depth", "-1", "--config.manage-package-manager-versions=false"];
        let Some(said) = listed(&project, "pnpm", &words) else { return };
        let found: Vec<Value> = serde_json::from_str(&said).unwrap();
        let root = format!("{}/", project.root().display());
        let folder = |found: &Value| found["path"].as_str().unwrap().strip_prefix(&root).map(str::to_owned);
        assert_eq!(offered(&project), found.iter().filter_map(folder).collect(), "{patterns:?}");
    }
}

#[test]
fn yarn_lists_the_same() {
    for patterns in &PATTERNS[..3] {
        let project = monorepo();
        manifest(&project, &json!({"workspaces": {"packages": patterns}}));
        project.write("yarn.lock", "");
        let Some(said) = listed(&project, "yarn", &["--silent", "workspaces", "info"]) else { return };
        let found: Value = serde_json::from_str(&said).unwrap();
        let folders = found.as_object().unwrap().values();
        let folders: BTreeSet<String> =
            folders.map(|found| found["location"].as_str().unwrap().to_owned()).collect();
        assert_eq!(offered(&project), folders, "{patterns:?}");
    }
}

/// bun has no list; the lock file that it writes has its packages.
#[test]
fn bun_lists_the_same() {
    for patterns in &PATTERNS[..3] {
        let project = monorepo();
        manifest(&project, &json!({"workspaces": patterns}));
        let words = ["install", "--lockfile-only", "--save-text-lockfile"];
        if listed(&project, "bun", &words).is_none() {
            return;
        }
        let lock = project.read("bun.lock");
        let named = |folder: &String| lock.contains(&format!("    \"{folder}\": {{"));
        let ours = offered(&project);
        let theirs =
            lock.lines().filter(|line| line.starts_with("    \"") && line.ends_with("\": {")).count();
        assert!(ours.iter().all(named) && ours.len() + 1 == theirs, "{patterns:?}: {ours:?}\n{lock}");
    }
}

#[test]
fn workspace_globs_that_leave_the_project_or_match_too_much_are_reported() {
    let project = monorepo();
    manifest(
        &project,
        &json!({"workspaces": ["packages/*", "../elsewhere", "/etc", "out/link", "out/file", "in/link"]}),
    );
    let outside = project.outside().join("elsewhere");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("package.json"), r#"{"scripts": {"evil": "true"}}"#).unwrap();
    for folder in ["out", "out/file", "in"] {
        fs::create_dir(project.root().join(folder)).unwrap();
    }
    symlink(&outside, project.root().join("out/link")).unwrap();
    symlink(outside.join("package.json"), project.root().join("out/file/package.json")).unwrap();
    symlink("../packages/ui", project.root().join("in/link")).unwrap();
    let said = project.cuff(["init", "--dry-run"]).succeeded();
    for file in ["out/link/package.json", "out/file/package.json"] {
        assert!(
            said.stderr.contains(&format!("{file} is left out: it leads out of the project")),
            "{}",
            said.stderr
        );
    }
    assert!(
        said.stderr.contains("`..` would leave") && said.stderr.contains("it is absolute"),
        "{}",
        said.stderr
    );
    assert!(!said.stdout.contains("elsewhere") && !said.stdout.contains("out/"), "{}", said.stdout);
    let ui =
        offered(&project).into_iter().filter(|folder| folder.ends_with("ui") || folder.starts_with("in/"));
    assert_eq!(ui.collect::<Vec<_>>(), ["packages/ui"], "a package is there once, whichever way leads to it");
    for number in 0..200 {
        project.write(&format!("packages/n{number:03}/package.json"), r#"{"scripts": {"a": "true"}}"#);
    }
    project.write("packages/api/package.json", "{");
    project.write("packages/n000/package.json", r#"{"scripts": {"a": "true", "b c": "true"}}"#);
    let said = project.cuff(["init", "--dry-run"]).succeeded();
    assert!(said.stderr.contains("packages/api/package.json:1:"), "{}", said.stderr);
    project.cuff(["init", "--yes"]).succeeded();
    // One package cannot be read, which is a warning beside the others.
    let listed = project.cuff(["list"]).succeeded();
    assert!(
        listed.stderr.contains("warning: packages-api: packages/api/package.json:1:"),
        "{}",
        listed.stderr
    );
    let unsafe_name = "packages/n000/package.json:1: script \"b c\" is not offered";
    assert!(listed.stderr.contains(unsafe_name), "{}", listed.stderr);
    assert_eq!(offered(&project).iter().filter(|folder| folder.starts_with("packages/n")).count(), 200);
    assert!(project.cuff(["status"]).ended_with(1).stdout.contains("packages-n000  healthy, 1 tool"));
}

#[test]
fn packages_run_in_their_folders_and_can_be_left_out() {
    let project = monorepo();
    manifest(&project, &json!({"workspaces": ["packages/ui", "apps/web"]}));
    project.write(
        "packages/ui/package.json",
        r#"{"name": "@shop/ui", "scripts": {"where": "node -e 'console.log(process.cwd())'"}}"#,
    );
    project.cuff(["init", "--yes"]).succeeded();
    let run = project.cuff(["run", "ui.npm_where"]).succeeded();
    assert!(run.stdout.trim_end().ends_with("/project/packages/ui"), "{}", run.stdout);
    let without = |words: &[&str]| project.cuff([&["init", "--dry-run"], words].concat()).succeeded().stdout;
    assert!(!without(&["--no-workspaces"]).contains("packages/ui"));
    let text = without(&["--exclude", "ui"]);
    let all_but = "include:\n        - '*'\n        exclude:\n        - packages/ui\n";
    assert!(text.contains(all_but), "{text}");
    let text = without(&["--plugins", "ui"]);
    assert!(text.contains("include:\n        - packages/ui\n") && !text.contains("exclude:"), "{text}");
    for wish in ["--all", "--workspaces"] {
        let said = project.cuff(["run", "npm_where", wish]).ended_with(64).stderr;
        let expected = format!(
            "help: `cuff run -r TOOL` runs a tool in every package of the workspace; words of the tool's own go after `--`: \
             `-- {wish}`\n"
        );
        assert!(said.ends_with(&expected), "{said}");
    }
    let said = project.cuff(["list", "--all"]).ended_with(64).stderr;
    assert!(!said.contains("several"), "{said}");
    let wrong = project.cuff(["init", "--dry-run", "--exclude", "uu"]).ended_with(64);
    assert!(wrong.stderr.contains("did you mean `ui`?"), "{}", wrong.stderr);
    // As the package calls itself, and by its folder.
    for called in ["@shop/ui", "packages/ui"] {
        let text = without(&["--exclude", called]);
        assert!(text.contains(all_but), "{called}: {text}");
        let text = without(&["--plugins", called]);
        assert!(text.contains("include:\n        - packages/ui\n"), "{called}: {text}");
    }
    let said = project.cuff(["-v", "init", "--dry-run"]).succeeded().stderr;
    assert!(said.contains("      ui: packages/ui\n"), "{said}");
    let wrong = project.cuff(["init", "--dry-run", "--exclude", "*zilch*"]).ended_with(64).stderr;
    assert!(wrong.contains("there is no plugin or package `*zilch*`"), "{wrong}");
    assert!(wrong.contains(", the packages apps-web, ui"), "{wrong}");
    // A list is of tools: the file of each counts, and a name without its scope is a package.
    let listed = project.cuff(["list", "packages/ui"]).succeeded();
    assert!(listed.stdout.starts_with("ui · packages/ui · npm\n  ui:where  "), "{}", listed.stdout);
    let none = project.cuff(["list", "@shop/ui"]).succeeded().stderr;
    assert!(none.contains("did you mean `ui`?"), "{none}");
}

/// A tool that the settings withhold must not become available by another path to the same file.
#[test]
fn a_file_that_an_instance_has_is_no_new_package_whichever_way_leads_to_it() {
    let project = Project::empty();
    let folder = |folder: &str| fs::create_dir_all(project.root().join(folder)).unwrap();
    manifest(&project, &json!({"workspaces": ["sub", "alias", "copy", "pkgs/*"]}));
    for package in ["pkgs/b", "pkgs/c"] {
        project
            .write(&format!("{package}/package.json"), r#"{"scripts": {"test": "true", "deploy": "true"}}"#);
    }
    folder("copy");
    symlink(".", project.root().join("sub")).unwrap();
    symlink("pkgs/b", project.root().join("alias")).unwrap();
    symlink("../pkgs/b/package.json", project.root().join("copy/package.json")).unwrap();
    symlink("pkgs/c", project.root().join("c")).unwrap();
    let said = project.cuff(["init", "--dry-run"]).succeeded();
    let own = ["pkgs/b", "pkgs/c"].map(str::to_owned);
    assert_eq!(offered(&project), BTreeSet::from(own));
    for (link, file) in
        [("sub", "package.json"), ("alias", "pkgs/b/package.json"), ("copy", "pkgs/b/package.json")]
    {
        let note = format!("{link}/package.json is left out: a link leads there, and the file is {file}");
        assert!(said.stderr.contains(&note), "{}", said.stderr);
    }
    // And the other way round: the instances that are there are those that are spelled by a link.
    for (directory, path) in [("c", "./package.json"), (".", "c/package.json")] {
        let instance = |name: &str, directory: &str, path: &str| {
            format!(
                "  {name}: {{module: x.packagejson, config: {{working_directory: {directory}, package_json_path: {path}, scripts: [test]}}}}\n"
            )
        };
        let old = [
            "version: '1'\nplugins:\n",
            &instance("root", "sub", "./package.json"),
            &instance("one", "copy", "./package.json"),
            &instance("two", directory, path),
        ]
        .concat();
        project.write("settings.yml", &old);
        let said = project.cuff(["init", "--merge", "--yes"]).succeeded();
        assert!(said.stdout.contains("settings.yml has all of this already"), "{}", said.stdout);
        assert_eq!(project.read("settings.yml"), old);
    }
}

#[test]
fn a_package_may_be_called_what_yaml_reads_as_something_else() {
    let project = Project::empty();
    let names = ["null", "True", "FALSE", "no", "on"];
    manifest(&project, &json!({"workspaces": ["pkgs/*"]}));
    for name in names {
        let manifest = json!({"name": name, "scripts": {"hi": "true"}});
        project.write(&format!("pkgs/{name}-folder/package.json"), manifest.to_string());
    }
    for words in [&["init", "--yes"][..], &["init", "--merge"]] {
        project.cuff(words).succeeded();
        let listed = project.cuff(["list", "--json"]).succeeded();
        assert_eq!(listed.stderr, "");
        for name in names {
            assert!(listed.stdout.contains(&format!("\"{name}.npm_hi\"")), "{name}: {}", listed.stdout);
        }
        project.write("settings.yml", "version: '1'\nplugins:\n  packagejson: {}\n");
    }
}

#[test]
fn settings_of_a_large_workspace_stay_short() {
    let project = Project::empty();
    let long = ["x".repeat(220), "y".repeat(220), "z".repeat(220), "v".repeat(220)].join("/");
    manifest(&project, &json!({"workspaces": ["pkgs/**"]}));
    project.write("Makefile", "check: ; true\n");
    for at in 0..300 {
        project.write(&format!("pkgs/{long}/{at:03}/package.json"), r#"{"scripts": {"hi": "true"}}"#);
    }
    let said = project.cuff(["init", "--yes"]).succeeded();
    assert!(said.stdout.contains("and 300 packages"), "{}", said.stdout);
    assert!(project.read("settings.yml").lines().count() < 60);
    let listed = project.cuff(["list", "pkgs", "--json"]).succeeded();
    assert_eq!(listed.json()["tools"].as_array().unwrap().len(), 300);
    assert_eq!(listed.stderr, "");
}

#[test]
fn the_packages_of_a_large_workspace_have_a_line_each() {
    let project = Project::empty().variable("NO_COLOR", "1");
    manifest(&project, &json!({"workspaces": ["packages/*"]}));
    fs::create_dir(project.root().join(".git")).unwrap();
    for at in 0..10 {
        let scripts = json!({"name": format!("@x/p{at}"), "scripts": {"test": "true", "lint": "eslint ."}});
        project.write(&format!("packages/p{at}/package.json"), scripts.to_string());
    }
    let list = |words: &[&str]| project.at_terminal(60, &[], words).last().trim_end().to_owned();
    insta::assert_snapshot!(list(&["list", "--no-pager"]), @r"
    package.json · npm
      build  true

    packages · 10
      p0  test, lint
      p1  test, lint
      p2  test, lint
      p3  test, lint
      p4  test, lint
      p5  test, lint
      p6  test, lint
      p7  test, lint
      p8  test, lint
      p9  test, lint

    `cuff list p0` shows one, `cuff p0:SCRIPT` runs one
    note: no settings.yml yet, so agents get nothing; `cuff
      init` writes one
    ");
    insta::assert_snapshot!(list(&["-C", "packages/p3", "list", "--no-pager"]), @r"
    p3 · packages/p3 · npm
      test  true
      lint  eslint .

    package.json · npm
      build  true

    packages · 9
      p0  test, lint
      p1  test, lint
      p2  test, lint
      p4  test, lint
      p5  test, lint
      p6  test, lint
      p7  test, lint
      p8  test, lint
      p9  test, lint

    `cuff list p0` shows one, `cuff p0:SCRIPT` runs one
    note: no settings.yml yet, so agents get nothing; `cuff
      init` writes one
    ");
    insta::assert_snapshot!(list(&["list", "p3"]), @r"
    p3 · packages/p3 · npm
      p3:test  true
      p3:lint  eslint .
    ");
}

/// The whole of the settings, the list of people and that of agents.
#[test]
fn a_workspace_is_one_instance() {
    let project = Project::empty();
    manifest(
        &project,
        &json!({"workspaces": ["packages/*", "examples/*"], "scripts": {"test": "echo root", "build": "true"}}),
    );
    let package = |folder: &str, name: &str, scripts: Value| {
        project
            .write(&format!("{folder}/package.json"), json!({"name": name, "scripts": scripts}).to_string());
    };
    package("packages/core", "@shop/core", json!({"test": "echo core", "lint": "true"}));
    package("packages/ui", "@shop/ui", json!({"test": "echo ui", "deploy": "npm publish"}));
    package("examples/demo", "demo", json!({"start": "true"}));
    project.cuff(["init", "--yes"]).succeeded();
    insta::assert_snapshot!(project.read("settings.yml"), @r##"
    # yaml-language-server: $schema=.cuff/settings.schema.json
    # Tools for people and coding agents. Keys left out have their defaults;
    # `cuff schema` describes every key. `type` and `module` say which plugin it is.
    version: "1"

    plugins:
      # Scripts of package.json, run by npm, pnpm, yarn or bun
      packagejson:
        type: in_source
        module: opencuff.plugins.builtin.packagejson
        config:
          # Which scripts to offer: fnmatch patterns, comma-separated or a list
          scripts: '*'
          # The packages of the workspace to offer beside its root: `include` and `exclude`, fnmatch patterns of their names or folders
          packages:
            include:
            - '*'
          # Which tools require confirmation, each time: fnmatch patterns of their names, or true for all
          confirm:
          - deploy
    "##);
    insta::assert_snapshot!(project.cuff(["list"]).succeeded().stdout, @r"
    package.json · npm
      test   echo root
      build  true

    core · packages/core · npm
      core:test  echo core
      core:lint  true

    ui · packages/ui · npm
      ui:test    echo ui
      ui:deploy  [asks] npm publish
    ");
    fs::create_dir(project.root().join(".git")).unwrap();
    insta::assert_snapshot!(project.cuff(["-C", "packages/ui", "list"]).succeeded().stdout, @r"
    ui · packages/ui · npm
      test    echo ui
      deploy  [asks] npm publish

    package.json · npm
      packagejson:test  echo root
      build             true

    core · packages/core · npm
      core:test  echo core
      core:lint  true
    ");
}

#[test]
fn a_managers_own_file_says_so_where_no_lock_file_is_yet() {
    for (file, text, manager) in [
        ("pnpm-workspace.yaml", "packages: [packages/*]\n", "pnpm"),
        (".yarnrc.yml", "", "yarn"),
        ("bunfig.toml", "", "bun"),
    ] {
        let project = Project::empty();
        project.write("package.json", r#"{"scripts": {"test": "true"}}"#);
        project.write("packages/ui/package.json", r#"{"name": "ui", "scripts": {"lint": "true"}}"#);
        project.write(file, text);
        let said = project.cuff(["init", "--yes"]).succeeded().stdout;
        assert!(said.contains(&format!("with 1 script ({manager})")) && !said.contains("Question"), "{said}");
        project.cuff(["run", "--dry-run", &format!("{manager}_test")]).succeeded();
        project.write("package-lock.json", "{}");
        let said = project.cuff(["init", "--dry-run"]).succeeded().stderr;
        let question = format!(
            "Question: Which package manager runs the scripts? package-lock.json is there; {file} is there. Taken: auto: npm today"
        );
        assert!(said.contains(&question), "a lock file counts more: {said}");
    }
}

#[test]
fn a_package_takes_the_manager_of_its_workspace() {
    let project = Project::empty();
    let pnpm = "packages: [packages/*]\n";
    project.write("pnpm-workspace.yaml", pnpm);
    project.write("packages/ui/package.json", r#"{"name": "ui", "scripts": {"lint": "true"}}"#);
    let init = || project.cuff(["-C", "packages/ui", "init", "--dry-run"]).succeeded();
    assert!(
        !init().stdout.contains("package_manager"),
        "no repository says how far the folders belong together"
    );
    fs::create_dir(project.root().join(".git")).expect("a folder of ours");
    let said = init();
    assert!(said.stderr.contains("with 1 script (pnpm), a package of a workspace\n"), "{}", said.stderr);
    assert!(said.stdout.contains("package_manager: pnpm"), "{}", said.stdout);
    // Its own lock file says more.
    project.write("packages/ui/yarn.lock", "");
    assert!(init().stderr.contains("with 1 script (yarn)\n"));
    fs::remove_file(project.root().join("packages/ui/yarn.lock")).expect("a file of ours");
    project.write("packages/.git", "gitdir: elsewhere");
    assert!(!init().stdout.contains("package_manager"), "what lies above is another repository");
    fs::remove_file(project.root().join("packages/.git")).expect("a file of ours");
    // Above, something else was approved, and nothing of this file.
    project.write("package.json", r#"{"scripts": {"test": "true"}}"#);
    project.cuff(["init", "--yes"]).succeeded();
    project.approve();
    project.cuff(["-C", "packages/ui", "init", "--yes", "-o", "settings.yml"]).succeeded();
    let list = project.cuff(["-C", "packages/ui", "list"]).succeeded().stderr;
    assert!(list.contains("agents have nothing of these settings, which nobody has approved yet"), "{list}");
}

#[test]
fn a_missing_manager_is_reported_once_and_makes_nothing_healthy() {
    let project = monorepo();
    manifest(&project, &json!({"workspaces": ["packages/*"]}));
    let bare = project.outside().join("bare");
    fs::create_dir(&bare).expect("a folder of ours");
    project.cuff(["init", "--yes"]).succeeded();
    let project = project.variable("PATH", &bare);
    project.write("package-lock.json", "{}");
    let init = project.cuff(["init", "--dry-run"]).succeeded().stderr;
    assert_eq!(init.matches("is not installed or not on the PATH").count(), 1, "{init}");
    let list = project.cuff(["list"]).succeeded().stderr;
    assert_eq!(list.matches("is not installed or not on the PATH").count(), 1, "{list}");
    assert!(list.contains("warning: packagejson, "), "{list}");
    let status = project.cuff(["status"]).ended_with(1).stdout;
    assert!(status.contains(": npm is not there\n") && !status.contains(" healthy, run"), "{status}");
    let json = project.cuff(["status", "--json"]).ended_with(1).json();
    let instances = json["instances"].as_array().expect("instances");
    assert!(instances.iter().all(|instance| instance["healthy"] == false), "{json}");
    assert_eq!(json["healthy"], false);
    let doctor = project.cuff(["doctor"]).ended_with(1);
    assert_eq!(
        doctor.stdout.matches("npm").count(),
        // The lock file is that of an install which settings lack.
        doctor.stdout.matches("install Node.js").count() * 2
            + doctor.stdout.matches("also in this project").count(),
        "{}",
        doctor.stdout
    );
    assert!(doctor.stdout.contains("instances need npm, which is not there"), "{}", doctor.stdout);
    assert!(doctor.stderr.contains("1 failure, 0 warnings"), "{}", doctor.stderr);
    let run = project.cuff(["run", "packagejson.npm_build"]);
    let bare = bare.display().to_string();
    assert!(!run.stderr.contains(&bare), "a search path is long: {}", run.stderr);
}

/// A link that a wildcard finds is a package like others, by the folder that it leads to.
#[test]
fn a_linked_package_is_one_like_others() {
    let project = Project::empty();
    manifest(&project, &json!({"name": "root", "workspaces": ["packages/*"]}));
    project.write(
        "packages/own/package.json",
        r#"{"name": "own", "version": "1.0.0", "scripts": {"e": "pwd"}}"#,
    );
    project.write("libs/ext/package.json", r#"{"name": "ext", "version": "1.0.0", "scripts": {"e": "pwd"}}"#);
    project.write("elsewhere/readme.md", "");
    let outside = project.outside().join("far");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("package.json"), r#"{"name": "far", "scripts": {"e": "pwd"}}"#).unwrap();
    for (to, at) in [
        ("../libs/ext", "ext"),
        ("..", "loop"),
        ("../elsewhere", "none"),
        ("own", "again"),
        ("nowhere", "gone"),
    ] {
        symlink(to, project.root().join("packages").join(at)).unwrap();
    }
    symlink(&outside, project.root().join("packages/far")).unwrap();
    assert_eq!(offered(&project), ["libs/ext", "packages/own"].map(str::to_owned).into());
    let said = project.cuff(["init", "--yes"]).succeeded().stdout;
    let notes: Vec<&str> = said.lines().map(str::trim).filter(|line| line.contains("left out")).collect();
    insta::assert_snapshot!(notes.join("\n"), @r"
    Warning: packages/again/package.json is left out: a link leads there, and the file is packages/own/package.json
    Warning: packages/far/package.json is left out: it leads out of the project; its scripts are those of the folder that it leads to
    Warning: packages/loop/package.json is left out: a link leads there, and the file is package.json
    ");
    // npm itself refuses a package that is there twice.
    fs::remove_file(project.root().join("packages/again")).unwrap();
    let run = project.cuff(["run", "ext:e"]).succeeded();
    assert_eq!(run.stdout.lines().last(), project.root().join("libs/ext").to_str());
}
