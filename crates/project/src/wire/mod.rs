//! The JSON shapes that `--json` and MCP share. Absent means not applicable; nothing is null.

mod findings;
mod health;
mod listing;
mod problem;
mod reader;
mod reports;
mod result;
mod runs;
mod text;

pub use findings::{
    count as count_of_findings, diagnostic, line as line_of_diagnostic, summary, tests as text_of_tests,
};
pub use health::health;
pub use listing::{listing, times};
pub use problem::problem;
pub use reader::Reader;
pub use reports::{annotations, checkstyle, junit, sarif};
pub use result::ToolResult;
pub use result::compact::{compact, compact_schema};
pub use result::going::{compact_of_going, text_of_going};
pub use runs::{compared, compared_by_file, found, found_by_file, found_in, in_brief, recorded, unlike};
pub use text::{
    changed_later_note, denials, leftover_notes, status, status_for_people, text_of_report, unrecorded_note,
};
