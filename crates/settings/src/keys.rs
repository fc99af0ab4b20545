//! The keys of settings.yml, the values that some of them take, and how large it may be.

use crate::model::PluginInfo;

/// The largest settings file that is read, in bytes.
pub(super) const LARGEST: u64 = 256 * 1024;
/// The only version that is read.
pub(super) const VERSION: &str = "1";
/// The keys of the file.
pub(super) const TOP_KEYS: [&str; 6] =
    ["version", "plugin_settings", "plugins", AGENT_SHELL, RUNNERS, RECORDS];
/// The key of the engines that tools may run on.
pub(super) const RUNNERS: &str = "runners";
/// The key of the records of a team.
pub(super) const RECORDS: &str = "records";
/// The key that says what becomes of an agent's shell commands that tools could run.
pub(super) const AGENT_SHELL: &str = "agent_shell";
/// The key that switches an entry on and off.
pub(super) const ENABLED: &str = "enabled";
/// The keys of an instance.
pub(super) const INSTANCE_KEYS: [&str; 4] = [ENABLED, "type", "module", "config"];
/// The keys of an instance whose `type` says which plugin it is of.
pub(super) const KEYS_OF_TYPE: [&str; 3] = [ENABLED, "type", "config"];
/// The value of `type` for another MCP server.
pub(super) const MCP: &str = "mcp";
/// The values of `type` that are no plugin. The first is the default; it and [`MCP`] are those that this version reads.
pub(super) const TYPES: [&str; 4] = ["in_source", MCP, "process", "http"];

/// All values of `type`, those of plugins behind the others.
pub(super) fn types(abouts: &[PluginInfo]) -> Vec<&'static str> {
    TYPES.into_iter().chain(abouts.iter().filter(|about| about.is_type).map(|about| about.id)).collect()
}

/// The key of `.toolscript.json` that the servers stand under. Without it each key of the file is a server's name.
pub(super) const SERVERS: &str = "mcpServers";
