//! The options of `cuff toolscript`, which are those of `toolscript` as well.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory, Parser, Subcommand};

use super::completions::Completions;
use super::gateway::{Gateway, HookArguments};
use super::globals::Globals;
use super::runs::Json;

/// The name of the program that has these commands alone.
pub(in crate::cli) const NAME: &str = "toolscript";

#[derive(Debug, Args)]
pub(in crate::cli) struct Toolscript {
    #[command(subcommand)]
    pub(in crate::cli) command: ToolscriptCommand,
}

/// Programs in TypeScript that call tools, in a sandbox.
#[derive(Debug, Parser)]
#[command(name = "toolscript", version, propagate_version = false, subcommand_required = true)]
#[command(arg_required_else_help = true)]
struct Alone {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: ToolscriptCommand,
}

/// Whether a line is of the program `toolscript`, by the name that it was called by.
pub(in crate::cli) fn is_toolscript(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| Path::new(word).file_name().is_some_and(|name| name == NAME))
}

impl Toolscript {
    /// The command line of the program `toolscript`.
    pub(super) fn alone() -> Command {
        Alone::command()
    }
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ToolscriptCommand {
    /// Run a program in TypeScript that calls tools
    Exec(Exec),
    /// List the MCP servers of this project and of its user
    ListServers(Json),
    /// List the tools that programs can call, with what they do
    ListTools(ListTools),
    /// Print the TypeScript types of tools
    GetTypes(GetTypes),
    /// Find tools by words
    Search(SearchTools),
    /// Connect to each MCP server, and show its tools or why it fails
    Status(Json),
    /// Look for problems: the sandbox, the session's gateway, and each server
    Doctor(Json),
    /// Start, show and stop gateways of sessions
    Gateway(Gateway),
    /// Print the completion script of a shell for `toolscript`
    Completions(Completions),
    /// Start or end the gateway of an agent's session, for its hooks
    #[command(hide = true)]
    Hook(HookArguments),
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(in crate::cli) struct Exec {
    /// The program; a file whose name ends with .ts or .js; or `-` for standard input
    #[arg(value_name = "CODE|FILE.ts|-", required_unless_present = "file", conflicts_with = "file")]
    pub(in crate::cli) code: Option<String>,
    /// Read the program from a file
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) file: Option<PathBuf>,
    /// Check the program, with the TypeScript compiler where one is installed, and run nothing
    #[arg(long)]
    pub(in crate::cli) check: bool,
    /// Let the program call only tools that change nothing
    #[arg(long)]
    pub(in crate::cli) read_only: bool,
    /// Let the program call only tools whose qualified names match: `github.*,npm.test`
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    pub(in crate::cli) allow: Vec<String>,
    /// The time limit in seconds, without the time of tool calls [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(in crate::cli) timeout: Option<u64>,
    /// The memory limit in megabytes [default: 256]
    #[arg(long, value_name = "MEGABYTES", value_parser = clap::value_parser!(u64).range(8..=4096))]
    pub(in crate::cli) memory: Option<u64>,
    /// Print one JSON document: result, output, calls and errors
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Print the whole result, however large
    #[arg(long)]
    pub(in crate::cli) whole: bool,
    /// Open the project here, although `TOOLSCRIPT_GATEWAY_URL` names a gateway
    #[arg(long)]
    pub(in crate::cli) standalone: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListTools {
    /// The server or instance; without it all
    #[arg(value_name = "SERVER")]
    pub(in crate::cli) server: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct GetTypes {
    /// Only these servers and tools: `github,fs__read_file`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) filter: Vec<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SearchTools {
    /// The words to look for
    #[arg(value_name = "QUERY", required = true)]
    pub(in crate::cli) query: Vec<String>,
    /// The greatest number of tools to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(in crate::cli) limit: u16,
    /// The output format
    #[arg(id = "format", long = "output", value_name = "FORM", value_enum, default_value_t = SearchOutput::Table)]
    pub(in crate::cli) output: SearchOutput,
}

/// The form of what a search finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum SearchOutput {
    /// A line for each tool
    Table,
    /// The types of the tools
    Types,
    /// JSON
    Json,
}
