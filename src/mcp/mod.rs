//! The MCP face: the registry as tools, calls as results. The MCP SDK is named here alone.

mod call;
mod confirmation;
mod instructions;
mod offer;
mod progress;
mod runs;
mod server;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::engine::{Engine, RunError};
use crate::model::Spelling;

use server::Server;
use transport::Stdio;

/// How long calls may go on after the client's last word: quick ones end by themselves, as when requests are piped in.
const GRACE: Duration = Duration::from_secs(1);
/// How long a session may take to end after that: a run gets two seconds from its polite end to its hard one.
/// Whatever is left then ends with the process, even where nobody reads the answers.
const PATIENCE: Duration = Duration::from_secs(4);

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

/// What is behind the face: an engine, or the reason why there is none yet.
pub trait Source: Send + Sync {
    /// The engine as it is now.
    ///
    /// # Errors
    /// With what is wrong and what to do, when there is nothing to offer.
    fn engine(&self) -> Result<Arc<Engine>, RunError>;
}

/// Speaks MCP over standard input and output until the client goes away or `stop` is cancelled.
///
/// # Errors
/// When no session came about, or it broke.
pub async fn serve_stdio(
    source: Arc<dyn Source>,
    spelling: Spelling,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let gone = CancellationToken::new();
    let session = session(source, spelling, gone.clone(), stop.clone());
    tokio::select! {
        ended = session => ended,
        () = last_orders(&gone, &stop) => Ok(()),
    }
}

async fn session(
    source: Arc<dyn Source>,
    spelling: Spelling,
    gone: CancellationToken,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let server = Server::new(source, spelling, stop.clone());
    let ended = serve(server.clone(), gone, stop).await;
    server.end_runs().await;
    ended
}

async fn serve(server: Server, gone: CancellationToken, stop: CancellationToken) -> Result<(), ServeError> {
    let session = match server.serve_with_ct(Stdio::new(gone), stop).await {
        Ok(session) => session,
        // A client that leaves before it said anything, or is stopped, is a normal end.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(ServeError::NoSession(error.to_string())),
    };
    match session.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Broken(error.to_string())),
        Ok(_) => Ok(()),
    }
}

/// Ends when patience with a session does: some time after the client has gone, or the server was told to stop.
async fn last_orders(gone: &CancellationToken, stop: &CancellationToken) {
    let left_alone = async {
        gone.cancelled().await;
        sleep(GRACE).await;
    };
    tokio::select! {
        () = left_alone => stop.cancel(),
        () = stop.cancelled() => {}
    }
    sleep(PATIENCE).await;
}
