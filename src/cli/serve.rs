//! `cuff serve`: the registry over MCP, on standard input and output or over HTTP.

mod announcer;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod token;
mod transport;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::arguments::{Serve, TOKEN_VARIABLE};
use super::{bare_tool, self_test};
use crate::mcp::{self, Exposure};
use crate::project::{Connect, Context, Live, News};
use crate::sys::heap;
use crate::sys::journal::{Journal, Level};
use crate::sys::process::ExpectedRuns;
use crate::sys::streams;
use crate::terminal::{Failed, StopReason, Ui, exit, on_signals, runtime};
use announcer::Announcer;
use transport::{ServeTransport, check};

/// The variable that has each step said on standard error, as `--log-level debug` has.
pub(super) const DEBUG: &str = "DEBUG";

/// Prepares the process for calls, as many as come.
fn expect_calls(context: &Context) {
    context.supervisor.prepare(ExpectedRuns::ManyRuns);
    heap::expect_requests();
}

/// Serves until the client goes away or a signal comes.
pub(super) fn serve(
    ui: &Ui,
    context: Context,
    explicit: Option<PathBuf>,
    typed: &Serve,
) -> Result<u8, Failed> {
    if typed.self_test {
        if check(&typed.http)? {
            ui.note("note: it is tried on standard input and output; `--http` serves the same there");
        }
        return self_test::self_test(ui, &context, explicit.as_deref(), typed);
    }
    expect_calls(&context);
    let (format, level) = (typed.logging.log_format, typed.logging.log_level);
    let is_debugged = context.environment.get(DEBUG).is_some();
    let level = if is_debugged { Level::Debug } else { level };
    let journal = Journal::to_standard_error(format, level, context.clock.clone());
    let announcer = Announcer::new(ui, journal.clone(), format);
    // This comes before anything is read: wrong words end the command with any settings.
    let transport = ServeTransport::open(&context, &typed.http, &announcer)?;
    let environment = context.environment.without(TOKEN_VARIABLE);
    let context = Context { environment, journal, connect: Connect::AtOnce, ..context };
    let (source, mut news) = Live::open(context, explicit)?;
    let source = Arc::new(source);
    while let Ok(first) = news.try_recv() {
        announcer.tell(first);
    }
    #[cfg(feature = "http")]
    if let ServeTransport::Http(opened) = &transport {
        opened.announce(&announcer);
    }
    if matches!(transport, ServeTransport::Stdio) && Ui::hears_a_person() {
        explain(ui, &source);
    }
    let (stop, reason) = (CancellationToken::new(), StopReason::default());
    let exposure = Exposure { expose: typed.expose, spelling: typed.tool_names };
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let served = async {
            let (stop, source) = (stop.clone(), Arc::clone(&source));
            match transport {
                ServeTransport::Stdio => {
                    Box::pin(mcp::serve_stdio(streams::take(), source, exposure, stop)).await
                }
                #[cfg(feature = "http")]
                ServeTransport::Http(opened) => opened.serve(source, exposure, stop).await,
            }
        };
        let served = tokio::select! {
            served = served => served,
            () = tell_all(&announcer, news) => Ok(()),
            () = on_signals(stop.clone(), reason.clone(), None) => Ok(()),
        };
        if let Ok(project) = source.project() {
            project.catalog.close().await;
        }
        served
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

/// Says to the person who typed the command what it is for.
fn explain(ui: &Ui, source: &Live) {
    ui.note(
        "note: this waits for an agent's client, which speaks JSON-RPC on standard input; Ctrl-D ends it",
    );
    ui.note("help: `cuff install --client NAME` has a client start it by itself");
    if let Some(own) = bare_tool::own_tool(&source.context, "serve") {
        ui.note(format!("help: {own}"));
    }
}

/// Tells what becomes of the settings; it never ends.
async fn tell_all(announcer: &Announcer<'_>, mut news: UnboundedReceiver<News>) {
    while let Some(next) = news.recv().await {
        if let News::Taken(project) = &next {
            // The parts that wait for approval are reported next.
            let what =
                if project.settings.withheld_settings().is_some() { "was read" } else { "holds from now on" };
            announcer.remark(&format!("{} {what}", project.settings.file().unwrap_or_default()));
        }
        announcer.tell(next);
    }
    std::future::pending::<()>().await;
}
