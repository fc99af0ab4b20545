//! `toolscript gateway`: the gateways of sessions.

mod chosen;
mod list;
mod start;
mod status;
mod stop;

use std::path::Path;

pub(super) use start::start_words;
pub(super) use status::{shown, unhealthy};

use crate::cli::arguments::GatewayCommand;
use crate::project::Context;
use crate::terminal::{Failed, Ui};

/// Carries out one of the commands.
pub(super) fn gateway(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &GatewayCommand,
) -> Result<u8, Failed> {
    match typed {
        GatewayCommand::Start(typed) => start::start(ui, context, config, typed),
        GatewayCommand::Status(typed) => status::status(ui, context, typed),
        GatewayCommand::Stop(typed) => stop::stop(ui, context, typed),
        GatewayCommand::List(typed) => list::list(ui, context, typed.json),
    }
}
