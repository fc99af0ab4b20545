//! `cuff serve`: the tools that clients see, and their names.

use clap::{Args, ValueEnum};

use super::http::{Http, Logging};
use crate::mcp::{Expose, Exposure};
use crate::model::Spelling;

#[derive(Debug, Args)]
pub(in crate::cli) struct Serve {
    /// The form of tool names: `npm.install`, or `npm__install` for clients that reject dots
    #[arg(long, value_enum, default_value_t = ToolNames::Dotted)]
    pub(in crate::cli) tool_names: ToolNames,
    /// The tools that clients see: all of them (tools), one tool `cuff` that lists and runs them (dispatch), or three tools for programs in TypeScript (code); auto takes dispatch for more than 40
    #[arg(long, value_enum, default_value_t = Exposed::Auto)]
    pub(in crate::cli) expose: Exposed,
    /// Start a server and try it as a client would, without running a tool
    #[arg(long)]
    pub(in crate::cli) self_test: bool,
    #[command(flatten)]
    pub(in crate::cli) http: Http,
    #[command(flatten)]
    pub(in crate::cli) logging: Logging,
}

impl Serve {
    /// The tools that clients see, and their names.
    pub(in crate::cli) fn exposure(&self) -> Exposure {
        let expose = match self.expose {
            Exposed::Auto => Expose::Auto,
            Exposed::Tools => Expose::Tools,
            Exposed::Dispatch => Expose::Dispatch,
            #[cfg(feature = "code")]
            Exposed::Code => Expose::Code,
        };
        Exposure { expose, spelling: self.tool_names.into() }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Exposed {
    // A comment for each of these would make all of the help longer.
    Auto,
    Tools,
    Dispatch,
    #[cfg(feature = "code")]
    Code,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum ToolNames {
    Dotted,
    Portable,
}

impl From<ToolNames> for Spelling {
    fn from(names: ToolNames) -> Self {
        match names {
            ToolNames::Dotted => Self::Dotted,
            ToolNames::Portable => Self::Portable,
        }
    }
}
