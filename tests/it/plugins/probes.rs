//! Probes and rehearsals of a plugin that is made for these tests, through the opened and real processes.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::future::Future;
use std::ops::ControlFlow;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use cuff::calls;
use cuff::calls::{Addressed, CallOptions, CallRequest, Detach, RunError};
use cuff::execution::Sink;
use cuff::model::{
    BadCall, CACHE_TTL, Caller, Command, Discovery, Effects, ErrorCode, Files, Governance, Location,
    PluginInfo, Probe, Probed, Problem, REFRESH, Report, Stream, Suggestion, Tool, Values, Want, Word,
};
use cuff::plugin::Plugin;
use cuff::project::{Context as OpeningContext, Project as Opened};
use cuff::registry::Registry;
use cuff::sources::upstream::Connect;
use cuff::sys::journal::Journal;
use cuff::sys::process::Supervisor;
use cuff::sys::{Clock, Environment};
use cuff::wire::{Reader, text_of_report};

use crate::support::project::Project;
use crate::support::tools;

/// Offers a tool for each line that `sh probe.sh` prints.
#[derive(Debug)]
struct Shell;

impl Plugin for Shell {
    fn about(&self) -> PluginInfo {
        let (config, options) = (&[CACHE_TTL][..], &[][..]);
        PluginInfo {
            summary: "Lines",
            noun: "line",
            unknown: "Line not found",
            config,
            options,
            ..PluginInfo::new("shell", "SHELL")
        }
    }

    fn scout(&self, _seen: &Files) -> Vec<Want> {
        vec![Want::Probe(probe())]
    }

    fn suggest(&self, _files: &Files) -> Option<Suggestion> {
        None
    }

    fn wants(&self, _config: &Values, _seen: &Files) -> Vec<Want> {
        vec![Want::File("probe.sh".into()), Want::Probe(probe())]
    }

    fn binding(&self, _config: &Values, _seen: &Files, _tool: &Tool) -> cuff::model::Binding {
        cuff::model::Binding::same(["probe.sh".to_owned()])
    }

    fn discover(&self, _config: &Values, files: &Files) -> Discovery {
        let mut discovery = Discovery { tools: vec![list_tool()], ..Discovery::default() };
        match &files.probes[&probe()] {
            Probed::Ended { code, out, err } => {
                discovery.notes.push(format!("ended with {code}, {} bytes, {err:?}", out.len()));
                let text = String::from_utf8_lossy(out);
                discovery.tools.extend(text.lines().map(rehearsed));
            }
            Probed::Nothing { fault, why } => discovery.problems.push(Problem::error(*fault, why)),
        }
        discovery
    }

    fn plan(
        &self,
        _: &Values,
        _: &Tool,
        command: Command,
        _: &Values,
        _: Governance,
    ) -> Result<Command, BadCall> {
        Ok(command)
    }
}

fn command(words: &[&str], seconds: u64) -> Command {
    Command::new(Word::fixed(words[0]))
        .arguments(words[1..].iter().copied().map(Word::fixed))
        .timeout(Duration::from_secs(seconds))
}

fn probe() -> Probe {
    Probe { command: command(&["sh", "probe.sh"], 3) }
}

fn rehearsed(name: &str) -> Tool {
    Tool::running(name, name, Location::file("probe.sh"), command(&["./tool.sh", name], 30))
        .parameters(&[REFRESH])
        .effects(Effects::NONE)
        .rehearsed_by("-n")
}

fn list_tool() -> Tool {
    Tool::listing("list", "", Location::file("probe.sh"), "lines").parameters(&[REFRESH])
}

/// A project with settings, whose probe leaves a line in `count` each time.
fn project(probe: &str) -> Project {
    let project = Project::empty();
    project.write("settings.yml", "version: \"1\"\nplugins:\n  shell:\n    enabled: true\n");
    project.write("probe.sh", format!("echo $$ >> count\n{probe}"));
    project
}

fn context(project: &Project) -> OpeningContext {
    static PLUGINS: &[&dyn Plugin] = &[&Shell];
    let home = project.outside().join("home");
    let variables = [("PATH", tools::path()), ("HOME", home.into()), ("LANG", "C.UTF-8".into())];
    OpeningContext {
        plugins: PLUGINS,
        environment: Environment::new(project.root(), variables),
        clock: Clock::of_system(),
        supervisor: Supervisor::at(env!("CARGO_BIN_EXE_cuff")),
        journal: Journal::default(),
        metrics: Arc::default(),
        connect: Connect::WhenCalled,
        files: Arc::default(),
        views: None,
    }
}

fn opened(project: &Project) -> Opened {
    Opened::open(context(project), None, Caller::Human).unwrap()
}

/// How often the probe was started.
fn count(project: &Project) -> usize {
    fs::read_to_string(project.root().join("count")).map_or(0, |text| text.lines().count())
}

fn names(registry: &Registry) -> Vec<String> {
    registry.tools().iter().map(|tool| tool.name.local.clone()).collect()
}

fn at_once<Answer>(future: impl Future<Output = Answer>) -> Option<Answer> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    }
}

/// The only problem.
fn problem(registry: &Registry) -> (Option<u16>, String) {
    let [reported] = registry.problems() else { panic!("{:?}", registry.problems()) };
    (reported.problem.fault.map(ErrorCode::number), reported.problem.message.clone())
}

#[test]
fn a_list_needs_a_runtime_only_to_probe_and_the_next_process_does_not() {
    let project = project("echo one; echo warning >&2; exit 3");
    let first = opened(&project);
    assert!(at_once(first.list()).is_none(), "it must probe, and says so before it starts anything");
    assert_eq!(count(&project), 0);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let registry = runtime.block_on(first.list());
    assert_eq!(names(&registry), ["list", "one"]);
    assert_eq!(registry.notes()[0].note, "ended with 3, 4 bytes, \"warning\\n\"");
    drop(runtime);
    for opened in [first, opened(&project)] {
        assert_eq!(names(&at_once(opened.list()).expect("it is remembered")), ["list", "one"]);
    }
    assert_eq!(count(&project), 1);
    assert!(project.outside().join("home/.cache/cuff/probes").is_dir());
}

#[tokio::test]
async fn concurrent_lists_share_one_probe_without_blocking() {
    let project = project("sleep 0.3; echo one");
    let opened = opened(&project);
    let mut ticks = 0;
    let tick = async {
        loop {
            tokio::time::sleep(Duration::from_millis(10)).await;
            ticks += 1;
        }
    };
    tokio::select! {
        (one, two) = async { tokio::join!(opened.list(), opened.list()) } => {
            assert_eq!((names(&one), names(&two)), (names(&two), vec!["list".into(), "one".into()]));
        }
        () = tick => {}
    }
    assert_eq!(count(&project), 1);
    assert!(ticks >= 5, "{ticks}");
}

#[tokio::test]
async fn refresh_probes_again() {
    let project = project("test -e more && echo two; echo one");
    let opened = opened(&project);
    project.write("more", "");
    let listed = |refresh: bool| call(&opened, "shell.list", json!({ "refresh": refresh }));
    fs::remove_file(project.root().join("more")).unwrap();
    assert_eq!(listed(false).await.0.unwrap().data.unwrap()["lines"], json!(["one"]));
    project.write("more", "");
    assert_eq!(listed(false).await.0.unwrap().data.unwrap()["lines"], json!(["one"]), "nobody looks at it");
    assert_eq!(listed(true).await.0.unwrap().data.unwrap()["lines"], json!(["two", "one"]));
    assert_eq!(listed(false).await.0.unwrap().data.unwrap()["lines"], json!(["two", "one"]));
    assert_eq!(count(&project), 2);
}

#[tokio::test]
async fn a_failed_probe_is_reported_in_words() {
    for (script, number, message) in [
        ("sleep 60", 303, "`sh probe.sh` did not end within 3 seconds"),
        ("head -c 40000000 /dev/zero; sleep 60", 302, "`sh probe.sh` printed more than 32 MiB"),
    ] {
        let project = project(script);
        let opened = opened(&project);
        let registry = opened.list().await;
        assert_eq!(problem(&registry), (Some(number), message.to_owned()));
        let problems = opened.agent_problems();
        assert!(problems[0].starts_with("no person has approved settings.yml"), "{problems:?}");
        assert_eq!(problems[1..], [message]);
        assert_eq!(problem(&*opened.list().await).0, Some(number));
        assert_eq!(count(&project), 1, "it is not tried again while nothing changes");
    }
    let project = project("kill -9 $$");
    assert_eq!(opened(&project).list().await.notes()[0].note, "ended with 137, 0 bytes, \"\"");
}

#[tokio::test]
async fn a_probe_whose_program_is_missing_is_tried_again() {
    let project = project("echo one");
    let context = |path: &str| OpeningContext {
        environment: Environment::new(project.root(), [("PATH", path)]),
        ..context(&project)
    };
    let opened = Opened::open(context("/nowhere"), None, Caller::Human).unwrap();
    let missing = (Some(103), "sh is not installed, or not on the PATH".to_owned());
    assert_eq!(problem(&*opened.list().await), missing);
    let opened = Opened::open(context("/usr/bin:/bin"), None, Caller::Human).unwrap();
    assert_eq!(names(&*opened.list().await), ["list", "one"]);
}

#[tokio::test]
async fn a_list_that_is_dropped_ends_its_probe() {
    let project = project("sleep 60; echo never");
    let opened = opened(&project);
    let started = async {
        while count(&project) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        _ = opened.list() => panic!("it takes longer than a test"),
        () = started => {}
    }
    let pid = project.read("count").trim().to_owned();
    let deadline = Instant::now() + Duration::from_secs(10);
    while alive(&pid) {
        assert!(Instant::now() < deadline, "{pid} lives on");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Whether a process runs still; one that waits to be reaped does not.
fn alive(pid: &str) -> bool {
    let output = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

#[tokio::test]
async fn without_settings_nothing_is_probed() {
    let project = project("echo one");
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    let context = context(&project);
    let about = context.abouts()[0];
    let opened = Opened::open_plugin(context, None, &about, &[]).unwrap();
    let registry = at_once(opened.list()).unwrap();
    assert_eq!(problem(&registry), (Some(401), "there is no settings.yml that allows it".to_owned()));
    assert_eq!(count(&project), 0);
}

/// The output that the face received, in order.
#[derive(Default)]
struct Heard(String);

impl Sink for Heard {
    fn write(&mut self, _: Stream, bytes: &[u8]) -> ControlFlow<()> {
        self.0.push_str(&String::from_utf8_lossy(bytes));
        ControlFlow::Continue(())
    }
}

async fn call(opened: &Opened, tool: &str, arguments: Value) -> (Result<Report, RunError>, String) {
    let arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
    let tool = Addressed::Loosely(tool.into());
    let request = CallRequest {
        tool,
        arguments,
        caller: Caller::Agent,
        colours: true,
        asker: None,
        conversation: None,
        detach: Detach::default(),
        options: CallOptions::default(),
        parent: None,
        correlation: None,
        trace: None,
        is_mcp: false,
    };
    let mut heard = Heard::default();
    let report = calls::run(opened, request, &mut heard, &CancellationToken::new()).await;
    (report, heard.0)
}

fn tool(root: &Path) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let file = root.join("tool.sh");
    fs::write(&file, "#!/bin/sh\nprintf '%s\\n' \"$*\"\necho oh >&2\ntest \"$2\" != bad || exit 2\n")
        .unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

#[tokio::test]
async fn a_rehearsal_says_what_would_run_and_then_what_the_program_says() {
    let project = project("echo good; echo bad");
    tool(project.root());
    let opened = opened(&project);
    let (report, heard) = call(&opened, "good", json!({"dry_run": true})).await;
    let report = report.unwrap();
    assert!(heard.starts_with("Would execute: ./tool.sh good\n"), "{heard}");
    let mut lines: Vec<&str> = report.output.text.lines().collect();
    assert_eq!(lines.remove(0), "Would execute: ./tool.sh good");
    lines.sort_unstable();
    assert_eq!(lines, ["-n good", "oh"]);
    assert!(report.success && report.ending.is_some());
    assert_eq!(report.metadata["dry_run"], true);
    assert_eq!(report.metadata["command"], json!(["./tool.sh", "-n", "good"]));
    assert!(text_of_report(&report, Reader::Person).starts_with("dry run: succeeded ("));

    let (report, _) = call(&opened, "bad", json!({"dry_run": true})).await;
    let report = report.unwrap();
    assert!(!report.success);
    assert_eq!(report.error.as_deref(), Some("Dry run failed with exit code 2"));
    assert!(report.output.text.starts_with("Would execute: ./tool.sh bad\n"));

    let (report, heard) = call(&opened, "good", json!({})).await;
    let report = report.unwrap();
    assert_eq!((report.metadata.get("dry_run"), heard.contains("Would")), (None, false));
    assert_eq!(report.metadata["command"], json!(["./tool.sh", "good"]));

    fs::remove_file(project.root().join("tool.sh")).unwrap();
    let (report, _) = call(&opened, "good", json!({"dry_run": true})).await;
    let report = report.unwrap();
    assert_eq!((report.success, report.error_code.as_deref()), (false, Some("SHELL_103")));
    assert_eq!(report.output.text, "Would execute: ./tool.sh good\n");
}

#[tokio::test]
async fn a_rehearsal_that_nobody_reads_is_not_carried_out() {
    struct Gone;
    impl Sink for Gone {
        fn write(&mut self, _: Stream, _: &[u8]) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    let project = project("echo good");
    fs::write(tool(project.root()), "#!/bin/sh\n: > ran\n").unwrap();
    let opened = opened(&project);
    let arguments = json!({"dry_run": true}).as_object().unwrap().clone();
    let tool = Addressed::Loosely("good".into());
    let request = CallRequest {
        tool,
        arguments,
        caller: Caller::Human,
        colours: true,
        asker: None,
        conversation: None,
        detach: Detach::default(),
        options: CallOptions::default(),
        parent: None,
        correlation: None,
        trace: None,
        is_mcp: false,
    };
    let report = calls::run(&opened, request, &mut Gone, &CancellationToken::new()).await.unwrap();
    assert!(!report.success && !project.root().join("ran").exists());
}
