//! The calls of programs are governed as an agent's are.

use serde_json::json;

use super::{project, scripts, toolscript};
use crate::support::project::Project;
use crate::support::tools;

#[test]
fn a_program_is_not_more_than_the_agent_who_wrote_it() {
    if tools::require("npm").is_none() {
        return;
    }
    let project = scripts();
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  npm: {type: in_source, module: packagejson, config: {confirm: ['npm_greet']}}\n",
    );
    let run = toolscript(&project, &["exec", "await tools.npm.npmGreet()"]).ended_with(1);
    assert!(run.stderr.contains("cuff approve"), "{}", run.stderr);
    let caught = "try { await tools.npm.npmGreet() } catch (e: any) { return e.data.approval_id }";
    let id = toolscript(&project, &["exec", "--json", caught]).succeeded().json()["result"].clone();
    assert!(id.as_str().is_some_and(|id| !id.is_empty()), "{id}");
    // A variable that would load code is refused, as for every caller but a person.
    let loads = "await tools.npm.npmCount({ env: { NODE_OPTIONS: '--require /tmp/x.js' } })";
    let run = toolscript(&project, &["exec", loads]).ended_with(1);
    assert!(run.stderr.contains("NODE_OPTIONS"), "{}", run.stderr);
    let log = project.cuff(["audit", "--json", "-n", "50"]).succeeded().json().to_string();
    assert!(log.contains("\"caller\":\"code\"") && log.contains("\"refused\""), "{log}");
}

#[test]
fn allow_and_read_only_narrow_one_execution() {
    let Some(project) = project() else { return };
    let calls =
        "const sum = await tools.everything.getSum({ a: 1, b: 2 }); await tools.npm.npmGreet(); return sum";
    let run = toolscript(&project, &["exec", "--allow", "everything.*", calls]).ended_with(1);
    assert!(run.stderr.contains("npm.npm_greet may not be called in this execution"), "{}", run.stderr);
    toolscript(&project, &["exec", "--allow", "everything.*,npm.npm_greet", calls]).succeeded();
    let run = toolscript(&project, &["exec", "--read-only", calls]).ended_with(1);
    assert!(run.stderr.contains("may not be called with --read-only"), "{}", run.stderr);
    let run = toolscript(&project, &["exec", "--allow", "[z-a]", "return 1"]).ended_with(64);
    assert!(run.stderr.contains("--allow"), "{}", run.stderr);
}

/// An agent that can write files has no tools from settings that no person has seen.
#[test]
fn settings_that_appear_after_the_first_program_wait_for_a_person() {
    let project = Project::empty().unapproved();
    project.write("Makefile", "all:\n\techo made\n");
    toolscript(&project, &["exec", "return 1"]).succeeded();
    project.write("settings.yml", "version: '1'\nplugins:\n  make: {type: in_source, module: makefile}\n");
    let run = toolscript(&project, &["exec", "await tools.make.makeAll()"]).ended_with(64);
    let said = "error: the server `make` is withheld from programs\n";
    let help =
        "help: it waits for approval; a person runs `cuff approve settings`, which shows it, and asks\n";
    assert!(run.stderr.starts_with(said) && run.stderr.contains(help), "{}", run.stderr);
    let why = "warning: no person has approved settings.yml in ";
    assert!(run.stderr.contains(why) && run.stderr.contains("`cuff approve settings`"), "{}", run.stderr);
}

#[test]
fn a_server_that_no_person_approved_is_not_started() {
    let project = scripts();
    project.approve();
    let entry = json!({"mcpServers": {"evil": {"command": "sh", "args": ["-c", "touch started; cat"]}}});
    project.write(".toolscript.json", entry.to_string());
    for words in [
        &["list-servers"][..],
        &["list-tools"],
        &["get-types"],
        &["search", "x"],
        &["status"],
        &["exec", "return await tools.evil.anything({})"],
    ] {
        let run = toolscript(&project, words);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("waits for approval"), "{words:?}: {said}");
    }
    assert!(!project.root().join("started").exists());
}

/// An error shows lines of its program, so that a permission for toolscript must show no file that is none of the project's.
#[test]
fn an_agents_programs_are_read_from_the_project_and_the_temporary_folder_alone() {
    let project = scripts();
    project.write("e.ts", "return 1\n");
    project.write("bad.ts", "const a = 1\nreturn tools.nothing.here()\n");
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    toolscript(&agent, &["exec", "-f", "e.ts"]).succeeded();
    toolscript(&agent, &["exec", "e.ts"]).succeeded();
    let named = toolscript(&agent, &["exec", "-f", "bad.ts"]).ended_with(64);
    assert!(named.stderr.contains(" --> bad.ts:2:"), "{named:?}");
    // The manifest of cuff is outside of both.
    let secret = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    std::os::unix::fs::symlink(secret, project.root().join("link.ts")).unwrap();
    let folder = std::path::Path::new(secret).parent().unwrap();
    std::os::unix::fs::symlink(folder, project.root().join("folder")).unwrap();
    for words in [
        &["exec", "-f", secret][..],
        &["exec", "-f", "link.ts"],
        &["exec", "link.ts"],
        &["exec", "-f", "folder/Cargo.toml"],
        &["-C", env!("CARGO_MANIFEST_DIR"), "exec", "-f", secret],
        &["exec", "-f", "/dev/stdin"],
    ] {
        let run = toolscript(&agent, words);
        assert!(
            run.code != 0 && run.stderr.contains("an agent's programs are read from"),
            "{words:?}: {run:?}"
        );
        assert!(!run.stderr.contains("[package]"), "{words:?}: {run:?}");
    }
    // A person reads what is his.
    let run = toolscript(&project, &["exec", "-f", secret]).ended_with(64);
    assert!(run.stderr.contains("Cargo.toml:"), "{run:?}");
    // A file whose text would be seen in the frame of what is wrong, named, and behind links of an agent's own.
    let told = project.outside().join("told.yml");
    std::fs::write(&told, "version: '1'\nplugins: [[[root:x:0\n").unwrap();
    std::os::unix::fs::symlink(&told, project.root().join("link.yml")).unwrap();
    std::fs::remove_file(project.root().join("settings.yml")).unwrap();
    std::os::unix::fs::symlink(&told, project.root().join("settings.yml")).unwrap();
    for words in [&["--config", told.to_str().unwrap()][..], &["--config", "link.yml"], &[]] {
        let run = toolscript(&agent, &[words, &["exec", "return 1"]].concat());
        assert!(
            run.code != 0 && run.stderr.contains("programs and agents hear no more of it"),
            "{words:?}: {run:?}"
        );
        assert!(!run.stderr.contains("root:x"), "{words:?}: {run:?}");
    }
    let settings = project.cuff(["list"]);
    assert!(settings.code != 0 && settings.stderr.contains("root:x"), "{settings:?}");
    // One that can be read as settings, by each command that opens some.
    let token = project.outside().join("token.json");
    std::fs::write(&token, r#"{"accessToken": "sk-secret", "plugins": {"sk-other": {"type": 1}}}"#).unwrap();
    for command in ["status", "list", "doctor"] {
        let run = agent.cuff(["--config", token.to_str().unwrap(), command]);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(!all.contains("sk-secret") && !all.contains("accessToken"), "{command}: {all}");
    }
}
