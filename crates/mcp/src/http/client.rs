//! The client of a connection, as far as the connection identifies it.

use std::net::SocketAddr;

use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::sys::peer;

/// The client of one connection.
#[derive(Debug)]
pub struct HttpClient {
    /// Its address, and the one that it called.
    addresses: Option<(SocketAddr, SocketAddr)>,
    is_inside_run: OnceCell<bool>,
}

impl HttpClient {
    pub(super) fn of(stream: &TcpStream) -> Self {
        let addresses = stream.peer_addr().ok().zip(stream.local_addr().ok());
        Self { addresses, is_inside_run: OnceCell::new() }
    }

    /// Whether it is a process inside a run, which may have read the token of this server. An unknown client is trusted
    /// with nothing, so it counts as one. Looked at once a connection.
    pub async fn is_inside_run(&self) -> bool {
        *self.is_inside_run.get_or_init(|| self.look()).await
    }

    async fn look(&self) -> bool {
        let Some((client, server)) = self.addresses else { return true };
        spawn_blocking(move || peer::is_inside_run(client, server)).await.unwrap_or(true)
    }
}
