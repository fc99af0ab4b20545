//! The options of `toolscript gateway` and `toolscript hook`.

use std::net::IpAddr;

use clap::{Args, Subcommand};

use super::runs::Json;

#[derive(Debug, Args)]
pub(in crate::cli) struct Gateway {
    #[command(subcommand)]
    pub(in crate::cli) command: GatewayCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum GatewayCommand {
    /// Start the gateway of a session
    Start(GatewayStart),
    /// Show the state of a gateway and of its servers
    Status(GatewayStatus),
    /// Stop a gateway and its servers
    Stop(GatewayStop),
    /// List the gateways of your sessions
    List(Json),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct GatewayStart {
    /// The port to listen on [default: a free one]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(in crate::cli) port: u16,
    /// The address to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(in crate::cli) host: IpAddr,
    /// The session's id [default: a new one]
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) session: Option<String>,
    /// Stop when this process ends
    #[arg(long, value_name = "PID", conflicts_with = "lease")]
    pub(in crate::cli) watch_pid: Option<u32>,
    /// Stop after this many seconds without a request [default: 86400, with --detach and without --watch-pid]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) lease: Option<u64>,
    /// Start in the background, and return when the gateway is ready
    #[arg(long)]
    pub(in crate::cli) detach: bool,
    /// Say to whoever started it that it is ready
    #[arg(long, hide = true, conflicts_with = "detach")]
    pub(in crate::cli) expected: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct GatewayStatus {
    /// The session's id [default: the session of `TOOLSCRIPT_GATEWAY_URL`, or the only one]
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) session: Option<String>,
    /// Connect to each server now
    #[arg(long)]
    pub(in crate::cli) test: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct GatewayStop {
    /// The session's id [default: the session of `TOOLSCRIPT_GATEWAY_URL`, or the only one]
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) session: Option<String>,
    /// Stop the gateways of all sessions
    #[arg(long, conflicts_with = "session")]
    pub(in crate::cli) all: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct HookArguments {
    #[command(subcommand)]
    pub(in crate::cli) command: HookCommand,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(in crate::cli) enum HookCommand {
    /// Start the gateway of a new session; JSON on standard input
    SessionStart,
    /// Stop the gateway of an ended session; JSON on standard input
    SessionEnd,
}
