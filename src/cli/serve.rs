//! `cuff serve`: the registry over MCP, on standard input and output.

use std::path::PathBuf;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::arguments::Serve;
use super::stop::{self, Reason};
use super::ui::Ui;
use super::{Failed, exit};
use crate::engine::{Live, News, Surroundings};
use crate::mcp;

/// Serves until the client goes away or a signal comes.
pub(super) fn serve(
    ui: &Ui,
    surroundings: Surroundings,
    explicit: Option<PathBuf>,
    typed: &Serve,
) -> Result<u8, Failed> {
    let (source, mut news) = Live::open(surroundings, explicit)?;
    while let Ok(first) = news.try_recv() {
        print(ui, first);
    }
    let (stop, reason) = (CancellationToken::new(), Reason::default());
    let runtime = super::runtime()?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = mcp::serve_stdio(source.into(), typed.tool_names.into(), stop.clone()) => served,
            () = print_all(ui, news) => Ok(()),
            () = stop::on_signals(stop.clone(), reason.clone()) => Ok(()),
        }
    });
    // Not dropped: that would wait for a read of standard input that only the client can end.
    runtime.shutdown_background();
    match served {
        Ok(()) => Ok(reason.code().unwrap_or(exit::SUCCESS)),
        Err(error) => {
            ui.error(&error, None, Some("`cuff serve` is started by an MCP client; see the README for how"));
            Ok(exit::FAILURE)
        }
    }
}

/// Prints what becomes of the settings; it never ends.
async fn print_all(ui: &Ui, mut news: UnboundedReceiver<News>) {
    while let Some(next) = news.recv().await {
        if let News::Taken(engine) = &next {
            ui.note(format!("note: {} holds from now on", engine.settings_file().unwrap_or_default()));
        }
        print(ui, next);
    }
    std::future::pending::<()>().await;
}

/// Says it where a person may look. Hosts hide standard error, but the agent reads the instructions and the answers.
fn print(ui: &Ui, news: News) {
    match news {
        News::Taken(engine) => {
            super::complain(ui, &engine);
            if let Some(withheld) = engine.withheld_settings() {
                ui.problem(None, None, &withheld);
            }
        }
        News::Kept(error) => {
            Failed::from(error).print(ui, false);
            ui.say("note: until that is mended, the settings from before hold on");
        }
        News::Nothing(error) => {
            Failed::from(error).print(ui, false);
            ui.say("note: no tool is served until then; the settings are looked at again with each request");
        }
        News::Unwatched(why) => {
            ui.note(format!(
                "note: not every change is heard of, so the files are looked at now and then: {why}"
            ));
        }
    }
}
