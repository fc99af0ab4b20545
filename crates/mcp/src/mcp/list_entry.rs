//! An entry of `tools/list`, written once: each answer that has it copies its text.

use rmcp::model::Tool;
use serde_json::Value;

/// A tool's definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolEntry {
    /// The name under which it is called.
    pub(super) name: String,
    /// The definition as JSON.
    pub(super) text: String,
}

impl ToolEntry {
    /// The entry of a tool; `None` where JSON cannot say it, which no tool of cuff is.
    pub(super) fn of(tool: &Tool) -> Option<Self> {
        Some(Self { name: tool.name.to_string(), text: serde_json::to_string(tool).ok()? })
    }

    /// The entry of another MCP server's tool, with all the fields that it came with.
    pub(super) fn relayed(name: String, definition: &Value) -> Self {
        Self { name, text: definition.to_string() }
    }
}
