use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::*;
use crate::model::{Discovery, Governance, Role, Values};
use crate::plugin::Plugin as _;
use crate::project::{self as discovery, ProjectPlace};
use crate::sys::Environment;

/// The discovery of a source in a project with these files; those that begin with `#!` are executable.
#[expect(clippy::disallowed_methods, reason = "the test makes the files that are looked at")]
pub(in crate::plugins) fn discovered(spec: &'static SourceSpec, files: &[(&str, &str)]) -> Discovery {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let environment = Environment::new(&root, [("PATH", "/nowhere")]);
    discovery::discover(ProjectPlace::of(&root, &environment), spec, &Values::default())
}

/// The tasks and problems of a source in such a project.
pub(in crate::plugins) fn listed(spec: &'static SourceSpec, files: &[(&str, &str)]) -> String {
    let found = discovered(spec, files);
    let mut text = String::new();
    for tool in &found.tools {
        let Role::Run { command, .. } = &tool.role else { continue };
        let declared = tool.input.declared();
        let usages: Vec<String> = declared.unwrap_or_default().iter().map(Parameter::usage).collect();
        let takes = if declared.is_none() && !tool.input.fields().is_empty() { " …" } else { "" };
        let others = [&[String::new()], &tool.aliases[..]].concat().join(" = ");
        let line = command.line();
        writeln!(text, "{}{others} [{line}{takes}] {} {}", tool.original, usages.join(" "), tool.description)
            .unwrap();
    }
    for problem in found.problems.iter().filter(|problem| !problem.message.contains("is not installed")) {
        writeln!(text, "{}: {}", problem.severity.name(), problem.sentence()).unwrap();
    }
    text
}

#[test]
fn variables_and_words_reach_a_task_through_others_and_through_files() {
    let text = "
version: '3'
includes: {i: {taskfile: i.yml, vars: {GIVEN: '{{.OUTER}}'}}}
vars:
  GLOBAL: '{{.GLOBAL | default \"g\"}}'
  ARGS: '{{.CLI_ARGS}}'
  PLAIN: p
tasks:
  unset: {desc: a, cmds: ['echo {{.FOO}} {{.HOME}} {{if eq .OS \".x\"}}{{.A.B}}{{end}}']}
  default: {desc: b, vars: {BAR: '{{.BAR | default \"x\"}}', SET: s}, cmds: ['echo {{.BAR}} {{.GLOBAL}} {{.SET}}']}
  calls: {desc: c, cmds: [{task: called, vars: {FOO: f}}]}
  called: {desc: d, cmds: ['echo {{.CLI_ARGS}} {{.FOO}}']}
  global: {desc: e, cmds: ['echo {{.ARGS}}']}
  shell: {desc: f, cmds: ['echo $FOO']}
  plain: {desc: g, cmds: ['echo {{.PLAIN}}']}
  needs: {desc: h, deps: ['i:inner'], requires: {vars: [V]}}
  list: {desc: l, cmds: [{for: {var: LIST}, cmd: 'echo {{.ITEM}}'}]}
";
    let inner = "vars: {OWN: o}\ntasks: {inner: {desc: i, cmds: ['echo {{.OWN}} {{.GIVEN}}', {task: deep}, {task: ':shell'}]}, \
                 deep: {requires: {vars: [DEEP]}}}";
    insta::assert_snapshot!(listed(&TASKFILE, &[("Taskfile.yml", text), ("i.yml", inner)]), @r"
    unset [task unset] [FOO=…] [OS=…] [A=…] a
    default [task default] [BAR=…] [GLOBAL=…] b
    calls [task calls …]  c
    called [task called …]  d
    global [task global …]  e
    shell [task shell]  f
    plain [task plain]  g
    needs [task needs] V=… [OUTER=…] [DEEP=…] h
    list [task list] [LIST=…] l
    i:inner [task i:inner] [OUTER=…] [DEEP=…] i
    ");
}

#[test]
fn people_set_any_variable_and_agents_those_that_choose_no_program_or_option() {
    let text = "version: '3'\nenv: {NODE_OPTIONS: '{{.ENV}}'}\nvars: {P: p, RUN: 'sudo {{.GO}}', OUT: {sh: '{{.SH}} x {{.ARG}}'}}\ntasks:\n  a: {desc: a, cmds: ['echo {{.P}} {{.B}} {{.CLI_ARGS}}']}\n  \
                b: {desc: b, cmds: ['cd x && A=1 ./{{.TOOL}} {{.B}}', '{{.RUN}} build {{.C}} {{.GO}} | {{.D}} x {{.OUT}}']}\n  \
                c: {desc: c, dir: '{{.DIR}}', cmds: ['echo {{.ENV}} {{.DIR}} {{.T}}', {task: '{{.T}}'}]}\n";
    insta::assert_snapshot!(listed(&TASKFILE, &[("Taskfile.yml", text)]), @r"
    a [task a …]  a
    b [task b] [C=…] [ARG=…] b
    c [task c]  c
    ");
    for (task, words, governance, expected) in [
        (0, &["P=1 2", "B=2", "-x", "Q=1"][..], Governance::Free, "task a 'P=1 2' 'B=2' -- -x 'Q=1'"),
        (0, &["B=2", "--", "B=3"], Governance::Free, "task a 'B=2' -- 'B=3'"),
        (1, &["TOOL=x"], Governance::Free, "task b 'TOOL=x'"),
        (0, &["-x y", "B=2"], Governance::Governed, "task a -- '-x y' 'B=2'"),
        (1, &["C=c"], Governance::Governed, "task b 'C=c'"),
        (1, &["TOOL=x"], Governance::Governed, "args: this task takes at most 0 arguments, not 1"),
        (1, &["C=2 3"], Governance::Governed, "args: \"C=2 3\" holds ' ', which is no plain text"),
        (1, &["C=-x"], Governance::Governed, "args: \"C=-x\" would be an option of a command"),
    ] {
        let tool = discovered(&TASKFILE, &[("Taskfile.yml", text)]).tools.remove(task);
        let Role::Run { command, .. } = &tool.role else { panic!("a tool that runs") };
        let arguments = Values::of([(&ARGS, serde_json::json!(words))]);
        let planned = TASKFILE.plan(&Values::default(), &tool, (**command).clone(), &arguments, governance);
        assert_eq!(planned.map_or_else(|bad| bad.message, |command| command.line()), expected, "{words:?}");
    }
}

#[test]
fn includes_lie_beside_the_file_that_names_them() {
    let files = [
        ("Taskfile.yml", "version: '3'\nincludes: {a: ./a}\ntasks: {x: {desc: d}}"),
        (
            "a/Taskfile.yml",
            "includes:\n  c: ../common/Taskfile.yml\n  d: ../d.yml\n  e: '{{.ROOT_DIR}}/d.yml'\n",
        ),
        ("common/Taskfile.yml", "tasks: {z: {desc: d}}"),
        ("d.yml", "tasks: {z: {desc: d}}"),
    ];
    insta::assert_snapshot!(listed(&TASKFILE, &files), @r"
    x [task x]  d
    a:c:z [task a:c:z]  d
    a:d:z [task a:d:z]  d
    a:e:z [task a:e:z]  d
    ");
    let back = ("a/Taskfile.yml", "includes:\n  root: ../Taskfile.yml\ntasks: {y: {desc: d}}");
    insta::assert_snapshot!(listed(&TASKFILE, &[files[0], back]), @r"
    x [task x]  d
    a:y [task a:y]  d
    error: a/Taskfile.yml:2: Taskfile.yml is in a cycle of includes: it includes itself (take one of its includes out: task refuses all tasks until then)
    ");
}

#[test]
fn names_that_stand_for_no_one_task_are_told() {
    let text = "version: '3'\ntasks:\n  build: {desc: Build}\n  release:*: {desc: Prepare a release}\n  quiet:*: {}\n  A=B: {desc: d}";
    insta::assert_snapshot!(listed(&TASKFILE, &[("Taskfile.yml", text)]), @r"
    build [task build]  Build
    info: Taskfile.yml:4: release:* stands for many tasks, and is not offered (run one of them with `task release:VALUE`)
    warning: Taskfile.yml:6: A=B is no name of a task, since task takes it for a variable (rename it; the other tasks are offered)
    ");
}

#[test]
fn values_of_another_kind_are_told() {
    for (text, expected) in [
        ("tasks: {x: 7, y: , z: {desc: 1, cmds: , aliases: [a]}}", ""),
        ("tasks: [a]", "Taskfile.yml:2: `tasks` is no map, so task refuses all tasks"),
        ("includes: 7", "Taskfile.yml:2: `includes` is no map, so task refuses all tasks"),
        ("tasks:\n  x: {desc: [a]}", "Taskfile.yml:3: `desc` is no text, so task refuses all tasks"),
        ("tasks:\n  x: {deps: y}", "Taskfile.yml:3: `deps` is no list, so task refuses all tasks"),
    ] {
        let text = format!("version: '3'\n{text}\n");
        let problems = discovered(&TASKFILE, &[("Taskfile.yml", &text)]).problems;
        let said = problems.iter().find(|problem| problem.message.contains("refuses"));
        assert_eq!(said.map(ToString::to_string).unwrap_or_default(), expected, "{text}");
    }
}
