//! One connection: HTTP/1.1 with limits of time, so that a slow or silent client does not keep a place from
//! others.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::client::HttpClient;
use super::connection_limit::ConnectionSlot;
use super::front::Front;
use super::routes::Routes;

/// How long a request's head may take to arrive, and so how long a connection may be silent between two requests.
const LONGEST_HEAD: Duration = Duration::from_secs(10);
/// How long a client may take to read more of an answer.
const LONGEST_STALL: Duration = Duration::from_secs(30);
/// How long it takes at most to turn one away.
const LONGEST_FAREWELL: Duration = Duration::from_secs(1);

/// The answer to a connection beyond the limit.
const TURNED_AWAY: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n\
    retry-after: 1\r\nconnection: close\r\ncontent-length: 22\r\n\r\ntoo many connections.\n";

/// Answers one request after the other until the client leaves, is too slow or loses its place, or the server stops.
pub(super) async fn converse<Face: Routes>(
    stream: TcpStream,
    front: Arc<Front<Face>>,
    place: Arc<ConnectionSlot>,
    stop: CancellationToken,
) {
    // Answers are small, and a client waits for each.
    let _ = stream.set_nodelay(true);
    let _connected = front.traffic.connected();
    let client = Arc::new(HttpClient::of(&stream));
    let service = service_fn(|request| {
        let (front, place, client) = (Arc::clone(&front), Arc::clone(&place), Arc::clone(&client));
        async move { Ok::<_, Infallible>(front.answer(request, &place, &client).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(LONGEST_HEAD);
    let mut conversation = pin!(http.serve_connection(TokioIo::new(WatchedStream::new(stream)), service));
    tokio::select! {
        biased;
        () = place.is_given() => return,
        // The client knows how it ended; the server does not need to.
        _ = conversation.as_mut() => return,
        () = stop.cancelled() => conversation.as_mut().graceful_shutdown(),
    }
    let _ = conversation.await;
}

/// Asks a client to come back later. It reads the client's request meanwhile, since the client might
/// otherwise not see the answer.
pub(super) async fn turn_away(mut stream: TcpStream) {
    let farewell = async {
        stream.write_all(TURNED_AWAY.as_bytes()).await?;
        stream.shutdown().await?;
        let mut heard = [0; 4096];
        while stream.read(&mut heard).await? > 0 {}
        io::Result::Ok(())
    };
    // The server does not need to know whether the client received it.
    let _ = timeout(LONGEST_FAREWELL, farewell).await;
}

/// A stream whose other side must keep reading.
struct WatchedStream {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl WatchedStream {
    fn new(stream: TcpStream) -> Self {
        Self { stream, stalled: None }
    }

    /// Counts the time for which nothing could be written.
    fn watch<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(LONGEST_STALL)));
        stalled.as_mut().poll(context).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watch(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_a_surplus_connection_has_its_content_length() {
        let (head, body) = TURNED_AWAY.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_given_up() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let silent = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let mut stream = WatchedStream::new(listener.accept().await.unwrap().0);
        let chunk = vec![0; 1024 * 1024];
        let error = loop {
            if let Err(error) = stream.write(&chunk).await {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        drop(silent);
    }
}
