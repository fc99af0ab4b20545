//! The two streams of one client.

use tokio::io::{AsyncRead, AsyncWrite};

/// Where a client is heard.
pub type ClientInput = Box<dyn AsyncRead + Send + Unpin>;
/// Where it is answered.
pub type ClientOutput = Box<dyn AsyncWrite + Send + Unpin>;
