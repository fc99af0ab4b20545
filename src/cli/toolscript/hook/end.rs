//! The end of a session: its gateway ends, and its files go.

use std::time::Duration;

use super::event::SessionEvent;
use super::steps::Steps;
use crate::gateway::{SessionFolder, Stopped, is_of_same_owner, stop};
use crate::model::shown;
use crate::project::Context;

/// How long the gateway may take to end by itself: all hooks of a session's end have a second and a half.
const PATIENCE: Duration = Duration::from_millis(750);

/// Ends the gateway of a session that ends. Without a gateway it says nothing.
pub(super) fn end(context: &Context, event: &SessionEvent, steps: &mut Steps) {
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
    steps.end();
}
