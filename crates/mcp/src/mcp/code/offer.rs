//! The three tools as they are listed. Every session reads them, so they are short.

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::mcp::tool_list::object;
use crate::model::{Default, Effects, Field, ValueKind};

/// A tool for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum CodeTool {
    /// Finds tools.
    Search,
    /// Shows the types of tools.
    Types,
    /// Runs a program.
    Execute,
}

pub(super) const QUERY: Field = Field {
    name: "query",
    kind: ValueKind::Text,
    default: Default::Text(""),
    about: "Words; empty: all tools",
};
pub(super) const LIMIT: Field = Field {
    name: "limit",
    kind: ValueKind::Integer(1, 200),
    default: Default::Integer(10),
    about: "How many at most",
};
pub(super) const TOOLS: Field = Field {
    name: "tools",
    kind: ValueKind::TextList,
    default: Default::Required,
    about: "`server` or `server.tool`, as search names them",
};
pub(super) const CODE: Field =
    Field { name: "code", kind: ValueKind::Text, default: Default::Required, about: "The program" };
pub(super) const SECONDS: Field = Field {
    name: "timeout",
    kind: ValueKind::Integer(1, 3600),
    default: Default::Integer(30),
    about: "Seconds to compute; the time of tools does not count",
};
pub(super) const READ_ONLY: Field = Field {
    name: "read_only",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Only tools that change nothing can be called",
};

impl CodeTool {
    const ALL: [Self; 3] = [Self::Search, Self::Types, Self::Execute];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Search => "search_tools",
            Self::Types => "tool_types",
            Self::Execute => "execute_code",
        }
    }

    pub(super) const fn parameters(self) -> &'static [&'static Field] {
        match self {
            Self::Search => &[&QUERY, &LIMIT],
            Self::Types => &[&TOOLS],
            Self::Execute => &[&CODE, &SECONDS, &READ_ONLY],
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::Search => {
                "Find tools by words: their functions for execute_code and what they do. Search before you write code."
            }
            Self::Types => "TypeScript types of tools: what each function takes and returns.",
            Self::Execute => {
                "Run TypeScript that calls tools, in a sandbox without files and network: `const r = await \
                 tools.github.listIssues({ repo: 'x' }); return r.filter(i => i.open).map(i => i.title)`. One argument \
                 object per call; failed calls throw; use Promise.all for several. Top-level await and return; console.log \
                 prints. Filter in code and return little. `import { results } from 'toolscript'; await results.latest` is \
                 the last program's whole result."
            }
        }
    }

    const fn effects(self) -> Effects {
        match self {
            Self::Search | Self::Types => Effects::NONE,
            Self::Execute => Effects::UNKNOWN,
        }
    }
}

/// The tool of this name.
pub(in crate::mcp) fn named(name: &str) -> Option<CodeTool> {
    CodeTool::ALL.into_iter().find(|tool| tool.name() == name)
}

/// The three, as `tools/list` shows them.
pub(in crate::mcp) fn tools() -> Vec<Tool> {
    CodeTool::ALL.into_iter().map(described).collect()
}

fn described(tool: CodeTool) -> Tool {
    let Effects { read_only, destructive, idempotent, open_world } = tool.effects();
    let annotations = ToolAnnotations::from_raw(
        None,
        Some(read_only),
        Some(destructive),
        Some(idempotent),
        Some(open_world),
    );
    let input: Value = Field::object_schema(tool.parameters());
    let mut described = Tool::new(tool.name(), tool.about(), object(input)).with_annotations(annotations);
    let output =
        json!({"type": "object", "properties": {"success": {"type": "boolean"}}, "required": ["success"]});
    described.output_schema = Some(object(output));
    described
}
