//! `cuff serve`: the registry over MCP, on standard input and output or over HTTP.

mod announcer;
mod http;
mod token;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::arguments::Serve;
use super::self_test;
use crate::engine::{Live, News, Surroundings};
use crate::mcp;
use crate::sys::journal::Journal;
use crate::sys::streams;
use crate::terminal::{Failed, StopReason, Ui, exit, on_signals, runtime};
use announcer::Announcer;
use http::Opened;

/// Serves until the client goes away or a signal comes.
pub(super) fn serve(
    ui: &Ui,
    surroundings: Surroundings,
    explicit: Option<PathBuf>,
    typed: &Serve,
) -> Result<u8, Failed> {
    if typed.self_test {
        if let Some(http) = &typed.http.listen {
            http::address(http, typed.http.host)?;
            ui.note("note: it is tried on standard input and output; `--http` serves the same there");
        }
        return self_test::self_test(ui, &surroundings, explicit.as_deref(), typed);
    }
    let (format, level) = (typed.logging.log_format, typed.logging.log_level);
    let journal = Journal::to_standard_error(format.into(), level.into(), surroundings.clock.clone());
    let announcer = Announcer::new(ui, journal.clone(), format);
    // Before anything is read: wrong words end it whatever the settings are.
    let open = |http: &String| http::open(&surroundings.environment, http, &typed.http, &announcer);
    let http = typed.http.listen.as_ref().map(open);
    let http = http.transpose()?;
    let environment = surroundings.environment.without(token::VARIABLE);
    let surroundings = Surroundings { environment, journal, ..surroundings };
    let metrics = Arc::clone(&surroundings.metrics);
    let (source, mut news) = Live::open(surroundings, explicit)?;
    while let Ok(first) = news.try_recv() {
        announcer.tell(first);
    }
    if let Some(opened) = &http {
        opened.announce(&announcer);
    }
    if http.is_none() && Ui::hears_a_person() {
        ui.note(
            "note: this waits for an agent's client, which speaks JSON-RPC on standard input; Ctrl-D ends it",
        );
        ui.note("help: `cuff install --client NAME` has a client start it by itself");
    }
    let (stop, reason) = (CancellationToken::new(), StopReason::default());
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let served = async {
            let (exposure, stop) = (typed.exposure(), stop.clone());
            match http {
                None => Box::pin(mcp::serve_stdio(streams::take(), source.into(), exposure, stop)).await,
                // What is left of it is dropped with this future: a token that was made is gone with the server.
                Some(Opened { opening, seed, token: _token, .. }) => {
                    mcp::http::serve_http(source.into(), exposure, opening, seed, metrics, stop).await
                }
            }
        };
        tokio::select! {
            served = served => served,
            () = tell_all(&announcer, news) => Ok(()),
            () = on_signals(stop.clone(), reason.clone(), None) => Ok(()),
        }
    });
    // Not dropped: that would wait for a read of standard input that only the client can end.
    runtime.shutdown_background();
    if reason.code() == Some(exit::INTERRUPTED) {
        ui.interrupted();
    }
    match served {
        Ok(()) => Ok(reason.code().unwrap_or(exit::SUCCESS)),
        Err(error) => {
            ui.error(&error, None, Some("`cuff serve` is started by an MCP client; see the README for how"));
            Ok(exit::FAILURE)
        }
    }
}

/// Tells what becomes of the settings; it never ends.
async fn tell_all(announcer: &Announcer<'_>, mut news: UnboundedReceiver<News>) {
    while let Some(next) = news.recv().await {
        if let News::Taken(engine) = &next {
            // What waits of it is said next.
            let what = if engine.withheld_settings().is_some() { "was read" } else { "holds from now on" };
            announcer.remark(&format!("{} {what}", engine.settings_file().unwrap_or_default()));
        }
        announcer.tell(next);
    }
    std::future::pending::<()>().await;
}
