//! The server: accepts a limited number of connections until it is stopped.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::access::AccessRules;
use super::connection;
use super::connection_limit::Strangers;
use super::front::Front;
use super::listener::HttpListener;
use super::routes::Routes;

/// The most connections at the same time. Another one takes the place of a client without the token, or is
/// turned away.
pub const MOST_CONNECTIONS: usize = 256;
/// The most further connections that are turned away at the same time.
const MOST_TURNED_AWAY: usize = 64;
/// The time that requests may take after the server was stopped.
const GRACE: Duration = Duration::from_secs(5);
/// How long connections may take to end after that: a run gets two seconds from its polite end to its hard one.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long nothing is accepted after the operating system could not: most likely files are scarce.
const BREATH: Duration = Duration::from_millis(100);

/// The listener and the access rules of a server.
#[derive(Debug)]
pub struct Opening {
    /// The listener.
    pub listener: HttpListener,
    /// The access rules.
    pub access: AccessRules,
}

/// Serves a face to all clients with access. Returns after `stop` is cancelled and all requests have ended or
/// been cancelled.
///
/// # Errors
/// When the listener cannot be used.
pub async fn serve<Face: Routes>(
    Opening { listener, access }: Opening,
    face: Face,
    stop: CancellationToken,
) -> io::Result<()> {
    let listener = listener.accepting()?;
    let front = Arc::new(Front::new(access, face));
    let (mut connections, mut strangers) = (JoinSet::new(), Strangers::default());
    loop {
        tokio::select! {
            // Closed connections are removed before the next one is counted.
            biased;
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if connections.len() >= MOST_CONNECTIONS && !strangers.give_way() => {
                    front.traffic.count(503);
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
        () = front.face.idle() => {}
        () = sleep(GRACE) => {}
    }
    let answered = async { while connections.join_next().await.is_some() {} };
    let ended = async { tokio::join!(front.face.end(), answered) };
    // The rest ends with the process.
    let _ = timeout(PATIENCE, ended).await;
    Ok(())
}
