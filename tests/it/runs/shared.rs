//! Records of a team: several machines, each with its own home, on one store.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::mcp_session::{McpSession, called};
use crate::support::normalize::stable;
use crate::support::object_store::{BUCKET, Fault, FaultyServer, S3Server};
use crate::support::process::until;
use crate::support::project::{Project, Run, files_below};

/// The output of a check on `main`, and on the branch that a person works on.
const ON_MAIN: &str = "src/a.c:3:5: error: bad thing";
const ON_BRANCH: &str = "src/a.c:3:5: error: bad thing\nsrc/b.c:1:2: error: new thing";

/// A machine with a clone of the repository, on a branch.
fn machine(records: &str, branch: &str, printed: &str) -> Project {
    let project = Project::empty();
    project.write(
        "settings.yml",
        format!("version: '1'\n{records}plugins:\n  scripts: {{config: {{patterns: ['*.sh']}}}}\n"),
    );
    project.script("check.sh", format!("#!/bin/sh\nprintf '%s\\n' '{printed}' >&2\nexit 3\n"));
    for words in [
        &["init", "-q", "-b", branch][..],
        &["remote", "add", "origin", "git@example.com:team/name.git"],
        &["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "--allow-empty", "-m", "x"],
    ] {
        let mut git = Command::new("git");
        git.args(words);
        project.surround(&mut git);
        Run::of(git).succeeded();
    }
    project
}

fn settings(store: &str, more: &str) -> String {
    format!("records: {{store: '{store}'{more}}}\n")
}

/// A folder that machines share.
struct SharedFolder(tempfile::TempDir);

impl SharedFolder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("records")).expect("a folder of ours");
        Self(folder)
    }

    fn store(&self) -> String {
        self.0.path().join("records").display().to_string()
    }

    fn objects(&self) -> Vec<PathBuf> {
        files_below(Path::new(&self.store()))
    }
}

/// Code and outputs of a command, with stable words.
fn end(project: &Project, words: &[&str]) -> String {
    let run = project.cuff(words);
    let text = format!("{}\n{}{}", run.code, stable(project, &run.stdout), stable(project, &run.stderr));
    let word = |pattern: &str, text: &str, word: &str| {
        regex::Regex::new(pattern).expect("a pattern").replace_all(text, word).into_owned()
    };
    let text = word(r"(main|topic) [0-9a-f]{12}", &text, "$1 COMMIT");
    word(r"\b[0-9a-f]{8} \(1 s ago\)", &text, "RUN (1 s ago)")
}

/// The runs that wait on a machine.
fn waiting(project: &Project) -> usize {
    let notes = files_below(&project.outside().join("home/state/cuff/unpushed"));
    notes.iter().filter(|file| file.file_name().is_some_and(|name| name.len() == 36)).count()
}

/// The ids of the shared runs, the newest first.
fn shared(project: &Project) -> Vec<String> {
    let listed = project.cuff(["runs", "--shared", "--json"]).succeeded().json();
    let id = |run: &Value| run["run_id"].as_str().expect("an id").to_owned();
    listed["runs"].as_array().expect("a list").iter().map(id).collect()
}

/// A run on a build server that pushes, and what another machine gets to see of it.
fn pushed_and_compared(store: &str, with: impl Fn(Project) -> Project) {
    let server = with(machine(&settings(store, ""), "main", ON_MAIN)).variable("CI", "true");
    server.cuff(["run", "check.sh"]).ended_with(3);
    until("the run is pushed", || waiting(&server) == 0);
    let own = with(machine(&settings(store, ", agents: true"), "topic", ON_BRANCH));
    own.cuff(["run", "check.sh"]).ended_with(3);
    assert_eq!((waiting(&own), shared(&own).len()), (0, 1), "a person's machine pushes nothing");
    insta::assert_snapshot!("shared_list", end(&own, &["runs", "--shared"]));
    insta::assert_snapshot!("shared_diff", end(&own, &["runs", "diff", "main"]));
    let id = &shared(&own)[0];
    insta::assert_snapshot!("shared_show", end(&own, &["runs", "show", id]));
    let latest = own.cuff(["runs", "show", "latest", "--json"]).json();
    assert_eq!(
        (&latest["branch"], &latest["pulled"]),
        (&json!("topic"), &Value::Null),
        "a pulled run is never the latest"
    );
    assert_eq!(own.cuff(["runs", "list", "--json"]).json()["runs"].as_array().map(Vec::len), Some(1));

    let mut agent = McpSession::begun(&own, &[]);
    let listed = agent.call("runs.list", &json!({"shared": true}));
    assert_eq!(listed["structuredContent"]["runs"].as_array().map(Vec::len), Some(1), "{listed}");
    let diff = agent.call("runs.diff", &json!({"earlier": "main"}))["structuredContent"].clone();
    assert_eq!((&diff["new_total"], &diff["still_total"]), (&json!(1), &json!(1)), "{diff}");
}

#[test]
fn a_run_on_a_build_server_is_seen_elsewhere() {
    let folder = SharedFolder::new();
    pushed_and_compared(&folder.store(), |project| project);
    let [object] = &folder.objects()[..] else { panic!("{:?}", folder.objects()) };
    let text = fs::read_to_string(object).expect("an object of ours");
    assert!(text.starts_with("cuff record 1 ") && text.ends_with(&format!("\n{ON_MAIN}\n")), "{text}");
    assert!(object.display().to_string().contains("/1/example.com-team-name-"), "{object:?}");
}

#[test]
fn a_run_on_a_build_server_is_seen_elsewhere_through_s3() {
    let Some(server) = S3Server::start() else { return };
    pushed_and_compared(&format!("s3://{BUCKET}/some/prefix"), |project| server.surround(project));
}

#[test]
fn without_a_store_a_branch_is_that_of_this_machine() {
    let project = machine("", "main", ON_MAIN);
    project.cuff(["run", "check.sh"]).ended_with(3);
    let mut git = Command::new("git");
    git.args(["checkout", "-q", "-b", "topic"]);
    project.surround(&mut git);
    Run::of(git).succeeded();
    project.script("check.sh", format!("#!/bin/sh\nprintf '%s\\n' '{ON_BRANCH}' >&2\nexit 3\n"));
    project.cuff(["run", "check.sh"]).ended_with(3);
    insta::assert_snapshot!("local_diff", end(&project, &["runs", "diff", "main"]));
    let diff = called(&project, "runs.diff", &json!({"earlier": "main"}));
    assert_eq!(diff["structuredContent"]["new_total"], 1, "{diff}");
    assert!(end(&project, &["runs", "diff", "nothing"]).starts_with("1\nerror: no run has an id"));
}

#[test]
fn no_secret_and_no_home_of_a_machine_leaves_it() {
    let folder = SharedFolder::new();
    let project = machine(&settings(&folder.store(), ", push: always"), "main", "$DEPLOY_TOKEN");
    project.script("check.sh", "#!/bin/sh\necho \"token $DEPLOY_TOKEN\"; echo \"${#1} ${#2}\"\n");
    let project = project.variable("DEPLOY_TOKEN", "s3cret-of-the-team");
    project.cuff(["run", "check.sh", "s3cret-of-the-team", "name-of-a-customer"]).succeeded();
    until("the run is pushed", || waiting(&project) == 0);
    let text = fs::read_to_string(&folder.objects()[0]).expect("an object of ours");
    assert!(!text.contains("s3cret-of-the-team") && text.contains("token [redacted:DEPLOY_TOKEN]"), "{text}");
    assert!(text.contains("\n18 18\n") && !text.contains("name-of-a-customer"), "{text}");
    assert!(!text.contains("absolute_directory") && !text.contains("\"arguments\""), "{text}");
}

#[test]
fn a_store_that_is_gone_delays_no_run_and_loses_none() {
    let folder = SharedFolder::new();
    let project = machine(&settings(&folder.store(), ", push: always"), "main", ON_MAIN);
    // A share that is not mounted.
    fs::remove_dir(folder.store()).expect("a folder of ours");
    for _ in 0..3 {
        project.cuff(["run", "check.sh"]).ended_with(3);
    }
    assert_eq!(project.cuff(["runs", "list", "--json"]).json()["runs"].as_array().map(Vec::len), Some(3));
    let failed = project.cuff(["runs", "push"]).ended_with(1);
    assert!(failed.stdout.starts_with("pushed 0 runs, 3 still waiting"), "{failed:?}");
    assert!(failed.stderr.contains("help: runs are recorded on this machine as ever"), "{failed:?}");
    assert_eq!(waiting(&project), 3);
    assert!(failed.stderr.contains(&format!("{}: ", folder.store())), "{failed:?}");
    fs::create_dir(folder.store()).expect("a folder of ours");
    project.cuff(["run", "check.sh"]).ended_with(3);
    until("the next run pushes those before it", || waiting(&project) == 0);
    assert_eq!((shared(&project).len(), folder.objects().len()), (4, 4));
}

#[test]
fn a_wrong_store_keeps_no_other_run_and_can_be_given_up() {
    let folder = SharedFolder::new();
    let project = machine(&settings("/no/such/share", ", push: always"), "main", ON_MAIN);
    project.cuff(["run", "check.sh"]).ended_with(3);
    let text = project.read("settings.yml").replace("/no/such/share", &folder.store());
    project.write("settings.yml", text);
    project.cuff(["run", "check.sh"]).ended_with(3);
    until("the run of the right store is pushed", || folder.objects().len() == 1);
    insta::assert_snapshot!(end(&project, &["runs", "push"]), @"
    1
    pushed 0 runs, 1 still waiting
    error: the store of the records does not answer: /no/such/share: the folder does not exist; make it, or mount the share that it is on
    help: runs are recorded on this machine as ever; look at `records.store` in settings.yml and at the network
    ");
    insta::assert_snapshot!(end(&project, &["runs", "push", "--drop"]), @"
    0
    pushed 0 runs, 1 given up
    error: the store of the records does not answer: /no/such/share: the folder does not exist; make it, or mount the share that it is on
    help: runs are recorded on this machine as ever; look at `records.store` in settings.yml and at the network
    ");
    insta::assert_snapshot!(end(&project, &["runs", "push"]), @"
    0
    pushed 0 runs
    ");
}

#[test]
fn a_store_says_that_it_refuses_or_has_no_bucket() {
    let server = FaultyServer::start(Fault::Forbidden);
    let project = server.surround(machine(&settings("s3://bucket/x", ""), "main", ON_MAIN));
    insta::assert_snapshot!(end(&project, &["runs", "--shared"]), @"
    1
    error: the store of the records refuses these credentials: Server returned non-2xx status code: 403 Forbidden: <Error><Code>InvalidAccessKeyId</Code></Error> [CUFF_301]
    help: set the variables of its cloud, such as AWS_ACCESS_KEY_ID; runs are recorded on this machine as ever
    ");
    let Some(server) = S3Server::start() else { return };
    let project = server.surround(machine(&settings("s3://nosuch/x", ", push: always"), "main", ON_MAIN));
    insta::assert_snapshot!(end(&project, &["runs", "--shared"]), @"
    1
    error: the store of the records does not answer: its bucket or container does not exist [CUFF_301]
    help: runs are recorded on this machine as ever; look at `records.store` in settings.yml and at the network
    ");
    project.cuff(["run", "check.sh"]).ended_with(3);
    insta::assert_snapshot!(end(&project, &["runs", "push"]), @"
    1
    pushed 0 runs, 1 still waiting
    error: the store of the records does not answer: s3://nosuch/x: its bucket or container does not exist
    help: runs are recorded on this machine as ever; look at `records.store` in settings.yml and at the network
    ");
}

#[test]
fn a_server_that_is_gone_or_answers_with_errors_delays_no_run() {
    for fault in [Fault::Silence, Fault::ServerError, Fault::Page] {
        let server = FaultyServer::start(fault);
        let project = machine(&settings("s3://bucket/x", ", push: always"), "main", ON_MAIN);
        let project = server.surround(project);
        let begun = Instant::now();
        project.cuff(["run", "check.sh"]).ended_with(3);
        assert!(begun.elapsed() < Duration::from_secs(10), "{fault:?}");
        assert_eq!(waiting(&project), 1);
        if matches!(fault, Fault::ServerError) {
            let list = project.cuff(["runs", "--shared"]).ended_with(1);
            assert!(list.stderr.contains("the store of the records does not answer"), "{fault:?}: {list:?}");
        }
        let local = project.cuff(["runs", "show", "--json"]).succeeded().json();
        assert_eq!(local["tail"]["text"], format!("{ON_MAIN}\n"));
    }
}

#[test]
fn a_cut_or_forged_record_is_named_and_not_shown() {
    let folder = SharedFolder::new();
    let project = machine(&settings(&folder.store(), ", push: always"), "main", ON_MAIN);
    for _ in 0..2 {
        project.cuff(["run", "check.sh"]).ended_with(3);
        until("the run is pushed", || waiting(&project) == 0);
    }
    let newest = &folder.objects()[0];
    let text = fs::read(newest).expect("an object of ours");
    fs::write(newest, &text[..text.len() - 3]).expect("an object of ours");
    insta::assert_snapshot!("shared_forged", end(&project, &["runs", "--shared"]));
    let id = project.cuff(["runs", "show", "--json"]).json()["run_id"].as_str().expect("an id").to_owned();
    let other = machine(&settings(&folder.store(), ""), "topic", ON_BRANCH);
    insta::assert_snapshot!("shared_forged_pull", end(&other, &["runs", "pull", &id]));
}

#[test]
fn another_record_of_a_run_is_never_replaced() {
    let folder = SharedFolder::new();
    let project = machine(&settings(&folder.store(), ", push: always"), "main", ON_MAIN);
    project.cuff(["run", "check.sh"]).ended_with(3);
    until("the run is pushed", || waiting(&project) == 0);
    let object = folder.objects()[0].clone();
    fs::write(&object, "something else").expect("an object of ours");
    let id = project.cuff(["runs", "show", "--json"]).json()["run_id"].as_str().expect("an id").to_owned();
    let unpushed = files_below(&project.outside().join("home/state/cuff/unpushed"));
    let spool = unpushed[0].parent().expect("its folder").join(&id);
    let note = json!({"store": folder.store(), "project": "example.com/team/name"});
    fs::write(spool, note.to_string()).expect("a note of ours");
    let pushed = project.cuff(["runs", "push"]).ended_with(1);
    assert!(pushed.stderr.contains("the records have another record of"), "{pushed:?}");
    assert_eq!(
        (fs::read_to_string(&object).expect("an object of ours").as_str(), waiting(&project)),
        ("something else", 0)
    );
}

#[test]
fn agents_see_records_only_where_a_person_says_so() {
    let folder = SharedFolder::new();
    let server = machine(&settings(&folder.store(), ", push: always"), "main", ON_MAIN);
    server.cuff(["run", "check.sh"]).ended_with(3);
    until("the run is pushed", || waiting(&server) == 0);
    let closed = called(&server, "runs.list", &json!({"shared": true}));
    assert_eq!(closed["structuredContent"]["success"], false, "{closed}");
    let typed = Project::at(&server).variable("CLAUDECODE", "1").cuff(["runs", "--shared"]).ended_with(1);
    assert!(typed.stderr.contains("agents do not see the records of others"), "{typed:?}");
    // The change waits for a person.
    let text = server.read("settings.yml").replace("push: always", "push: always, agents: true");
    server.write("settings.yml", text);
    let waits = called(&server, "runs.list", &json!({"shared": true}));
    assert_eq!(waits["structuredContent"]["success"], false, "{waits}");
    server.approve();
    let open = called(&server, "runs.list", &json!({"shared": true}));
    // A record that a person has pulled is hidden from agents as those in the store are.
    let own = machine(&settings(&folder.store(), ""), "topic", ON_BRANCH);
    let id = shared(&own)[0].clone();
    own.cuff(["runs", "pull", &id]).succeeded();
    for tool in ["runs.log", "runs.status", "runs.diagnostics"] {
        let answer = called(&own, tool, &json!({"run": id}));
        assert_eq!(answer["structuredContent"]["success"], false, "{tool}: {answer}");
    }
    let agent = Project::at(&own).variable("CLAUDECODE", "1");
    for words in [&["log"][..], &["show"], &["status"], &["diagnostics"], &["stop"]] {
        let hidden = agent.cuff([&["runs"], words, &[&id]].concat()).ended_with(1);
        let none = "error: no run was recorded yet [CUFF_301]\nhelp: each `cuff run` leaves one\n";
        assert_eq!(hidden.stderr, none, "{words:?}");
    }
    assert_eq!(agent.cuff(["runs", "--all", "--json"]).succeeded().json()["runs"], json!([]));
    own.cuff(["runs", "log", &id]).succeeded();
    let text = own.read("settings.yml").replace("'}", "', agents: true}");
    own.write("settings.yml", text);
    own.approve();
    let shown = called(&own, "runs.log", &json!({"run": id}));
    assert_eq!(shown["structuredContent"]["success"], true, "{shown}");
    assert_eq!(agent.cuff(["runs", "log", &id]).succeeded().stdout, own.cuff(["runs", "log", &id]).stdout);
    let listed = agent.cuff(["runs", "--all", "--json"]).succeeded().json();
    assert_eq!(listed["runs"][0]["run_id"], json!(id), "{listed}");
    assert_eq!(open["structuredContent"]["runs"].as_array().map(Vec::len), Some(1), "{open}");
}
