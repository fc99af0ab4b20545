//! `cuff serve`: the registry over MCP, on standard input and output.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use super::arguments::Serve;
use super::stop::{self, Reason};
use super::ui::Ui;
use super::{Failed, exit, self_test};
use crate::engine::{Engine, OpenError, RunError, Surroundings};
use crate::mcp::{self, Source};
use crate::model::Caller;
use crate::sys::streams;

/// Serves until the client goes away or a signal comes.
pub(super) fn serve(
    ui: &Ui,
    surroundings: Surroundings,
    explicit: Option<PathBuf>,
    typed: &Serve,
) -> Result<u8, Failed> {
    if typed.self_test {
        return self_test::self_test(ui, &surroundings, explicit.as_deref(), typed);
    }
    let engine = match Engine::open(surroundings.clone(), explicit.as_deref(), Caller::Agent) {
        Ok(engine) => Some(engine),
        // Without settings it serves nothing until there are some that can be used. An end would tell nobody why:
        // hosts hide standard error, but the agent reads the instructions and the answers.
        Err(
            error @ (OpenError::NoSettings(_)
            | OpenError::Unusable { .. }
            | OpenError::NotKnown { .. }
            | OpenError::NoPins),
        ) => {
            Failed::from(error).print(ui, false);
            ui.say("note: no tool is served until then; the settings are looked at again with each request");
            None
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(engine) = &engine {
        engine.fit_for_serving()?;
        super::complain(ui, engine);
        if let Some(withheld) = engine.withheld_settings() {
            ui.problem(None, None, &withheld);
        }
    }
    let source = Arc::new(Live { surroundings, explicit, engine: Mutex::new(engine.map(Arc::new)) });
    let (stop, reason) = (CancellationToken::new(), Reason::default());
    let runtime = super::runtime()?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = mcp::serve_stdio(streams::take(), source, typed.exposure(), stop.clone()) => served,
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

/// The engine, as soon as there are settings to open one from.
struct Live {
    surroundings: Surroundings,
    explicit: Option<PathBuf>,
    engine: Mutex<Option<Arc<Engine>>>,
}

impl Source for Live {
    fn engine(&self) -> Result<Arc<Engine>, RunError> {
        let mut current = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = current.as_ref().filter(|engine| !engine.is_outdated()) {
            return Ok(Arc::clone(engine));
        }
        let opened = Engine::open(self.surroundings.clone(), self.explicit.as_deref(), Caller::Agent);
        let opened = opened.and_then(|engine| engine.fit_for_serving().map(|()| Arc::new(engine)));
        match (opened, &*current) {
            (Ok(engine), _) => Ok(Arc::clone(current.insert(engine))),
            // What was approved cannot be used: what was offered before still can.
            (Err(_), Some(engine)) => Ok(Arc::clone(engine)),
            (Err(error), None) => Err(RunError::not_ready(&error)),
        }
    }
}
