//! The MCP face: the registry as tools, calls as results. The MCP SDK is named here alone.

mod admission;
mod call;
mod call_service;
mod clean;
#[cfg(feature = "code")]
mod code;
mod confirmation;
mod correlation;
mod declared_result;
mod dispatch;
mod entry;
mod exposure;
mod first_approval;
mod held;
#[cfg(feature = "http")]
pub mod http;
mod instructions;
mod introduction;
mod lines;
mod log_level;
mod no_method;
mod offer;
mod offered;
mod offers;
mod origin;
mod outbox;
mod paging;
mod progress;
mod question_ids;
mod raw;
mod raw_server;
mod results;
mod runs;
mod self_test;
mod serve_error;
mod server;
mod server_instructions;
mod server_questions;
mod server_words;
mod stdio;
mod streams;
mod subscribers;
mod transport;
mod written;

pub use exposure::{Expose, Exposure, MOST_TOOLS};
pub use self_test::{ServerLine, TestResult, self_test};
pub use serve_error::ServeError;
pub use stdio::serve_stdio;
pub use streams::{ClientInput, ClientOutput};
