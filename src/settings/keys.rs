//! The keys of settings.yml, and the values that some of them take.

/// The only version that is read.
pub(super) const VERSION: &str = "1";
/// The keys of the file.
pub(super) const TOP_KEYS: [&str; 3] = ["version", "plugin_settings", "plugins"];
/// The keys of an instance.
pub(super) const INSTANCE_KEYS: [&str; 4] = ["enabled", "type", "module", "config"];
/// The values of `type`. The first is the default and the only one that this version starts.
pub(super) const TYPES: [&str; 4] = ["in_source", "mcp", "process", "http"];
