//! Runs that the kernel holds: what agents' tools may do, what people's may, and what is said about refusals.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::thread;

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

/// A project whose scripts are the given ones, with these rules of containment.
pub(super) fn project(scripts: &Value, containment: &str) -> Project {
    let project = Project::empty();
    project.write("package.json", json!({"name": "x", "version": "1.0.0", "scripts": scripts}).to_string());
    let containment =
        if containment.is_empty() { String::new() } else { format!("\n      containment: {containment}") };
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nplugins:\n  packagejson:\n    config:\n      package_manager: npm{containment}\n"
        ),
    );
    project
}

/// The result of an agent's call of a script.
pub(super) fn called(project: &Project, script: &str) -> Value {
    let mut session = McpSession::over_pipes(project, &[]);
    session.initialize();
    let answer = session.call(&format!("packagejson.npm_{script}"), &json!({}));
    session.leave();
    answer
}

pub(super) fn text(answer: &Value) -> &str {
    answer["content"][0]["text"].as_str().expect("a text")
}

#[test]
fn an_agents_run_reads_no_keys_and_writes_nothing_outside() {
    let project = project(
        &json!({
            "key": "cat ../home/.ssh/id",
            "outside": "echo x > ../outside",
            "inside": "echo x > inside && echo y > $TMPDIR/y && cat $TMPDIR/y && cat ../readable",
        }),
        "",
    );
    project.write("../home/.ssh/id", "a key\n");
    project.write("../readable", "readable\n");
    let key = called(&project, "key");
    assert!(!text(&key).contains("a key"), "{key}");
    let path = project.outside().join("home/.ssh/id");
    let told = format!(
        "denied: the run probably could not read {}; `containment: {{show: [{}]}}` under `plugins: packagejson: config:` in settings.yml allows it",
        path.display(),
        path.display()
    );
    assert!(text(&key).contains(&told), "{}\n{told}", text(&key));
    let shown = project.cuff(["runs", "show", "--json"]).json();
    let sentence = format!("the run probably could not read {}", path.display());
    assert_eq!((&shown["contained"], &shown["denied"]), (&json!("yes"), &json!([sentence])), "{shown}");
    let outside = called(&project, "outside");
    assert_eq!(outside["isError"], json!(true), "{outside}");
    assert!(!project.outside().join("outside").exists());
    let inside = called(&project, "inside");
    assert!(text(&inside).ends_with("y\nreadable\n"), "{inside}");
    assert_eq!(project.read("inside"), "x\n");
}

/// The runs of a session have rules that are made once, and anew where something that they are made of has changed.
#[test]
fn what_becomes_hidden_in_a_session_is_hidden_and_what_is_new_is_open() {
    let project =
        project(&json!({"read": "cat ../home/plain/id ../home/.ssh/id ../home/new/note; true"}), "");
    project.write("../home/plain/id", "a key\n");
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize();
    let mut read = || session.call("packagejson.npm_read", &json!({}));
    for _ in 0..3 {
        let answer = read();
        assert!(text(&answer).contains("a key\n"), "{answer}");
    }
    let home = project.outside().join("home");
    fs::rename(home.join("plain"), home.join(".ssh")).unwrap();
    project.write("../home/new/note", "a note\n");
    for _ in 0..2 {
        let answer = read();
        assert!(text(&answer).contains("a note\n") && !text(&answer).contains("a key\n"), "{answer}");
    }
    session.leave();
}

#[test]
fn a_persons_run_is_held_only_on_demand() {
    let project = project(&json!({"outside": "echo x > ../outside"}), "");
    project.cuff(["run", "outside"]).succeeded();
    fs::remove_file(project.outside().join("outside")).unwrap();
    let held = project.cuff(["run", "outside", "--contained", "--json"]);
    assert_eq!(held.json()["contained"], json!("yes"), "{held:?}");
    assert!(!project.outside().join("outside").exists());
    let at_terminal = project.at_terminal(100, &[], &["run", "outside", "--contained"]);
    assert_ne!(at_terminal.code, 0, "{}", at_terminal.text);
    assert!(at_terminal.text.contains("denied: the run probably could not write"), "{}", at_terminal.text);
}

/// A server that answers each connection with one word.
fn server() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for connection in listener.incoming() {
            drop(connection.expect("a connection").write_all(b"reached\n"));
        }
    });
    port
}

#[test]
fn a_port_of_this_machine_is_closed_until_settings_open_it() {
    let port = server();
    let connect = format!(
        "node -e \"require('net').connect({port},'127.0.0.1').on('data',d=>console.log(String(d))).on('error',e=>{{console.log(e.code);process.exit(1)}})\""
    );
    let closed = called(&project(&json!({"dial": connect}), ""), "dial");
    let told = format!(
        "denied: the run could not connect to 127.0.0.1:{port}; `containment: {{network: {{loopback: [{port}]}}}}` under `plugins: packagejson: config:` in settings.yml allows it"
    );
    assert!(text(&closed).contains(&told), "{}", text(&closed));
    let open =
        called(&project(&json!({"dial": connect}), &format!("{{network: {{loopback: [{port}]}}}}")), "dial");
    assert!(text(&open).contains("reached"), "{}", text(&open));
    let off = called(&project(&json!({"dial": connect}), "off"), "dial");
    assert!(text(&off).contains("reached"), "{}", text(&off));
}

#[test]
fn a_port_where_nobody_listens_is_refused_as_it_is_without_containment() {
    // Bound by this test, so that no other program takes it; a socket that does not listen answers nobody.
    let bound = std::process::Command::new("python3")
        .args(["-uc", "import socket,time; s=socket.socket(); s.bind(('127.0.0.1',0)); print(s.getsockname()[1]); time.sleep(60)"])
        .stdout(std::process::Stdio::piped())
        .spawn();
    let mut bound = bound.expect("python3");
    let mut port = String::new();
    BufReader::new(bound.stdout.take().expect("its output")).read_line(&mut port).expect("a port");
    let port = port.trim();
    let dial = |host: &str| {
        format!(
            "node -e \"require('net').connect({port},'{host}').on('error',e=>{{console.log(e.code);process.exit(1)}})\""
        )
    };
    let project =
        project(&json!({"fourth": dial("127.0.0.1"), "sixth": dial("::1"), "other": dial("127.0.0.2")}), "");
    for script in ["fourth", "sixth", "other"] {
        let answer = called(&project, script);
        assert!(text(&answer).contains("ECONNREFUSED"), "{}", text(&answer));
        assert!(!text(&answer).contains("denied:"), "{}", text(&answer));
    }
    bound.kill().expect("the end of python3");
    bound.wait().expect("the end of python3");
}

/// A connection that waits for its listener ends as it does without containment, however the program waits: but for the error of
/// one that is asked for later.
#[test]
fn a_connection_that_waits_for_a_full_listener_ends_as_without_containment() {
    let project = project(&json!({"connect": "python3 connections.py"}), "");
    project.write("connections.py", include_str!("connections.py"));
    let expected = "connected taken_late b''\n\
                    connected gone ECONNREFUSED\n\
                    connected closed ECONNREFUSED\n\
                    connected_later taken_late b''\n\
                    connected_later gone ECONNREFUSED\n\
                    connected_later closed ECONNREFUSED\n\
                    bounded BlockingIOError\n\
                    alarmed Alarm\n";
    let plain = project.cuff(["run", "connect"]).succeeded();
    assert!(plain.stdout.ends_with(expected), "{plain:?}");
    let held = project.cuff(["run", "--contained", "connect"]).succeeded();
    let later = |end: &str| format!("connected_later {end} ECONNREFUSED");
    let reset = |text: String, end| text.replace(&later(end), &later(end).replace("REFUSED", "RESET"));
    let expected = ["gone", "closed"].into_iter().fold(expected.to_owned(), reset);
    assert!(held.stdout.ends_with(&expected), "{held:?}");
}

#[test]
fn an_install_without_a_network_fails_soon_and_says_why() {
    let project = project(&json!({"test": "npm install left-pad@1.3.0"}), "");
    // A registry whose name only a server knows, wherever the test runs.
    project.write(".npmrc", "registry=http://registry.test.invalid/\n");
    let began = std::time::Instant::now();
    let answer = called(&project, "test");
    let told = "denied: the run probably could not look up the names of other machines; `containment: {network: open}` under `plugins: packagejson: config:` in settings.yml allows it";
    assert!(text(&answer).contains(told), "{}", text(&answer));
    // Each further try of npm would wait for ten seconds and more.
    assert!(text(&answer).contains("EAI_AGAIN") || text(&answer).contains("ENOTFOUND"), "{}", text(&answer));
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn a_run_reaches_the_server_of_another_run_of_its_project_and_no_others_do() {
    let serve = "node -e \"require('http').createServer((q,r)=>r.end('served')).listen(0,()=>{})\"";
    let serve = serve
        .replace("()=>{}", "function(){require('fs').writeFileSync('port',String(this.address().port))}");
    let fetch = "node -e \"fetch('http://localhost:'+require('fs').readFileSync('port')).then(r=>r.text()).then(console.log)\"";
    let project = project(&json!({"serve": serve, "fetch": fetch}), "");
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize();
    session.call("packagejson.npm_serve", &json!({"wait": 0}));
    let port = || fs::read_to_string(project.root().join("port")).ok().filter(|port| !port.is_empty());
    crate::support::process::until("the server listens", || port().is_some());
    let fetched = session.call("packagejson.npm_fetch", &json!({}));
    assert!(text(&fetched).contains("served"), "{fetched}");
    let other = self::project(&json!({"fetch": fetch}), "");
    other.write("port", port().unwrap());
    let refused = called(&other, "fetch");
    assert!(text(&refused).contains("denied: the run could not connect to 127.0.0.1:"), "{refused}");
    session.leave();
}

#[test]
fn a_socket_outside_is_closed_and_one_inside_is_not() {
    let script = |path: &str| {
        format!(
            "python3 -c \"import socket; s=socket.socket(socket.AF_UNIX); s.connect('{path}'); print(s.recv(9))\""
        )
    };
    let both = "python3 -c \"import socket; a=socket.socket(socket.AF_UNIX); a.bind('own.sock'); a.listen(); b=socket.socket(socket.AF_UNIX); b.connect('own.sock'); a.accept()[0].send(b'own'); print(b.recv(9))\"";
    let project = project(&json!({"outside": script("../outside.sock"), "inside": both}), "");
    let listener = UnixListener::bind(project.outside().join("outside.sock")).unwrap();
    thread::spawn(move || {
        for connection in listener.incoming() {
            drop(connection.unwrap().write_all(b"reached"));
        }
    });
    let outside = called(&project, "outside");
    assert!(!text(&outside).contains("b'reached'"), "{outside}");
    assert!(text(&outside).contains("denied: the run could not connect to the socket"), "{outside}");
    assert!(text(&called(&project, "inside")).contains("b'own'"));
}

#[test]
fn a_cuff_inside_a_contained_run_works_within_it_and_gives_no_yes() {
    let project = project(
        &json!({
            "nest": format!("{} run say", env!("CARGO_BIN_EXE_cuff")),
            "yes": format!("{} approve settings --yes", env!("CARGO_BIN_EXE_cuff")),
            "say": "echo said; cat ../home/.ssh/id",
        }),
        "",
    );
    project.write("../home/.ssh/id", "a key\n");
    let nested = called(&project, "nest");
    let said = nested["structuredContent"]["data"]["stdout"].as_str().unwrap();
    assert!(said.contains("\nsaid") && !nested.to_string().contains("a key"), "{nested}");
    assert!(!text(&nested).contains("not recorded"), "{nested}");
    let yes = called(&project, "yes");
    assert_eq!(yes["isError"], json!(true), "{yes}");
}

/// A kernel that cannot hold all is told of, or refused where settings want it so.
#[test]
fn a_layer_that_is_missing_is_said_and_refused_where_settings_require_it() {
    for (layer, missing) in [("landlock", "files: "), ("seccomp", "system calls: ")] {
        let without = |project: &Project| Project::at(project).variable("CUFF_TEST_LAYERS_OFF", layer);
        let project = project(&json!({"say": "echo said"}), "");
        let report = without(&project).cuff(["run", "say", "--contained", "--json"]).succeeded().json();
        assert_eq!(report["contained"], json!("partly"), "{report}");
        assert!(report["not_contained"][0].as_str().unwrap().starts_with(missing), "{report}");
        let strict = self::project(&json!({"say": "echo said"}), "{required: true}");
        let refused = without(&strict).cuff(["run", "say", "--contained"]);
        assert!(refused.stderr.contains("its settings require containment"), "{refused:?}");
        assert!(!refused.stdout.contains("said"), "{refused:?}");
        strict.cuff(["run", "say", "--contained"]).succeeded();
    }
    let both = Project::at(&project(&json!({"say": "echo said"}), ""));
    let both = both.variable("CUFF_TEST_LAYERS_OFF", "landlock,seccomp");
    let report = both.cuff(["run", "say", "--contained", "--json"]).succeeded().json();
    assert_eq!(report["contained"], json!("no"), "{report}");
}

/// The project is the home folder: what stands beside the hidden and the kept is written, and nothing else.
#[test]
fn a_project_that_is_a_home_folder_is_held_too() {
    let project = project(
        &json!({
            "key": "cat .ssh/id; echo x > .ssh/new; echo x > .bashrc; echo x > bin/new; echo x > work/new; true",
        }),
        "",
    );
    project.write(".ssh/id", "a key\n");
    project.write(".bashrc", "\n");
    project.write("bin/tool", "\n");
    project.write("work/file", "\n");
    let root = project.root().display().to_string();
    let path = std::env::join_paths(
        std::iter::once(project.root().join("bin"))
            .chain(std::env::split_paths(&crate::support::tools::path())),
    );
    let at_home =
        Project::at(&project).variable("HOME", &root).variable("PATH", path.unwrap().to_str().unwrap());
    let held = at_home.cuff(["run", "key", "--contained"]).succeeded();
    assert!(!held.stdout.contains("a key"), "{held:?}");
    assert_eq!(project.read(".bashrc"), "\n");
    for (path, is_there) in [(".ssh/new", false), ("bin/new", false), ("work/new", true)] {
        assert_eq!(project.root().join(path).exists(), is_there, "{path}");
    }
}

/// The judge of a run that asks without end answers other calls as well, and the run can be ended.
#[test]
fn a_run_that_floods_the_judge_holds_up_nobody() {
    let flood = "python3 -c \"import os,threading\nfor _ in range(20): threading.Thread(target=lambda: [os.utime('.') for _ in range(3000)]).start()\"";
    let project = project(&json!({"flood": flood.replace('\n', "\\n"), "say": "echo said"}), "");
    project.write("flood.py", "import os, threading\nfor _ in range(20):\n    threading.Thread(target=lambda: [os.utime('.') for _ in range(3000)]).start()\n");
    project.write("block.py", "import socket, threading, time\na = socket.socket(socket.AF_UNIX); a.bind('full.sock'); a.listen(0)\ndef dial():\n    s = socket.socket(socket.AF_UNIX); s.connect('full.sock'); time.sleep(9)\nfor _ in range(100):\n    threading.Thread(target=dial, daemon=True).start()\ntime.sleep(0.5)\nimport os; os.utime('.'); print('answered', flush=True); os._exit(0)\n");
    project.write("package.json", json!({"name": "x", "version": "1.0.0", "scripts": {"flood": "python3 flood.py", "block": "python3 block.py"}}).to_string());
    assert_eq!(called(&project, "flood")["isError"], json!(false));
    let blocked = called(&project, "block");
    assert!(text(&blocked).contains("answered"), "{blocked}");
}

#[test]
fn a_dead_supervisor_leaves_no_run_that_goes_on() {
    let project = project(&json!({"kill": "python3 dies.py"}), "");
    // The supervisor is outside, so a run cannot end it.
    project.write("dies.py", "import os, signal\ntry:\n    os.kill(os.getppid(), 0)\nexcept PermissionError: pass\nfor pid in [int(p) for p in os.listdir('/proc') if p.isdigit()]:\n    name = open(f'/proc/{pid}/comm').read().strip() if os.path.exists(f'/proc/{pid}/comm') else ''\n    if name.startswith('cuff'):\n        try:\n            os.kill(pid, signal.SIGKILL); print('killed', name)\n        except PermissionError:\n            print('held', name)\n");
    let answer = called(&project, "kill");
    assert!(text(&answer).contains("held cuff") && !text(&answer).contains("killed"), "{answer}");
}

#[test]
fn why_and_doctor_say_what_is_held() {
    let project = project(&json!({"test": "true"}), "{network: {loopback: [5432]}}");
    let why = project.cuff(["why", "test"]).succeeded().stdout;
    assert!(
        why.contains("contained not for you without --contained; for agents by the profile test; network: loopback and ports 5432"),
        "{why}"
    );
    let why = project.cuff(["why", "test", "--contained"]).succeeded().stdout;
    assert!(why.contains("contained yes, by the profile test; network: loopback and ports 5432"), "{why}");
    let doctor = project.cuff(["doctor"]).stdout;
    assert!(doctor.contains("runs of agents are contained: files by Landlock"), "{doctor}");
}

#[test]
fn another_mcp_server_is_held_by_its_own_profile() {
    let project = Project::empty();
    project.write("../home/.ssh/id", "a key\n");
    project.write(
        "server.py",
        "import json, sys\nfor line in sys.stdin:\n    m = json.loads(line)\n    if 'id' not in m: continue\n    r = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}\n    if m['method'] == 'tools/list': r = {'tools': [{'name': 'read', 'inputSchema': {'type': 'object'}}]}\n    if m['method'] == 'tools/call':\n        def tried(path, mode):\n            try:\n                open(path, mode).close(); return 'open'\n            except OSError as e: return e.strerror\n        r = {'content': [{'type': 'text', 'text': tried('../home/.ssh/id', 'r') + '; ' + tried('../tmp/written', 'w')}]}\n    print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], 'result': r}), flush=True)\n",
    );
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  own:\n    type: mcp\n    command: python3\n    args: [server.py]\n",
    );
    project.approve();
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize();
    let answer = session.call("own.read", &json!({}));
    assert_eq!(text(&answer), "Permission denied; open", "{answer}");
    session.leave();
}

/// Nothing of a denied call reaches the program outside.
#[test]
fn a_refused_connection_is_never_made() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    let dial =
        format!("node -e \"require('net').connect({port},'127.0.0.1').on('error',e=>console.log(e.code))\"");
    let answer = called(&project(&json!({"dial": dial}), ""), "dial");
    assert!(text(&answer).contains("EACCES"), "{answer}");
    let mut byte = [0];
    assert!(listener.accept().map(|(mut one, _)| one.read(&mut byte)).is_err());
}

/// Such a run could stop the client and answer in its place. A contained one could not, and a yes beside it counts.
#[test]
fn no_clients_yes_counts_while_a_run_that_nothing_holds_goes_on() {
    for (containment, counts) in [("off", false), ("test", true)] {
        let project = project(
            &json!({"dev": "touch begun; sleep 60", "ship": "echo shipped"}),
            &format!("{{tools: {{npm_dev: {containment}}}}}\n      confirm: npm_ship"),
        );
        // Runs of other tests that nothing holds are alive beside this one.
        let layers = if counts { "doubt" } else { "" };
        let project = Project::at(&project).variable("CUFF_TEST_LAYERS_OFF", layers);
        project.approve();
        let mut session = McpSession::over_pipes(&project, &[]);
        session.initialize_with(&json!({"elicitation": {}}));
        session.call("packagejson.npm_dev", &json!({"wait": 0}));
        crate::support::process::until("it runs", || project.root().join("begun").exists());
        session.begin("tools/call", json!({"name": "packagejson.npm_ship", "arguments": {}}));
        let asked = session.hear();
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        let yes = json!({"action": "accept", "content": {"yes": true}});
        session.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
        let answer = session.hear()["result"].clone();
        assert_eq!(text(&answer).contains("shipped"), counts, "{answer}");
        assert_eq!(answer.to_string().contains("cuff approve "), !counts, "{answer}");
        session.leave();
    }
}

/// A run writes `.git` as any other file; the next run must not take its word for a place outside.
#[test]
fn a_git_file_opens_no_folder_that_does_not_lead_back() {
    let outside = "../home/work";
    for (way, plant) in [
        ("a file", "rm -rf .git; printf 'gitdir: ../home/work\\n' > .git"),
        (
            "a worktree of its own making",
            "rm -rf .git own; mkdir -p own/worktrees/w; printf 'gitdir: own/worktrees/w\\n' > .git; printf '../../../../home/work\\n' > own/worktrees/w/commondir; printf '%s/.git\\n' $PWD > own/worktrees/w/gitdir",
        ),
    ] {
        let scripts = json!({"plant": plant, "write": format!("echo x > {outside}/written")});
        let project = project(&scripts, "");
        for file in ["HEAD", "objects/x", "refs/x"] {
            project.write(&format!("{outside}/{file}"), "");
        }
        assert_eq!(called(&project, "plant")["isError"], json!(false), "{way}");
        let write = called(&project, "write");
        assert_eq!(write["isError"], json!(true), "{way}: {write}");
        assert!(!project.root().join(outside).join("written").exists(), "{way}");
    }
}

#[test]
fn a_worktree_writes_its_own_repository_and_a_link_in_the_project_leads_nowhere() {
    let commit =
        "git -c user.name=a -c user.email=a@b commit -qm x --allow-empty && git log --oneline | wc -l";
    let project = project(&json!({"commit": commit}), "");
    let root = project.root().display().to_string();
    let git = |words: &str| {
        let done =
            std::process::Command::new("sh").args(["-c", words]).current_dir(project.outside()).status();
        assert!(done.unwrap().success(), "{words}");
    };
    git(&format!(
        "mv {root} files && git init -q main && cd main && git -c user.name=a -c user.email=a@b commit -qm y --allow-empty && git worktree add -q {root} && cp -r ../files/. {root}"
    ));
    let committed = called(&project, "commit");
    assert!(text(&committed).contains("\n2\n"), "{committed}");

    for (rules, plant) in [
        ("{write: [out/]}", "ln -s ../home out"),
        ("{sockets: [run.sock]}", "ln -s ../outside.sock run.sock"),
    ] {
        let project = self::project(&json!({"plant": plant, "say": "echo said"}), rules);
        project.write("../outside.sock", "");
        if rules.contains("sockets") {
            called(&project, "plant");
        } else {
            std::os::unix::fs::symlink("../home", project.root().join("out")).unwrap();
        }
        let refused = called(&project, "say");
        assert!(text(&refused).contains("by a link in a folder that runs write"), "{refused}");
    }
}

/// A run gives its own processes any name, also that of a supervisor.
#[test]
fn a_run_with_the_name_of_a_supervisor_is_none() {
    let project = project(
        &json!({"dev": "cp $(command -v sleep) cuff-supervisor; touch begun; exec ./cuff-supervisor 60", "ship": "echo shipped"}),
        "{tools: {npm_dev: off}}\n      confirm: npm_ship",
    );
    let project = Project::at(&project).variable("CUFF_TEST_LAYERS_OFF", "");
    project.approve();
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize_with(&json!({"elicitation": {}}));
    session.call("packagejson.npm_dev", &json!({"wait": 0}));
    crate::support::process::until("it runs", || project.root().join("begun").exists());
    session.begin("tools/call", json!({"name": "packagejson.npm_ship", "arguments": {}}));
    let asked = session.hear();
    let yes = json!({"action": "accept", "content": {"yes": true}});
    session.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
    let answer = session.hear()["result"].clone();
    assert!(!text(&answer).contains("shipped"), "{answer}");
    session.leave();
}
