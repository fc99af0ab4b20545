//! The arguments of `cuff mcp`.

use clap::{Args, Subcommand};

use super::runs::Json;

#[derive(Debug, Args)]
pub(in crate::cli) struct Mcp {
    #[command(subcommand)]
    pub(in crate::cli) command: McpCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum McpCommand {
    /// Add an MCP server to settings.yml
    Add(McpAdd),
    /// Remove an MCP server from settings.yml
    Remove(McpServer),
    /// List the MCP servers of this project, and your own
    List(Json),
    /// Connect to MCP servers, and show their tools or why they fail
    Test(McpTest),
    /// Log in to an MCP server, in a browser
    Login(McpLogin),
    /// Log out of an MCP server
    Logout(McpServer),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct McpAdd {
    /// The server's name, the first part of its tools' names
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: String,
    /// The address of a server to connect to
    #[arg(value_name = "URL", conflicts_with = "command")]
    pub(in crate::cli) url: Option<String>,
    /// The program to start, and its arguments
    #[arg(value_name = "COMMAND", last = true)]
    pub(in crate::cli) command: Vec<String>,
    /// Set an environment variable for the program
    #[arg(short, long, value_name = "KEY=VALUE")]
    pub(in crate::cli) env: Vec<String>,
    /// Send an HTTP header with every request
    #[arg(long, value_name = "KEY=VALUE")]
    pub(in crate::cli) header: Vec<String>,
    /// The folder that the program starts in, relative to the settings file
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) cwd: Option<String>,
    /// The protocol of the address
    #[arg(long, value_name = "NAME", value_parser = ["http", "sse"])]
    pub(in crate::cli) transport: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct McpTest {
    /// The server's name; without it all servers
    #[arg(value_name = "SERVER")]
    pub(in crate::cli) server: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct McpLogin {
    /// The server's name
    #[arg(value_name = "SERVER")]
    pub(in crate::cli) server: String,
    /// Ask for these rights as well
    #[arg(long, value_name = "SCOPES")]
    pub(in crate::cli) scope: Option<String>,
    /// Print the address, and open no browser
    #[arg(long)]
    pub(in crate::cli) no_browser: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct McpServer {
    /// The server's name
    #[arg(value_name = "SERVER")]
    pub(in crate::cli) name: String,
}
