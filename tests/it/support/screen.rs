//! A terminal for cuff: keys in, screens out, as a person would see them.

use std::num::NonZero;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::project::{Project, Run};
use crate::support::tools;

/// Python that starts a program on a terminal of its own. For each step it waits until a text was shown since the last
/// one and nothing more comes, and types. It prints how the program ended and all that it sent, in pieces.
const DRIVER: &str = "\
import fcntl, json, os, pty, select, struct, sys, termios, time
given = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', given['rows'], given['columns'], 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', given['rows'], given['columns'], 0, 0))
before = termios.tcgetattr(terminal)
sent, ended, pieces, missed = b'', False, [], None
def listen(seconds):
    global sent, ended
    if ended or not select.select([terminal], [], [], seconds)[0]:
        return False
    try:
        some = os.read(terminal, 65536)
    except OSError:
        some = b''
    ended, sent = not some, sent + some
    return True
since = 0
for wait, keys in given['steps']:
    deadline = time.monotonic() + 20
    while wait.encode() not in sent[since:] and not ended and time.monotonic() < deadline:
        listen(0.2)
    if wait.encode() not in sent[since:]:
        missed = wait
        break
    while listen(0.15):
        pass
    pieces.append(len(sent))
    since = len(sent)
    os.write(terminal, keys.encode())
if missed is not None and not ended:
    os.kill(child, 9)
deadline = time.monotonic() + 20
while not ended and time.monotonic() < deadline:
    listen(0.2)
after = termios.tcgetattr(terminal)
if not ended:
    os.kill(child, 9)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(json.dumps({'code': code, 'missed': missed, 'pieces': pieces, 'same': before[:4] == after[:4],
                  'sent': list(sent)}))
";

/// So high that nothing scrolls away.
const ROWS: u16 = 200;

/// What a terminal showed of one call.
#[derive(Debug)]
pub(crate) struct Screens {
    /// The exit code; negative for a signal.
    pub(crate) code: i64,
    /// The screen before each of the keys, and at the end.
    pub(crate) shown: Vec<String>,
    /// Whether the terminal was left as it was found: its modes, and its cursor visible.
    pub(crate) restored: bool,
    /// All that was sent.
    pub(crate) sent: Vec<u8>,
}

impl Screens {
    /// What is to be seen at the end.
    pub(crate) fn last(&self) -> &str {
        self.shown.last().map_or("", String::as_str)
    }
}

/// Runs cuff at a terminal of so many columns, and types keys: each once its text was shown.
pub(crate) fn cuff(project: &Project, columns: u16, words: &[&str], steps: &[(&str, &str)]) -> Screens {
    cuff_in(project, (ROWS, columns), words, steps)
}

/// The same at a terminal of so many rows and columns.
pub(crate) fn cuff_in(
    project: &Project,
    (rows, columns): (u16, u16),
    words: &[&str],
    steps: &[(&str, &str)],
) -> Screens {
    let python = tools::require("python3").expect("python3, which makes the terminal");
    let mut command = Command::new(python);
    let given = json!({"rows": rows, "columns": columns, "steps": steps});
    command.args(["-c", DRIVER, &given.to_string(), env!("CARGO_BIN_EXE_cuff")]).args(words);
    project.surround(&mut command);
    let said: Value = Run::of(command).succeeded().json();
    let sent: Vec<u8> = serde_json::from_value(said["sent"].clone()).expect("bytes");
    assert_eq!(said["missed"], Value::Null, "it was not shown:\n{}", String::from_utf8_lossy(&sent));
    let mut ends: Vec<usize> = serde_json::from_value(said["pieces"].clone()).expect("places");
    ends.push(sent.len());
    let shown = |end: &usize| {
        let terminal = terminal((rows, columns), &sent[..*end]);
        let rows = terminal.screen().rows(0, columns).map(|row| row.trim_end().to_owned());
        rows.collect::<Vec<_>>().join("\n").trim_end().to_owned()
    };
    let shown = ends.iter().map(shown).collect();
    let restored = said["same"] == json!(true) && !terminal((rows, columns), &sent).screen().hide_cursor();
    Screens { code: said["code"].as_i64().expect("a code"), shown, restored, sent }
}

/// A terminal after all of this was sent to it.
fn terminal((rows, columns): (u16, u16), sent: &[u8]) -> vt100::Parser {
    let size = |count: u16| NonZero::new(count).expect("a terminal that has a size");
    let mut terminal = vt100::Parser::new(size(rows), size(columns), 0);
    terminal.process(sent);
    terminal
}
