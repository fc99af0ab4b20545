//! What a call brings, and what a tool leads to elsewhere, can make it one that nothing takes back.

use serde_json::{Value, json};

use crate::mcp::Spoken;
use crate::project::Project;

/// Whether a person is asked about an agent's call, or how it ended.
fn called(spoken: &mut Spoken, tool: &str, arguments: &Value) -> Value {
    let id = spoken.begin("tools/call", json!({"name": tool, "arguments": arguments}));
    let heard = spoken.hear();
    if heard["method"] != "elicitation/create" {
        return heard["result"]["structuredContent"]["success"].clone();
    }
    spoken.say(&json!({"jsonrpc": "2.0", "id": heard["id"], "result": {"action": "decline"}}));
    assert_eq!(spoken.hear()["id"], id);
    json!("asked")
}

fn asking(project: &Project) -> Spoken {
    let mut spoken = Spoken::over_pipes(project, &[]);
    spoken.initialize_with(&json!({"elicitation": {}}));
    spoken
}

#[test]
fn an_agent_needs_a_yes_to_what_its_own_words_make_of_a_tool() {
    let project = Project::empty();
    let scripts =
        json!({"g": "git", "h": "git", "ship": "npm run g --", "test": "node -e 0 --", "e": "git $WHAT"});
    project.write("package.json", json!({"scripts": scripts}).to_string());
    let makefile = "WITH = ./kubectl $(ACTION)\n.PHONY: k w up c\nk:\n\t@./kubectl $(ACTION)\nw:\n\t@$(WITH)\nup: w\n\
                    c:\nifdef LIVE\n\t@$(MAKE) k ACTION=delete\nendif\n\t@./kubectl get\n";
    project.write("Makefile", makefile);
    project.script("kubectl", "#!/bin/sh\n");
    project.script("x.sh", "#!/bin/sh\ngit \"$@\"\n");
    project.script("y.sh", "#!/bin/sh\nwhat=$1\nshift\n./kubectl $what\n./kubectl get\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  packagejson: {config: {open_to_agents: [h]}}\n  makefile: {}\n  \
         scripts: {config: {patterns: ['*.sh']}}\n",
    );
    let mut spoken = asking(&project);
    for (tool, arguments, expected) in [
        ("packagejson.npm_g", json!({"extra_args": "push --force"}), json!("asked")),
        ("packagejson.npm_g", json!({"extra_args": "--version"}), json!(true)),
        ("packagejson.npm_h", json!({"extra_args": "push --force"}), json!(false)),
        ("packagejson.npm_ship", json!({"extra_args": "push"}), json!("asked")),
        ("packagejson.npm_ship", json!({"extra_args": "--version"}), json!(true)),
        ("packagejson.npm_test", json!({"extra_args": "-t push"}), json!(true)),
        ("packagejson.npm_e", json!({"env": {"WHAT": "push"}}), json!("asked")),
        ("packagejson.npm_e", json!({"env": {"WHAT": "--version"}}), json!(true)),
        ("makefile.make_k", json!({"extra_args": "ACTION=delete"}), json!("asked")),
        ("makefile.make_k", json!({"env": {"ACTION": "delete"}}), json!("asked")),
        ("makefile.make_k", json!({"extra_args": "ACTION=get -s"}), json!(true)),
        ("makefile.make_w", json!({"extra_args": "ACTION=delete"}), json!("asked")),
        ("makefile.make_up", json!({"extra_args": "ACTION=delete"}), json!("asked")),
        ("makefile.make_up", json!({"extra_args": "ACTION=get"}), json!(true)),
        ("makefile.make_w", json!({"extra_args": "WITH='./kubectl delete'"}), json!(false)),
        ("scripts.script_x", json!({"args": ["push", "--force"]}), json!("asked")),
        ("scripts.script_x", json!({"args": ["--version"]}), json!(true)),
        ("scripts.script_y", json!({"args": ["delete"]}), json!("asked")),
        ("scripts.script_y", json!({"args": ["get"]}), json!(true)),
    ] {
        assert_eq!(called(&mut spoken, tool, &arguments), expected, "{tool}: {arguments}");
    }
    spoken.leave();
    let agents = |words: &[&str]| {
        let why = project.cuff([&["why"], words].concat()).succeeded().stdout;
        why.lines().find(|line| line.starts_with("  agents")).unwrap().to_owned()
    };
    assert!(agents(&["npm_g", "--", "push"]).contains("need your yes each time"));
    assert!(agents(&["npm_g"]).contains("have it as you do"));
}

#[test]
fn a_way_through_another_instance_is_guarded() {
    let project = Project::empty();
    let scripts = json!({"x": "node -e 0", "ship": "make go", "calm": "make check", "own": "npm run x"});
    project.write("package.json", json!({"scripts": scripts}).to_string());
    project.write("Makefile", ".PHONY: go check n up\ngo: ; @true\ncheck: ; @true\nn: ; @npm run x\nup: n\n");
    let settings = |scripts: &str, targets: &str| {
        let text = format!(
            "version: '1'\nplugins:\n  packagejson: {{config: {{{scripts}}}}}\n  makefile: {{config: {{{targets}}}}}\n"
        );
        project.write("settings.yml", text);
    };
    settings("confirm: [x]", "confirm: [go]");
    let mut spoken = asking(&project);
    for (tool, expected) in [
        ("packagejson.npm_ship", json!("asked")),
        ("packagejson.npm_own", json!("asked")),
        ("packagejson.npm_calm", json!(true)),
        ("makefile.make_n", json!("asked")),
        ("makefile.make_up", json!("asked")),
        ("makefile.make_check", json!(true)),
    ] {
        assert_eq!(called(&mut spoken, tool, &json!({})), expected, "{tool}");
    }
    spoken.leave();
}

#[test]
fn a_way_through_what_is_not_offered_is_guarded() {
    let project = Project::empty();
    let scripts = json!({"x": "node -e 0; git push", "ship": "make go", "own": "npm run x"});
    project.write("package.json", json!({"scripts": scripts}).to_string());
    project.write("Makefile", ".PHONY: go n up\ngo: ; @git push\nn: ; @npm run x\nup: n\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  packagejson: {config: {exclude_scripts: [x]}}\n  \
         makefile: {config: {exclude_targets: [go]}}\n",
    );
    let mut spoken = asking(&project);
    for tool in ["packagejson.npm_ship", "packagejson.npm_own", "makefile.make_up"] {
        assert_eq!(called(&mut spoken, tool, &json!({})), "asked", "{tool}");
    }
    spoken.leave();
}

#[test]
fn the_end_of_a_long_script_is_judged() {
    let project = Project::empty();
    let long = "echo something that takes some room\n".repeat(1000);
    project.script("calm.sh", format!("#!/bin/sh\n{long}"));
    project.script("ship.sh", format!("#!/bin/sh\n: ütmost\n{long}git push\necho\n"));
    project
        .script("run.py", "import subprocess\nsubprocess.run([\n    'git', 'push',\n])\nprint('git push')\n");
    project.script("say.py", "print('git push')\n");
    project
        .write("settings.yml", "version: '1'\nplugins:\n  scripts: {config: {patterns: ['*.sh', '*.py']}}\n");
    let guarded = |tool: &str| {
        let why = project.cuff(["why", tool, "--json"]).succeeded().json();
        why["agents"]["asks"] == true
    };
    let scripts = ["script_calm", "script_ship", "script_run", "script_say"];
    assert_eq!(scripts.map(guarded), [false, true, true, false]);
}
