//! Requests to the addresses that a server names for a login: bounded, and never nearer than the server itself.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;

use super::nearness::AddressNearness;
use super::secret::Secret;
use crate::sys::host_names;
use crate::upstream::http::client::{self, Resolver};
use crate::upstream::http::failure;

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// The largest document that is read, in bytes.
const LARGEST: usize = 1024 * 1024;
/// The most redirects of one request, all within its origin.
const REDIRECTS: usize = 3;

/// A client for the addresses that one server names.
#[derive(Debug)]
pub(super) struct Web {
    client: Client,
    nearest: AddressNearness,
}

/// The body of a request.
pub(super) enum Body<'a> {
    Form(&'a [(&'a str, &'a str)]),
    Json(&'a Value),
}

impl Web {
    /// A client for the addresses that the server at this one names.
    ///
    /// # Errors
    /// When that is no address that a token may be sent to, or it has none in the network.
    pub(super) async fn of(server: &Url) -> Result<Self, String> {
        let nearest = nearness(server).await?;
        if server.scheme() != "https" && nearest != AddressNearness::Loopback {
            return Err("its address is not https, so nothing secret may be sent to it".to_owned());
        }
        let builder = Client::builder()
            .user_agent(concat!("cuff/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(guarded(nearest))
            .connect_timeout(PATIENCE / 2)
            .timeout(PATIENCE);
        Ok(Self { client: client::build(builder, REDIRECTS)?, nearest })
    }

    /// Reads an address that the server, or a document of it, names. `what` says which one.
    ///
    /// # Errors
    /// When it is none, neither https nor this machine's, or nearer than the server.
    pub(super) fn address(&self, text: &str, what: &str) -> Result<Url, String> {
        let url = Url::parse(text).map_err(|_| format!("{what} is no address"))?;
        let literal = literal(&url);
        let is_here = is_here(&url);
        if literal.is_some_and(|address| AddressNearness::of(address) > self.nearest)
            || is_here && self.nearest != AddressNearness::Loopback
        {
            return Err(format!("{what} is in a private network, and the server is not"));
        }
        match url.scheme() {
            "https" => Ok(url),
            "http" if is_here => Ok(url),
            _ => Err(format!("{what} is not https")),
        }
    }

    /// A document of JSON; `None` where there is none at this address.
    ///
    /// # Errors
    /// When nobody answers there, or with something else.
    pub(super) async fn document(&self, url: &Url) -> Result<Option<Value>, String> {
        let (status, body) = self.send(self.client.get(url.clone()), url).await?;
        match serde_json::from_slice(&body) {
            Ok(document) if status.is_success() => Ok(Some(document)),
            // Some sites have a page of HTML for every address.
            _ if status.is_client_error() || status.is_success() => Ok(None),
            _ => Err(format!("{} answered HTTP {status}", origin(url))),
        }
    }

    /// Posts a body, and returns the status and the JSON of the answer.
    ///
    /// # Errors
    /// When nobody answers there.
    pub(super) async fn post(
        &self,
        url: &Url,
        body: Body<'_>,
        authorization: Option<&Secret>,
    ) -> Result<(StatusCode, Value), String> {
        let request = self.client.post(url.clone());
        let request = match body {
            Body::Form(pairs) => {
                request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form(pairs))
            }
            Body::Json(value) => request.header(CONTENT_TYPE, "application/json").body(value.to_string()),
        };
        let request = match authorization {
            Some(authorization) => request.header(AUTHORIZATION, authorization.reveal()),
            None => request,
        };
        let (status, body) = self.send(request, url).await?;
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }

    async fn send(&self, request: RequestBuilder, url: &Url) -> Result<(StatusCode, Vec<u8>), String> {
        let failed = |error: reqwest::Error| {
            format!("{} cannot be asked: {}", origin(url), failure::of_transport(&error))
        };
        let response = request.header(ACCEPT, "application/json").send().await.map_err(failed)?;
        let status = response.status();
        let body = bounded(response).await.map_err(failed)?;
        let body = body.ok_or_else(|| format!("the answer of {} is too large", origin(url)))?;
        Ok((status, body))
    }
}

/// A text of pairs as forms send them.
pub(super) fn form(pairs: &[(&str, &str)]) -> String {
    // The one encoder that is here already.
    let mut url = Url::parse("http://localhost/").ok();
    if let Some(url) = &mut url {
        url.query_pairs_mut().extend_pairs(pairs);
    }
    url.and_then(|url| url.query().map(str::to_owned)).unwrap_or_default()
}

/// The scheme, host and port of an address, for messages.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Whether an address names this machine.
fn is_here(url: &Url) -> bool {
    let is_name = url.host_str().is_some_and(|host| host == "localhost" || host.ends_with(".localhost"));
    is_name || literal(url).is_some_and(|address| AddressNearness::of(address) == AddressNearness::Loopback)
}

/// The address of a host that is no name.
fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// How near a server is: its farthest address counts.
async fn nearness(server: &Url) -> Result<AddressNearness, String> {
    let host = server.host_str().unwrap_or_default();
    if is_here(server) {
        return Ok(AddressNearness::Loopback);
    }
    if let Some(address) = literal(server) {
        return Ok(AddressNearness::of(address));
    }
    let found =
        host_names::addresses(host).await.map_err(|error| format!("{host} has no address: {error}"))?;
    let farthest = found.into_iter().map(AddressNearness::of).min();
    farthest.ok_or_else(|| format!("{host} has no address"))
}

async fn bounded(mut response: Response) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await? {
        body.extend_from_slice(&bytes);
        if body.len() > LARGEST {
            return Ok(None);
        }
    }
    Ok(Some(body))
}

/// Finds the addresses of names, and leaves out those that are nearer than they may be.
fn guarded(nearest: AddressNearness) -> Resolver<impl Fn(IpAddr) -> bool + Clone> {
    let refusal = "its addresses are in a private network, and the server's are not";
    Resolver { may: move |address| AddressNearness::of(address) <= nearest, refusal }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use reqwest::dns::Resolve as _;

    use super::*;

    async fn web(server: &str) -> Web {
        Web::of(&Url::parse(server).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn addresses_are_https_and_no_nearer_than_the_server() {
        let (public, private, here) = (
            web("https://8.8.8.8/mcp").await,
            web("https://10.0.0.1").await,
            web("http://localhost:1").await,
        );
        for (address, expected) in [
            ("https://auth.example.com/a", [true, true, true]),
            ("https://9.9.9.9", [true, true, true]),
            ("http://9.9.9.9", [false, false, false]),
            ("https://10.0.0.2", [false, true, true]),
            ("http://10.0.0.2", [false, false, false]),
            ("https://169.254.169.254/latest", [false, true, true]),
            ("https://[::ffff:10.0.0.2]", [false, true, true]),
            ("http://127.0.0.1:80", [false, false, true]),
            ("https://127.0.0.1", [false, false, true]),
            ("http://localhost", [false, false, true]),
            ("http://x.localhost", [false, false, true]),
            ("http://[::1]:9", [false, false, true]),
            ("http://2130706433", [false, false, true]),
            ("file:///etc/passwd", [false, false, false]),
            ("javascript:alert(1)", [false, false, false]),
            ("/relative", [false, false, false]),
        ] {
            let allowed = [&public, &private, &here].map(|web| web.address(address, "it").is_ok());
            assert_eq!(allowed, expected, "{address}");
        }
        let plain = Web::of(&Url::parse("http://8.8.8.8").unwrap()).await.unwrap_err();
        assert_eq!(plain, "its address is not https, so nothing secret may be sent to it");
    }

    #[tokio::test]
    async fn names_that_lead_to_this_machine_are_not_asked() {
        for nearest in [AddressNearness::Public, AddressNearness::Private] {
            let found = guarded(nearest).resolve("localhost".parse().unwrap()).await;
            let refused = found.err().unwrap().to_string();
            assert_eq!(refused, "its addresses are in a private network, and the server's are not");
        }
        let found = guarded(AddressNearness::Loopback).resolve("localhost".parse().unwrap()).await;
        assert!(found.unwrap().count() > 0);
    }

    /// A server on this machine that answers every request with this text.
    async fn server(text: String) -> Url {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = Url::parse(&format!("http://{}/x", listener.local_addr().unwrap())).unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(text.as_bytes()).await;
            }
        });
        url
    }

    #[tokio::test]
    async fn documents_are_bounded_and_stay_at_their_origin() {
        let web = web("http://127.0.0.1:1").await;
        let respond = |head: &str, body: &str| {
            let length = body.len();
            format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        };
        let (large, elsewhere) = ("x".repeat(LARGEST + 1), "302 Found\r\nlocation: http://127.0.0.1:9/x");
        for (text, expected) in [
            (respond("200 OK", "{\"a\": 1}"), Ok(true)),
            (respond("404 Not Found", "{\"a\": 1}"), Ok(false)),
            (respond("200 OK", "<!doctype html>"), Ok(false)),
            (respond("500 Internal Server Error", ""), Err("answered HTTP 500 Internal Server Error")),
            (respond("200 OK", &large), Err("is too large")),
            (respond(elsewhere, ""), Err("it redirects to another address, which cuff does not follow")),
        ] {
            let found = web.document(&server(text).await).await;
            match expected {
                Ok(is_there) => assert_eq!(found.unwrap().is_some(), is_there),
                Err(reason) => assert!(found.as_ref().is_err_and(|said| said.ends_with(reason)), "{found:?}"),
            }
        }
    }

    #[test]
    fn forms_are_encoded() {
        assert_eq!(form(&[("a b", "c&d=é"), ("e", "~*")]), "a+b=c%26d%3D%C3%A9&e=%7E*");
        assert_eq!(form(&[]), "");
    }
}
