//! `cuff serve`: its address, its access rules, and its log.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use super::one_of::one_of;
use crate::sys::journal::{Level, LineFormat};

/// The variable that holds the token. No process of a tool inherits it.
pub(in crate::cli) const TOKEN_VARIABLE: &str = "CUFF_TOKEN";

#[derive(Debug, Args)]
#[command(next_help_heading = "HTTP")]
pub(in crate::cli) struct Http {
    /// Serve MCP over HTTP at this address [default: 127.0.0.1 and a free port]
    #[arg(long = "http", id = "http", value_name = "ADDR:PORT", num_args = 0..=1, default_missing_value = "0")]
    pub(in crate::cli) listen: Option<String>,
    /// Listen on this address, which other machines may reach
    #[arg(long, value_name = "ADDR", requires = "http")]
    pub(in crate::cli) host: Option<IpAddr>,
    /// Accept requests that use this host name, beside localhost
    #[arg(long, value_name = "NAME", requires = "http")]
    pub(in crate::cli) allow_host: Vec<String>,
    /// Accept requests from web pages of this origin, such as `https://app.example.com`
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub(in crate::cli) allow_origin: Vec<String>,
    /// Read the token from a file [default: `CUFF_TOKEN`, else a new token in a file that cuff names]
    #[arg(long, value_name = "PATH", requires = "http", conflicts_with = "no_token")]
    pub(in crate::cli) token_file: Option<PathBuf>,
    /// Accept requests of everybody on this machine without a token
    #[arg(long, requires = "http")]
    pub(in crate::cli) no_token: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Logs")]
pub(in crate::cli) struct Logging {
    /// The format of log lines on standard error
    #[arg(long, value_parser = one_of(FORMATS), default_value = "text")]
    pub(in crate::cli) log_format: LineFormat,
    /// The least important level to log
    #[arg(long, value_parser = one_of(LEVELS), default_value = "warn")]
    pub(in crate::cli) log_level: Level,
}

const FORMATS: &[(&str, LineFormat)] = &[("text", LineFormat::Text), ("json", LineFormat::Json)];

const LEVELS: &[(&str, Level)] =
    &[("error", Level::Error), ("warn", Level::Warn), ("info", Level::Info), ("debug", Level::Debug)];
