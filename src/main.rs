//! The `cuff` binary.

use std::process::ExitCode;

use cuff::{boot, cli, plugins};

fn main() -> ExitCode {
    boot::start(plugins::ALL, cli::main)
}
