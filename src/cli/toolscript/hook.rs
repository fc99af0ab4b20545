//! `toolscript hook`: what an agent's program runs at the start and the end of a session. Nothing here fails a session: what
//! goes wrong is said on standard error and in the session's log.

mod end;
mod event;
mod start;
mod steps;

use std::path::Path;

use crate::cli::arguments::HookCommand;
use crate::project::Context;
use crate::sys::input;
use crate::terminal::{Ui, exit};
use event::SessionEvent;
use steps::Steps;

/// The largest input, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// Reads what happened from standard input, and does what is to be done then. It always succeeds.
pub(super) fn hook(ui: &Ui, context: &Context, typed: HookCommand) -> u8 {
    let name = match typed {
        HookCommand::SessionStart => "session-start",
        HookCommand::SessionEnd => "session-end",
    };
    let mut steps = Steps::new(name, context);
    let event = input::document(Path::new("-"), LARGEST).map_err(|error| error.to_string());
    match event.and_then(|text| SessionEvent::read(&text)) {
        Ok(event) => match typed {
            HookCommand::SessionStart => start::start(ui, context, &event, &mut steps),
            HookCommand::SessionEnd => end::end(context, &event, &mut steps),
        },
        Err(why) => steps.failed(
            &format!("its input cannot be understood: {why}"),
            "the session goes on without toolscript",
        ),
    }
    exit::SUCCESS
}
