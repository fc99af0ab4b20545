//! A process of a run that speaks MCP itself, and answers the question that it was asked.

use super::Scene;
use crate::support::http_server::HttpServer;

/// Without a word about the run it would be asked, answer, and run it: twice, in each era once.
const OUTSIDE: &str = "asked\nresult True None\nasked\nresult True None\n";

/// It gets no question, but the command that a person has to type.
fn is_refused(printed: &str, times: usize) {
    assert!(!printed.contains("asked") && !printed.contains("True"), "{printed}");
    assert_eq!(printed.matches("result False SCRIPT_307").count(), times, "{printed}");
}

#[test]
fn a_run_that_starts_a_server_and_answers_itself_says_no_yes() {
    for attack in [
        "answer_itself(os.environ)",
        "answer_itself(bare())",
        "detached(lambda: answer_itself(bare()))",
        "hide(); detached(lambda: (hide(), answer_itself(bare())))",
    ] {
        let scene = Scene::new(attack);
        assert_eq!(scene.outside_a_run().succeeded().stdout, OUTSIDE, "{attack}");
        assert_eq!(scene.marks(), "it\nit\n");
        is_refused(&scene.inside_a_run(), 2);
        assert_eq!(scene.marks(), "it\nit\n", "{attack}");
        let last = scene.decisions().split_off(5);
        assert!(
            last.iter().all(|(caller, decision)| caller == "run" && decision == "confirmation_required"),
            "{last:?}"
        );
    }
}

/// The caller is known by the connection, and not by the token.
#[test]
fn a_run_that_reads_the_token_of_a_server_says_no_yes() {
    for attack in ["over_http()", "hide(); over_http()", "detached(lambda: (hide(), over_http()))"] {
        let scene = Scene::new(attack);
        let server = HttpServer::of(scene.program(&scene.cuff, &["serve", "--http", "0"]), None);
        let is_open = !attack.contains("hide");
        if is_open {
            assert_eq!(scene.outside_a_run().succeeded().stdout, "asked\nresult True None\n");
        }
        is_refused(&scene.inside_a_run(), 1);
        assert_eq!(scene.marks(), if is_open { "it\n" } else { "" }, "{attack}");
        assert_eq!(scene.decisions().pop().unwrap().0, "run");
        server.stop();
    }
}

/// A server inside a run, called by anybody: it cannot tell its clients apart.
#[test]
fn a_server_that_a_run_has_started_serves_everybody_as_that_run() {
    let scene = Scene::new(
        "server = subprocess.Popen([CUFF, 'serve', '--http', '0'], env=bare())\n\
         while not os.path.exists('stop'): time.sleep(0.05)\n\
         server.terminate()\n",
    );
    let mut spoken = scene.served();
    let id =
        spoken.begin("tools/call", serde_json::json!({"name": "scripts.script_attack", "arguments": {}}));
    crate::support::process::until("the server has a token", || {
        std::fs::read_dir(scene.project.outside().join("runtime/cuff")).is_ok_and(|folder| folder.count() > 0)
    });
    scene.project.write("outside.py", format!("{}\nover_http()", super::LIBRARY));
    scene.hand_over();
    let called =
        crate::support::project::Run::of(scene.program("python3", &["-u", "outside.py"])).succeeded();
    is_refused(&called.stdout, 1);
    scene.project.write("stop", "");
    assert_eq!(spoken.hear()["id"], id);
    spoken.leave();
    assert_eq!(scene.marks(), "");
}
