//! One server's address over HTTP, and what all requests to it share.

mod answer;
mod dispatch;
pub(super) mod post;
mod resume;
mod stream;

use std::sync::{Arc, Mutex};

use reqwest::{Client, Url};
use tokio::sync::watch;

use crate::upstream::oauth::ServerAccess;
use crate::upstream::peer::Peer;

/// The address that messages are posted to.
#[derive(Debug, Clone, PartialEq)]
enum PostAddress {
    /// The server's own: streamable HTTP.
    Own,
    /// Another one, which the server has yet to name on its stream of events: the transport of 2024-11-05.
    Awaited,
    /// The one that it named.
    Named(Url),
}

/// A server's address, and the session that is open there.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) peer: Arc<Peer>,
    /// The login of requests; `None`: a header of the settings says who calls.
    pub(super) access: Option<Arc<ServerAccess>>,
    /// The session's id and protocol, once the server gave them.
    pub(super) session: Mutex<(Option<String>, Option<String>)>,
    /// Held while another session is opened.
    pub(super) renewal: tokio::sync::Mutex<()>,
    address: watch::Sender<PostAddress>,
}

impl Endpoint {
    pub(super) fn new(client: Client, url: Url, peer: Arc<Peer>, access: Option<Arc<ServerAccess>>) -> Self {
        Self {
            client,
            url,
            peer,
            access,
            session: Mutex::default(),
            renewal: tokio::sync::Mutex::default(),
            address: watch::Sender::new(PostAddress::Own),
        }
    }

    /// Whether answers come on a stream of events: the transport of 2024-11-05.
    pub(super) fn is_stream(&self) -> bool {
        *self.address.borrow() != PostAddress::Own
    }

    /// Messages wait from now on until the stream of events has named their address.
    pub(super) fn await_address(&self) {
        self.address.send_replace(PostAddress::Awaited);
    }

    /// Sets the address that messages are posted to. Later ones change nothing.
    pub(super) fn name_address(&self, url: Url) {
        self.address.send_if_modified(|address| {
            let is_awaited = *address == PostAddress::Awaited;
            if is_awaited {
                *address = PostAddress::Named(url);
            }
            is_awaited
        });
    }

    /// The address that messages are posted to, once it is known.
    pub(super) async fn address(&self) -> Option<Url> {
        let mut addresses = self.address.subscribe();
        let known = addresses.wait_for(|address| *address != PostAddress::Awaited).await.ok()?;
        Some(match &*known {
            PostAddress::Named(url) => url.clone(),
            PostAddress::Own | PostAddress::Awaited => self.url.clone(),
        })
    }
}
