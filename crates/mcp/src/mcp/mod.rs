//! The MCP face: the registry as tools, calls as results. The MCP SDK is named here alone.

mod call;
mod call_service;
#[cfg(feature = "code")]
mod code;
mod confirmation;
mod correlation;
mod declared_result;
mod dispatch;
mod exposure;
mod first_approval;
#[cfg(feature = "http")]
pub mod http;
mod instructions;
mod introduction;
mod lines;
mod list_entry;
mod log_level;
mod offered;
mod origin;
mod outbox;
mod paging;
mod pending_elicitations;
mod preserialized;
mod progress;
mod prompts;
mod question_ids;
mod raw;
mod raw_server;
mod request_limit;
mod results;
mod runs;
mod sanitize;
mod self_test;
mod serve_error;
mod server;
mod server_instructions;
mod server_questions;
mod server_words;
mod stdio;
mod streams;
mod subscribers;
mod tool_list;
mod transport;

pub use exposure::{Expose, Exposure, MOST_TOOLS};
pub use self_test::{ServerLine, TestResult, self_test};
pub use serve_error::ServeError;
pub use stdio::serve_stdio;
pub use streams::{ClientInput, ClientOutput};
