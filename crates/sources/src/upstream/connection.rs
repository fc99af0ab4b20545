//! One connection to a server: its transport's tasks, its processes, and the end of it.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

use super::handshake::{self, First, ServerGreeting};
use super::peer::Peer;
use super::starter::{ServerProcesses, ServerStarter};
use super::stdio;
use super::tail::Tail;
use crate::Waiting;
use crate::model::{Command, Containment};

/// How long a program may take to end after its output ended.
const ENDING: Duration = Duration::from_millis(500);

/// A connection. Dropped, its tasks and the server's processes end.
pub(super) struct ServerConnection {
    /// Requests and answers.
    pub(super) peer: Arc<Peer>,
    /// Ends with the connection, and brings the reason where it is known.
    reader: JoinSet<Option<String>>,
    others: JoinSet<()>,
    process: Option<Box<dyn ServerProcesses>>,
    tail: Arc<Tail>,
    first: First,
    farewell: Option<Farewell>,
}

/// Tells the server that the connection ends, within a bounded time.
pub(super) type Farewell = Box<dyn FnOnce() -> Waiting<'static, ()> + Send>;

impl ServerConnection {
    /// Starts a program and connects to its standard streams.
    ///
    /// # Errors
    /// With the reason when it could not be started.
    pub(super) async fn start(
        starter: &dyn ServerStarter,
        server: &str,
        (command, containment): (Command, Containment),
        tail: Arc<Tail>,
    ) -> Result<Self, String> {
        let program = starter.start(server, command, containment).await?;
        let (peer, messages) = Peer::new();
        let peer = Arc::new(peer);
        let (mut reader, mut others) = (JoinSet::new(), JoinSet::new());
        others.spawn(stdio::write(program.stdin, messages));
        others.spawn(stdio::keep(program.stderr, Arc::clone(&tail)));
        reader.spawn(stdio::read(program.stdout, Arc::clone(&peer), Arc::clone(&tail)));
        let process = Some(program.process);
        Ok(Self { peer, reader, others, process, tail, first: First::Initialize, farewell: None })
    }

    /// A connection without a program: the transport's tasks, of which the first that ends brings the reason.
    #[cfg(feature = "http")]
    pub(super) fn of(
        peer: Arc<Peer>,
        reader: JoinSet<Option<String>>,
        tail: Arc<Tail>,
        (first, farewell): (First, Farewell),
    ) -> Self {
        let others = JoinSet::new();
        Self { peer, reader, others, process: None, tail, first, farewell: Some(farewell) }
    }

    /// Says the first words.
    ///
    /// # Errors
    /// With the reason when the server refuses or ends.
    pub(super) async fn greet(&mut self) -> Result<ServerGreeting, String> {
        let peer = Arc::clone(&self.peer);
        tokio::select! {
            biased;
            greeting = handshake::greet(&peer, self.first) => greeting,
            reason = self.lost() => Err(reason),
        }
    }

    /// Ends the connection, and tells the server.
    pub(super) async fn close(mut self) {
        if let Some(farewell) = self.farewell.take() {
            farewell().await;
        }
    }

    /// Waits for the end of the connection, and says why it ended.
    pub(super) async fn lost(&mut self) -> String {
        let ended = self.reader.join_next().await;
        let reason = match ended {
            Some(Ok(Some(reason))) => reason,
            _ => self.how_it_ended().await,
        };
        self.peer.lose(&reason);
        reason
    }

    async fn how_it_ended(&mut self) -> String {
        let Some(process) = &mut self.process else { return "it closed the connection".to_owned() };
        let ended = timeout(ENDING, process.ended()).await;
        // Its last output is read to the end.
        let _ = timeout(ENDING, self.others.join_next()).await;
        let how = ended.map_or_else(
            |_| "it closed its standard output".to_owned(),
            |how| format!("its program ended with {how}"),
        );
        match self.tail.last() {
            Some(line) => format!("{how}; its last line on standard error: {line}"),
            None => how,
        }
    }
}

impl Drop for ServerConnection {
    fn drop(&mut self) {
        self.peer.lose("the connection was closed");
    }
}
