//! MCP over HTTP: who is let in, what is answered where, and how it ends.
//!
//! No session is kept: each request is complete by itself, so that any of several servers behind a balancer can answer.

mod cancellation;
mod client;
mod connection;
mod front;
mod listeners;
mod metrics;
mod readiness;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{Exposure, ServeError};
use crate::engine::{Live, Metrics};
use crate::http::{Access, Listener, Strangers};

use front::Front;

/// How many connections there are at once. One more takes a stranger's place, or is told to come back.
const MOST_CONNECTIONS: usize = 256;
/// How many more are told so at once.
const MOST_TURNED_AWAY: usize = 64;
/// How long calls may go on after the server was told to stop.
const GRACE: Duration = Duration::from_secs(5);
/// How long connections may take to end after that: a run gets two seconds from its polite end to its hard one.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long nothing is accepted after the operating system could not: most likely files are scarce.
const BREATH: Duration = Duration::from_millis(100);

/// Where it is served, and to whom.
#[derive(Debug)]
pub struct Opening {
    /// Where it listens.
    pub listener: Listener,
    /// Who is let in.
    pub access: Access,
    /// What nobody can foresee: names of sessions come from it.
    pub seed: [u8; 32],
}

/// Speaks MCP to whoever has access, until `stop` is cancelled and what was under way has ended or been cancelled.
///
/// # Errors
/// When the listener cannot be used.
pub async fn serve_http(
    source: Arc<Live>,
    exposure: Exposure,
    Opening { listener, access, seed }: Opening,
    metrics: Arc<Metrics>,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let broken = |error: io::Error| ServeError::Broken(error.to_string());
    let listener = listener.accepting().map_err(broken)?;
    let calls = CancellationToken::new();
    let front = Arc::new(Front::new(source, exposure, (access, seed), Arc::clone(&metrics), calls.clone()));
    front.get_ready();
    let (mut connections, mut strangers) = (JoinSet::new(), Strangers::default());
    loop {
        tokio::select! {
            // Who has left is counted no more before the next one is.
            biased;
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if connections.len() >= MOST_CONNECTIONS && !strangers.give_way() => {
                    front.count(503);
                    // Even for that there is an end of patience.
                    if connections.len() < MOST_CONNECTIONS + MOST_TURNED_AWAY {
                        connections.spawn(connection::turn_away(stream));
                    }
                }
                Ok((stream, _)) => {
                    connections.spawn(connection::converse(stream, Arc::clone(&front), strangers.enter(), stop.clone()));
                }
                Err(_) => sleep(BREATH).await,
            },
        }
    }
    drop(listener);
    tokio::select! {
        () = metrics.idle() => {}
        () = sleep(GRACE) => {}
    }
    calls.cancel();
    let answered = async { while connections.join_next().await.is_some() {} };
    let ended = async { tokio::join!(answered, front.end_runs()) };
    // What does not end ends with the process.
    let _ = timeout(PATIENCE, ended).await;
    Ok(())
}
