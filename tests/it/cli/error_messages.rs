//! Every error that a person can get, as the real binary prints it: what happened, its code, and what to do next.
//!
//! The texts lie in `snapshots/errors/`. To rewrite them after a change that was meant:
//! `INSTA_UPDATE=always cargo test --test it -- error_messages`. A scan of the source finds messages that
//! have no example.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cuff::model::ErrorCode;
use regex::Regex;

use crate::support::normalize::stable;
use crate::support::project::{Project, Run};
use crate::support::tools;

/// Commands to run beforehand, and the line that fails. Both are for a shell, in a project with a
/// package.json, a Makefile, a folder of scripts and settings for them.
struct Case {
    before: &'static str,
    line: &'static str,
}

const fn case(before: &'static str, line: &'static str) -> Case {
    Case { before, line }
}

/// Cases of a kind have a file together.
const CASES: &[(&str, &[Case])] = &[
    (
        "usage",
        &[
            case("", "cuff -C nowhere list"),
            case("", "cuff frobnicate"),
            case("", "cuff tset"),
            case("", "cuff logs"),
            case("", "cuff runs logs"),
            case("", "cuff npm ci now"),
            case("", "cuff run npm tset"),
            case("", "cuff run --each build -- --watch"),
            case("", "cuff run -r nowhere"),
            case("", "cuff run -r test --filter 'a?'"),
            case("git init -q .", "cuff run -r test --changed nope"),
            case("", "cuff run test --frobnicate"),
            case("", "cuff run --timeout"),
            case("", "cuff run --background --each build test"),
            case("", "cuff run --wait 5 test"),
            case("", "cuff run --timeout soon test"),
            case("", "cuff runs log --lines 5..2"),
            case("", "cuff runs log --lines x"),
            case("", "cuff install --client emacs"),
            case("", "cuff list --plugin scrpts"),
            case("", "cuff list --plugin whatever"),
        ],
    ),
    (
        "servers",
        &[
            case("", "cuff mcp add x"),
            case("", "cuff mcp add x npx"),
            case("", "cuff mcp add 'a b' -- npx"),
            case("", "cuff mcp add x --env A -- npx"),
            case("", "cuff mcp add x --header A=b -- npx"),
            case("", "cuff mcp add x http://y --cwd z"),
            case("", "cuff mcp add x ftp://y"),
            case("", "cuff mcp add scripts -- npx"),
            case("", "cuff mcp remove x"),
            case("echo '{\"x\": {\"command\": \"y\"}}' > .toolscript.json", "cuff mcp remove x"),
            case("rm settings.yml", "cuff mcp remove x"),
            case("", "cuff mcp test x"),
            case("", "cuff mcp login x"),
            case("export CLAUDECODE=1", "cuff mcp logout x"),
            case("export HOME= XDG_STATE_HOME=", "cuff mcp logout x"),
            case(
                "mkdir -p $XDG_CONFIG_HOME/cuff; echo 'noninteractive_yes: true' > $XDG_CONFIG_HOME/cuff/preferences.yml",
                "cuff mcp login x",
            ),
            case(
                "mkdir -p $XDG_CONFIG_HOME/cuff; echo 'noninteractive_yes: true' > $XDG_CONFIG_HOME/cuff/preferences.yml; cuff list; cuff mcp add x -- npx",
                "cuff mcp login x",
            ),
            case(
                "mkdir -p $XDG_CONFIG_HOME/cuff; echo 'noninteractive_yes: true' > $XDG_CONFIG_HOME/cuff/preferences.yml; cuff list; printf '  x: {type: mcp, url: \"https://x\"}\\n' >> settings.yml",
                "cuff mcp login x",
            ),
        ],
    ),
    (
        "calls",
        &[
            case("", "cuff run"),
            case("", "cuff run -"),
            case("", "cuff run - word"),
            case("cuff run scripts/env.sh --env PIN=1", "cuff run -"),
            case("cuff run --each -j 2 test scripts/env.sh", "cuff run -"),
            case("", "cuff run tst"),
            case("", "cuff run whatever"),
            case("", "cuff run build"),
            case("", "cuff run postinstall"),
            case("", "cuff run scripts/gone.sh"),
            case(
                "git init -q .; mkdir -p sub/scripts; cp scripts/env.sh sub/scripts",
                "cuff -C sub run scripts/env.sh",
            ),
            case("", "cuff run ../outside.sh"),
            case("ln -s /etc/passwd scripts/link.sh", "cuff run scripts/link.sh"),
            case("", "cuff run scripts.nope"),
            case(
                "chmod -x scripts/env.sh; printf 'version: \"1\"\\nplugins:\\n  scripts:\\n    config: {patterns: [\"scripts/*\"], require_executable: true}\\n' > settings.yml",
                "cuff run scripts/env.sh",
            ),
            case("", "cuff run npm_list_scripts word"),
            case("", "cuff run npm_list_scripts --timeout 3"),
            case("", "cuff run test --env A"),
            case("", "cuff run test --env \"$(printf 'A=\\377')\""),
            case("", "cuff run test -- \"$(printf 'a\\377')\""),
            case("export CUFF_RUN=019a0000-0000-7000-8000-000000000000", "cuff run test --env 'A B=1'"),
            case("export CUFF_RUN=019a0000-0000-7000-8000-000000000000", "cuff run test --env LD_PRELOAD=/x"),
            case("", "cuff run test --timeout 0"),
            case("export CUFF_RUN=019a0000-0000-7000-8000-000000000000", "cuff run test -- '$(id)'"),
            case("export CUFF_RUN=019a0000-0000-7000-8000-000000000000", "cuff run check -- deploy"),
            case("export CUFF_RUN=019a0000-0000-7000-8000-000000000000", "cuff run check -- SHELL=/x"),
            case("", "cuff why tst"),
            case("", "cuff run npm_fail"),
            case("", "cuff run make_fail"),
            case("", "cuff -v run scripts/die.sh"),
            case(
                "",
                "cuff -v run scripts/long.sh & until [ -e started ]; do sleep 0.1; done; kill -INT $!; wait $!",
            ),
            case("", "cuff run scripts/long.sh --timeout 1"),
            case("", "cuff run scripts/foreign.sh"),
            case(
                "touch package-lock.json; cuff init --yes --force --plugins npm; echo '    config: {confirm: ci}' >> settings.yml",
                "cuff run npm.ci",
            ),
            case(
                "touch package-lock.json; cuff init --yes --force --plugins npm; echo '    config: {confirm: ci}' >> settings.yml",
                "cuff run npm.ci --yes",
            ),
            case(
                "touch package-lock.json; cuff init --yes --force --plugins npm; echo '    config: {confirm: ci}' >> settings.yml; \
                 export HOME= XDG_STATE_HOME=",
                "cuff run npm.ci",
            ),
        ],
    ),
    (
        "sources",
        &[
            case("rm package.json", "cuff run packagejson.npm_test"),
            case("echo '{' > package.json", "cuff run packagejson.npm_test"),
            case("rm Makefile", "cuff run makefile.make_check"),
            case("printf 'a:\\n\\ttrue\\nendif\\n' > Makefile", "cuff list --plugin makefile"),
            case("echo '{\"scripts\": {\"/x y\": \"echo\", \"n\": 5}}' > package.json", "cuff run '/x y'"),
            case("echo '{\"scripts\": {\"x y\": \"echo\", \"n\": 5}}' > package.json", "cuff run n"),
        ],
    ),
    (
        "settings",
        &[
            case("rm -r settings.yml package.json Makefile scripts", "cuff list"),
            case("rm settings.yml; export CLAUDECODE=1", "cuff list"),
            case("rm settings.yml; export CLAUDECODE=1", "cuff run test"),
            case("", "cuff --config nowhere.yml list"),
            case("export CUFF_SETTINGS=nowhere.yml", "cuff list"),
            case("echo 'plugins: [' > settings.yml", "cuff list"),
            case("echo 'plugins: [' > settings.yml", "cuff run test"),
            case(": > settings.yml", "cuff list"),
            case("", "cuff dotnet list"),
            case("sed -i 's/type: in_source/enabled: false/' settings.yml", "cuff makefile list"),
            case("sed -i 's/type: in_source/enabled: false/' settings.yml", "cuff run makefile.make_check"),
            case(
                "printf 'version: \"1\"\\nplugins:\\n  packagejson:\\n    config: {default_timeout: [5]}\\n' > settings.yml",
                "cuff run test",
            ),
            case(
                "printf 'version: \"1\"\\nplugins:\\n  packagejson:\\n    config: {package_manager: pip}\\n' > settings.yml",
                "cuff list",
            ),
            case(
                "printf 'version: \"1\"\\nplugins:\\n  scripts:\\n    config: {patterns: [\"[\"]}\\n' > settings.yml",
                "cuff list",
            ),
            case(
                "printf 'version: \"1\"\\nplugins:\\n  scripts:\\n    config: {patterns: [\"scripts/*\"], interpreters: {\".sh\": \"\\047\"}}\\n' > settings.yml",
                "cuff list",
            ),
            case("chmod o+w settings.yml", "cuff serve"),
            case("export HOME= XDG_STATE_HOME=", "cuff serve"),
            case(
                "mkdir -p $XDG_STATE_HOME; rm -rf $XDG_STATE_HOME/cuff; echo x > $XDG_STATE_HOME/cuff",
                "cuff serve",
            ),
            case("", "cuff packagejson list --package-json ''"),
        ],
    ),
    (
        "runs",
        &[
            case("", "cuff runs log"),
            case("cuff run scripts/env.sh", "cuff -C $HOME runs stop"),
            case("cuff run scripts/env.sh", "cuff runs log zzz"),
            case("cuff run scripts/env.sh; cuff run scripts/env.sh", "cuff runs show 0"),
            case("cuff run scripts/env.sh", "cuff runs diff"),
            case("export HOME= XDG_DATA_HOME=", "cuff runs list"),
            case("mkdir -p $XDG_DATA_HOME/cuff; echo x > $XDG_DATA_HOME/cuff/runs", "cuff runs list"),
            case(
                "cuff run scripts/env.sh; echo '{' | tee $XDG_DATA_HOME/cuff/runs/0*/meta.json",
                "cuff runs show",
            ),
            case(
                "cuff run scripts/env.sh; sed -i 's/\"format\": 3/\"format\": 9/' $XDG_DATA_HOME/cuff/runs/0*/meta.json",
                "cuff runs show",
            ),
            case("cuff run scripts/env.sh; rm $XDG_DATA_HOME/cuff/runs/0*/raw.log", "cuff runs log"),
            case("", "cuff runs --shared"),
            case("export HOME= XDG_STATE_HOME=", "cuff runs push"),
            case("printf 'records: {store: /no/such/folder}\\n' >> settings.yml", "cuff runs --shared"),
            case(
                "printf 'records: {store: \"s3://id:key@bucket\"}\\n' >> settings.yml",
                "cuff runs --shared",
            ),
        ],
    ),
    (
        "decisions",
        &[
            case("", "cuff approve 7f3a"),
            case(
                "printf '  other:\\n    type: in_source\\n    module: makefile\\n' >> settings.yml",
                "cuff approve settings",
            ),
            case("", "cuff approvals --revoke deploy"),
            case("", "cuff deny 7f3a --config x.yml"),
            case(
                "mkdir -p $XDG_CONFIG_HOME/cuff; echo 'noninteractive_yes: true' > $XDG_CONFIG_HOME/cuff/preferences.yml",
                "cuff approve 7f3a",
            ),
            case("export HOME= XDG_STATE_HOME=", "cuff approvals"),
            case("export HOME= XDG_STATE_HOME=", "cuff audit"),
            case("export HOME= XDG_STATE_HOME=", "cuff approve settings"),
            case(
                "rm -rf $XDG_STATE_HOME/cuff; mkdir -p $XDG_STATE_HOME; echo x > $XDG_STATE_HOME/cuff",
                "cuff approvals",
            ),
            case(
                "mkdir -p $XDG_STATE_HOME/cuff; echo '{\"format\": 9}' > $XDG_STATE_HOME/cuff/approvals.json",
                "cuff approvals",
            ),
        ],
    ),
    (
        "programs",
        &[
            case("", "cuff toolscript exec -f nowhere.ts"),
            case("", "cuff toolscript exec --allow '[z-a]' 'return 1'"),
            case("", "cuff toolscript list-tools makefil"),
            case("", "cuff toolscript gateway status"),
            case("", "cuff toolscript gateway start --session s --watch-pid 999999999"),
            case("export TOOLSCRIPT_GATEWAY_URL=http://127.0.0.1:1", "cuff toolscript exec 'return 1'"),
        ],
    ),
    (
        "clients",
        &[
            case("", "cuff --config settings.yml install --client cursor"),
            case("", "cuff install --client cursor --name 'a b'"),
            case("", "cuff install --client zed --project"),
            case("export HOME=", "cuff install --client cursor --user"),
            case("mkdir .cursor; echo '{' > .cursor/mcp.json", "cuff install --client cursor"),
            case(
                "mkdir .cursor; echo '{\"mcpServers\": []}' > .cursor/mcp.json",
                "cuff install --client cursor",
            ),
            case(
                "mkdir .cursor; echo '{\"mcpServers\": {\"cuff\": {\"command\": \"other\"}}}' > .cursor/mcp.json",
                "cuff install --client cursor",
            ),
            case(
                "mkdir -p ~/.cursor; echo '{\"mcpServers\": {\"cuff\": {\"command\": \"cuff\", \"args\": [\"-C\", \"/elsewhere\", \"serve\"]}}}' > ~/.cursor/mcp.json",
                "cuff install --client cursor --user",
            ),
            case("mkdir -p .cursor/mcp.json", "cuff install --client cursor"),
        ],
    ),
    (
        "serve",
        &[
            case("export CLAUDECODE=1", "cuff runs prune --days 0"),
            case("", "cuff run -r test --filter nothing"),
            case("", "cuff serve --http nowhere"),
            case("", "cuff serve --http 127.0.0.1:0 --host 10.0.0.1"),
            case("", "cuff serve --http 0.0.0.0:0"),
            case("", "cuff serve --http 192.0.2.1:80 --host 192.0.2.1"),
            case("", "cuff serve --http 0 --allow-host 'a b'"),
            case("", "cuff serve --http 0 --allow-origin nowhere"),
            case("echo short > token", "cuff serve --http 0 --token-file token"),
            case("", "cuff serve --http 0 --token-file gone"),
            case("export CUFF_TOKEN=short", "cuff serve --http 0"),
            case("export HOME= XDG_RUNTIME_DIR= XDG_STATE_HOME=", "cuff serve --http 0"),
        ],
    ),
];

/// Messages of the source that no line above brings out, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("--json-input: {place} cannot be read: {error}", "needs a tool of an MCP server: tests of its flags"),
    ("--json-input: {place} holds no JSON object", "the same"),
    ("--json-input: {place} is no JSON: {error}", "the same"),
    ("`{tool}` takes no --json-input", "the same"),
    ("`{called}` does not run in the background: an MCP server runs it", "the same"),
    ("`{tool}` takes no --{option} of cuff: an MCP server runs it{dashes}", "the same"),
    ("--{} is given twice", "the same"),
    ("--{} needs a value", "the same"),
    ("`{tool}` needs {}", "the same"),
    ("`{tool}` takes flags, not the word `{}`", "the same"),
    ("that gateway is another session's", "said to agents alone: tests of the gateway"),
    ("the address is that of another session, which this one does not reach", "the same"),
    ("agents do not see the records of others", "tests of shared records"),
    ("nothing is offered here", "said at a terminal alone: tests of choosing"),
    ("there is no client `{id}`", "the command line takes those alone that there are"),
    ("{} cannot be written: {error}", "needs a disk that is full, or a folder that root cannot write"),
    ("a token cannot be kept in {}: {error}", "the same"),
    (
        "{} cannot be used: {}",
        "people see the lines of the file; programs get it with `--json`: tests of the terminal",
    ),
    ("the MCP session broke: {0}", "for whoever reads the log of a client: tests of serving"),
    ("the client did not start an MCP session: {0}", "the same"),
    ("not a run id", "a name in the store that is none is passed over"),
    ("{path} is damaged", "a pin that is no JSON: tests of pins"),
    ("{count} sessions have a gateway", "tests of gateways"),
    ("the gateway of {session} cannot be ended: {error}", "a gateway that another user owns"),
    ("the gateway answered with no JSON: {error}", "another program at the gateway's address"),
    ("it crashed or was killed", "tests of gateways"),
    ("it does not answer at {0}: {1}", "tests of gateways"),
    ("it is still starting", "tests of gateways"),
    ("{} cannot hold the files of a session: {why}", "a folder of another user"),
    ("the gateway cannot be started: {0}", "an operating system that starts nothing"),
    ("the gateway ended before it was ready: {0}", "tests of gateways"),
    ("the gateway was not ready within {0} s", "a machine that stands still"),
    ("the session has a gateway already: {0}", "tests of gateways"),
    ("no sandbox can be started: {error}", "needs an operating system without processes"),
    ("this build of cuff has no sandbox for programs", "a build without the feature `code`"),
    ("this build of cuff has no records of a team", "a build without the feature `team`"),
    ("this build of cuff has no HTTP", "a build without the feature `http`, whose unit test it is"),
];

/// Where messages have tests of their own, screens and all.
const ELSEWHERE_FILES: &[&str] = &["src/cli/init", "src/setup/draft"];

/// Faults that no call of a person comes to.
const FAULTS_ELSEWHERE: &[(ErrorCode, &str)] = &[
    (ErrorCode::NotReady, "calls of agents come before there are settings: tests of reloading"),
    (
        ErrorCode::Cache,
        "kept for the specification's number: what is remembered and cannot be used is looked up again",
    ),
];

fn project() -> Project {
    let mut path = Path::new(env!("CARGO_BIN_EXE_cuff")).parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(tools::path());
    let project = Project::empty().variable("PATH", path);
    project.write(
        "package.json",
        "{\n  \"scripts\": {\n    \"test\": \"node --test\",\n    \"build\": \"true\",\n    \"postinstall\": \"true\",\n    \"fail\": \"exit 3\"\n  }\n}\n",
    );
    project.write(
        "Makefile",
        ".PHONY: check build fail\ncheck: ## Checks\n\t@true\nbuild: ## Builds\n\t@true\nfail: ## Fails\n\t@exit 2\n",
    );
    project.script("scripts/env.sh", "#!/bin/sh\ntrue\n");
    project.script("scripts/die.sh", "#!/bin/sh\nkill -9 $$\n");
    project.script("scripts/long.sh", "#!/bin/sh\ntouch started\nexec sleep 60\n");
    project.script("scripts/foreign.sh", "#!/usr/bin/env no-such-interpreter\n");
    project.cuff(["init", "--yes", "--plugins", "packagejson,makefile,scripts"]).succeeded();
    project
}

/// Runs a line, with what was done before it: the whole of what it says on standard error, and how it ended.
fn ran(project: &Project, Case { before, line }: &Case) -> (String, i32) {
    let before = if before.is_empty() { ":" } else { before };
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {before}\n}} > /dev/null 2>&1\n{line}")]);
    project.surround(&mut shell);
    let run = Run::of(shell);
    (stable(project, &run.stderr), run.code)
}

#[test]
fn every_error_says_what_happened_its_code_and_what_to_do_next() {
    if ["node", "npm", "make"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let (mut texts, mut wrong) = (String::new(), Vec::new());
    for (kind, cases) in CASES {
        let mut page = String::new();
        for case in *cases {
            let (text, code) = ran(&project(), case);
            let before = if case.before.is_empty() { String::new() } else { format!("$ {}\n", case.before) };
            let whole = format!("{before}$ {}\n{text}exit code {code}\n", case.line);
            wrong.extend(wrong_with(&text, code).map(|what| format!("{what}:\n{whole}")));
            page.push_str(&whole);
            page.push('\n');
        }
        texts.push_str(&page);
        insta::with_settings!({ snapshot_path => "../../../snapshots/errors", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(*kind, page);
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    every_message_was_seen(&texts);
    for fault in ErrorCode::all() {
        let is_shown = texts.contains(&format!("_{}]", fault.number()));
        let is_elsewhere = FAULTS_ELSEWHERE.iter().any(|(other, _)| *other == fault);
        assert_ne!(is_shown, is_elsewhere, "{fault:?}, {}", fault.number());
    }
}

/// An error is a line with a code behind it, and a line of help, in every part of cuff.
fn wrong_with(text: &str, code: i32) -> Option<&'static str> {
    // A list of the possible values is help enough.
    let help = |line: &str| line.trim_start().starts_with("help: ") || line.contains("must be one of");
    // The line about a failed tool ends with the command that shows more.
    let failure = |line: &str| line.contains(" failed: ") && line.contains("; ") && line.contains("`cuff ");
    let help = text.lines().any(|line| help(line) || failure(line));
    let mut errors = text.lines().filter(|line| line.starts_with("error: "));
    if code == 0 && !text.contains("error: ") {
        return Some("it is no error");
    }
    if text.contains("panicked") || text.contains("Os {") {
        return Some("it is said as programmers say it");
    }
    if !help {
        return Some("nothing says what to do next");
    }
    errors.find_map(|line| match line.rsplit_once(" [") {
        Some((sentence, code)) if code.ends_with(']') && !sentence.ends_with('.') => None,
        _ => Some("a line without a code, or with a full stop"),
    })
}

/// Each message in the source has its fixed words in what was printed.
fn every_message_was_seen(texts: &str) {
    let message = Regex::new(r#"(?:#\[error\(|Failed::usage\(\s*(?:format!\(\s*)?)"((?:[^"\\]|\\.)*)""#)
        .expect("a pattern");
    let gap = Regex::new(r"\{[^{}]*\}").expect("a pattern");
    let mut unseen = BTreeSet::new();
    let mut known = 0;
    for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        if ELSEWHERE_FILES.iter().any(|other| file.display().to_string().contains(other)) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for found in message.captures_iter(text) {
            let text = found[1].replace("\\\"", "\"");
            known += 1;
            let is_seen = gap
                .split(&text)
                .map(str::trim)
                .filter(|piece| piece.len() > 2)
                .all(|piece| texts.contains(piece));
            if !is_seen && !ELSEWHERE.iter().any(|(other, _)| text == *other) {
                unseen.insert(format!("{}: {text}", file.display()));
            }
        }
    }
    assert!(known > 50, "the messages are found: {known}");
    assert_eq!(unseen, BTreeSet::new(), "no line of this test brings these out");
    for (other, _) in ELSEWHERE {
        assert!(!texts.contains(other), "{other}: it is brought out after all");
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder of ours").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let files = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs"));
    files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}
