use std::path::{Path, PathBuf};

use super::*;

const FILES: &[&str] = &[
    "{}",
    "{ }",
    "{\n}\n",
    "{\n  // nothing yet\n}\n",
    "{\"a\":1}",
    "{ \"a\": 1 }\n",
    "{\n  \"mcpServers\": {}\n}\n",
    "{\n  \"mcpServers\": {\n  }\n}\n",
    "{\n  \"mcpServers\": {\n    // none\n  }\n}\n",
    "{\n\t\"theme\": \"dark\", // mine\n\t\"mcpServers\": { // all of them\n\t\t\"git\": {\"command\": \"uvx\"},\n\t},\n}\n",
    "// Settings\n//\n{\n    /* first */ \"a\": [1, 2,],\n    \"b\": \"// no comment, \\\" }\",\n}\n// end",
    "{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"x\": {\"url\": \"https://x\"}\r\n  }\r\n}\r\n",
    "\u{feff}{\n  \"ä\": \"日本 🚀\" /* é */\n}\n",
    "{ \"mcpServers\": { \"x\": {\n \"command\": \"y\" } } }",
    "{\"mcpServers\":{\"x\":{\"command\":\"y\"}},\"a\":1}",
    "{ /* several\n lines */ \"a\": 1 }",
];

const TABLES: &[&str] = &[
    "",
    "\n",
    "model = \"o3\"",
    "model = \"o3\"\n",
    "# mine\nmodel = \"o3\" # the best\n\n[mcp_servers.git]\ncommand = \"uvx\"\n# end\n",
    "model = 'x'\r\n[profiles.a]\r\nb = 1979-05-27\r\n",
    "[mcp_servers.git]\ncommand = \"uvx\"\n\n\n",
];

fn launch(client: &AgentClient) -> Launch {
    Launch::new(client, ClientScope::User, Path::new("/opt/cuff"), Path::new("/home/me/shop \"1\""), None)
}

fn text(change: Result<ClientFileChange, Obstacle>) -> String {
    match change {
        Ok(ClientFileChange::Text(text)) => text,
        other => panic!("a new text, not {other:?}"),
    }
}

#[test]
fn an_added_entry_is_removed_without_a_trace() {
    for client in CLIENTS {
        let files = if client.format == ClientFormat::Json { FILES } else { TABLES };
        let launch = launch(client);
        for before in files {
            let before = before.replace("mcpServers", client.table);
            let whole = ClientServers { client, text: Some(&before) };
            let with = text(whole.add(&launch, false));
            let again = ClientServers { client, text: Some(&with) };
            assert_eq!(
                again.add(&launch, false),
                Ok(ClientFileChange::None),
                "a second time changes nothing:\n{with}"
            );
            assert_eq!(again.ours().unwrap().len(), 1, "{with}");
            match again.remove(&launch, false) {
                Ok(ClientFileChange::Text(after)) => {
                    assert_eq!(after, before, "{} by way of\n{with}", client.id);
                }
                Ok(ClientFileChange::Gone) => assert!(before.trim().is_empty(), "{before:?}"),
                other => panic!("{before:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    for client in CLIENTS {
        let alone = ClientServers::alone(client, &launch(client)).unwrap();
        let gone = ClientServers { client, text: Some(&alone) }.remove(&launch(client), false);
        assert_eq!(gone, Ok(ClientFileChange::Gone), "{alone}");
    }
}

#[test]
fn an_entry_that_somebody_moved_goes_alone() {
    let client = AgentClient::of("cursor").unwrap();
    let ours = "\"cuff\": {\"command\": \"/x/cuff\", \"args\": [\"-C\", \"${workspaceFolder}\", \"serve\"]}";
    for (before, after) in [
        (
            "{\"mcpServers\": {\n  \"a\": {}, // a\n  // ours\n  OURS // here\n}}",
            "{\"mcpServers\": {\n  \"a\": {} // a\n  // ours\n   // here\n}}",
        ),
        (
            "{\"mcpServers\": {\n  \"a\": {},\n  OURS,\n  \"b\": {}\n}}",
            "{\"mcpServers\": {\n  \"a\": {},\n  \"b\": {}\n}}",
        ),
        ("{\"mcpServers\": {\n  \"a\": {},\n  OURS\n}}", "{\"mcpServers\": {\n  \"a\": {}\n}}"),
        ("{\"mcpServers\": {\n  \"a\": {},\n  OURS,\n}}", "{\"mcpServers\": {\n  \"a\": {},\n}}"),
    ] {
        let before = before.replace("OURS", ours);
        let taken = text(ClientServers { client, text: Some(&before) }.remove(&launch(client), false));
        assert_eq!(taken, after);
        assert!(ClientServers { client, text: Some(&taken) }.ours().unwrap().is_empty());
    }
}

#[test]
fn entries_of_others_stay() {
    let cursor = AgentClient::of("cursor").unwrap();
    let codex = AgentClient::of("codex").unwrap();
    for (client, theirs, other) in [
        (cursor, r#"{"mcpServers": {"cuff": {"command": "npx", "args": ["links"]}}}"#, "npx links"),
        (cursor, r#"{"mcpServers": {"cuff": {"url": "https://cuff.example"}}}"#, "https://cuff.example"),
        (codex, "[mcp_servers]\ncuff = { command = \"npx\" }\n", "npx"),
    ] {
        let servers = ClientServers { client, text: Some(theirs) };
        let not_ours = Obstacle::NotOurs { name: "cuff".into(), line: other.into() };
        assert_eq!(servers.add(&launch(client), false), Err(not_ours.clone()));
        assert_eq!(servers.remove(&launch(client), false), Err(not_ours));
        let forced = text(servers.add(&launch(client), true));
        assert_eq!(ClientServers { client, text: Some(&forced) }.ours().unwrap().len(), 1, "{forced}");
    }
    let elsewhere = r#"{"mcpServers": {"cuff": {"command": "cuff", "args": ["-C", "/other", "serve"]}}}"#;
    let refused = ClientServers { client: cursor, text: Some(elsewhere) }.add(&launch(cursor), false);
    assert_eq!(refused, Err(Obstacle::Elsewhere { name: "cuff".into(), project: "/other".into() }));
}

#[test]
fn keys_that_somebody_added_to_our_entry_stay() {
    for (id, before, kept) in [
        (
            "gemini",
            r#"{"mcpServers": {"cuff": {"command": "cuff", "args": ["serve"], "trust": true}}}"#,
            "\"trust\":true",
        ),
        (
            "codex",
            "[mcp_servers.cuff]\ncommand = \"cuff\" # old\nargs = [\"serve\"]\nenabled = false # for now\n",
            "enabled = false # for now\n",
        ),
    ] {
        let client = AgentClient::of(id).unwrap();
        let after = text(ClientServers { client, text: Some(before) }.add(&launch(client), false));
        assert!(after.contains(kept) && after.contains("/opt/cuff") && after.contains("3600"), "{after}");
    }
}

#[test]
fn a_broken_file_is_left_with_its_line_and_column() {
    for (id, broken, line, column) in [
        ("cursor", "{\n  // a\n  \"mcpServers\": {,}\n}", 3, 18),
        ("cursor", "{\n  \"a\": /* no end\n}", 2, 8),
        ("vscode", "{\"a\": 1,,}", 1, 9),
        ("claude-code", "{ \"broken\": \n", 2, 1),
        ("codex", "a = 1\n[mcp_servers\n", 2, 13),
    ] {
        let client = AgentClient::of(id).unwrap();
        let added = ClientServers { client, text: Some(broken) }.add(&launch(client), true);
        let Err(Obstacle::Broken { line: at, column: of, .. }) = added else { panic!("{broken}: {added:?}") };
        assert_eq!((at, of), (line, column), "{broken}");
    }
    for (id, other) in [
        ("cursor", "[1]"),
        ("cursor", "{\"mcpServers\": []}"),
        ("codex", "mcp_servers = { git = { command = \"x\" } }\n"),
        ("codex", "mcp_servers = 1\n"),
    ] {
        let client = AgentClient::of(id).unwrap();
        let added = ClientServers { client, text: Some(other) }.add(&launch(client), false);
        assert!(matches!(added, Err(Obstacle::Shape(_))), "{other}: {added:?}");
    }
}

#[test]
fn files_lie_where_the_environment_says() {
    let of = |id: &str, is_macos, variables: &'static [(&str, &str)]| {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| PathBuf::from(value))
        };
        let folders = ClientFolders { variable: &variable, project: Path::new("/p"), is_macos };
        let client = AgentClient::of(id).unwrap();
        client.file(ClientScope::User, &folders).map(|path| path.display().to_string()).unwrap_or_default()
    };
    let home: &[(&str, &str)] = &[("HOME", "/h")];
    assert_eq!(of("claude-code", false, home), "/h/.claude.json");
    assert_eq!(of("claude-code", false, &[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "/c")]), "/c/.claude.json");
    assert_eq!(of("claude-desktop", false, home), "/h/.config/Claude/claude_desktop_config.json");
    assert_eq!(
        of("claude-desktop", true, home),
        "/h/Library/Application Support/Claude/claude_desktop_config.json"
    );
    assert_eq!(of("zed", true, home), "/h/.config/zed/settings.json");
    assert_eq!(of("vscode", false, &[("XDG_CONFIG_HOME", "/x")]), "/x/Code/User/mcp.json");
    assert_eq!(of("codex", false, &[("HOME", "relative")]), "");
    assert_eq!(of("codex", false, &[("CODEX_HOME", "/y")]), "/y/config.toml");
}

#[test]
fn each_client_gets_the_entry_that_it_understands() {
    let shown: Vec<String> = CLIENTS
        .iter()
        .flat_map(|client| {
            [ClientScope::Project, ClientScope::User].into_iter().filter(|scope| client.has(*scope)).map(
                |scope| {
                    let launch =
                        Launch::new(client, scope, Path::new("/opt/cuff"), Path::new("/home/me/shop"), None);
                    format!("{} {scope:?}\n{}", client.id, ClientServers::alone(client, &launch).unwrap())
                },
            )
        })
        .collect();
    insta::with_settings!({snapshot_path => "../../../../snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("hosts.txt", shown.join("\n"));
    });
}

#[test]
fn every_entry_but_cuffs_own_is_another_server() {
    let client = AgentClient::of("claude-code").unwrap();
    let text = r#"{"mcpServers": {"a": {"command": "/opt/cuff", "args": ["-C", "/x", "serve"]},
        "b": {"command": "cuff", "args": ["list"]}, "c": {"url": "http://x"}, // mine
    }}"#;
    let others = (ClientServers { client, text: Some(text) }).others().unwrap();
    assert_eq!(others.keys().collect::<Vec<_>>(), ["b", "c"]);
    assert!((ClientServers { client, text: None }).others().unwrap().is_empty());
    assert!((ClientServers { client, text: Some("{") }).others().is_err());
}
