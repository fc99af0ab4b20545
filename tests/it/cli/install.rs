//! `cuff install` against the files that clients keep, and the offer of `cuff init`.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use crate::support::project::Project;

fn shop() -> Project {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    project
}

/// A file below the home folder of a project's user.
fn at_home(project: &Project, path: &str, text: &str) -> PathBuf {
    let file = project.outside().join("home").join(path);
    fs::create_dir_all(file.parent().expect("a path below it")).expect("a folder of ours");
    fs::write(&file, text).expect("a file of ours");
    file
}

#[test]
fn each_client_gets_its_entry_and_loses_it_without_a_trace() {
    let jsonc = "// Mine\n{\n  \"theme\": \"One Dark\", // dark\n  \"TABLE\": {\n    // git\n    \"git\": {\"command\": \"uvx\"},\n  },\n}\n";
    let toml = "model = \"o3\" # the best\n\n[mcp_servers.git]\ncommand = \"uvx\"\n";
    for (client, path, table) in [
        ("claude-code", ".claude.json", "mcpServers"),
        ("claude-desktop", "config/Claude/claude_desktop_config.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", "config/Code/User/mcp.json", "servers"),
        ("codex", ".codex/config.toml", ""),
        ("gemini", ".gemini/settings.json", "mcpServers"),
        ("zed", "config/zed/settings.json", "context_servers"),
        ("windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers"),
    ] {
        let project = shop();
        let before = if table.is_empty() { toml.to_owned() } else { jsonc.replace("TABLE", table) };
        let file = at_home(&project, path, &before);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let install = |more: &[&str]| {
            let words = [&["install", "--client", client, "--user"], more].concat();
            project.cuff(words)
        };
        let rehearsed = install(&["--dry-run"]).succeeded();
        assert!(rehearsed.stdout.starts_with("Would write "), "{}", rehearsed.stdout);
        assert_eq!(fs::read_to_string(&file).unwrap(), before, "a dry run changes nothing");

        install(&[]).succeeded();
        let with = fs::read_to_string(&file).unwrap();
        // A file for all projects names this one only for clients that know of none.
        let names_it = ["claude-desktop", "zed", "windsurf"].contains(&client);
        assert_eq!(with.contains(project.root().to_str().unwrap()), names_it, "{with}");
        assert!(with.contains("uvx"), "{with}");
        assert!(with.contains(env!("CARGO_BIN_EXE_cuff")), "the whole path of cuff: {with}");
        let again = install(&[]).succeeded();
        assert!(again.stdout.contains("has it already"), "{}", again.stdout);
        assert_eq!(fs::read_to_string(&file).unwrap(), with);

        install(&["--remove"]).succeeded();
        assert_eq!(fs::read_to_string(&file).unwrap(), before, "{client}");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let none = install(&["--remove"]).succeeded();
        assert!(none.stdout.contains("does not have it"), "{}", none.stdout);
    }
}

#[test]
fn install_without_settings_says_what_comes_next() {
    let project = Project::empty();
    let said = project.cuff(["install", "--client", "claude-code"]).succeeded();
    assert!(
        said.stderr.contains("has no settings.yml, so agents get no tools there yet\nhelp: `cuff init`"),
        "{}",
        said.stderr
    );
    let said = project.cuff(["install", "--client", "claude-code", "--remove"]).succeeded();
    assert_eq!(said.stderr, "");
    project.write("Makefile", "test: ; true\n");
    project.cuff(["init", "--yes"]).succeeded();
    assert_eq!(project.cuff(["install", "--client", "claude-code"]).succeeded().stderr, "");
}

#[test]
fn a_projects_file_is_made_shared_and_removed_again() {
    let project = shop();
    project.cuff(["init", "--yes"]).succeeded();
    let said = project.cuff(["install", "--client", "claude-code,vscode,cursor"]).succeeded().stdout;
    assert_eq!(said.lines().count(), 3, "{said}");
    for file in [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"] {
        let text = project.read(file);
        assert!(!text.contains(project.root().to_str().unwrap()), "nothing of this machine: {text}");
    }
    insta::assert_snapshot!(project.read(".vscode/mcp.json"), @r#"
    {
      "servers": {
        "cuff": {
          "type": "stdio",
          "command": "cuff",
          "args": [
            "-C",
            "${workspaceFolder}",
            "serve",
            "--tool-names",
            "portable"
          ]
        }
      }
    }
    "#);
    let printed = project.cuff(["install", "--client", "vscode", "--print"]).succeeded().stdout;
    assert_eq!(printed, project.read(".vscode/mcp.json"));
    project.cuff(["install", "--client", "claude-code,vscode,cursor", "--remove"]).succeeded();
    for gone in [".mcp.json", ".vscode", ".cursor"] {
        assert!(!project.root().join(gone).exists(), "{gone}");
    }
    project.write(".vscode/settings.json", "{}");
    project.cuff(["install", "--client", "vscode"]).succeeded();
    project.cuff(["install", "--client", "vscode", "--remove"]).succeeded();
    assert_eq!(project.read(".vscode/settings.json"), "{}", "what else is there stays");
}

/// An empty folder would say that the client is installed here.
#[test]
fn the_folders_that_install_made_for_a_user_go_with_its_file() {
    for (client, folder, outermost) in [
        ("claude-code", ".claude.json", None),
        ("cursor", ".cursor", Some(".cursor")),
        ("vscode", "config/Code", Some("config/Code")),
        ("codex", ".codex", Some(".codex")),
        ("zed", "config/zed", Some("config/zed")),
        ("windsurf", ".codeium", Some(".codeium")),
    ] {
        let project = shop();
        let home = project.outside().join("home");
        fs::create_dir_all(home.join("config")).unwrap();
        let install = |more: &[&str]| {
            project.cuff([&["install", "--client", client, "--user"], more].concat()).succeeded().stdout
        };
        install(&[]);
        assert!(home.join(folder).exists(), "{client}");
        install(&["--remove", "--dry-run"]);
        assert!(home.join(folder).exists(), "{client}: a dry run changes nothing");
        let said = install(&["--remove"]);
        let also = outermost.map(|folder| format!(", as is {}", home.join(folder).display()));
        assert!(said.ends_with(&format!("which is removed{}\n", also.unwrap_or_default())), "{said}");
        assert!(!home.join(folder).exists() && home.join("config").exists(), "{client}");
        if outermost.is_some() {
            at_home(&project, &format!("{folder}/theirs"), "");
            install(&[]);
            install(&["--remove"]);
            assert!(home.join(folder).join("theirs").exists(), "{client}: what else is there stays");
        }
    }
    // A folder that a variable names is somebody's arrangement.
    let project = shop();
    let named = project.outside().join("home/mine");
    fs::create_dir_all(&named).unwrap();
    let project = project.variable("CODEX_HOME", &named);
    for words in [
        &["install", "--client", "codex", "--user"][..],
        &["install", "--client", "codex", "--user", "--remove"],
    ] {
        project.cuff(words).succeeded();
    }
    assert!(named.exists() && !named.join("config.toml").exists());
}

#[test]
fn install_leaves_foreign_and_broken_entries() {
    let project = shop();
    let theirs = r#"{"mcpServers": {"cuff": {"command": "npx", "args": ["links"]}}}"#;
    project.write(".mcp.json", theirs);
    for more in [&[][..], &["--remove"]] {
        let refused = project.cuff([&["install", "--client", "claude-code"], more].concat()).ended_with(1);
        assert!(refused.stderr.contains("it starts `npx links`"), "{}", refused.stderr);
        assert_eq!(project.read(".mcp.json"), theirs);
    }
    project.cuff(["install", "--client", "claude-code", "--name", "cuff-shop"]).succeeded();
    assert!(project.read(".mcp.json").contains("links"));
    project.cuff(["install", "--client", "claude-code", "--force"]).succeeded();
    assert!(!project.read(".mcp.json").contains("links"));

    let broken = "{\n  // mine\n  \"mcpServers\": {,}\n}\n";
    project.write(".cursor/mcp.json", broken);
    let refused = project.cuff(["install", "--client", "cursor", "--force"]).ended_with(1);
    assert!(refused.stderr.contains(".cursor/mcp.json:3:18: "), "{}", refused.stderr);
    assert!(refused.stderr.contains(" [CUFF_102]\n"), "{}", refused.stderr);
    assert_eq!(project.read(".cursor/mcp.json"), broken);

    project.cuff(["install", "--client", "claude-desktop", "--project"]).ended_with(64);
    project.cuff(["install", "--client", "emacs"]).ended_with(64);
    project.cuff(["install", "--client", "zed", "--name", "a b"]).ended_with(64);
}

/// A repository may bring a link to any folder of its user's.
#[test]
fn a_projects_file_that_a_link_leads_out_of_it_is_refused() {
    let project = Project::empty();
    let outside = project.outside().join("home/keys");
    fs::create_dir_all(&outside).unwrap();
    symlink(&outside, project.root().join(".cursor")).unwrap();
    for more in [&[][..], &["--dry-run"], &["--remove"], &["--force"]] {
        let words = ["install", "--client", "cursor", "--project"];
        let run = project.cuff(words.iter().chain(more)).ended_with(1);
        let why = format!("a link leads out of the project, to {}", outside.display());
        assert!(run.stderr.contains(&why) && run.stderr.contains("nothing was changed"), "{}", run.stderr);
    }
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    // Within the project a link is the project's own matter.
    fs::remove_file(project.root().join(".cursor")).unwrap();
    fs::create_dir(project.root().join("editors")).unwrap();
    symlink("editors", project.root().join(".cursor")).unwrap();
    project.cuff(["install", "--client", "cursor", "--project"]).succeeded();
    assert!(project.read("editors/mcp.json").contains("serve"));
}

#[test]
fn a_link_stays_one_and_what_it_leads_to_is_said() {
    let project = shop();
    let real = at_home(&project, "dotfiles/cursor.json", "{}\n");
    let link = project.outside().join("home/.cursor/mcp.json");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&real, &link).unwrap();
    let run = project.cuff(["install", "--client", "cursor", "--user"]).succeeded();
    assert!(run.stdout.contains(real.to_str().unwrap()), "{}", run.stdout);
    assert!(fs::read_to_string(&real).unwrap().contains("serve"));
    project.cuff(["install", "--client", "cursor", "--user", "--remove"]).succeeded();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
}

#[test]
fn init_offers_the_clients_that_are_here() {
    let project = shop();
    fs::create_dir_all(project.outside().join("home/.cursor")).unwrap();
    let steps = [("Write settings.yml and connect Cursor?", "y")];
    let seen = project.at_terminal(80, &steps, &["init"]).succeeded().text;
    assert!(seen.contains("Cursor") && !seen.contains("Windsurf"), "{seen}");
    assert!(project.read(".cursor/mcp.json").contains("serve"), "{seen}");

    let other = shop();
    fs::create_dir_all(other.outside().join("home/.cursor")).unwrap();
    other.cuff(["init", "--yes"]).succeeded();
    assert!(!other.root().join(".cursor").exists(), "with --yes nothing is offered");
}

#[test]
fn servers_that_cuff_has_can_be_taken_out_of_a_clients_file() {
    let project = shop();
    let settings = "version: '1'\nplugins:\n  github: {type: mcp, command: server-github}\n  \
                    later: {type: mcp, command: server-later, enabled: false}\n";
    project.write("settings.yml", settings);
    project.cuff(["list"]);
    let before =
        r#"{"mcpServers": {"github": {"command": "server-github"}, "later": {"command": "server-later"}}}"#;
    let file = at_home(&project, ".cursor/mcp.json", before);
    let install = |more: &[&str]| project.cuff([&["install", "--client", "cursor", "--user"], more].concat());
    // A server that waits for approval would be reached by nobody.
    let waiting = install(&["--replace"]).succeeded();
    assert!(waiting.stdout.contains("no server of it is among those"), "{}", waiting.stdout);
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let rehearsed = install(&["--replace", "--dry-run"]).succeeded();
    assert!(rehearsed.stdout.contains("Would take github out of "), "{}", rehearsed.stdout);
    let done = install(&["--replace"]).succeeded();
    assert!(done.stdout.contains("github: reached through cuff alone now"), "{}", done.stdout);
    let after = fs::read_to_string(&file).unwrap();
    assert!(!after.contains("server-github") && after.contains("server-later"), "{after}");
}
