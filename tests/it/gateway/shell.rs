//! The plugin cuff: commands of a shell are pointed to the tools that run them, where the settings ask for it.

use std::process::Command;

use serde_json::{Value, json};

use super::session::{feed, plugin};
use crate::support::project::{Project, Run};
use crate::support::tools;

/// A project with a script of npm, a target and a script file.
fn project(agent_shell: &str) -> Option<Project> {
    tools::require("npm")?;
    tools::require("make")?;
    let project = Project::empty();
    project.write(
        "package.json",
        r#"{"name":"p","scripts":{"test":"echo tested","build":"echo built","unit":"vitest run"}}"#,
    );
    project.write("Makefile", "deploy:\n\techo deployed\n");
    project.script("scripts/seed.sh", "#!/bin/sh\necho seeded\n");
    settings(&project, agent_shell);
    Some(project)
}

fn settings(project: &Project, agent_shell: &str) {
    let text = format!(
        "version: \"1\"\n{agent_shell}plugins:\n  packagejson:\n    enabled: true\n  makefile:\n    enabled: true\n  scripts:\n    config:\n      patterns: [scripts/*.sh]\n"
    );
    project.write("settings.yml", text);
}

/// The hook's answer to a command.
fn hook(project: &Project, line: &str) -> Run {
    let root = plugin().parent().unwrap().join("cuff");
    let mut command = Command::new("sh");
    command.arg(root.join("hooks/pre-tool-use.sh"));
    project.surround(&mut command);
    let programs = std::path::Path::new(env!("CARGO_BIN_EXE_cuff")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", tools::path().to_string_lossy());
    command.env("PATH", path).env("CLAUDE_PLUGIN_ROOT", &root);
    let event = json!({
        "session_id": "s", "cwd": project.root(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": line},
    });
    feed(command, &event.to_string()).succeeded()
}

fn said(run: &Run) -> Value {
    run.json()["hookSpecificOutput"].clone()
}

#[test]
fn without_the_setting_nothing_is_said() {
    for agent_shell in ["", "agent_shell: off\n"] {
        let Some(project) = project(agent_shell) else { return };
        let run = hook(&project, "npm test");
        assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    }
    let nothing = Project::empty();
    assert!(hook(&nothing, "npm test").stdout.is_empty());
}

#[test]
fn advice_names_the_tool_and_lets_the_command_run() {
    let Some(project) = project("agent_shell: advise\n") else { return };
    let advised = said(&hook(&project, "npm test"));
    assert_eq!(advised["hookEventName"], "PreToolUse");
    assert!(advised.get("permissionDecision").is_none(), "{advised}");
    let text = advised["additionalContext"].as_str().unwrap();
    assert!(text.contains("for `npm test` call the tool `packagejson__npm_test`"), "{text}");
}

#[test]
fn enforcement_denies_the_command_and_names_the_tool() {
    let Some(project) = project("agent_shell: enforce\n") else { return };
    for (line, tool) in [
        ("npm test", "packagejson__npm_test"),
        ("npm run build -- --fast", "packagejson__npm_build"),
        ("npm --silent run build", "packagejson__npm_build"),
        ("cd . && npm test 2>&1 | tail -5", "packagejson__npm_test"),
        ("CI=1 npm test", "packagejson__npm_test"),
        ("sh -c 'npm test'", "packagejson__npm_test"),
        ("make deploy", "makefile__make_deploy"),
        ("make -s deploy", "makefile__make_deploy"),
        ("./scripts/seed.sh --all", "scripts__script_scripts_seed"),
        ("bash scripts/seed.sh", "scripts__script_scripts_seed"),
        ("sh -e ./scripts/seed.sh", "scripts__script_scripts_seed"),
        ("cd scripts && npm test", "packagejson__npm_test"),
        ("npm t", "packagejson__npm_test"),
        ("npm --prefix . run build", "packagejson__npm_build"),
        ("npm run --prefix=. build", "packagejson__npm_build"),
        ("yarn build", "packagejson__npm_build"),
        ("pnpm run build", "packagejson__npm_build"),
        ("pnpm test", "packagejson__npm_test"),
        ("npx vitest run", "packagejson__npm_unit"),
        ("npx vitest run a.test.ts", "packagejson__npm_unit"),
        ("yarn vitest run", "packagejson__npm_unit"),
        ("make -f Makefile deploy", "makefile__make_deploy"),
        ("make -j 4 -C . deploy", "makefile__make_deploy"),
    ] {
        let denied = said(&hook(&project, line));
        assert_eq!(denied["permissionDecision"], "deny", "{line}: {denied}");
        let reason = denied["permissionDecisionReason"].as_str().unwrap();
        assert!(reason.contains(&format!("`{tool}`")), "{line}: {reason}");
    }
    for line in [
        "git status",
        "npm view left-pad",
        "echo npm test",
        "make --version",
        "cat scripts/seed.sh",
        "chmod +x scripts/seed.sh",
        "npm testing",
        "npm --prefix /elsewhere run build",
        "npm --prefix .. run build",
        "make -f other.mk deploy",
        "npx vitest --help",
        "",
    ] {
        assert!(hook(&project, line).stdout.is_empty(), "{line}");
    }
}

#[test]
fn a_denial_says_how_words_are_passed() {
    let Some(project) = project("agent_shell: enforce\n") else { return };
    for (line, said) in [
        (
            "npm run build -- --fast 'a b'",
            r#"call the tool `packagejson__npm_build` with {"extra_args":"--fast 'a b'"} of the MCP server `cuff`."#,
        ),
        (
            "npx vitest run a.test.ts",
            r#"call the tool `packagejson__npm_unit` with {"extra_args":"a.test.ts"}"#,
        ),
        (
            "./scripts/seed.sh --all",
            r#"call the tool `scripts__script_scripts_seed` with {"args":["--all"]}"#,
        ),
        ("make deploy MODE=x", r#"call the tool `makefile__make_deploy` with {"extra_args":"'MODE=x'"}"#),
    ] {
        let denied = said_of(&project, line);
        assert!(denied.contains(said), "{line}: {denied}");
    }
}

#[test]
fn a_package_of_a_workspace_is_told_by_the_folder_and_by_options() {
    let Some(_npm) = tools::require("npm") else { return };
    let project = Project::empty();
    let manifest = |name: &str, more: &str| format!(r#"{{"name":"{name}",{more}}}"#);
    let root =
        r#""private":true,"workspaces":["packages/*"],"scripts":{"lint":"echo root","all":"echo all"}"#;
    project.write("package.json", manifest("root", root));
    project
        .write("packages/a/package.json", manifest("@x/a", r#""scripts":{"lint":"echo a","only":"echo a"}"#));
    project.write("packages/b/package.json", manifest("@x/b", r#""scripts":{"lint":"echo b"}"#));
    project.write(
        "settings.yml",
        "version: \"1\"\nagent_shell: enforce\nplugins:\n  packagejson:\n    config:\n      packages: {include: [\"*\"]}\n",
    );
    let lines = [
        "npm run lint",
        "npm run lint -w @x/a",
        "npm -w packages/b/ run lint",
        "npm run only -w @x/b",
        "npm run lint -w @x/a -w @x/b",
        "npm run lint -w=@x/a --silent -- --fix",
        "npm run lint -w a",
        "npm run lint --workspaces",
        "npm run lint -w @x/a --include-workspace-root",
        "pnpm --filter @x/b lint",
        "yarn workspace @x/a lint",
        "cd packages/a && npm run lint",
        "cd packages/a; cd ../b; npm run lint",
        "cd packages/b && npm run all",
        "(cd packages/a; npm run lint); npm run all",
        "cd packages/a && pnpm -w lint",
        "pushd packages/a && npm run lint",
        "cd /tmp && npm run lint",
        "cd $FOLDER && npm run lint",
    ];
    let said = lines.map(|line| {
        let denied = hook(&project, line);
        let reason = if denied.stdout.is_empty() { "nothing".to_owned() } else { said_of(&project, line) };
        format!("{line}\n  {}\n", reason.replace("This project has agents use its tools: ", ""))
    });
    insta::assert_snapshot!(said.concat(), @r#"
    npm run lint
      for `npm run lint` call the tool `packagejson__npm_lint` of the MCP server `cuff`.
    npm run lint -w @x/a
      for `npm run lint -w @x/a` call the tool `packagejson__npm_lint` with {"package":"@x/a"} of the MCP server `cuff`.
    npm -w packages/b/ run lint
      for `npm -w packages/b/ run lint` call the tool `packagejson__npm_lint` with {"package":"@x/b"} of the MCP server `cuff`.
    npm run only -w @x/b
      nothing
    npm run lint -w @x/a -w @x/b
      nothing
    npm run lint -w=@x/a --silent -- --fix
      for `npm run lint -w=@x/a --silent -- --fix` call the tool `packagejson__npm_lint` with {"package":"@x/a","extra_args":"--fix"} of the MCP server `cuff`.
    npm run lint -w a
      nothing
    npm run lint --workspaces
      nothing
    npm run lint -w @x/a --include-workspace-root
      nothing
    pnpm --filter @x/b lint
      for `pnpm --filter @x/b lint` call the tool `packagejson__npm_lint` with {"package":"@x/b"} of the MCP server `cuff`.
    yarn workspace @x/a lint
      for `yarn workspace @x/a lint` call the tool `packagejson__npm_lint` with {"package":"@x/a"} of the MCP server `cuff`.
    cd packages/a && npm run lint
      for `npm run lint` call the tool `packagejson__npm_lint` with {"package":"@x/a"} of the MCP server `cuff`.
    cd packages/a; cd ../b; npm run lint
      for `npm run lint` call the tool `packagejson__npm_lint` with {"package":"@x/b"} of the MCP server `cuff`.
    cd packages/b && npm run all
      nothing
    (cd packages/a; npm run lint); npm run all
      for `npm run lint` call the tool `packagejson__npm_lint` with {"package":"@x/a"} of the MCP server `cuff`.
    cd packages/a && pnpm -w lint
      for `pnpm -w lint` call the tool `packagejson__npm_lint` of the MCP server `cuff`.
    pushd packages/a && npm run lint
      nothing
    cd /tmp && npm run lint
      nothing
    cd $FOLDER && npm run lint
      nothing
    "#);
}

fn said_of(project: &Project, line: &str) -> String {
    said(&hook(project, line))["permissionDecisionReason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_agent_does_not_loosen_it() {
    let Some(project) = project("agent_shell: enforce\n") else { return };
    assert_eq!(said(&hook(&project, "npm test"))["permissionDecision"], "deny");
    settings(&project, "");
    assert_eq!(
        said(&hook(&project, "npm test"))["permissionDecision"],
        "deny",
        "nobody has approved the change"
    );
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    assert!(hook(&project, "npm test").stdout.is_empty());
    // A stricter word counts at once.
    settings(&project, "agent_shell: enforce\n");
    assert_eq!(said(&hook(&project, "npm test"))["permissionDecision"], "deny");
}

#[test]
fn a_wrong_word_is_an_error_that_names_the_line() {
    let Some(project) = project("agent_shell: enforec\n") else { return };
    let run = project.cuff(["list"]);
    assert!(run.code != 0 && run.stderr.contains("settings.yml:2"), "{run:?}");
    assert!(run.stderr.contains("off, advise, enforce"), "{run:?}");
}

#[test]
fn other_tools_and_odd_input_are_left_alone() {
    let Some(project) = project("agent_shell: enforce\n") else { return };
    let root = plugin().parent().unwrap().join("cuff");
    for input in
        ["", "{", "[]", r#"{"tool_name":"Read","tool_input":{"file_path":"/x"}}"#, r#"{"tool_name":"Bash"}"#]
    {
        let mut command = Command::new("sh");
        command.arg(root.join("hooks/pre-tool-use.sh"));
        project.surround(&mut command);
        let run = feed(command, input).succeeded();
        assert!(run.stdout.is_empty(), "{input}: {run:?}");
    }
}
