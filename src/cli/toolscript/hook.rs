//! `toolscript hook`: what an agent's program runs at the start and the end of a session. Nothing here fails a session: what
//! goes wrong is said on standard error and in the session's log.

mod event;
mod start;
mod steps;

use std::path::Path;
use std::time::Duration;

use event::SessionEvent;
use steps::Steps;

use crate::cli::arguments::HookCommand;
use crate::gateway::{SessionFolder, Stopped, is_of_same_owner, stop};
use crate::model::shown;
use crate::project::Context;
use crate::sys::input;
use crate::terminal::{Ui, exit};

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
            HookCommand::SessionEnd => end(context, &event, &steps),
        },
        Err(why) => steps.failed(
            &format!("its input cannot be understood: {why}"),
            "the session goes on without toolscript",
        ),
    }
    exit::SUCCESS
}

/// How long the gateway may take to end by itself: all hooks of a session's end have a second and a half.
const PATIENCE: Duration = Duration::from_millis(750);

/// Ends the gateway of a session that ends. Without a gateway it says nothing.
fn end(context: &Context, event: &SessionEvent, steps: &Steps) {
    for folder in SessionFolder::all(&context.environment) {
        let files = folder.session(&event.session);
        let reason = event.reason.as_deref().map_or_else(|| "no reason".to_owned(), shown);
        steps.step(&format!("session {} ends: {reason}", shown(event.session.text())));
        // The session's own hook is started by its owner; a shell of another session is not.
        if files.record().is_some_and(|record| !is_of_same_owner(&record)) {
            steps.step("the gateway is another session's, and goes on");
            continue;
        }
        match stop(&files, PATIENCE) {
            Ok(Stopped::Nothing) => steps.step("no gateway runs"),
            Ok(Stopped::Ended) => steps.done("the gateway has ended"),
            Ok(Stopped::Killed) => steps.done("the gateway did not end by itself and was killed"),
            Ok(Stopped::Stale) => steps.done("the gateway was gone; its files are removed"),
            Err(error) => {
                steps.failed(
                    &format!("the gateway cannot be ended: {error}"),
                    "it ends with the process that owns the session; `toolscript gateway list` shows it",
                );
            }
        }
    }
}
