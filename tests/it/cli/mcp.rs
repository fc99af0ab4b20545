//! `cuff mcp`: servers added to settings.yml, removed from it and listed.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use serde_json::json;

use crate::support::project::Project;

const SETTINGS: &str =
    "# ours\nversion: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*.sh']}}   # kept\n";

fn states(project: &Project) -> Vec<(String, String)> {
    let listed = project.cuff(["mcp", "list", "--json"]).succeeded().json();
    let servers = listed["servers"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    servers.map(|server| (text(&server["name"]), text(&server["state"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, state)| ((*name).to_owned(), (*state).to_owned())).collect()
}

#[test]
fn a_server_is_added_and_removed_and_every_other_line_stays() {
    let project = Project::empty();
    project.write("settings.yml", SETTINGS);
    let added =
        project.cuff(["mcp", "add", "time", "--env", "A=b c", "--cwd", "x", "--", "uvx", "server", "--flag"]);
    assert!(added.succeeded().stdout.contains("Added `time` to settings.yml"));
    let added =
        project.cuff(["mcp", "add", "docs", "https://d/mcp", "--header", "X-A=b", "--transport", "sse"]);
    added.succeeded();
    let written = project.read("settings.yml");
    assert_eq!(
        written.strip_prefix(SETTINGS).unwrap(),
        "\n  time:\n    type: mcp\n    command: uvx\n    args:\n    - server\n    - --flag\n    env:\n      A: b c\n    cwd: x\n\n  \
         docs:\n    type: mcp\n    url: https://d/mcp\n    transport: sse\n    headers:\n      X-A: b\n"
    );
    let listed = project.cuff(["mcp", "list"]).succeeded().stdout;
    assert!(listed.contains("uvx server --flag") && listed.contains("https://d/mcp"), "{listed}");
    let json = project.cuff(["mcp", "list", "--json"]).succeeded().json();
    assert_eq!(json["servers"][0]["command"], json!(["uvx", "server", "--flag"]));
    assert_eq!(json["servers"][1]["transport"], "sse");
    for name in ["time", "docs"] {
        let removed = project.cuff(["mcp", "remove", name]).succeeded();
        assert!(removed.stdout.contains(&format!("Removed `{name}` from settings.yml")), "{removed:?}");
    }
    assert_eq!(project.read("settings.yml"), SETTINGS);
}

#[test]
fn a_file_is_begun_where_there_is_none() {
    let project = Project::empty();
    assert!(project.cuff(["mcp", "list"]).succeeded().stderr.contains("there are no MCP servers here"));
    let added = project.cuff(["mcp", "add", "time", "--", "uvx", "server"]).succeeded();
    assert!(added.stderr.contains("cuff approve settings"), "nobody was at a terminal: {added:?}");
    assert!(project.read("settings.yml").contains("plugins:\n  time:\n    type: mcp\n    command: uvx\n"));
    assert_eq!(states(&project)[0].0, "time");
}

#[test]
fn wrong_words_are_refused_with_what_to_write() {
    let project = Project::empty();
    project.write(
        "settings.yml",
        "{version: '1', plugins: {a: {type: mcp, command: x}, s: {module: scripts}}}\n",
    );
    for (words, code, said) in [
        (&["add", "x"][..], 64, "neither a command nor an address"),
        (&["add", "x", "npx"], 64, "a command stands behind `--`: `cuff mcp add x -- npx`"),
        (&["add", "x", "http://y", "--", "npx"], 64, "cannot be used with"),
        (&["add", "a b", "http://y"], 64, "cannot be the name of a server"),
        (&["add", "run", "--", "npx"], 1, "it is a command of cuff"),
        (&["add", "x", "--env", "A", "--", "npx"], 64, "`--env` takes KEY=VALUE"),
        (&["add", "x", "--header", "A=b", "--", "npx"], 64, "belong to an address"),
        (&["add", "x", "http://y", "--cwd", "z"], 64, "belong to a command"),
        (&["add", "x", "ftp://y"], 1, "`url` must be an address"),
        (&["add", "a", "--", "npx"], 1, "it has an entry `a` already"),
        (&["remove", "b"], 1, "it has no entry `b`"),
        (&["remove", "s"], 1, "`s` is a plugin, and no MCP server"),
        (&["remove", "a"], 1, "cannot be cut out"),
    ] {
        let run = project.cuff(["mcp"].iter().chain(words));
        assert!(run.code == code && run.stderr.contains(said), "{words:?}: {run:?}");
    }
    project.write(".toolscript.json", r#"{"b": {"command": "x"}}"#);
    let stderr = project.cuff(["mcp", "remove", "b"]).stderr;
    assert!(stderr.contains(".toolscript.json names `b`"), "{stderr}");
}

#[test]
fn a_secret_is_written_as_a_variable() {
    let project = Project::empty();
    let added = project.cuff(["mcp", "add", "git", "--env", "GIT_TOKEN=hush-hush", "--", "npx"]).succeeded();
    assert!(added.stderr.contains("set GIT_TOKEN before cuff starts"), "{added:?}");
    let written = project.read("settings.yml");
    assert!(written.contains("GIT_TOKEN: ${GIT_TOKEN}") && !written.contains("hush"), "{written}");
    assert_eq!(states(&project), pairs(&[("git", "error")]));
    let project = project.variable("GIT_TOKEN", "hush-hush");
    let listed = project.cuff(["mcp", "list"]);
    assert!(!format!("{listed:?}").contains("hush"), "{listed:?}");
}

#[test]
fn a_server_that_a_person_adds_is_approved_and_one_that_an_agent_adds_is_not() {
    let project = Project::empty();
    project.write("settings.yml", SETTINGS);
    project.approve();
    project.at_terminal(80, &[], &["mcp", "add", "one", "--", "npx", "one"]).succeeded();
    assert_eq!(states(&project), pairs(&[("one", "approved")]));
    project.at_terminal(80, &[], &["mcp", "add", "two", "http://x"]).succeeded();
    assert_eq!(states(&project), pairs(&[("one", "approved"), ("two", "approved")]));

    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    let added = agent.cuff(["mcp", "add", "three", "--", "npx", "three"]).succeeded();
    assert!(added.stderr.contains("cuff approve settings"), "{added:?}");
    let expected = [("one", "approved"), ("two", "approved"), ("three", "waiting")];
    assert_eq!((states(&project), states(&agent)), (pairs(&expected), pairs(&expected)));

    // An agent's entry in the file is not approved along with one that a person adds.
    let added = project.at_terminal(100, &[], &["mcp", "add", "four", "http://y"]).succeeded().text;
    assert!(added.contains("before a person approves"), "{added}");
    let waits: Vec<_> = states(&project).into_iter().filter(|(_, state)| state == "waiting").collect();
    assert_eq!(waits, pairs(&[("three", "waiting"), ("four", "waiting")]));
}

#[test]
fn an_agent_is_shown_no_server_that_is_not_open_to_it() {
    let project = Project::empty();
    let servers = "  open: {type: mcp, command: x}\n  closed: {type: mcp, command: y, config: {open_to_agents: false}}\n";
    project.write("settings.yml", format!("version: '1'\nplugins:\n{servers}"));
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    assert_eq!(states(&project), pairs(&[("open", "approved"), ("closed", "approved")]));
    let agent = project.variable("CLAUDECODE", "1");
    assert_eq!(states(&agent), pairs(&[("open", "approved")]));
}
