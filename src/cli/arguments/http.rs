//! `cuff serve`: where it listens, who is let in, and what it logs.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::sys::journal::{Level, LineFormat};

/// The variable that holds the token. No process of a tool inherits it.
pub(in crate::cli) const TOKEN_VARIABLE: &str = "CUFF_TOKEN";

#[derive(Debug, Args)]
#[command(next_help_heading = "HTTP")]
pub(in crate::cli) struct Http {
    /// Speak MCP over HTTP instead, here [default: 127.0.0.1 and any port that is free]
    #[arg(long = "http", id = "http", value_name = "ADDR:PORT", num_args = 0..=1, default_missing_value = "0")]
    pub(in crate::cli) listen: Option<String>,
    /// Let other machines reach it, at this address
    #[arg(long, value_name = "ADDR", requires = "http")]
    pub(in crate::cli) host: Option<IpAddr>,
    /// Let in who calls this server by another name than localhost
    #[arg(long, value_name = "NAME", requires = "http")]
    pub(in crate::cli) allow_host: Vec<String>,
    /// Let in the pages of an origin, such as `https://app.example.com`
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub(in crate::cli) allow_origin: Vec<String>,
    /// Read the token from a file [default: `CUFF_TOKEN`, else a new one, in a file that is named]
    #[arg(long, value_name = "PATH", requires = "http", conflicts_with = "no_token")]
    pub(in crate::cli) token_file: Option<PathBuf>,
    /// Let in everybody on this machine without a token
    #[arg(long, requires = "http")]
    pub(in crate::cli) no_token: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Logs")]
pub(in crate::cli) struct Logging {
    /// How lines on standard error are written
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(in crate::cli) log_format: LogFormat,
    /// What is logged: this, and what matters more
    #[arg(long, value_enum, default_value_t = LogLevel::Warn)]
    pub(in crate::cli) log_level: LogLevel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
}

impl From<LogFormat> for LineFormat {
    fn from(format: LogFormat) -> Self {
        match format {
            LogFormat::Text => Self::Text,
            LogFormat::Json => Self::Json,
        }
    }
}

impl From<LogLevel> for Level {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Error => Self::Error,
            LogLevel::Warn => Self::Warn,
            LogLevel::Info => Self::Info,
            LogLevel::Debug => Self::Debug,
        }
    }
}
