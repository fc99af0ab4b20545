//! Tools of another MCP server at the command line: flags, dry runs, completion, `why`.

use serde_json::{Value, json};

use crate::support::project::{Project, Run};

/// A server with one tool, which answers with the arguments that it got. Each start is a line in a file.
const SERVER: &str = r#"
const fs = require("fs");
fs.appendFileSync("starts", "started\n");
const schema = {
  type: "object",
  properties: {
    title: {type: "string", description: "The title of the issue", minLength: 2},
    labels: {type: "array", items: {type: "string"}},
    maxResults: {type: "integer", minimum: 1},
    state: {type: "string", enum: ["open", "closed"]},
    draft: {type: "boolean"},
    timeout: {type: "integer"},
  },
  required: ["title"],
  additionalProperties: false,
};
const answer = (method, params) => {
  switch (method) {
    case "initialize": return {
      protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: "fake", version: "1"},
    };
    case "tools/list": return {tools: [{name: "create_issue", description: "Create an issue", inputSchema: schema}]};
    case "tools/call": return {content: [{type: "text", text: JSON.stringify(params.arguments)}]};
    default: return {};
  }
};
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({jsonrpc: "2.0", id, result: answer(method, params)}));
});
"#;

fn project() -> Project {
    let project = Project::empty();
    project.write("server.cjs", SERVER);
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  github: {type: mcp, command: node, args: [server.cjs]}\n",
    );
    // The first look pins the file; no server starts before a person has approved it.
    project.cuff(["list"]).succeeded();
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    project
}

fn starts(project: &Project) -> usize {
    let file = project.root().join("starts");
    std::fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

/// The arguments that the server got.
fn got(project: &Project, words: &str) -> Value {
    let words = words.split(' ').filter(|word| !word.is_empty());
    let run = project.cuff(["run", "github.create_issue"].into_iter().chain(words)).succeeded();
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn refused(project: &Project, words: &str) -> Run {
    let words = words.split(' ').filter(|word| !word.is_empty());
    project.cuff(["run", "github.create_issue"].into_iter().chain(words)).ended_with(64)
}

#[test]
fn flags_become_the_arguments_of_the_call() {
    let project = project();
    let whole = "--title it --labels a --labels=b --max-results 5 --state open --draft";
    let expected = json!({
        "title": "it", "labels": ["a", "b"], "maxResults": 5, "state": "open", "draft": true,
    });
    assert_eq!(got(&project, whole), expected, "before the list is known");
    assert_eq!(got(&project, whole), expected);
    assert_eq!(got(&project, "--timeout 9 --title it -- --timeout 5"), json!({"title": "it", "timeout": 5}));
    let noted = project.cuff(["run", "github.create_issue", "--title", "it", "--timeout", "9"]).succeeded();
    assert!(noted.stderr.contains("--timeout is an option of cuff"), "{noted:?}");
    project.write("issue.json", r#"{"title": "old", "labels": ["x"]}"#);
    let merged = json!({"title": "new", "labels": ["x"]});
    assert_eq!(got(&project, "--json-input issue.json --title new"), merged);

    let before = starts(&project);
    for (words, said) in [
        ("", "`github.create_issue` needs --title"),
        ("--titel it", "takes no --titel"),
        ("--title it --max-results many", "--max-results must be a whole number, not `many`"),
        ("--title it --env A=B", "takes no --env"),
        ("--title it --background", "does not run in the background: an MCP server runs it"),
        ("--json-input none.json", "none.json cannot be read"),
        ("it", "takes flags, not the word `it`"),
    ] {
        let run = refused(&project, words);
        assert!(run.stderr.contains(said), "{words}: {run:?}");
    }
    let run = refused(&project, "--title a --state opn --max-results 0");
    for said in [
        "`title` must have at least 2 characters",
        "`state` must be one of",
        "`maxResults` must be at least 1",
    ] {
        assert!(run.stderr.contains(said) && run.stderr.contains("UPSTREAM_"), "{said}: {run:?}");
    }
    let dry = project.cuff(["run", "github.create_issue", "--title", "it", "--dry-run"]).succeeded();
    assert!(dry.stdout.starts_with("Would call: create_issue of the MCP server github\n"), "{dry:?}");
    assert!(dry.stdout.contains("\"title\": \"it\"") && !dry.stdout.contains("dry"), "{dry:?}");
    assert_eq!(starts(&project), before, "nothing was connected to");
}

#[test]
fn known_facts_of_a_tool_are_shown_without_a_connection() {
    let project = project();
    got(&project, "--title it");
    let before = starts(&project);
    let listed = project.cuff(["list", "--long", "github.create_issue"]).succeeded().stdout;
    for said in
        ["--title TEXT", "The title of the issue [required]", "[one of open, closed]", "--labels TEXT …"]
    {
        assert!(listed.contains(said), "{said}: {listed}");
    }
    let why = project.cuff(["why", "github.create_issue"]).succeeded().stdout;
    for said in ["create_issue, a tool of the MCP server github", "node server.cjs", "permitted"] {
        assert!(why.contains(said), "{said}: {why}");
    }
    let why = project.cuff(["why", "github.create_issue", "--title", "it", "--json"]).succeeded().json();
    assert_eq!(why["server"]["arguments"], json!({"title": "it"}));
    let complete = |line: &str| {
        let words = ["__complete", "bash"].into_iter().chain(line.split(' '));
        let answer = project.cuff(words).succeeded().stdout;
        let names = answer.lines().skip(1).map(|line| line.split('\t').next().unwrap_or_default().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(complete("cuff run github.cr"), "github.create_issue");
    assert_eq!(complete("cuff run github.create_issue --st"), "--state");
    assert_eq!(complete("cuff run github.create_issue --state "), "open closed");
    assert_eq!(complete("cuff run github.create_issue --title x --d"), "--draft --dry-run");
    assert_eq!(starts(&project), before, "nothing was connected to");
}

#[test]
fn help_of_a_tool_shows_its_flags() {
    let project = project();
    let help = project.cuff(["run", "github.create_issue", "--help"]).succeeded().stdout;
    assert!(help.starts_with("Create an issue\n\nUsage: cuff run github.create_issue [FLAGS]\n"), "{help}");
    assert!(help.contains("--title TEXT") && help.contains("The title of the issue [required]"), "{help}");
    assert!(help.contains("[one of open, closed]"), "{help}");
    let of_cuff = project.cuff(["run", "--help"]).succeeded().stdout;
    assert!(!of_cuff.contains("--title"), "{of_cuff}");
}
