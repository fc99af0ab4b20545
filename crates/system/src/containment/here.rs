//! Whether containment holds for this process, by marks that only the kernel makes.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use nix::unistd::Pid;

use crate::process_table::read;

/// Lines of a process's status: it gains no privileges, and a filter judges its calls.
const MARKS: [&str; 2] = ["NoNewPrivs:\t1", "Seccomp:\t2"];

/// Whether this process is inside a contained run, which cannot read this file.
#[expect(clippy::disallowed_methods, reason = "it must fail")]
pub fn holds_here(probe: &Path) -> bool {
    let status = read(Pid::this(), "status").and_then(|status| String::from_utf8(status).ok());
    let has_marks =
        status.is_some_and(|status| MARKS.iter().all(|mark| status.lines().any(|line| line == *mark)));
    has_marks && File::open(probe).is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}
