//! The start of a session, by the scenarios of the requirement "`SessionStart` Hook".

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::session::{Session, is_alive, library, plugin};

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn start_gateway_in_background() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    // It comes back, although the gateway that it started lives on.
    let run = session.start("startup").succeeded();
    assert!(is_alive(&session.pid()), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1, "the model gets one line: {run:?}");
    assert!(run.stdout.contains("2 tools") && run.stderr.is_empty(), "{run:?}");
}

#[test]
fn allocate_random_port() {
    let session = Session::new();
    session.start("startup").succeeded();
    let address = session.gateway().address;
    let port: u16 = address.strip_prefix("127.0.0.1:").unwrap().parse().unwrap();
    assert!(port > 0);
    assert_eq!(session.gateway().get("/health", &[]).body, "ok\n");
}

#[test]
fn write_pid_file() {
    let session = Session::new();
    session.start("startup").succeeded();
    let pid = session.pid();
    assert!(pid.bytes().all(|byte| byte.is_ascii_digit()), "the number alone: {pid:?}");
    assert_eq!(session.record()["pid"].to_string(), pid);
    assert_eq!(mode(&session.folder()), 0o700);
    for name in session.files() {
        assert_eq!(mode(&session.folder().join(&name)), 0o600, "{name}");
    }
}

#[test]
fn write_gateway_url_to_env() {
    let session = Session::new();
    let file = session.env_file();
    fs::write(&file, "export KEPT=1\n").unwrap();
    session.start("startup").succeeded();
    let url = session.record()["url"].as_str().unwrap().to_owned();
    let expected = format!("export KEPT=1\nexport TOOLSCRIPT_GATEWAY_URL='{url}'\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);
    // The gateway was ready before its address was written.
    assert_eq!(session.gateway().get("/ready", &[]).body, "ready\n");
    assert_eq!(session.shell("echo $TOOLSCRIPT_GATEWAY_URL").stdout.trim(), url);
}

#[test]
fn without_a_file_of_variables_the_hook_says_where_the_gateway_is() {
    let session = Session::new();
    let mut command = session.hook_command("session-start");
    command.env_remove("CLAUDE_ENV_FILE");
    let run = super::session::feed(command, &session.event("SessionStart", &json!({"source": "startup"})));
    let url = session.record()["url"].as_str().unwrap().to_owned();
    assert!(run.stdout.contains(&format!("TOOLSCRIPT_GATEWAY_URL={url}")), "{run:?}");
}

#[test]
fn gateway_already_running() {
    let session = Session::new();
    session.start("startup").succeeded();
    let before = session.record();
    for source in ["resume", "clear", "compact", "fork", "startup"] {
        session.start(source).succeeded();
        assert_eq!(session.record(), before, "{source}");
    }
    let text = fs::read_to_string(session.env_file()).unwrap();
    assert_eq!(text.matches("TOOLSCRIPT_GATEWAY_URL").count(), 1, "it is written once: {text}");
}

#[test]
fn hooks_at_the_same_time_start_one_gateway() {
    let session = Session::new();
    let starts: Vec<_> = (0..4)
        .map(|_| {
            let mut command = session.hook_command("session-start");
            let file = session.project.outside().join("event.json");
            fs::write(&file, session.event("SessionStart", &json!({"source": "startup"}))).unwrap();
            command.stdin(fs::File::open(file).unwrap()).spawn().unwrap()
        })
        .collect();
    for mut start in starts {
        assert!(start.wait().unwrap().success());
    }
    let gateways = session.toolscript(&["gateway", "list", "--json"]).json();
    assert_eq!(gateways["gateways"].as_array().unwrap().len(), 1);
    let log = session.log();
    assert_eq!(log.matches("the gateway is ready").count(), 1, "{log}");
}

#[test]
fn gateway_startup_failure() {
    let session = Session::new();
    // Others could read the files: the folder is refused.
    fs::create_dir_all(session.folder()).unwrap();
    fs::set_permissions(session.folder(), fs::Permissions::from_mode(0o755)).unwrap();
    let temporary = session.project.outside().join("tmp");
    let own = temporary.join(format!(
        "cuff-{}",
        fs::metadata("/proc/self").map_or(0, |found| std::os::unix::fs::MetadataExt::uid(&found))
    ));
    fs::create_dir(&own).unwrap();
    fs::set_permissions(&own, fs::Permissions::from_mode(0o777)).unwrap();
    let run = session.start("startup").succeeded();
    assert!(run.stderr.starts_with("error: toolscript session-start: "), "{run:?}");
    assert!(run.stderr.contains("\nhelp: ") && run.stdout.is_empty(), "{run:?}");
    assert!(!session.env_file().exists(), "no address is written");
}

#[test]
fn input_that_is_no_event_fails_nothing() {
    let session = Session::new();
    for input in ["", "nonsense", "{}", r#"{"session_id": ""}"#] {
        for hook in ["session-start", "session-end"] {
            let run = session.hook(hook, input, &[]).succeeded();
            assert!(run.stderr.contains("error: ") && run.stdout.is_empty(), "{hook} {input:?}: {run:?}");
        }
    }
    assert!(session.files().is_empty(), "{:?}", session.files());
}

#[test]
fn session_start_with_no_config_file() {
    let session = Session::new();
    let run = session.start("startup").succeeded();
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "nothing is worth a word: {run:?}");
    let status: Value = serde_json::from_str(&session.gateway().get("/status", &[]).body).unwrap();
    assert_eq!(
        (&status["healthy"], &status["servers"], &status["problems"]),
        (&json!(true), &json!([]), &json!([]))
    );
}

#[test]
fn an_id_never_leads_out_of_the_folder() {
    let before = Session::new();
    for id in ["../../escape", "/abs/olute", "a/b", "..", "a\nb", "$(touch x)", &"long".repeat(200)] {
        let session = before.another(id);
        session.start("startup").succeeded();
        let files = session.files();
        assert!(files.iter().all(|name| name.starts_with("h-")), "{id}: {files:?}");
        let listed = session.toolscript(&["gateway", "list", "--json"]).json();
        assert_eq!(listed["gateways"][0]["session"], id);
        session.end().succeeded();
        assert!(session.files().is_empty(), "{id}: {:?}", session.files());
    }
}

#[test]
fn late_servers_join() {
    let (Some(fast), Some(slow)) = (library(&[]), library(&["slow", "20"])) else { return };
    let session = Session::with(&json!({ "fast": fast, "slow": slow }));
    let begun = Instant::now();
    let run = session.start("startup").succeeded();
    assert!(begun.elapsed() < Duration::from_secs(18), "{:?}", begun.elapsed());
    assert!(run.stdout.contains("2 tools"), "{run:?}");
    let types = || session.toolscript(&["get-types"]).stdout;
    assert!(types().contains("toolscript/fast"));
    crate::support::process::until("the slow server has joined", || {
        session.toolscript(&["list-tools", "--json"]).json()["tools"].as_array().unwrap().len() == 4
    });
    assert!(types().contains("toolscript/slow"));
}

#[test]
fn the_program_in_the_plugin_is_preferred_and_a_missing_one_is_reported() {
    let mut session = Session::new();
    let root = session.project.outside().join("plugin");
    fs::create_dir_all(root.join("hooks")).unwrap();
    for name in ["session-start.sh", "session-end.sh"] {
        fs::copy(plugin().join("hooks").join(name), root.join("hooks").join(name)).unwrap();
    }
    session.root.clone_from(&root);
    let event = session.event("SessionStart", &json!({"source": "startup"}));
    // Nothing of this build is on the path.
    let bare = [("PATH", "/usr/bin:/bin")];
    let run = session.hook("session-start", &event, &bare).succeeded();
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    assert!(run.stdout.contains("not installed") && run.stdout.contains("make install"), "{run:?}");
    let run = session.hook("session-end", &event, &bare).succeeded();
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");

    fs::create_dir(root.join("bin")).unwrap();
    for (name, program) in
        [("toolscript", env!("CARGO_BIN_EXE_toolscript")), ("cuff", env!("CARGO_BIN_EXE_cuff"))]
    {
        fs::copy(program, root.join("bin").join(name)).unwrap();
    }
    session.hook("session-start", &event, &bare).succeeded();
    assert!(is_alive(&session.pid()));
    session.hook("session-end", &event, &bare).succeeded();
    assert!(session.files().is_empty());
}

#[test]
fn hook_execution_logging() {
    let session = Session::new();
    session.start("startup").succeeded();
    let log = session.log();
    assert!(log.contains("hook session-start: the gateway is ready at http://127.0.0.1:"), "{log}");
    let run = session.end().succeeded();
    assert_eq!(run.stderr, "toolscript session-end: the gateway has ended\n");
}

#[test]
fn debug_mode() {
    let session = Session::new();
    let event = session.event("SessionStart", &json!({"source": "startup"}));
    let run = session.hook("session-start", &event, &[("DEBUG", "1")]).succeeded();
    for step in ["its owner is process ", "it is started in ", "is in CLAUDE_ENV_FILE", "session 0195f0a2"] {
        assert!(run.stderr.contains(step), "{step}: {run:?}");
        assert!(session.log().contains(step), "{step}: {}", session.log());
    }
    assert!(!run.stderr.contains(session.record()["token"].as_str().unwrap()), "{run:?}");
}
