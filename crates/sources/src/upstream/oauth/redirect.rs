//! The end of a login in the browser: a listener on this machine that waits for one answer.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The one path.
const PATH: &str = "/callback";
/// The largest head of a request, in bytes.
const LARGEST: usize = 16 * 1024;
/// How long a browser may take to send a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// The parameters of an answer.
pub(super) type RedirectParameters = Vec<(String, String)>;

/// Whether an answer is meant for this login.
type IsMeant = Arc<dyn Fn(&RedirectParameters) -> bool + Send + Sync>;

/// A listener on a port of this machine alone.
#[derive(Debug)]
pub(super) struct RedirectListener {
    listener: TcpListener,
    port: u16,
}

impl RedirectListener {
    /// A listener on this port, or on a free one.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) async fn on(port: Option<u16>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// The port.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// The address that the browser is sent back to.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for the first answer that is meant for this login, and tells the person that the window can be closed.
    /// `is_meant` looks at the parameters of a request.
    pub(super) async fn answer(
        self,
        is_meant: impl Fn(&RedirectParameters) -> bool + Send + Sync + 'static,
    ) -> RedirectParameters {
        let (is_meant, mut asked): (IsMeant, _) = (Arc::new(is_meant), JoinSet::new());
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    // A browser opens connections that it does not use: none holds up another.
                    Ok((stream, _)) => _ = asked.spawn(serve(stream, Arc::clone(&is_meant))),
                    // Such as too many open files: the next one may succeed.
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                },
                Some(Ok(Some(answer))) = asked.join_next() => return answer,
            }
        }
    }
}

/// Answers one request; `None`: it was not meant for this login.
async fn serve(mut stream: TcpStream, is_meant: IsMeant) -> Option<RedirectParameters> {
    let target = timeout(PATIENCE, target(&mut stream)).await.ok().flatten()?;
    let answer = parameters(&target).filter(|answer| is_meant(answer));
    let (status, text) = match &answer {
        Some(_) => ("200 OK", "cuff has its answer. You can close this window."),
        None => ("404 Not Found", "This is no answer that cuff waits for."),
    };
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>cuff</title><p>{text}</p>\n");
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\
         cache-control: no-store\r\nreferrer-policy: no-referrer\r\ncontent-security-policy: default-src 'none'\r\n\r\n",
        page.len()
    );
    // A browser that does not read the page has answered all the same.
    let _ = timeout(PATIENCE, async {
        stream.write_all(format!("{head}{page}").as_bytes()).await?;
        stream.shutdown().await
    })
    .await;
    answer
}

/// The target of a GET; `None`: it is none.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut chunk = [0; 2048];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        head.extend_from_slice(&chunk[..count]);
        if head.len() > LARGEST {
            return None;
        }
    }
    let head = String::from_utf8(head).ok()?;
    let mut words = head.lines().next()?.split(' ');
    (words.next() == Some("GET")).then(|| words.next().map(str::to_owned))?
}

/// The parameters of a target with the one path.
fn parameters(target: &str) -> Option<RedirectParameters> {
    let url = Url::parse("http://127.0.0.1").ok()?.join(target).ok()?;
    let is_ours = url.path() == PATH && url.host_str() == Some("127.0.0.1");
    let owned = |(name, value): (std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)| {
        (name.into_owned(), value.into_owned())
    };
    is_ours.then(|| url.query_pairs().map(owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(port: u16, target: &str) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
        stream.write_all(format!("GET {target} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        text
    }

    #[tokio::test]
    async fn one_answer_ends_it_and_others_change_nothing() {
        let listener = RedirectListener::on(None).await.unwrap();
        let (port, address) = (listener.port(), listener.address());
        assert_eq!(address, format!("http://127.0.0.1:{port}/callback"));
        let has = |answer: &RedirectParameters, name: &str, value: &str| {
            answer.iter().any(|(known, is)| known == name && is == value)
        };
        let waiting = tokio::spawn(listener.answer(move |answer| has(answer, "state", "s 1")));
        // A connection that a browser opens and does not use.
        let idle = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
        for target in [
            "/favicon.ico",
            "/callback?code=1&state=other",
            "/callback",
            "/",
            "http://evil/callback?state=s+1",
        ] {
            assert!(get(port, target).await.starts_with("HTTP/1.1 404 "), "{target}");
        }
        let said = get(port, "/callback?code=a%2Fb&state=s+1").await;
        assert!(said.starts_with("HTTP/1.1 200 ") && said.contains("You can close this window"), "{said}");
        let answer = waiting.await.unwrap();
        assert!(has(&answer, "code", "a/b"), "{answer:?}");
        drop(idle);
        assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err(), "nobody listens any more");
    }
}
