//! One request to a server of this machine.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::answer::JSON;

/// The largest answer, in bytes.
const LARGEST: usize = 64 * 1024 * 1024;
/// How long a connection on this machine may take.
const CONNECTING: Duration = Duration::from_secs(2);

/// A request.
#[derive(Debug, Clone)]
pub struct HttpQuestion<'q> {
    /// The server's address.
    pub address: SocketAddr,
    /// The token of the server.
    pub token: &'q str,
    /// Its path, and what is behind the `?`.
    pub path: &'q str,
    /// JSON to send; `None`: it is got.
    pub body: Option<String>,
    /// How long the whole may take.
    pub patience: Duration,
}

/// Asks, and takes the answer: its status and its body.
///
/// # Errors
/// The operating system's; `TimedOut` when it takes too long, `InvalidData` when it is no answer.
pub async fn ask(question: HttpQuestion<'_>) -> io::Result<(StatusCode, Bytes)> {
    let patience = question.patience;
    timeout(patience, exchange(question)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

async fn exchange(question: HttpQuestion<'_>) -> io::Result<(StatusCode, Bytes)> {
    let HttpQuestion { address, token, path, body, .. } = question;
    let connecting = timeout(CONNECTING, TcpStream::connect(address)).await;
    let stream = connecting.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    let request = Request::builder()
        .method(if body.is_some() { Method::POST } else { Method::GET })
        .uri(path)
        .header(header::HOST, address.to_string())
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, JSON)
        .header(header::CONNECTION, "close")
        .body(Full::new(Bytes::from(body.unwrap_or_default())));
    let request = request.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let answered = async move {
        let answer = sender.send_request(request).await.map_err(io::Error::other)?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), LARGEST).collect().await;
        let body = body.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok((status, body.to_bytes()))
    };
    let (answered, _) = tokio::join!(answered, connection);
    answered
}
