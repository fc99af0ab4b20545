//! MCP over two streams: one client, until it goes away.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::exposure::{Exposure, LastShown};
use super::origin;
use super::raw_server::RawServer;
use super::serve_error::ServeError;
use super::server::McpServer;
use super::streams::{ClientInput, ClientOutput};
use super::subscribers::Subscribers;
use super::transport::Stdio;
use crate::project::Live;

/// How long calls may go on after the client's last word: quick ones end by themselves, as when requests are piped in.
const GRACE: Duration = Duration::from_secs(1);
/// How long a session may take to end after that: a run gets two seconds from its polite end to its hard one.
/// Anything left then ends with the process, even where nobody reads the answers.
const PATIENCE: Duration = Duration::from_secs(4);

/// Speaks MCP over two streams, standard input and output as a rule, until the client goes away or `stop` is cancelled.
///
/// # Errors
/// When no session came about, or it broke.
pub async fn serve_stdio(
    streams: (ClientInput, ClientOutput),
    source: Arc<Live>,
    exposure: Exposure,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let gone = CancellationToken::new();
    let client = Stdio::new(streams, gone.clone());
    let session = session(client, source, exposure, gone.clone(), stop.clone());
    tokio::select! {
        ended = session => ended,
        () = last_orders(&gone, &stop) => Ok(()),
    }
}

async fn session(
    client: Stdio,
    source: Arc<Live>,
    exposure: Exposure,
    gone: CancellationToken,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let last_shown = Arc::new(LastShown::new(exposure));
    let subscribers = Arc::new(Subscribers::new(Arc::clone(&source), Arc::clone(&last_shown), gone));
    let server = McpServer::new(source, last_shown, subscribers, origin::unknown, stop.clone());
    let ended = serve(RawServer(server.clone()), client, stop).await;
    server.end_runs().await;
    ended
}

async fn serve(server: RawServer, client: Stdio, stop: CancellationToken) -> Result<(), ServeError> {
    let session = match Box::pin(server.serve_with_ct(client, stop)).await {
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

/// Ends when patience with a session does: some time after the client has gone, or after the server got the
/// signal to stop.
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
