//! `toolscript gateway stop`.

use std::time::Duration;

use super::chosen::{chosen, reachable};
use crate::cli::arguments::GatewayStop;
use crate::gateway::{SessionFiles, Stopped, stop as stop_gateway};
use crate::project::Context;
use crate::terminal::{Failed, Ui, exit};

/// How long a gateway may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends a gateway, or all of them: for an agent those of its own session.
pub(super) fn stop(ui: &Ui, context: &Context, typed: &GatewayStop) -> Result<u8, Failed> {
    let all: Vec<SessionFiles> = if typed.all {
        reachable(context)
    } else {
        chosen(context, typed.session.as_deref())?.into_iter().collect()
    };
    let mut stopped = 0;
    for files in &all {
        let session = files.record().map_or_else(|| files.stem().to_owned(), |record| record.session);
        let how = stop_gateway(files, PATIENCE).map_err(|error| {
            let failed = Failed::usage(format!("the gateway of {session} cannot be ended: {error}")).unable();
            failed.help("its files are kept; end its process by hand")
        })?;
        match how {
            Stopped::Ended => ui.say(format!("The gateway of {session} has ended.")),
            Stopped::Killed => {
                ui.say(format!("The gateway of {session} did not end by itself and was killed."));
            }
            Stopped::Stale => ui.say(format!("The gateway of {session} was gone; its files are removed.")),
            Stopped::Nothing => continue,
        }
        stopped += 1;
    }
    if stopped == 0 {
        ui.note("note: no gateway runs here");
    }
    Ok(exit::SUCCESS)
}
