use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::diagnostics::Reader;
use crate::model::{
    BadCall, Command, Discovery, Ended, ErrorCode, Files, Governance, Tool, Values, Verdict, Want,
};
use crate::model::{BadCallKind, CWD, Chunk, ENV, File, Matches, Origin, Role, Seen, Stream};
use crate::plugin::Plugin as _;

/// A project with these files; those in a `.bin` are programs.
fn seen(config: &Values, present: &[(&str, &str)]) -> Files {
    let file = |path: &str, text: &str| {
        Seen::File(
            File::new(Path::new("/project").join(path), text.as_bytes())
                .permitting(0o755, path.contains(".bin/")),
        )
    };
    let at = |path: &str| {
        let found = present.iter().find(|(present, _)| *present == path);
        found.map_or(Seen::Missing, |(path, text)| file(path, text))
    };
    let mut files = Files::default();
    loop {
        let fresh: Vec<Want> =
            ESLINT.wants(config, &files).into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return files;
        }
        for want in fresh {
            match want {
                Want::File(path) => _ = files.files.insert(path.clone(), at(&path)),
                Want::Program(name) => _ = files.programs.insert(name, None),
                Want::Glob(glob) => {
                    let path = |name: &String| crate::model::path::join(&glob.base, name);
                    let found = glob.patterns.iter().map(|name| (name.clone(), at(&path(name)))).collect();
                    files.globs.insert(glob, Matches { found, ..Matches::default() }.into());
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

const LOCAL: (&str, &str) = ("node_modules/.bin/eslint", "");

fn discovered(config: &Values, present: &[(&str, &str)]) -> Discovery {
    ESLINT.discover(config, &seen(config, present))
}

fn line(tool: &Tool) -> (String, bool) {
    let Role::Run { command, .. } = &tool.role else { panic!("{tool:?}") };
    (command.line(), command.requires_confirmation)
}

#[test]
fn lint_reads_and_fix_needs_a_yes() {
    let found = discovered(&Values::default(), &[("eslint.config.mjs", ""), LOCAL]);
    assert_eq!(found.problems, []);
    let lines: Vec<_> = found.tools.iter().map(|tool| (tool.name.as_str(), line(tool))).collect();
    let local = "node_modules/.bin/eslint";
    assert_eq!(
        lines,
        [
            ("lint", (format!("{local} --format json"), false)),
            ("fix", (format!("{local} --fix --format json"), true))
        ]
    );
}

#[test]
fn a_configuration_is_looked_for_from_the_folder_up() {
    let below = Values::of([(&config::WORKING_DIRECTORY, json!("web/app"))]);
    for (present, expected) in [
        (&[("eslint.config.js", "")] as &[_], Some("eslint.config.js")),
        (&[("web/.eslintrc", ""), ("eslint.config.ts", "")], Some("web/.eslintrc")),
        (
            &[("web/app/.eslintrc.json", ""), ("web/app/eslint.config.cts", "")],
            Some("web/app/eslint.config.cts"),
        ),
        (&[("package.json", r#"{"eslintConfig": {"root": true}}"#)], Some("package.json")),
        (&[("package.json", r#"{"eslint": 1}"#)], None),
        (&[("package.json", "{")], None),
        (&[("eslint.json", "")], None),
    ] {
        let found = discovered(&below, present);
        let config = found.tools.first().map(|tool| tool.source.file.clone());
        assert_eq!(config.as_deref(), expected, "{present:?}");
    }
    let nothing = discovered(&Values::default(), &[]);
    insta::assert_snapshot!(nothing.problems[0], @"No eslint configuration found in .");
}

#[test]
fn the_program_is_the_nearest_one_installed_then_the_path_unless_settings_say() {
    let folder = |config: Values| config.with(&config::WORKING_DIRECTORY, json!("web/app"));
    let configured = ("eslint.config.js", "");
    let below = ("web/node_modules/.bin/eslint", "");
    for (command, present, expected, problems) in [
        (None, &[configured, LOCAL, below] as &[_], "../node_modules/.bin/eslint --format json", 0),
        (None, &[configured, LOCAL], "../../node_modules/.bin/eslint --format json", 0),
        (None, &[configured], "eslint --format json", 1),
        (None, &[configured, (".pnp.cjs", "")], "yarn run --binaries-only eslint --format json", 1),
        (None, &[configured, (".pnp.cjs", ""), LOCAL], "../../node_modules/.bin/eslint --format json", 0),
        (Some("eslint_d --cache"), &[LOCAL], "eslint_d --cache --format json", 1),
        (Some("/opt/eslint"), &[LOCAL], "/opt/eslint --format json", 0),
    ] {
        let config = folder(Values::of(command.map(|command| (&config::COMMAND, json!(command)))));
        let found = discovered(&config, present);
        assert_eq!(line(&found.tools[0]).0, expected);
        assert_eq!(found.problems.len(), problems, "{:?}", found.problems);
    }
    for (command, fault) in [
        ("'", ErrorCode::InvalidConfig),
        ("", ErrorCode::InvalidConfig),
        ("./eslint", ErrorCode::InvalidProgram),
    ] {
        let found = discovered(&Values::of([(&config::COMMAND, json!(command))]), &[configured]);
        assert_eq!((found.tools.len(), found.problems[0].fault), (0, Some(fault)), "{command}");
    }
}

#[test]
fn the_suggestion_says_if_eslint_is_missing() {
    let suggest = |present: &[_]| ESLINT.suggest(&seen(&Values::default(), present));
    assert!(suggest(&[LOCAL]).is_none());
    let whole = suggest(&[(".eslintrc.yml", ""), LOCAL]).unwrap();
    assert_eq!((whole.description.as_str(), whole.warnings.len()), ("Found .eslintrc.yml", 0));
    let missing = suggest(&[("eslint.config.js", "")]).unwrap();
    assert!(missing.confidence < whole.confidence);
    insta::assert_snapshot!(missing.warnings.join("\n"), @"eslint is not installed, neither in the project nor on the PATH (install the project's packages; where it is none of them: npm install --save-dev eslint)");
}

fn call(tool: &str, config: &Values, arguments: &Values) -> Result<Command, BadCall> {
    let found = discovered(config, &[("eslint.config.js", ""), LOCAL]);
    let tool = found.tools.iter().find(|found| found.name == tool).unwrap();
    let Role::Run { command, .. } = &tool.role else { panic!("{tool:?}") };
    ESLINT.plan(config, tool, (**command).clone(), arguments, Governance::Governed)
}

fn args(tool: &str, words: &[&str]) -> Result<String, BadCall> {
    let command = call(tool, &Values::default(), &Values::of([(&config::ARGS, json!(words))]))?;
    let brought = command.arguments.iter().filter(|word| word.origin == Origin::Call).count();
    assert_eq!(brought, words.len(), "each word as it came");
    let line = command.line();
    Ok(line.strip_prefix("node_modules/.bin/eslint ").unwrap().to_owned())
}

#[test]
fn paths_and_listed_flags_pass() {
    for (tool, words, expected) in [
        ("lint", &[] as &[&str], "--format json ."),
        ("lint", &["--quiet"], "--format json --quiet ."),
        ("lint", &["src", "a b.js", "**/*.{ts,tsx}"], "--format json src 'a b.js' '**/*.{ts,tsx}'"),
        ("lint", &["./-x.js", "a..b/...c", "$(x)"], "--format json ./-x.js a..b/...c '$(x)'"),
        ("lint", &["--ext", ".ts,.d.ts", "src"], "--format json --ext '.ts,.d.ts' src"),
        ("lint", &["--ext=ts", "--max-warnings=0"], "--format json '--ext=ts' '--max-warnings=0' ."),
        (
            "lint",
            &["--max-warnings", "10", "--no-inline-config"],
            "--format json --max-warnings 10 --no-inline-config .",
        ),
        (
            "lint",
            &["--report-unused-disable-directives", "--no-warn-ignored", "x"],
            "--format json --report-unused-disable-directives --no-warn-ignored x",
        ),
        ("fix", &["--fix-type", "layout,problem", "x"], "--fix --format json --fix-type 'layout,problem' x"),
    ] {
        assert_eq!(args(tool, words).unwrap(), expected);
    }
}

/// Every spelling that eslint's own parser takes for one of its options, and lookalikes.
#[test]
fn other_flags_are_refused_with_the_reason() {
    let changes_files = "--fix --fix=true --no-fix=false --no-fix --fixé --fix:x --fix-dry-run --fix-type --fix-type=layout --Fix";
    let loads = "-c -c=x -cx --config --config=x --configx --rulesdir --rulesdir=x --rules-dir --plugin --plugin=x \
                 --parser=x --parser-options --parserOptions --resolve-plugins-relative-to \
                 --resolvePluginsRelativeTo=x --no-config-lookup --flag --flag=x";
    let reports = "-f -f=x -fx -o -o=x --format --format=x --output-file --output-file=x --outputFile --stats \
                   --color --no-color --debug";
    let hides = "--rule --rule=x --global --env --env=x --env-info --no-eslintrc --ignore-pattern --ignore-path \
                 --no-ignore --suppress-all --suppress-rule --suppressions-location --prune-suppressions \
                 --pass-on-no-patterns --no-error-on-unmatched-pattern";
    let downloads = "--init --mcp --inspect-config --init=true";
    let others = "- -- -h --help -v --version --stdin --stdin-filename --print-config --print-config=x --concurrency \
                  --exit-on-fatal-error --cachet --quiet=false --quiet=true --no-quiet -1 -q --ext --max-warnings \
                  --ext=.. --ext=a/b --ext=,a --max-warnings=-1 --max-warnings=x --max-warnings=99999999999 --warn-ignored";
    let caches =
        "--cache --no-cache --cache=true --cache-location --cache-location=x --cache-file --cache-strategy=x";
    for (words, expected) in [
        (changes_files, Some("changes files")),
        (loads, Some("loads other code")),
        (reports, Some("changes the report")),
        (hides, Some("changes what counts as a problem")),
        (downloads, Some("downloads and starts another program")),
        (caches, Some("writes a cache file")),
        (others, None),
    ] {
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            for words in [&[word] as &[&str], &["src", word], &[word, "--fix"]] {
                let bad = args("lint", words).expect_err(word);
                assert_eq!((bad.kind, bad.help.is_some()), (BadCallKind::Refused, true), "{word}");
                if let Some(expected) = expected {
                    assert!(bad.message.contains(expected), "{}", bad.message);
                }
            }
        }
    }
    for word in ["--fix=false", "--no-fix", "--fix-dry-run", "--fix-type=all", "-c", "--init"] {
        assert!(args("fix", &[word]).is_err(), "{word}");
    }
    insta::assert_snapshot!(args("lint", &["--max-warnings", "few"]).unwrap_err().message,
        @"args: --max-warnings takes a whole number");
}

#[test]
fn an_absolute_path_inside_the_project_passes_as_a_relative_one() {
    let called = |cwd: &str, word: &str| {
        let values = Values::of([(&CWD, json!(cwd)), (&config::ARGS, json!([word]))]).rooted(&["/p".into()]);
        call("lint", &Values::default(), &values)
            .map(|command| command.arguments.last().unwrap().text.clone())
    };
    assert_eq!(called("", "/p/src/a.js").unwrap(), "src/a.js");
    assert_eq!(called("", "/p").unwrap(), ".");
    assert_eq!(called("", "/p/-c").unwrap(), "./-c", "it is no flag");
    assert_eq!(called("src", "/p/src/a.js").unwrap(), "a.js");
    assert_eq!(called("/p/src", "/p/src").unwrap(), ".");
    for (cwd, word) in [("", "/pp/a.js"), ("", "/p/../x.js"), ("src", "/p/other/a.js"), ("", "/p/{..,a}/x")] {
        assert!(called(cwd, word).is_err(), "{cwd} {word}");
    }
}

#[test]
fn paths_out_of_the_folder_are_refused() {
    for (word, expected) in [
        ("", r#"args: "" is empty"#),
        ("/etc/x.js", r#"args: "/etc/x.js" is absolute"#),
        ("..", r#"args: ".." climbs with `..`"#),
        ("src/../../x", r#"args: "src/../../x" climbs with `..`"#),
        ("{..,src}/x.js", r#"args: "{..,src}/x.js" climbs with `..`"#),
        ("@(..|src)/x.js", r#"args: "@(..|src)/x.js" climbs with `..`"#),
    ] {
        assert_eq!(args("lint", &[word]).unwrap_err().message, expected);
    }
}

#[test]
fn a_call_may_work_in_a_folder_below() {
    let at = |config: &Values, cwd: &str| call("lint", config, &Values::of([(&CWD, json!(cwd))]));
    let moved = at(&Values::default(), "web/app").unwrap();
    assert_eq!(moved.directory, Path::new("web/app"));
    assert_eq!(
        moved.line(),
        "/project/node_modules/.bin/eslint --format json .",
        "whatever links lead there"
    );
    assert_eq!(moved.program.origin, Origin::Fixed);
    assert_eq!(at(&Values::default(), ".").unwrap().line(), "node_modules/.bin/eslint --format json .");
    assert!(at(&Values::default(), "..").is_err());
    let named = |command: &str| Values::of([(&config::COMMAND, json!(command))]);
    assert_eq!(at(&named("eslint_d"), "web").unwrap().line(), "eslint_d --format json .");
    assert_eq!(at(&named("/opt/eslint"), "web").unwrap().line(), "/opt/eslint --format json .");
}

#[test]
fn variables_that_eslint_acts_on_are_for_the_settings() {
    let set = |name: &str| call("lint", &Values::default(), &Values::of([(&ENV, json!({name: "1"}))]));
    for name in ["ESLINT_USE_FLAT_CONFIG", "ESLINT_FLAGS", "TIMING", "timing"] {
        assert!(set(name).is_err(), "{name}");
    }
    assert!(set("CI").is_ok());
}

fn judged(fixes: bool, code: i32, out: &str, err: &str) -> Verdict {
    let mut reader =
        Reader::new(Path::new("/project"), Path::new(""), Vec::new()).expecting(findings::REPORT);
    reader.push(Chunk::new(Stream::Out, out.as_bytes()));
    reader.push(Chunk::new(Stream::Err, err.as_bytes()));
    verdict::judge(fixes, Ended { code, findings: &reader.finish(), err })
}

const CLEAN: &str = r#"[{"filePath":"/project/a.js","messages":[]}]"#;
const WARNED: &str = r#"[{"filePath":"/project/a.js","messages":[{"ruleId":"no-console","severity":1,"message":"No.","line":3,"column":1}]}]"#;
const WRONG: &str = r#"[
    {"filePath":"/project/a.js","messages":[{"ruleId":"no-console","severity":1,"message":"No.","line":3,"column":1}]},
    {"filePath":"/else/b\u001b.js","messages":[
        {"ruleId":null,"fatal":true,"severity":2,"message":"Parsing error:\n\u202eline","line":1,"column":7},
        {"ruleId":"x/y","severity":2,"message":"Odd","line":null,"column":null}
    ],"output":"x"}
]"#;
const CRASH: &str = "\nOops! Something went wrong! :(\n\nESLint: 9.39.5\n\n";

#[test]
fn the_exit_code_is_read_beside_the_report() {
    let error =
        |code, out: &str, err: &str| judged(false, code, out, err).error.unwrap_or_else(|| "fine".into());
    for (code, out, err, expected) in [
        (0, CLEAN, "", "fine"),
        (0, WARNED, "", "fine"),
        (0, "[]", "(node:1) Warning: x", "fine"),
        (0, "", "", "eslint ended with exit code 0 and without a report"),
        (0, WRONG, "", "eslint ended with exit code 0, but its report has 2 errors and 1 warning in 2 files"),
        (1, WRONG, "", "eslint found 2 errors and 1 warning in 2 files"),
        (
            1,
            WARNED,
            "ESLint found too many warnings (maximum: 0).\n",
            "ESLint found too many warnings (maximum: 0): 1 warning in 1 file",
        ),
        (1, "[]", "", "eslint found problems: no problems"),
        (
            1,
            "",
            "node: bad\nError: no such module\n",
            "eslint ended with exit code 1 and without a report: Error: no such module",
        ),
        (
            2,
            "",
            &format!("{CRASH}/x.js:1\n!\n^\n\nSyntaxError: Unexpected token\n    at x\n"),
            "eslint could not run: SyntaxError: Unexpected token",
        ),
        (
            2,
            "",
            &format!("{CRASH}No files matching \"x\" were found.\n"),
            "eslint could not run: No files matching \"x\" were found",
        ),
        (2, "", &format!("{CRASH}TypeError [ERR_X]: odd\n"), "eslint could not run: TypeError [ERR_X]: odd"),
        (2, "", "", "eslint could not run"),
        (126, "", "", "eslint ended with exit code 126"),
    ] {
        assert_eq!(error(code, out, err), expected);
    }
    let fixed = judged(true, 1, WRONG, "");
    assert_eq!(fixed.error.unwrap(), "eslint could not fix 2 errors and 1 warning in 2 files");
}

#[test]
fn findings_are_a_line_each_errors_first() {
    let wrong = judged(false, 1, WRONG, "");
    insta::assert_snapshot!(wrong.text.unwrap(), @r"
    /else/b\u{1b}.js:1:7 error Parsing error: line
    /else/b\u{1b}.js error x/y Odd
    a.js:3:1 warning no-console No.
    fixed /else/b\u{1b}.js
    2 errors and 1 warning in 2 files
    ");
    assert_eq!(
        Value::Object(wrong.data),
        json!({
            "errors": 2, "warnings": 1, "fixed": [r"/else/b\u{1b}.js"],
            "problems": [
                {"severity": "error", "message": "Parsing error: line", "file": r"/else/b\u{1b}.js", "line": 1, "column": 7},
                {"severity": "error", "message": "Odd", "code": "x/y", "file": r"/else/b\u{1b}.js"},
                {"severity": "warning", "message": "No.", "code": "no-console", "file": "a.js", "line": 3, "column": 1},
            ],
        })
    );
    assert_eq!(judged(false, 0, CLEAN, "").text.unwrap(), "no problems in 1 file\n");
    assert_eq!(judged(false, 2, "", CRASH).text, None, "what it printed speaks for itself");
}

#[test]
fn long_reports_say_what_is_left_out() {
    let one = |line| format!(r#"{{"ruleId":"a","severity":1,"message":"x","line":{line},"column":1}}"#);
    let many = (1..1000).map(one).collect::<Vec<_>>().join(",");
    let error = r#"{"ruleId":"b","severity":2,"message":"last","line":1,"column":1}"#;
    let report = format!(r#"[{{"filePath":"/project/a.js","messages":[{many},{error}]}}]"#);
    let verdict = judged(false, 1, &report, "");
    let text = verdict.text.unwrap();
    assert!(text.starts_with("a.js:1:1 error b last\n"), "{text}");
    assert!(text.ends_with("[… 950 of 1000 problems left out; the log of the run has them …]\n1 error and 999 warnings in 1 file\n"));
    assert_eq!(verdict.data["problems_left_out"], 950);
}
