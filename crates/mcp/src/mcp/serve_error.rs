//! Why serving ends before its time.

/// Why serving ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client said something that is not MCP before a session was there.
    #[error("the client did not start an MCP session: {0}")]
    NoSession(String),
    /// The SDK's own loop failed.
    #[error("the MCP session broke: {0}")]
    Broken(String),
}
