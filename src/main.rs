//! The `cuff` binary: composes environment, clock and plugins, then hands over to the terminal face.

use std::process::ExitCode;
use std::sync::Arc;

use cuff::engine::Surroundings;
use cuff::sys::journal::Journal;
use cuff::sys::process::Supervisor;
use cuff::sys::{Clock, Environment, guard, supervisor};
use cuff::{cli, plugins};

fn main() -> ExitCode {
    guard::keep_out();
    let words: Vec<_> = std::env::args_os().collect();
    // Before anything else: a supervisor is started with every run.
    if words.get(1).is_some_and(|word| word == supervisor::ARGUMENT) {
        return supervisor::main();
    }
    let (environment, supervisor) = match (Environment::of_process(), Supervisor::of_process()) {
        (Ok(environment), Ok(supervisor)) => (environment, supervisor),
        (Err(error), _) => return cli::no_start("the working directory cannot be used", &error),
        (_, Err(error)) => return cli::no_start("cuff cannot find its own binary", &error),
    };
    let clock = Clock::of_system();
    let (journal, metrics) = (Journal::default(), Arc::default());
    cli::main(
        Surroundings { plugins: plugins::ALL, environment, clock, supervisor, journal, metrics },
        &words,
    )
}
