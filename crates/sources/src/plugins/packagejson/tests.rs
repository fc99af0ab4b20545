//! The plugin from outside: files in, tools and problems out.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::model::{Change, Field, File, Matches, Origin, Role, Seen, Severity, TRUST, check, path};
use crate::plugins::managers::what_runs;

/// The files of a project, by path.
type Texts<'a> = &'a [(&'a str, &'a str)];

/// A project of these files in which exactly these programs are installed, looked at until nothing is wanted.
fn seen(config: &Values, files: Texts<'_>, programs: &[&str]) -> Files {
    let mut seen = Files::default();
    for _ in 0..5 {
        for want in PackageJson.wants(config, &seen) {
            match want {
                Want::File(path) => {
                    let found = files.iter().find(|(name, _)| *name == path);
                    _ = seen.files.insert(path, found.map_or(Seen::Missing, |(name, text)| file(name, text)));
                }
                Want::Program(name) => {
                    let found = programs.contains(&&*name).then(|| PathBuf::from("/bin").join(&name));
                    _ = seen.programs.insert(name, found);
                }
                Want::Glob(glob) => {
                    assert_eq!(glob.head, 0, "lock files are not read");
                    let inside = |name: &str| {
                        let (folder, name) = path::split(name);
                        (folder == glob.base && glob.patterns.iter().any(|p| p == name))
                            .then(|| name.to_owned())
                    };
                    let found = files.iter().filter_map(|(name, _)| Some((inside(name)?, file(name, ""))));
                    let matches = Matches { found: found.collect(), ..Matches::default() };
                    _ = seen.globs.insert(glob, matches.into());
                }
                other => panic!("{other:?}"),
            }
        }
    }
    let wanted = PackageJson.wants(config, &seen);
    assert!(
        wanted.iter().enumerate().all(|(at, want)| !wanted[..at].contains(want)),
        "nothing is wanted twice"
    );
    let left: Vec<_> = wanted.into_iter().filter(|want| !seen.answers(want)).collect();
    assert_eq!(left, [], "the wants come to an end");
    seen
}

fn file(name: &str, text: &str) -> Seen {
    Seen::File(File::new(Path::new("/project").join(name), text.as_bytes()))
}

fn settings(config: Value) -> Values {
    let Value::Object(config) = config else { panic!("an object") };
    let fields: Vec<&Field> = config::FIELDS.iter().collect();
    let (values, mistakes) = check(&fields, &config);
    assert_eq!(mistakes, []);
    values
}

fn discover(config: Value, files: Texts<'_>) -> Discovery {
    let config = settings(config);
    PackageJson.discover(&config, &seen(&config, files, &["npm", "pnpm", "yarn", "bun"]))
}

/// The names that are offered, then the problems.
fn offered(config: Value, files: Texts<'_>) -> String {
    let found = discover(config, files);
    let names = found.tools.iter().map(|tool| tool.name.clone());
    names.chain(found.problems.iter().map(|p| format!("{:?} {p}", p.fault))).collect::<Vec<_>>().join("\n")
}

/// The example of the package.json specification, section 13.1.
const EXAMPLE: &str = r#"{
  "name": "my-project",
  "scripts": {
    "dev": "vite",
    "build:prod": "NODE_ENV=production vite build",
    "lint-fix": "eslint . --fix",
    "a.b": "true",
    "prepare": "husky",
    "pretest": "x",
    "test": "vitest"
  },
  "scripts-info": {
    "dev": "Start development server with hot reload",
    "test": "\n  Run \u0007all tests\nand more",
    "a.b": " "
  }
}"#;

#[test]
fn the_example_becomes_tools() {
    let files = [("package.json", EXAMPLE), ("pnpm-lock.yaml", ""), ("package-lock.json", "")];
    let found = discover(json!({}), &files);
    let lines: Vec<_> = found
        .tools
        .iter()
        .map(|tool| format!("{} | {} | {} | {}", tool.name, tool.original, tool.description, tool.source))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    pnpm_list_scripts | list_scripts | List all available pnpm scripts | package.json
    pnpm_dev | dev | Start development server with hot reload | package.json:4
    pnpm_build__prod | build:prod | Run build:prod script | package.json:5
    pnpm_lint_fix | lint-fix | Run lint-fix script | package.json:6
    pnpm_a_b | a.b | Run a.b script | package.json:7
    pnpm_pretest | pretest | Run pretest script | package.json:9
    pnpm_test | test | Run all tests | package.json:10
    ");
    assert_eq!(found.problems, []);
}

#[test]
fn a_tool_carries_its_command() {
    let config = json!({
        "working_directory": "apps/web", "environment": {"A": "1"}, "default_timeout": 7, "expose_list_scripts": false,
        "scripts": "dev",
    });
    let found = discover(config, &[("apps/web/package.json", EXAMPLE)]);
    let Role::Run { command, .. } = &found.tools[0].role else { panic!("a tool that runs") };
    assert_eq!(command.line(), "npm run dev");
    assert_eq!(command.directory, PathBuf::from("apps/web"));
    assert_eq!(command.timeout, Duration::from_secs(7));
    let change = Change::new("A", "1", Origin::Settings);
    assert_eq!(command.environment, [change]);
    assert_eq!(command.if_missing.as_deref(), Some(PackageManager::Npm.advice()));
    assert_eq!(found.tools[0].text.as_deref(), Some("vite"));
    assert_eq!(found.tools[0].metadata, [("package_manager", "npm".to_owned())]);

    let planned = PackageJson.plan(
        &Values::default(),
        &found.tools[0],
        (**command).clone(),
        &Values::of([(&config::EXTRA_ARGS, json!("--port 1"))]),
        Governance::Governed,
    );
    assert_eq!(planned.unwrap().line(), "npm run dev -- --port 1");
}

#[test]
fn the_manager_is_asked_for_then_guessed() {
    let asks = r#"{"packageManager": "yarn@4.1.0+sha224.953c8233"}"#;
    let project =
        r#"{"packageManager": "deno@2", "devEngines": {"packageManager": {"name": "bun", "version": "1"}}}"#;
    // Half a character is no text, which matters to the key that has it alone.
    let half = r#"{"name": "\ud800", "packageManager": "pnpm@9", "scripts": {}}"#;
    let cases: &[(Value, Texts, &str)] = &[
        (json!({}), &[("package.json", "{}")], "npm"),
        (json!({}), &[("package.json", "{}"), ("yarn.lock", ""), ("bun.lock", "")], "yarn"),
        (json!({}), &[("package.json", "{}"), ("bun.lockb", "")], "bun"),
        (json!({}), &[("package.json", "{}"), ("bun.lock", ""), ("npm-shrinkwrap.json", "")], "npm"),
        (json!({}), &[("package.json", asks), ("pnpm-lock.yaml", "")], "yarn"),
        (json!({"package_manager": "npm"}), &[("package.json", asks), ("pnpm-lock.yaml", "")], "npm"),
        // A member of a workspace: the root's word counts, the nearest lock file first.
        (json!({"working_directory": "p/a"}), &[("p/a/package.json", "{}"), ("pnpm-lock.yaml", "")], "pnpm"),
        (
            json!({"working_directory": "p/a"}),
            &[("p/a/package.json", "{}"), ("p/yarn.lock", ""), ("pnpm-lock.yaml", "")],
            "yarn",
        ),
        (
            json!({"working_directory": "p/a"}),
            &[("p/a/package.json", "{}"), ("package.json", asks), ("p/bun.lock", "")],
            "yarn",
        ),
        (
            json!({"working_directory": "p/a"}),
            &[("p/a/package.json", "{}"), ("package.json", "{"), ("p/bun.lock", "")],
            "bun",
        ),
        (
            json!({"working_directory": "p/a"}),
            &[("p/a/package.json", "{}"), ("package.json", half), ("p/bun.lock", "")],
            "pnpm",
        ),
        // Above the project nothing is looked at.
        (
            json!({"working_directory": "../a"}),
            &[("../a/package.json", "{}"), ("../pnpm-lock.yaml", "")],
            "npm",
        ),
        (
            json!({"package_json_path": "/a/package.json"}),
            &[("/a/package.json", "{}"), ("/a/yarn.lock", "")],
            "yarn",
        ),
    ];
    for (config, files, expected) in cases {
        let offered = offered(config.clone(), files);
        let first = offered.lines().next();
        assert_eq!(first, Some(format!("{expected}_list_scripts").as_str()), "{config} {files:?}");
    }
    insta::assert_snapshot!(offered(json!({}), &[("package.json", project)]), @r#"
    bun_list_scripts
    Some(InvalidProgram) package.json: `packageManager` asks for "deno@2", which is not known here
    "#);
}

#[test]
fn a_manager_that_is_missing_takes_nothing_away() {
    let config = Values::default();
    let found = PackageJson.discover(&config, &seen(&config, &[("package.json", EXAMPLE)], &[]));
    assert_eq!(found.tools.len(), 7);
    insta::assert_debug_snapshot!(found.problems, @r#"
    [
        Problem {
            severity: Warning,
            fault: Some(
                ProgramNotFound,
            ),
            message: "npm is not installed or not on the PATH",
            location: None,
            help: Some(
                "install Node.js, which brings npm: https://nodejs.org",
            ),
            withheld: [],
        },
    ]
    "#);
}

#[test]
fn patterns_and_lifecycle_choose() {
    let files = [("package.json", EXAMPLE)];
    for (config, expected) in [
        (
            json!({"exclude_lifecycle_scripts": false, "scripts": "pre*"}),
            "npm_list_scripts\nnpm_prepare\nnpm_pretest",
        ),
        (json!({"scripts": ["dev", "*:*"]}), "npm_list_scripts\nnpm_dev\nnpm_build__prod"),
        (json!({"scripts": "dev, test", "exclude_scripts": "t*"}), "npm_list_scripts\nnpm_dev"),
        (
            json!({"scripts": ["dev", "tset"]}),
            "npm_list_scripts\nnpm_dev\nSome(InvalidPattern) `scripts` has `tset`, which means no script, so that it \
             offers nothing",
        ),
        (
            json!({"scripts": ""}),
            "npm_list_scripts\nNone package.json: The settings leave out all there is: 7 scripts",
        ),
        (
            json!({"scripts": "dev,[z-a]"}),
            "npm_list_scripts\nnpm_dev\nSome(InvalidPattern) scripts: pattern `[z-a]`: invalid range; 'z' > 'a'; \
             the other patterns still count",
        ),
        (
            json!({"exclude_scripts": "[z-a]"}),
            "npm_list_scripts\nSome(InvalidPattern) exclude_scripts: pattern `[z-a]`: invalid range; 'z' > 'a'; \
             no script is offered until it is corrected",
        ),
    ] {
        assert_eq!(offered(config.clone(), &files), expected, "{config}");
    }
}

#[test]
fn names_that_are_not_safe_are_problems() {
    let long = "x".repeat(300);
    let longer = format!("é{long}");
    let scripts = json!({"scripts": {
        "": "a", "🚀": "a", "-x": "a", "a b": "a", "a\n": "a", "__proto__": "a", "a$(x)": "a", &long: "a", &longer: "a",
    }});
    let text = offered(json!({}), &[("package.json", &scripts.to_string())]);
    insta::assert_snapshot!(text.replace(&long, "LONG"), @r#"
    npm_list_scripts
    npm_LONG
    None package.json:1: script "" is not offered: its name is empty
    None package.json:1: script "🚀" is not offered: its name must start with a letter or _
    None package.json:1: script "-x" is not offered: its name must start with a letter or _
    None package.json:1: script "a b" is not offered: its name may hold only letters, digits, _ : . and -
    None package.json:1: script "a\u{a}" is not offered: its name may hold only letters, digits, _ : . and -
    None package.json:1: script "__proto__" is not offered: JavaScript programs take its name for something else
    None package.json:1: script "a$(x)" is not offered: its name may hold only letters, digits, _ : . and -
    None package.json:1: script "éxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not offered: its name must start with a letter or _
    "#);
}

#[test]
fn a_name_that_the_settings_ask_for_is_an_error() {
    let config = settings(json!({"scripts": "test, a b"}));
    let files = [("package.json", r#"{"scripts": {"test": "x", "a b": "y", "c d": "z"}}"#)];
    let found = PackageJson.discover(&config, &seen(&config, &files, &["npm"]));
    let graded: Vec<_> =
        found.problems.iter().map(|problem| (problem.severity, &*problem.withheld[0])).collect();
    assert_eq!(graded, [(Severity::Error, "a b")]);
}

#[test]
fn an_unreadable_package_is_one_problem_and_no_suggestion() {
    for (files, expected) in [
        (&[] as &[(&str, &str)], "Some(SourceNotFound) package.json not found: package.json"),
        (
            &[("package.json", "{\n  \"scripts\": {]\n}")],
            "Some(SourceInvalid) package.json:2:15: Invalid JSON in package.json: key must be a string",
        ),
    ] {
        assert_eq!(offered(json!({}), files), expected);
        assert_eq!(PackageJson.suggest(&seen(&Values::default(), files, &[])), None);
    }
    assert_eq!(
        offered(json!({"package_json_path": "package.prod.json"}), &[("package.prod.json", EXAMPLE)]),
        "Some(InvalidConfig) package_json_path must lead to a file called package.json, not package.prod.json"
    );
}

#[test]
fn suggestions_describe_the_findings() {
    let files = [("package.json", r#"{"scripts": {"test": "x", "a b": "y"}}"#), ("yarn.lock", "")];
    let suggestion = PackageJson.suggest(&seen(&Values::default(), &files, &[])).unwrap();
    assert_eq!(suggestion.description, "Found package.json with 1 script (yarn)");
    assert_eq!(suggestion.items, ["yarn_list_scripts", "yarn_test"]);
    insta::assert_snapshot!(suggestion.warnings.join("\n"), @"yarn is not installed or not on the PATH (install yarn: npm install --global yarn, or corepack enable yarn)");
    insta::assert_snapshot!(suggestion.notes.join("\n"), @r#"package.json:1: script "a b" is not offered: its name may hold only letters, digits, _ : . and -; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts"#);
    let nameless = [("package.json", r#"{"scripts": {"": "x", "y": ""}}"#)];
    let notes = PackageJson.suggest(&seen(&Values::default(), &nameless, &["npm"])).map(|found| found.notes);
    insta::assert_snapshot!(notes.unwrap_or_default().join("\n"), @r#"package.json:1: script "" is not offered: its name is empty; give the script a name"#);
    let config: Vec<_> =
        suggestion.config.iter().map(|(field, value)| format!("{}: {value}", field.name)).collect();
    insta::assert_snapshot!(config.join("\n"), @r#"
    package_json_path: "./package.json"
    working_directory: "."
    package_manager: "auto"
    scripts: "*"
    exclude_scripts: ""
    exclude_lifecycle_scripts: true
    cache_ttl: 300
    default_timeout: 300
    expose_list_scripts: true
    "#);
}

#[test]
fn under_pinned_trust_a_script_has_its_text_with_what_runs_before_and_after_it() {
    let text = |trust: &str, manifest: &str| {
        let config = Values::of([(&TRUST, json!(trust)), (&config::SCRIPTS, json!("test"))]);
        let found = PackageJson.discover(&config, &seen(&config, &[("package.json", manifest)], &[]));
        found.tools.into_iter().find(|tool| tool.original == "test").unwrap().content
    };
    let manifest =
        r#"{"scripts": {"posttest": "c", "pre": "d", "test": "a", "pretest": "b", "testpre": "e"}}"#;
    assert_eq!(text("names", manifest), None);
    let content = text("pinned", manifest).unwrap();
    assert_eq!(&*content.text, "# pretest\nb\n# test\na\n# posttest\nc\n");
    assert_ne!(text("pinned", &manifest.replace(r#""c""#, r#""x""#)), Some(content.clone()));
    assert_eq!(text("pinned", &manifest.replace(r#""d""#, r#""x""#)), Some(content));
}

#[test]
fn a_script_is_bound_to_package_json_and_the_configuration_of_managers_there_and_above() {
    let bound = |manager: &str| -> Vec<String> {
        let package = (&config::PACKAGE_JSON_PATH, json!("packages/a/package.json"));
        let config = Values::of([package, (&config::PACKAGE_MANAGER, json!(manager))]);
        let files = seen(&config, &[("packages/a/package.json", r#"{"scripts": {"x": "y"}}"#)], &[manager]);
        let tools = PackageJson.discover(&config, &files).tools;
        PackageJson.binding(&config, &files, &tools[1]).files.into_iter().map(|file| file.path).collect()
    };
    let files = bound("npm");
    for file in ["packages/a/package.json", "package.json", "packages/a/.npmrc", ".npmrc", ".yarnrc.yml"] {
        assert!(files.iter().any(|bound| bound == file), "{file} of {files:?}");
    }
    assert!(!files.iter().any(|file| file.contains(".env")));
    assert!(bound("bun").contains(&"packages/a/.env".to_owned()));
}

#[test]
fn only_the_parts_of_package_json_that_run_must_stay_the_same() {
    let part = |text: &str| what_runs(text.as_bytes());
    let before = r#"{"version": "1", "scripts": {"a": "b"}}"#;
    assert_eq!(part(before), part(r#"{"version": "2", "scripts": {"a": "b"}, "dependencies": {"x": "1"}}"#));
    for after in [r#"{"scripts": {"a": "c"}}"#, r#"{"scripts": {"a": "b", "prea": "x"}}"#, "{", "{}"] {
        assert_ne!(part(before), part(after), "{after}");
    }
}

#[test]
fn a_broken_file_of_pnpm_is_said_beside_the_scripts() {
    let files = [
        ("package.json", r#"{"scripts": {"a": "x"}}"#),
        ("pnpm-lock.yaml", ""),
        ("pnpm-workspace.yaml", "packages:\n  - [a\nb: {\n"),
    ];
    insta::assert_snapshot!(offered(json!({}), &files), @"
    pnpm_list_scripts
    pnpm_a
    Some(SourceInvalid) pnpm-workspace.yaml:2: pnpm-workspace.yaml cannot be parsed, so pnpm runs nothing: packages[0]: invalid type: sequence, expected a string at line 2 column 5
    ");
}
