//! Answers of the session's gateway, and its errors.

use std::time::Duration;

use serde_json::Value;

use crate::cli::toolscript::gateway::unhealthy;
use crate::gateway::{GatewayConnection, GatewayReply};
use crate::model::visible;
use crate::terminal::Failed;

/// How long an answer may take that is made of what the gateway knows.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// How long an answer may take for which the gateway waits for a server: the gateway gives up earlier.
pub(super) const OF_SERVERS: Duration = Duration::from_hours(1);

/// An answer of the gateway within this time.
///
/// # Errors
/// When it does not answer, or with the error that it answers with.
pub(super) fn asked(
    connection: &GatewayConnection,
    path: &str,
    patience: Duration,
) -> Result<Vec<u8>, Failed> {
    taken(connection.wait(connection.get(path, patience)).map_err(|error| unhealthy(&error))?)
}

/// The body of a success.
pub(super) fn taken(reply: GatewayReply) -> Result<Vec<u8>, Failed> {
    if reply.is_success {
        return Ok(reply.body);
    }
    let shape: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let text = |name: &str| shape[name].as_str().map(|text| visible(text).into_owned());
    let message =
        text("error").unwrap_or_else(|| format!("the gateway answered with status {}", reply.status));
    let failed = Failed::usage(message).unable();
    let failed = match text("error_code") {
        Some(error_code) => Failed { error_code, ..failed },
        None => failed,
    };
    Err(match text("help") {
        Some(help) => failed.help(help),
        None => failed,
    })
}

pub(super) fn json(body: &[u8]) -> Result<Value, Failed> {
    serde_json::from_slice(body).map_err(|error| {
        let failed = Failed::usage(format!("the gateway answered with no JSON: {error}")).unable();
        failed.help("`toolscript gateway status` says which version it has")
    })
}
