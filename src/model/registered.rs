//! A tool under the name by which it is called.

use super::{Tool, ToolName};

/// A tool under its final name.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The qualified name.
    pub name: ToolName,
    /// The built-in it comes from, by id.
    pub plugin: &'static str,
    /// The tool as its plugin found it; `tool.name` is what the plugin wanted it to be called.
    pub tool: Tool,
}
