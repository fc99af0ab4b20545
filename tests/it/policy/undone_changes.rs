//! A change of an approved file that is put back while the tool runs, by whatever way it was made.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::process::until;
use crate::support::project::Project;

/// A tool that waits until the file `go` is there.
const WAIT: &str = "touch begun; while [ ! -e go ]; do sleep 0.02; done";

/// Python with the functions that change a file for a moment. It says `ready`, waits for a line, changes the file, and
/// says `done`.
const DEEDS: &str = "\
import mmap, os, shutil, sys, time
how, path = sys.argv[1:]
there = os.path.exists(path)
before = open(path, 'rb').read() if there else b''
other = before.replace(b'sleep', b'false') + b' '
stat = os.stat(path) if there else None
def say(word): print(word, flush=True)
def in_place(data):
    with open(path, 'wb') as file: file.write(data)
    if stat: os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
opened = None
if how == 'mapped before':
    opened = mmap.mmap(os.open(path, os.O_RDWR), 0)
say('ready'); sys.stdin.readline()
if how == 'in place':
    in_place(other); time.sleep(0.1); in_place(before)
elif how == 'by another file':
    open(path + '.new', 'wb').write(other)
    os.rename(path, path + '.old'); os.rename(path + '.new', path); time.sleep(0.1); os.rename(path + '.old', path)
elif how == 'made':
    open(path, 'wb').write(b'script-shell=./sh.sh'); time.sleep(0.1); os.remove(path)
elif how == 'mapped':
    file = os.open(path, os.O_RDWR); opened = mmap.mmap(file, 0); os.close(file)
    opened[:] = other[:len(before)]; time.sleep(0.1); opened[:] = before
elif how == 'in another folder':
    folder = os.path.dirname(path)
    os.rename(folder, folder + '.old'); shutil.copytree(folder + '.old', folder); time.sleep(0.1)
    shutil.rmtree(folder); os.rename(folder + '.old', folder)
say('done'); sys.stdin.readline()
";

struct Writer(Child, BufReader<std::process::ChildStdout>);

impl Writer {
    fn new(project: &Project, how: &str, file: &str) -> Self {
        let mut command = Command::new("python3");
        command.args(["-c", DEEDS, how]).arg(project.root().join(file));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let mut writer = Self(child, said);
        writer.hear("ready");
        writer
    }

    fn hear(&mut self, word: &str) {
        let mut line = String::new();
        self.1.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), word);
    }

    fn act(&mut self) {
        self.0.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        self.hear("done");
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const SETTINGS: &str = "\
version: '1'
plugins:
  packagejson: {config: {confirm: true}}
  makefile: {config: {confirm: true}}
  scripts: {config: {patterns: ['tools/*.sh'], confirm: true}}
";

fn project() -> Project {
    let project = Project::empty();
    project.write("package.json", json!({"scripts": {"ship": WAIT}}).to_string());
    project.write("Makefile", "include cmd.mk\n.PHONY: ship\nship:\n\t$(CMD)\n");
    project.write("cmd.mk", format!("CMD = {WAIT}\n"));
    project.write("tools/ship.sh", "");
    project.script("tools/ship.sh", format!("#!/bin/sh\n{WAIT}\n"));
    project.write("settings.yml", SETTINGS);
    project
}

/// The result of a call that a person says yes to; `meanwhile` acts once the tool runs.
fn called(project: &Project, tool: &str, meanwhile: impl FnOnce()) -> Value {
    let mut spoken = McpSession::over_pipes(project, &[]);
    spoken.initialize_with(&json!({"elicitation": {}}));
    spoken.begin("tools/call", json!({"name": tool, "arguments": {}}));
    let asked = spoken.hear();
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let yes = json!({"action": "accept", "content": {"yes": true}});
    spoken.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
    meanwhile();
    project.write("go", "");
    let result = spoken.hear()["result"].clone();
    spoken.leave();
    result
}

const WAYS: [(&str, &str, &str); 13] = [
    ("packagejson.npm_ship", "package.json", "in place"),
    ("packagejson.npm_ship", "package.json", "by another file"),
    ("packagejson.npm_ship", "package.json", "mapped"),
    ("packagejson.npm_ship", ".npmrc", "made"),
    ("makefile.make_ship", "Makefile", "in place"),
    ("makefile.make_ship", "Makefile", "by another file"),
    ("makefile.make_ship", "Makefile", "mapped"),
    ("makefile.make_ship", "cmd.mk", "in place"),
    ("makefile.make_ship", "cmd.mk", "mapped"),
    ("scripts.script_tools_ship", "tools/ship.sh", "in place"),
    ("scripts.script_tools_ship", "tools/ship.sh", "by another file"),
    ("scripts.script_tools_ship", "tools/ship.sh", "mapped"),
    ("scripts.script_tools_ship", "tools/ship.sh", "in another folder"),
];

#[test]
fn a_change_that_is_put_back_fails_the_run() {
    for (tool, file, how) in WAYS {
        let project = project();
        let mut writer = Writer::new(&project, how, file);
        let result = called(&project, tool, || {
            until("it runs", || project.root().join("begun").exists());
            writer.act();
        });
        let shape = &result["structuredContent"];
        let error = format!("Approved files were changed ({file}) while it ran");
        assert!(
            shape["error"].as_str().is_some_and(|text| text.starts_with(&error)),
            "{file} {how}: {result}"
        );
        let code = shape["error_code"].as_str();
        assert!(code.is_some_and(|code| code.ends_with("_306")), "{file} {how}: {result}");
    }
}

#[test]
fn nothing_runs_while_a_process_has_a_mapping_of_an_approved_file() {
    for (tool, file) in [
        ("packagejson.npm_ship", "package.json"),
        ("makefile.make_ship", "cmd.mk"),
        ("scripts.script_tools_ship", "tools/ship.sh"),
    ] {
        let project = project();
        let writer = Writer::new(&project, "mapped before", file);
        let result = called(&project, tool, || {});
        let shape = &result["structuredContent"];
        assert_eq!(shape["error"], format!("Another process may be writing approved files ({file})"));
        assert_eq!(
            shape["help"],
            "nothing was run; end the process that has them open for writing, and call again"
        );
        assert!(!project.root().join("begun").exists());
        drop(writer);
        assert_eq!(called(&project, tool, || {})["isError"], false, "{tool}");
    }
}

/// An editor's save in the moment of the start is waited for.
#[test]
fn a_run_whose_files_nobody_touches_succeeds_and_says_nothing_of_them() {
    for tool in ["packagejson.npm_ship", "makefile.make_ship", "scripts.script_tools_ship"] {
        let project = project();
        let result = called(&project, tool, || {
            until("it runs", || project.root().join("begun").exists());
            project.read("package.json");
            project.write("tools/other.sh", "");
            project.write("other", "");
        });
        assert_eq!(result["isError"], false, "{tool}: {result}");
        assert!(result["structuredContent"].get("unheld").is_none(), "{result}");
    }
}

/// A script may write the other parts of package.json, and the answer says so.
#[test]
fn a_script_may_write_what_its_manifest_says_beside_the_scripts() {
    let project = project();
    let result = called(&project, "packagejson.npm_ship", || {
        until("it runs", || project.root().join("begun").exists());
        for version in 1..20 {
            let text = json!({"version": format!("{version}.0.0"), "scripts": {"ship": WAIT}});
            project.write("package.json", text.to_string());
        }
    });
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(
        result["structuredContent"]["unheld"],
        "a process wrote package.json while it ran, and left what runs the same"
    );
}
