//! `cuff run --background`: a cuff of its own session holds the run. The one at the terminal waits until that one leaves it.

use std::ffi::OsString;

use tokio_util::sync::CancellationToken;

use crate::calls;
use crate::calls::WatchedRun;
use crate::cli::arguments::RunOptions;
use crate::model::{OngoingRun, ToolName};
use crate::project::{Context, Project};
use crate::sys::daemon::Daemon;
use crate::terminal::{Failed, Signals, StopReason, Ui, exit, runtime};
use crate::wire::{Reader, ToolResult};

/// Starts the same command line as a cuff of its own session, which asks, prints and complains at this terminal. Ends
/// when that one ends, with its exit code, or when it has left its run in the background.
pub(in crate::cli) fn start(context: &Context, words: &[OsString]) -> Result<u8, Failed> {
    let failed = |error| Failed::from(error).before_a_run();
    let ended = runtime().map_err(failed)?.block_on(async {
        let mut signals = Signals::heard()?;
        let mut daemon = Daemon::beside(&context.supervisor, &context.environment, words)?;
        let has_left = daemon.leaves(async || i32::from(signals.next().await) - 128).await;
        if has_left { Ok(0) } else { daemon.wait() }
    });
    ended.map_err(failed).map(|code| u8::try_from(code).unwrap_or(exit::CANNOT))
}

/// A run that is to go on without the terminal.
pub(super) struct Detaching<'a> {
    pub(super) ui: &'a Ui,
    pub(super) project: &'a Project,
    pub(super) how: &'a RunOptions,
    pub(super) watched: &'a WatchedRun,
    pub(super) reason: &'a StopReason,
    pub(super) cancel: &'a CancellationToken,
    pub(super) detach: &'a CancellationToken,
}

impl Detaching<'_> {
    /// Leaves the terminal once the run was waited for, and says so. A run that is being stopped is not left.
    pub(super) async fn leave(self, tool: Option<ToolName>) {
        let (Some(starter), Some(tool)) = (&self.how.starter, tool) else { return };
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => return,
            () = self.watched.waited(Some(self.how.wait), true) => {}
        }
        let Some(going) = self.watched.going(tool) else { return };
        if self.tell(&going).is_err() {
            // As with any run whose output nobody reads.
            self.reason.broken_pipe();
            self.cancel.cancel();
        } else {
            self.detach.cancel();
            starter.leave();
        }
    }

    fn tell(&self, going: &OngoingRun) -> std::io::Result<()> {
        if self.how.json {
            return self.ui.json(&ToolResult::of_going(going, Reader::Person).to_json());
        }
        let OngoingRun { tool, run_id, ready, .. } = going;
        let runs = calls::runs(&self.project.context);
        let short = runs.as_ref().map_or_else(|| run_id.short(), |runs| runs.short(*run_id));
        let beginning = runs.and_then(|runs| runs.run(*run_id).ok()).map(|run| run.beginning);
        let name =
            beginning.as_ref().map_or_else(|| tool.to_string(), |beginning| beginning.name().to_owned());
        let words = beginning.iter().flat_map(|beginning| beginning.command.iter().map(String::as_str));
        let command = shlex::try_join(words).unwrap_or_default();
        self.ui.begin_line();
        let how = if *ready { "is ready and goes on" } else { "goes on" };
        self.ui.say(format!("{name} {how} in the background as run {short}: {command}"));
        self.ui.note(format!("`cuff runs log -f {short}` follows it, `cuff runs stop {short}` ends it"));
        Ok(())
    }
}
