//! A process of a run that types what a person types, at a terminal of its own too.

use serde_json::json;

use super::{Scene, let_programs_say_yes};
use crate::support::mcp_session::id_in;

/// Python that runs cuff with these words, at a terminal as well, where it answers a question with yes. The terminal is the
/// attack's own: it stands inside a run, out of reach of the tests' terminal.
const TYPE: &str = r"
import pty

def at_terminal(words, environment):
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(words[0], words, environment)
    seen, typed = b'', False
    while True:
        try:
            some = os.read(terminal, 1000)
        except OSError:
            break
        if not some:
            break
        seen += some
        if b'[y/N]' in seen and not typed:
            typed = True
            os.write(terminal, b'y\n')
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def type_all(before=[]):
    id = open('id').read()
    for words in [['run', 'mark', '--yes'], ['run', 'mark'], ['approve', id], ['approve', id, '--yes'],
                  ['approve', 'settings', '--yes']]:
        words = before + [CUFF] + words
        alone = subprocess.run(words, env=bare(), stdin=subprocess.DEVNULL, capture_output=True).returncode
        print(' '.join(words[len(before) + 1:][:2]).replace(id, 'ID'), alone, at_terminal(words, bare()))
";

/// A question that waits, and settings that do.
fn waiting(attack: &str) -> Scene {
    let scene = Scene::new(&format!("{TYPE}\n{attack}"));
    let_programs_say_yes(&scene);
    let mut spoken = scene.served();
    let id = id_in(&spoken.call("scripts.script_mark", &json!({})).to_string());
    spoken.leave();
    scene.project.write("id", id);
    let settings = scene.project.read("settings.yml");
    scene.project.write("settings.yml", settings.replace("script_mark", "script_other"));
    scene.hand_over();
    scene
}

/// Nothing of it counts, and what waited waits on.
fn says_nothing(attack: &str) {
    let scene = waiting(attack);
    let printed = scene.inside_a_run();
    let lines: Vec<&str> = printed.lines().collect();
    let refused = [
        "run mark 126 126",
        "run mark 126 126",
        "approve ID 126 126",
        "approve ID 126 126",
        "approve settings 126 126",
    ];
    assert_eq!(lines, refused, "{attack}");
    assert_eq!(scene.marks(), "", "{attack}");
    let waits = scene.cuff(&["approvals", "--json"]).succeeded().json();
    let states: Vec<_> = waits["approvals"].as_array().unwrap().iter().map(|one| &one["state"]).collect();
    assert!(states.iter().all(|state| *state == "waiting"), "{attack}: {waits}");
    assert_eq!(waits["settings"]["state"], "waiting", "{attack}");
    // A person can.
    scene.cuff(&["approve", &scene.project.read("id")[..6]]).succeeded();
    scene.cuff(&["approve", "settings", "--yes"]).succeeded();
}

/// Nobody finds an id by trying; a person types the beginning of it.
#[test]
fn the_id_of_an_approval_is_128_random_bits() {
    let scene = waiting("");
    let id = scene.project.read("id");
    // 32 letters and digits: five bits each.
    assert!(id.len() >= 26, "{id}");
    scene.cuff(&["approve", &id[..4]]).succeeded();
}

#[test]
fn a_run_without_its_variable_types_no_yes() {
    says_nothing("type_all()");
}

#[test]
fn a_run_that_forked_twice_types_no_yes() {
    says_nothing("detached(type_all)");
}

/// Its environment cannot be read, and neither can that of its parents.
#[test]
fn a_run_that_hides_types_no_yes() {
    says_nothing("hide(); detached(lambda: (hide(), type_all()))");
}

/// Nobody is above it in a process table of its own.
#[test]
fn a_run_in_a_namespace_of_its_own_types_no_yes() {
    let unshare = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    let scene = Scene::new("");
    let mut tried = scene.program(unshare[0], &unshare[1..]);
    tried.arg("true");
    if !crate::support::project::Run::of(tried).stderr.is_empty() {
        assert!(std::env::var_os("CI").is_none(), "this machine makes no namespaces");
        eprintln!("skipped: this machine makes no namespaces");
        return;
    }
    says_nothing(&format!("type_all({unshare:?})"));
}

/// The rest of a run is found by its variable: a cuff of the run's own must let itself be read.
#[test]
fn a_cuff_within_a_run_ends_when_the_supervisor_is_killed() {
    let scene = Scene::new(
        "subprocess.Popen([CUFF, 'run', 'script_last'])\n\
         while not os.path.exists('pid'): time.sleep(0.01)\n\
         os.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(60)\n",
    );
    scene.project.script("last.sh", "#!/bin/sh\necho $PPID $$ > pid\nexec sleep 60\n");
    scene.hand_over();
    let mut spoken = scene.served();
    let lost = spoken.call("scripts.script_attack", &json!({}));
    assert_eq!(lost["isError"], true, "{lost}");
    let pids = scene.project.read("pid");
    for pid in pids.split_whitespace() {
        crate::support::process::until("it is gone", || !crate::support::process::is_running(pid));
    }
    spoken.leave();
}

/// A run that ends all that watches it, and all that could tell where it comes from.
#[test]
fn a_run_that_kills_its_supervisor_types_no_yes() {
    let attack = r"
supervisor = os.getppid()
def work():
    keeper = int(open('/proc/%d/stat' % supervisor).read().rsplit(')', 1)[1].split()[1])
    os.kill(keeper, signal.SIGKILL)
    os.kill(supervisor, signal.SIGKILL)
    time.sleep(0.5)
    with open('typed', 'w') as out:
        sys.stdout = out
        type_all()
    os.rename('typed', 'over')
os.environ.pop('CUFF_RUN')
if os.fork() == 0:
    os.setsid()
    os.execve(sys.executable, [sys.executable, '-c', open('attack.py').read().split('# SPLIT')[0] + '\nwork()'], {**bare(), 'SUPERVISOR': str(supervisor)})
time.sleep(20)
";
    // The process that goes on has nothing in its environment from the start.
    let attack = attack
        .replace("supervisor = os.getppid()", "supervisor = int(os.environ.get('SUPERVISOR', os.getppid()))");
    let attack = attack.replace("os.environ.pop('CUFF_RUN')", "# SPLIT\nos.environ.pop('CUFF_RUN')");
    let scene = waiting(&attack);
    let mut spoken = scene.served();
    let lost = spoken.call("scripts.script_attack", &json!({}));
    assert_eq!(lost["isError"], true, "{lost}");
    crate::support::process::until("it has typed all", || scene.project.root().join("over").exists());
    let typed = scene.project.read("over");
    assert_eq!(typed.matches(" 126 126").count(), 5, "{typed}");
    assert_eq!(scene.marks(), "");
    spoken.leave();
}
