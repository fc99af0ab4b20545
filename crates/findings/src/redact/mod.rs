//! Removes secrets from a byte stream, regardless of chunk borders and of colours within a secret.

mod fragments;
mod json;
mod known;
mod names;
mod origins;
mod public_values;
mod redactor;
mod scanner;
mod secrets;
mod view;

pub use fragments::is_looked_for;
pub use json::redacted_json;
pub use origins::{of_dotenv, of_environment, of_settings};
pub use redactor::Redactor;
pub use secrets::Secrets;
