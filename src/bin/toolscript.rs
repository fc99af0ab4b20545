//! The `toolscript` binary: starts the `cuff` beside it, which knows by the name what is meant.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The exit code where there is no cuff to start, as a shell has it.
const NOT_FOUND: u8 = 127;

fn main() -> ExitCode {
    let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join("cuff")));
    #[expect(clippy::disallowed_methods, reason = "this binary has no library; it looks for cuff once")]
    let beside = beside.filter(|cuff| cuff.is_file());
    let cuff = beside.unwrap_or_else(|| PathBuf::from("cuff"));
    let words = std::env::args_os().skip(1);
    #[expect(clippy::disallowed_methods, reason = "this process becomes cuff; there is nothing to supervise")]
    let error = Command::new(&cuff).arg0(OsStr::new("toolscript")).args(words).exec();
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(
        io::stderr(),
        "error: {} cannot be started: {error}\nhelp: install cuff beside toolscript, or into a folder of PATH",
        cuff.display()
    );
    ExitCode::from(NOT_FOUND)
}
