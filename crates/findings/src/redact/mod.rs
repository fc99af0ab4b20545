//! Removes secrets from a byte stream, regardless of chunk borders and of colours within a secret.

mod beginning;
mod dotenv;
mod everyday;
mod json;
mod known;
mod names;
mod origins;
mod pass;
mod pieces;
mod redactor;
mod secrets;
mod view;

pub use json::redacted_json;
pub use origins::{of_dotenv, of_environment, of_settings};
pub use pieces::is_looked_for;
pub use redactor::Redactor;
pub use secrets::Secrets;
