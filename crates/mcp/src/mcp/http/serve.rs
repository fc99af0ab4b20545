//! MCP over HTTP, for clients that have access.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::routes::Paths;
use crate::http::{Opening, serve};
use crate::mcp::exposure::Exposure;
use crate::mcp::serve_error::ServeError;
use crate::metrics::Metrics;
use crate::project::Live;

/// Speaks MCP to clients that have access, until `stop` is cancelled and all calls under way have ended or
/// been cancelled.
///
/// # Errors
/// When the listener cannot be used.
pub async fn serve_http(
    source: Arc<Live>,
    exposure: Exposure,
    opening: Opening,
    metrics: Arc<Metrics>,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let paths = Paths::new(source, exposure, metrics);
    paths.get_ready();
    serve(opening, paths, stop).await.map_err(|error| ServeError::Broken(error.to_string()))
}
