//! The client of a connection, and its caller as far as the connection tells.

use std::net::SocketAddr;

use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::engine::caller_over;
use crate::model::Caller;

/// The client of one connection.
pub(super) struct Client {
    /// Its address, and the one that it called.
    addresses: Option<(SocketAddr, SocketAddr)>,
    caller: OnceCell<Caller>,
}

impl Client {
    pub(super) fn of(stream: &TcpStream) -> Self {
        let addresses = stream.peer_addr().ok().zip(stream.local_addr().ok());
        Self { addresses, caller: OnceCell::new() }
    }

    /// The caller of its requests: a process inside a run may have read the token of this server. Looked at once.
    pub(super) async fn caller(&self) -> Caller {
        *self.caller.get_or_init(|| self.look()).await
    }

    async fn look(&self) -> Caller {
        let Some((client, server)) = self.addresses else { return Caller::Run };
        // An unknown client is trusted with nothing.
        spawn_blocking(move || caller_over(client, server)).await.unwrap_or(Caller::Run)
    }
}
