//! The way from calls to the client that waits for them, and back: a person's yes, and the words of servers.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::asking::{ClientAsking, ClientQuestion};
use super::conversing::{Conversing, ServerSays, ServersClient};
use crate::policy::Asker;
use crate::sources::Conversation;

/// The calls' end: whom they ask, and to whom servers speak.
#[derive(Debug, Clone, Default)]
pub struct ClientLine {
    /// The person whose yes is required; `None`: nobody can be asked.
    pub asker: Option<Arc<dyn Asker>>,
    /// The person who hears what other MCP servers say during their calls, and answers them; `None`: nobody.
    pub conversation: Option<Arc<dyn Conversation>>,
}

/// The client's end. Dropped, nobody is asked any more.
#[derive(Debug)]
pub struct ClientEnd {
    pub(super) asks: mpsc::Receiver<ClientQuestion>,
    pub(super) says: mpsc::Receiver<ServerSays>,
}

/// Something that calls want of the client.
#[derive(Debug)]
pub enum Wanted {
    /// A person's yes; the call waits for the answer.
    Yes(ClientQuestion),
    /// Another MCP server says something.
    Server(ServerSays),
}

impl ClientLine {
    /// A line to this client. With `can_ask`, it is asked the questions that require a person's yes.
    pub fn to(can_ask: bool, client: ServersClient) -> (Self, ClientEnd) {
        // One question at a time.
        let (asker, asks) = mpsc::channel(1);
        let (conversing, says) = Conversing::with(client);
        let asker = can_ask.then(|| Arc::new(ClientAsking::over(asker)) as _);
        (Self { asker, conversation: Some(Arc::new(conversing)) }, ClientEnd { asks, says })
    }
}

impl ClientEnd {
    /// The next thing that is wanted; never where nobody wants anything any more. Safe to cancel.
    pub async fn next(&mut self) -> Wanted {
        tokio::select! {
            biased;
            Some(says) = self.says.recv() => Wanted::Server(says),
            Some(asked) = self.asks.recv() => Wanted::Yes(asked),
            else => std::future::pending().await,
        }
    }
}
