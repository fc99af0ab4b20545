//! The plugins for Claude Code as files, by the scenarios of "Plugin Marketplace Structure" and "Skill Documentation".

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::session::feed;
use crate::support::project::{Project, Run};
use crate::support::tools;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const SKILL: &str = "plugins/toolscript/skills/toolscript/SKILL.md";

/// The fields of a skill's front matter, and its text.
fn skill(path: &str) -> (Vec<(String, String)>, String) {
    let text = read(path);
    let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    let field =
        |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap();
    (front.lines().map(field).collect(), body.to_owned())
}

#[test]
fn plugin_directory_structure() {
    for path in
        [".claude-plugin/plugin.json", SKILL.strip_prefix("plugins/toolscript/").unwrap(), "hooks/hooks.json"]
    {
        assert!(root().join("plugins/toolscript").join(path).is_file(), "{path}");
    }
}

#[test]
fn plugin_manifest() {
    let manifest = json("plugins/toolscript/.claude-plugin/plugin.json");
    assert_eq!(
        (&manifest["name"], &manifest["version"]),
        (&"toolscript".into(), &env!("CARGO_PKG_VERSION").into())
    );
}

#[test]
fn marketplace_organization() {
    let marketplace = json(".claude-plugin/marketplace.json");
    for plugin in marketplace["plugins"].as_array().unwrap() {
        let source = plugin["source"].as_str().unwrap();
        assert_eq!(source, format!("./plugins/{}", plugin["name"].as_str().unwrap()));
        let manifest = json(&format!("{source}/.claude-plugin/plugin.json"));
        assert_eq!((&manifest["name"], &manifest["description"]), (&plugin["name"], &plugin["description"]));
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    }
    assert!(root().join("src/main.rs").is_file());
}

/// The program of Claude Code that validates plugins, where it is installed.
fn claude() -> Option<PathBuf> {
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let folder = format!("tests/tools/node_modules/@anthropic-ai/claude-code-{system}-{machine}");
    let program = root().join(folder).join("claude");
    if !program.is_file() {
        assert!(tools::may_skip(), "{} is missing: run tests/tools/install", program.display());
        tools::skipped(&format!("{} is missing", program.display()));
        return None;
    }
    Some(program)
}

#[test]
fn claude_code_finds_nothing_wrong_with_marketplace_and_plugins() {
    let Some(program) = claude() else { return };
    let project = Project::empty();
    for folder in [".", "plugins/toolscript", "plugins/cuff"] {
        let mut validate = Command::new(&program);
        validate.args(["plugin", "validate", "--strict"]).arg(root().join(folder));
        project.surround(&mut validate);
        validate.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1").env("DISABLE_AUTOUPDATER", "1");
        let run = Run::of(validate).succeeded();
        assert!(run.stdout.contains("Validation passed"), "{folder}: {run:?}");
    }
}

/// The one hook of a plugin for an event, as a line for a shell.
fn hook(plugin: &str, event: &str) -> String {
    let hooks = json(&format!("plugins/{plugin}/hooks/hooks.json"));
    let entries = hooks["hooks"][event].as_array().unwrap();
    assert_eq!(entries.len(), 1);
    let hook = &entries[0]["hooks"][0];
    assert_eq!(hook["type"], "command");
    hook["command"].as_str().unwrap().to_owned()
}

const HOOKS: [(&str, &str, &str); 4] = [
    ("toolscript", "SessionStart", "session-start.sh"),
    ("toolscript", "SessionEnd", "session-end.sh"),
    ("cuff", "SessionStart", "session-start.sh"),
    ("cuff", "PreToolUse", "pre-tool-use.sh"),
];

#[test]
fn hook_registration() {
    for event in ["SessionStart", "SessionEnd"] {
        let hooks = json("plugins/toolscript/hooks/hooks.json");
        assert!(hooks["hooks"][event][0].get("matcher").is_none(), "it runs for every source");
    }
}

#[test]
fn hook_script_location() {
    for (plugin, event, script) in HOOKS {
        assert_eq!(hook(plugin, event), format!(r#"sh "${{CLAUDE_PLUGIN_ROOT}}/hooks/{script}""#));
        let path = root().join("plugins").join(plugin).join("hooks").join(script);
        assert!(fs::metadata(&path).unwrap().permissions().mode() & 0o111 != 0, "{script}");
    }
}

/// A copy of the plugins, in a folder whose name a shell would split.
fn installed(project: &Project) -> PathBuf {
    let folder = project.outside().join("my $(plugins)");
    fs::create_dir(&folder).unwrap();
    let copied = Command::new("cp").arg("-r").arg(root().join("plugins")).arg(&folder).status();
    assert!(copied.unwrap().success());
    folder.join("plugins")
}

/// A command of a plugin, started as a client starts it, without cuff on the search path.
fn command(project: &Project, root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    project.surround(&mut command);
    command.env("CLAUDE_PLUGIN_ROOT", root).env("PATH", "/usr/bin:/bin");
    command
}

/// Clients before Claude Code 2.1.139 ignore `args`: they start `command` alone, with the call as its input.
#[test]
fn no_hook_runs_its_input_as_a_script() {
    let project = Project::empty();
    let plugins = installed(&project);
    let landed = project.root().join("landed");
    let attack = format!("true\ntouch {0}\n$(touch {0}) `touch {0}`\n", landed.display());
    let input = serde_json::json!({"tool_name": "Bash", "tool_input": {"command": attack}});
    for (plugin, event, _) in HOOKS {
        let hooks = json(&format!("plugins/{plugin}/hooks/hooks.json"));
        assert!(hooks["hooks"][event][0]["hooks"][0].get("args").is_none());
        let line = hook(plugin, event);
        let run = feed(command(&project, &plugins.join(plugin), &["sh", "-c", &line]), &input.to_string())
            .succeeded();
        assert!(!landed.exists() && run.stderr.is_empty(), "{plugin} {event}: {run:?}");
        let says = run.stdout.contains("is not installed");
        assert_eq!(says, event == "SessionStart", "{plugin} {event}: {run:?}");
    }
    // The same input lands where a shell reads it as a script.
    feed(command(&project, &plugins, &["sh"]), &input.to_string());
    assert!(landed.exists());
}

#[test]
fn the_server_of_the_plugin_is_its_own_binary() {
    let project = Project::empty();
    let plugin = installed(&project).join("cuff");
    let entry = json("plugins/cuff/.mcp.json")["mcpServers"]["cuff"].clone();
    assert_eq!(
        (&entry["command"], &entry["args"]),
        (&"sh".into(), &serde_json::json!(["${CLAUDE_PLUGIN_ROOT}/serve.sh"]))
    );
    let script = plugin.join("serve.sh");
    let words = ["sh", script.to_str().unwrap()];
    let missing = Run::of(command(&project, &plugin, &words));
    assert_eq!(missing.code, 127);
    assert!(missing.stderr.starts_with("cuff is not installed: run `make install`"), "{missing:?}");
    fs::create_dir(plugin.join("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_cuff"), plugin.join("bin/cuff")).unwrap();
    let served = feed(command(&project, &plugin, &words), "").succeeded();
    assert!(served.stdout.is_empty(), "{served:?}");
}

#[test]
fn lean_skill_file() {
    let (_, body) = skill(SKILL);
    assert!(body.lines().count() < 80, "{} lines", body.lines().count());
    assert!(body.len() < 4000, "{} bytes", body.len());
}

#[test]
fn core_content_is_lean() {
    let references = root().join("plugins/toolscript/skills/toolscript/references");
    let sizes = fs::read_dir(references).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    let (_, body) = skill(SKILL);
    assert!(sizes.sum::<u64>() > 2 * body.len() as u64, "most of it is in references/");
}

#[test]
fn progressive_disclosure() {
    let (_, body) = skill(SKILL);
    let folder = root().join("plugins/toolscript/skills/toolscript");
    let there: Vec<String> = fs::read_dir(folder.join("references"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(there.len() >= 4, "{there:?}");
    for name in &there {
        assert!(body.contains(&format!("(references/{name})")), "SKILL.md does not point to {name}");
    }
}

#[test]
fn detailed_content_in_references() {
    let (_, body) = skill(SKILL);
    for link in body.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(root().join("plugins/toolscript/skills/toolscript").join(link).is_file(), "{link}");
    }
}

#[test]
fn skill_description() {
    for (path, name) in [(SKILL, "toolscript"), ("plugins/cuff/skills/cuff/SKILL.md", "cuff")] {
        let (fields, _) = skill(path);
        let field = |name: &str| &fields.iter().find(|(field, _)| field == name).unwrap().1;
        assert_eq!(field("name"), name);
        let description = field("description");
        assert!(description.len() <= 1024 && description.contains("Use it when"), "{path}: {description}");
    }
}

#[test]
fn when_to_use_guidance() {
    let (fields, body) = skill(SKILL);
    assert!(fields.iter().any(|(name, value)| name == "description" && value.contains("Use it when")));
    assert!(body.contains("## When not to use it"));
}

#[test]
fn usage_examples() {
    let (_, body) = skill(SKILL);
    assert!(body.contains("```console\n$ toolscript search"), "it shows what is typed and what is printed");
}

#[test]
fn skill_operations() {
    let (_, body) = skill(SKILL);
    let commands = read("plugins/toolscript/skills/toolscript/references/commands.md");
    for command in ["list-servers", "list-tools", "get-types", "search", "exec", "status"] {
        let shown = format!("toolscript {command}");
        assert!(body.contains(&shown) || commands.contains(&shown), "{command}");
    }
}
