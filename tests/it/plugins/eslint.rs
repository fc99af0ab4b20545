//! The real eslint 8, 9 and 10 through cuff: findings, failures, and calls that require confirmation.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use cuff::model::{Governance, Role, Values};
use cuff::sources::project::{self as discovery, ProjectPlace};
use cuff::sys::Environment;
use serde_json::{Value, json};

use crate::support::official_client::session;
use crate::support::project::{Project, Run};
use crate::support::tools;

/// The versions, and the configuration file that each reads by itself.
const VERSIONS: [(&str, &str); 3] =
    [("eslint8", ".eslintrc.js"), ("eslint9", "eslint.config.js"), ("eslint", "eslint.config.js")];

const ROOT: &str = "module.exports = {root: true, ";
const FLAT: &str = "module.exports = [{files: ['**/*.js'], ";
const RULES: &str = "rules: {'prefer-const': 'error', 'no-debugger': 'warn'}";

/// Reads command lines with eslint's own parser, and prints the options that differ from their defaults, and
/// the paths. A line that the parser refuses gives null.
const READ: &str = "
const { options, lines } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const parsers = [true, false].map((flat) => require(options)(flat));
const said = lines.map((line) => parsers.map((parser) => {
  const defaults = parser.parse(['node', 'eslint']);
  try {
    const { _: paths, ...read } = parser.parse(['node', 'eslint', ...line]);
    const changed = Object.keys(read).filter((name) => JSON.stringify(read[name]) !== JSON.stringify(defaults[name]));
    return { changed, paths };
  } catch { return null; }
}));
console.log(JSON.stringify(said));
";

/// A project with this eslint installed in it, and files that are clean, worth a warning, wrong and broken.
fn project(version: &str, configuration: &str) -> Option<Project> {
    let program = tools::require(version)?.canonicalize().expect("a program that is there");
    let project = Project::empty();
    let front = if configuration == ".eslintrc.js" {
        format!("{ROOT}env: {{node: true, es2022: true}}, {RULES}}}\n")
    } else {
        format!("{FLAT}{RULES}}}]\n")
    };
    project.write(configuration, front);
    fs::create_dir_all(project.root().join("node_modules/.bin")).expect("a folder of ours");
    symlink(program, project.root().join("node_modules/.bin/eslint")).expect("a folder of ours");
    project.write("src/clean.js", "module.exports = 1;\n");
    project.write("src/warned.js", "debugger;\n");
    project.write("src/wrong.js", "let a = 1;\nmodule.exports = a;\ndebugger;\n");
    project.write("broken/x.js", "function (\n");
    project.cuff(["init", "--yes"]).succeeded();
    Some(project)
}

fn lint(project: &Project, words: &[&str]) -> Run {
    project.cuff(["run", "eslint.lint", "--"].iter().chain(words))
}

fn lint_json(project: &Project, words: &[&str]) -> Value {
    project.cuff(["run", "eslint.lint", "--json", "--"].iter().chain(words)).json()
}

#[test]
fn each_version_tells_problems_and_failure_apart() {
    for (version, configuration) in VERSIONS {
        let Some(project) = project(version, configuration) else { return };
        let clean = lint(&project, &["src/clean.js"]).succeeded();
        assert_eq!(
            (clean.stdout.as_str(), clean.stderr.as_str()),
            ("no problems in 1 file\n", ""),
            "{version}"
        );
        let warned = lint(&project, &["src/clean.js", "src/warned.js"]).succeeded();
        assert_eq!(
            warned.stdout,
            "src/warned.js:1:1 warning no-debugger Unexpected 'debugger' statement.\n1 warning in 1 file\n"
        );
        let many = lint(&project, &["--max-warnings", "0", "src/warned.js"]).ended_with(1);
        assert!(many.failed("lint", "too many warnings (maximum: 0): 1 warning in 1 file ("));
        let wrong = lint(&project, &["src"]).ended_with(1);
        assert!(
            wrong.stdout.starts_with("src/wrong.js:1:5 error prefer-const 'a' is never"),
            "{}",
            wrong.stdout
        );
        let said = "eslint found 1 error and 2 warnings in 2 files (";
        assert!(wrong.failed("lint", said), "{version}: {}", wrong.stderr);
        assert_eq!(wrong.stderr.lines().count(), 1, "{version}: {}", wrong.stderr);
        let broken = lint(&project, &["broken"]).ended_with(1);
        assert!(broken.stdout.starts_with("broken/x.js:1:10 error Parsing error: "), "{}", broken.stdout);
        let none = lint(&project, &["src/none.js"]).ended_with(2);
        let said = "eslint could not run: No files matching the pattern \"src/none.js\" were found";
        assert!(none.failed("lint", said), "{version}: {}", none.stderr);
        project.write(configuration, "module.exports = [\n");
        let crashed = lint(&project, &["src"]).ended_with(2);
        let said = "eslint could not run: SyntaxError: Unexpected";
        // eslint 8 puts words of its own in front.
        assert!(crashed.stderr.contains(said) || version == "eslint8", "{version}: {}", crashed.stderr);
        assert!(crashed.stderr.contains("Unexpected"), "{version}: {}", crashed.stderr);
    }
}

#[test]
fn a_log_that_is_a_report_says_so() {
    let Some(project) = project("eslint", "eslint.config.js") else { return };
    let wrong = lint(&project, &["src"]).ended_with(1);
    let id =
        wrong.stderr.split("`cuff runs diagnostics ").nth(1).and_then(|rest| rest.get(..8)).expect("an id");
    let log = project.cuff(["runs", "log", id]).succeeded();
    let begins = format!(
        "note: this is a report for programs, as it was asked for; `cuff runs diagnostics {id}` shows"
    );
    assert!(log.stdout.starts_with("[{\"filePath\"") && log.stderr.starts_with(&begins), "{}", log.stderr);
    for silent in ["--raw", "--json"] {
        assert_eq!(project.cuff(["runs", "log", id, silent]).succeeded().stderr, "", "{silent}");
    }
    let shown = project.cuff(["runs", "diagnostics", id]).succeeded().stdout;
    assert!(shown.contains("src/wrong.js") && !shown.contains("filePath"), "{shown}");
}

#[test]
fn the_report_stays_json_whatever_configuration_prints() {
    for (version, configuration) in VERSIONS {
        let Some(project) = project(version, configuration) else { return };
        let text = format!("console.error('noise');\n{}", project.read(configuration));
        project.write(configuration, text);
        let result = lint_json(&project, &["src"]);
        let report: Value =
            serde_json::from_str(result["data"]["stdout"].as_str().expect("text")).expect("JSON");
        assert_eq!(report.as_array().map(Vec::len), Some(3), "{version}");
        assert_eq!((&result["exit_code"], &result["data"]["errors"]), (&json!(1), &json!(1)), "{version}");
        assert!(result["data"]["stderr"].as_str().is_some_and(|text| text.contains("noise")), "{version}");
        let first = json!({
            "severity": "error", "message": "'a' is never reassigned. Use 'const' instead.", "code": "prefer-const",
            "file": "src/wrong.js", "line": 1, "column": 5,
        });
        assert_eq!(result["data"]["problems"][0], first, "{version}");
    }
}

/// Half a report is no JSON: the facts replace it, and the log has all of it.
#[test]
fn a_long_report_is_reduced_and_recorded_whole() {
    let Some(project) = project("eslint", "eslint.config.js") else { return };
    project.write("src/many.js", "debugger;\n".repeat(2_000));
    let result = lint_json(&project, &["src/many.js"]);
    assert_eq!(result["success"], true);
    let data = &result["data"];
    assert_eq!((&data["warnings"], &data["problems_left_out"]), (&json!(2_000), &json!(1_950)));
    assert!(
        data.get("stdout").is_none() && data["stdout_bytes"].as_u64().is_some_and(|bytes| bytes > 100_000)
    );
    let log = project.cuff(["runs", "log", "latest"]).succeeded();
    let report: Value = serde_json::from_str(&log.stdout).expect("the report as it came");
    assert_eq!(report[0]["messages"].as_array().map(Vec::len), Some(2_000));
}

/// Ten megabytes in one line, behind a line that the configuration printed.
#[test]
fn a_report_of_any_length_is_read() {
    let project = Project::empty();
    let message = |line: usize| {
        json!({"ruleId": "no-undef", "severity": 1 + line % 2, "message": "x".repeat(150), "line": line})
            .to_string()
    };
    let messages = (1..50_001).map(message).collect::<Vec<_>>().join(",");
    let file = project.root().join("src/a.js").display().to_string();
    let report = format!("[{{\"filePath\":\"{file}\",\"messages\":[{messages}]}}]");
    assert!(report.len() > 10_000_000);
    project.write("report.json", format!("reading the configuration\n{report}\n"));
    let program = project.script("eslint.sh", "#!/bin/sh\ncat report.json\nexit 1\n");
    let settings =
        format!("version: '1'\nplugins:\n  eslint: {{config: {{command: {}}}}}\n", program.display());
    project.write("settings.yml", settings);
    let result = lint_json(&project, &[]);
    assert_eq!(result["error"], "eslint found 25000 errors and 25000 warnings in 1 file");
    assert_eq!(result["data"]["problems"][49]["line"], 99, "errors first");
    assert_eq!(result["data"]["problems_left_out"], 49_950);
    project.write("report.json", &report[..report.len() - 1]);
    let result = lint_json(&project, &[]);
    assert_eq!(result["error"], "eslint ended with exit code 1 and without a report", "half of one is none");
}

#[test]
fn fixing_waits_for_a_person_where_settings_say_so() {
    for (version, configuration) in VERSIONS {
        let Some(project) = project(version, configuration) else { return };
        let before = project.read("src/wrong.js");
        let fix = ["run", "eslint.fix", "--", "src/wrong.js"];
        // The person who types it is not asked.
        project.answer_at_terminal("", &fix).succeeded();
        assert_ne!(project.read("src/wrong.js"), before, "{version}");
        project.write("src/wrong.js", &before);
        project.write("settings.yml", "version: '1'\nplugins: {eslint: {config: {confirm: fix}}}\n");
        let nobody = project.cuff(fix).ended_with(126);
        assert!(
            nobody.stderr.contains("fix requires confirmation by a person first")
                && nobody.stderr.contains("cuff approve")
        );
        let no = project.answer_at_terminal("n\r", &fix).ended_with(126);
        assert!(no.text.ends_with("Nothing was run\n"), "{}", no.text);
        assert_eq!(project.read("src/wrong.js"), before, "{version}");
        let yes = project.answer_at_terminal("y\r", &fix).succeeded();
        assert!(yes.text.contains("fixed src/wrong.js"), "{}", yes.text);
        assert!(project.read("src/wrong.js").starts_with("const a = 1;\n"), "{version}");
    }
}

#[test]
fn an_agent_fixes_once_for_each_yes() {
    let Some(project) = project("eslint", "eslint.config.js") else { return };
    let calls = json!([
        {"name": "eslint.lint", "arguments": {"args": ["src/wrong.js"]}},
        {"name": "eslint.fix", "arguments": {"args": ["src/wrong.js"]}},
        {"name": "eslint.lint", "arguments": {"args": ["src", "--fix"]}},
    ]);
    let said = session(&project, &calls, &[]);
    let result = |said: &Value, at: usize| said["results"][at]["structuredContent"].clone();
    assert_eq!(result(&said, 0)["error"], "eslint found 1 error and 1 warning in 1 file");
    let text = said["results"][0]["content"][0]["text"].as_str().expect("text").to_owned();
    assert!(text.contains("src/wrong.js:1:5 error prefer-const") && !text.contains("filePath"), "{text}");
    assert_eq!(result(&said, 2)["error_code"], "ESLINT_304", "lint does not fix");
    let waits = result(&said, 1);
    assert_eq!(waits["error_code"], "ESLINT_307");
    let help = waits["help"].as_str().expect("what to do").to_owned();
    let id = help.split("cuff approve ").nth(1).and_then(|rest| rest.split('`').next()).expect("an id");
    project.answer_at_terminal("y", &["approve", id]).succeeded();
    let calls = json!([calls[1].clone(), calls[1].clone()]);
    let said = session(&project, &calls, &[]);
    assert_eq!(result(&said, 0)["data"]["fixed"], json!(["src/wrong.js"]));
    assert_eq!(result(&said, 1)["error_code"], "ESLINT_307", "a yes is used once");
}

/// Words that each version acts on when it gets them by itself.
#[test]
fn words_that_would_fix_load_or_write_reach_no_eslint() {
    for (version, configuration) in VERSIONS {
        let Some(project) = project(version, configuration) else { return };
        let project = project.inside_a_run();
        project.write("evil.js", "require('fs').writeFileSync('landed', '');\nmodule.exports = () => '';\n");
        let mut acted = Vec::new();
        for words in [
            &["--fixé"] as &[&str],
            &["--fix:x"],
            &["--no-fix=false"],
            &["-f=./evil.js"],
            &["--format", "./evil.js"],
            &["-c", "evil.js"],
            &["-o=landed"],
            &["--cache", "--cache-location", "landed"],
        ] {
            let words: Vec<&str> = words.iter().copied().chain(["src/wrong.js"]).collect();
            lint(&project, &words).ended_with(126);
            let before = project.read("src/wrong.js");
            assert!(
                before.starts_with("let ") && !project.root().join("landed").exists(),
                "{version} {words:?}"
            );
            let mut alone = Command::new(project.root().join("node_modules/.bin/eslint"));
            project.surround(alone.args(&words));
            Run::of(alone);
            if project.read("src/wrong.js") != before
                || fs::remove_file(project.root().join("landed")).is_ok()
            {
                acted.push(words[0].to_owned());
            }
            project.write("src/wrong.js", before);
        }
        assert_eq!(
            acted.len(),
            8,
            "{version} acts on each of them by itself, so the refusals matter: {acted:?}"
        );
    }
}

#[test]
fn a_call_works_in_a_folder_of_the_project() {
    let Some(project) = project("eslint", "eslint.config.js") else { return };
    fs::create_dir(project.outside().join("elsewhere")).expect("a folder of ours");
    symlink(project.outside().join("elsewhere"), project.root().join("out")).expect("a folder of ours");
    let calls = json!([
        {"name": "eslint.lint", "arguments": {"args": ["wrong.js"], "cwd": "src"}},
        {"name": "eslint.lint", "arguments": {"cwd": "out"}},
        {"name": "eslint.lint", "arguments": {"cwd": "../elsewhere"}},
    ]);
    let said = session(&project, &calls, &[]);
    let result = |at: usize| &said["results"][at]["structuredContent"];
    assert_eq!(result(0)["error"], "eslint found 1 error and 1 warning in 1 file");
    assert!(result(0)["diagnostics"]["src/wrong.js"].is_array(), "{}", result(0));
    assert_eq!(result(1)["error_code"], "ESLINT_304", "{}", result(1));
    assert_eq!(result(2)["error_code"], "ESLINT_304", "{}", result(2));
}

#[test]
fn a_missing_eslint_is_said_before_and_after() {
    let project = Project::empty().variable("PATH", "/usr/bin:/bin");
    project.write("eslint.config.js", "module.exports = [];\n");
    let init = project.cuff(["init", "--yes"]).succeeded();
    assert!(init.stdout.contains("Warning: eslint is not installed"), "{}", init.stdout);
    let run = lint(&project, &[]).ended_with(125);
    assert!(
        run.stderr.contains("eslint is not installed, or not on the PATH [ESLINT_103]"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("npm install --save-dev eslint"), "{}", run.stderr);
}

/// Gives every option of a version, in every imaginable spelling, to eslint's own parser if cuff passes it.
/// The parser must read a listed flag or a path, and nothing else.
#[test]
fn options_that_pass_are_read_by_eslint_as_they_look() {
    let project = Project::empty();
    let mut known = BTreeSet::new();
    for (version, _) in VERSIONS {
        let Some(program) = tools::require(version) else { return };
        let mut help = Command::new(program);
        project.surround(help.arg("--help"));
        let text = Run::of(help).succeeded().stdout;
        let names = text.split([' ', ',', '\n']).filter_map(|word| word.strip_prefix("--"));
        known.extend(names.map(|name| name.strip_prefix("no-").unwrap_or(name).to_owned()));
    }
    assert!(known.len() > 40 && known.contains("mcp"), "{known:?}");
    let lines = passing(&known);
    assert!(lines.len() > 100, "{} command lines pass", lines.len());
    let meant = [
        "format",
        "ext",
        "quiet",
        "maxWarnings",
        "inlineConfig",
        "reportUnusedDisableDirectives",
        "warnIgnored",
    ];
    for (version, _) in VERSIONS {
        let folder = tools::require(version).and_then(|program| program.canonicalize().ok());
        let options =
            folder.map(|program| program.with_file_name("../lib/options.js")).expect("where it lies");
        let input = project.write("lines.json", json!({"options": options, "lines": lines}).to_string());
        let mut node = Command::new("node");
        project.surround(node.args(["-e", READ]));
        node.stdin(fs::File::open(input).expect("a file of ours"));
        let read = Run::of(node).succeeded().json();
        let read = read.as_array().expect("a list");
        assert_eq!(read.len(), lines.len());
        for (line, both) in lines.iter().zip(read) {
            for read in both.as_array().expect("two").iter().filter(|read| !read.is_null()) {
                let changed = read["changed"].as_array().expect("names").iter();
                let other: Vec<&Value> =
                    changed.filter(|name| !meant.contains(&name.as_str().unwrap_or_default())).collect();
                assert!(other.is_empty(), "{version} reads {other:?} in {line:?}");
                let paths = read["paths"].as_array().expect("paths");
                assert!(
                    paths.contains(&json!("src")) || line.ends_with(&[".".into()]),
                    "{version}: {line:?} looks at {paths:?}"
                );
            }
        }
    }
}

/// The command lines of `lint` that pass.
fn passing(known: &BTreeSet<String>) -> Vec<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
    let environment = Environment::new(&root, [("PATH", "/usr/bin:/bin")]);
    let place = ProjectPlace::of(&root, &environment);
    let plugin = *cuff::plugins::ALL.iter().find(|plugin| plugin.about().id == "eslint").expect("the plugin");
    let found = discovery::discover(place, plugin, &Values::default());
    let tool = &found.tools[0];
    let Role::Run { command, .. } = &tool.role else { panic!("{tool:?}") };
    let args = tool.input.fields().iter().find(|field| field.name == "args").expect("the parameter");
    let mut lines = Vec::new();
    for word in known.iter().flat_map(|name| spellings(name)) {
        for words in [
            vec![word.as_str(), "src"],
            vec!["src", &word],
            vec![&word, "1", "src"],
            vec![&word, ".ts", "src"],
            vec!["--quiet", &word, "--max-warnings", "1", "src"],
        ] {
            let given = Values::of([(args, json!(words))]);
            if let Ok(planned) =
                plugin.plan(&Values::default(), tool, (**command).clone(), &given, Governance::Governed)
            {
                lines.push(planned.arguments.into_iter().map(|word| word.text).collect());
            }
        }
    }
    lines
}

/// An option as it is spelled, and as it is not.
fn spellings(name: &str) -> Vec<String> {
    let mut camel = String::new();
    for part in name.split('-') {
        let (first, rest) = part.split_at(part.len().min(1));
        camel += &(if camel.is_empty() { first.to_owned() } else { first.to_uppercase() } + rest);
    }
    let ends = ["", "=", "=true", "=false", "=x", "=1", "=.ts", ":x", "é", "\n", " ", "'", "\u{2028}=x"];
    let fronts = ["--", "-", "--no-", "---", "\u{2014}", " --", "\u{ad}--", "--\u{200b}"];
    let whole = fronts.iter().flat_map(|front| ends.iter().map(move |end| format!("{front}{name}{end}")));
    let others = [camel, name.to_uppercase(), name.replace('-', ""), name.replace('-', "_")];
    let shorter = (1..name.len()).map(|end| name[..end].to_owned());
    let other = |name: String| [format!("--{name}"), format!("--{name}=true"), format!("-{name}")];
    whole.chain(others.into_iter().chain(shorter).flat_map(other)).collect()
}
