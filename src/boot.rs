//! The start of a binary: what no run may do without, then what the face works with, then the face.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

#[cfg(feature = "code")]
use crate::code;
use crate::execution::contain_tool;
use crate::plugin::Plugin;
use crate::project::{Connect, Context};
use crate::sys::journal::Journal;
use crate::sys::process::Supervisor;
use crate::sys::{Clock, Environment, process_hardening, supervisor};
#[cfg(feature = "team")]
use crate::team;
use crate::terminal::exit;

/// A face: what came in, and the words of the command line, of which the first is the program's own name.
pub type Face = fn(Context, &[OsString]) -> ExitCode;

/// Starts a face with these plugins. Where the binary was started to supervise a run, it does that instead.
pub fn start(plugins: &'static [&'static dyn Plugin], face: Face) -> ExitCode {
    process_hardening::keep_out();
    let words: Vec<_> = std::env::args_os().collect();
    // Before anything else: a supervisor is started with every run.
    if words.get(1).is_some_and(|word| word == supervisor::ARGUMENT) {
        return supervisor::main();
    }
    #[cfg(feature = "code")]
    if words.get(1).is_some_and(|word| word == code::ARGUMENT) {
        return code::interpret();
    }
    let (environment, supervisor) = match (Environment::of_process(), Supervisor::of_process()) {
        (Ok(environment), Ok(supervisor)) => (environment, supervisor),
        (Err(error), _) => return no_start("the working directory cannot be used", &error),
        (_, Err(error)) => return no_start("cuff cannot find its own binary", &error),
    };
    if let Some(code) = contain_tool(&words, &environment, &supervisor) {
        return exit::code(code);
    }
    #[cfg(feature = "team")]
    if team::push_waiting(&words, &environment).is_some() {
        return exit::code(exit::SUCCESS);
    }
    let clock = Clock::of_system();
    let (journal, metrics, files) = (Journal::default(), Arc::default(), Arc::default());
    let connect = Connect::Never;
    let views = None;
    face(Context { plugins, environment, clock, supervisor, journal, metrics, connect, files, views }, &words)
}

/// The answer when cuff cannot even look around.
fn no_start(what: &str, error: &io::Error) -> ExitCode {
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "error: {what}: {error}");
    exit::code(exit::CANNOT)
}
