//! `cuff serve --http`: the address that it listens on, and its messages to people and clients.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::announcer::Announcer;
use super::token::{self, ChosenToken};
use crate::cli::arguments::Http;
use crate::http::{AccessRules, HttpListener, Opening};
use crate::mcp::http::serve_http;
use crate::mcp::{Exposure, ServeError};
use crate::project::{Context, Live};
use crate::terminal::Failed;

/// Everything that was decided before anything is served.
pub(super) struct OpenedServer {
    opening: Opening,
    /// Whether other machines reach it, and none has a name for it.
    nameless: bool,
    /// The file with the token that was made for this server is gone when this is dropped.
    token: ChosenToken,
}

/// Listens, with the access that was asked for.
pub(super) fn open(
    context: &Context,
    http: &str,
    typed: &Http,
    announcer: &Announcer<'_>,
) -> Result<OpenedServer, Failed> {
    let environment = &context.environment;
    let address = address(http, typed.host)?;
    if typed.no_token && !address.ip().is_loopback() {
        let message = format!("`--no-token` would let every machine in that can reach {}", address.ip());
        return Err(Failed::usage(message).help("leave it out: without it a token is made"));
    }
    let given = token::given(environment, typed, announcer)?;
    let listener = HttpListener::bind(address).map_err(|error| {
        let failed = Failed::usage(format!("{address} cannot be listened on: {error}")).unable();
        failed.help("another server may be there; with port 0 one that is free is taken")
    })?;
    let token = token::choose(environment, given, listener.address().port(), typed.no_token)?;
    let mut access = AccessRules::with(token.token());
    let usage = |error: &dyn std::fmt::Display| Failed::usage(error.to_string());
    for host in &typed.allow_host {
        access
            .allow_host(host)
            .map_err(|error| usage(&error).help("a name such as build.example.com, or name:port"))?;
    }
    if let Some(host) = typed.host.filter(|host| !host.is_unspecified()) {
        access.allow_host(&host.to_string()).map_err(|error| usage(&error))?;
    }
    for origin in &typed.allow_origin {
        access
            .allow_origin(origin)
            .map_err(|error| usage(&error).help("an origin such as https://app.example.com"))?;
    }
    let nameless = typed.host.is_some_and(|host| host.is_unspecified()) && typed.allow_host.is_empty();
    Ok(OpenedServer { opening: Opening { listener, access }, nameless, token })
}

impl OpenedServer {
    /// Says where it listens, and where the token is.
    pub(super) fn announce(&self, announcer: &Announcer<'_>) {
        let url = format!("http://{}/mcp", self.opening.listener.address());
        announcer.say("listening on", "url", &url);
        if self.nameless {
            announcer.note(
                "other machines are not let in until `--allow-host NAME` says what they call this server",
            );
        }
        match &self.token {
            ChosenToken::Made(kept) => {
                announcer.say("the token is in", "token_file", &kept.path().display().to_string());
            }
            ChosenToken::Given(_) => {}
            ChosenToken::Nothing => {
                announcer.say("no token is asked for, from", "clients", "everybody on this machine");
            }
        }
    }

    /// Serves until `stop`. A token that was made is gone with the server.
    pub(super) async fn serve(
        self,
        source: Arc<Live>,
        exposure: Exposure,
        stop: CancellationToken,
    ) -> Result<(), ServeError> {
        let Self { opening, token: _token, .. } = self;
        let metrics = Arc::clone(&source.context.metrics);
        serve_http(source, exposure, opening, metrics, stop).await
    }
}

/// `ADDR:PORT`, `ADDR` or `PORT`; an address that other machines reach only where `--host` says so too.
pub(super) fn address(http: &str, host: Option<IpAddr>) -> Result<SocketAddr, Failed> {
    let (given, port) = parsed(http).ok_or_else(|| {
        let failed = Failed::usage(format!("`--http {http}`: it is no address and port"));
        failed.help("such as 127.0.0.1:8080, [::1]:8080, or 8080")
    })?;
    let ip = match (given, host) {
        (Some(given), Some(host)) if given != host => {
            return Err(
                Failed::usage(format!("`--http` says {given}, and `--host` {host}")).help("give one of them")
            );
        }
        (given, host) => host.or(given).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
    };
    if !ip.is_loopback() && host.is_none() {
        let help = format!(
            "`--host {ip}` says that this is meant; what is said then goes over the network as it is, token and all, so \
             put a proxy with TLS before it"
        );
        return Err(Failed::usage(format!("{ip} can be reached from other machines")).help(help));
    }
    Ok(SocketAddr::new(ip, port))
}

fn parsed(http: &str) -> Option<(Option<IpAddr>, u16)> {
    if let Ok(port) = http.parse() {
        return Some((None, port));
    }
    if let Ok(ip) = http.parse() {
        return Some((Some(ip), 0));
    }
    if let Some(port) = http.strip_prefix("localhost:") {
        return Some((None, port.parse().ok()?));
    }
    let address: SocketAddr = http.parse().ok()?;
    Some((Some(address.ip()), address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_this_machines_unless_it_is_said_twice() {
        let all: IpAddr = "0.0.0.0".parse().unwrap();
        for (http, host, expected) in [
            ("127.0.0.1:0", None, Some("127.0.0.1:0")),
            ("8080", None, Some("127.0.0.1:8080")),
            ("localhost:8080", None, Some("127.0.0.1:8080")),
            ("127.0.0.2", None, Some("127.0.0.2:0")),
            ("[::1]:8080", None, Some("[::1]:8080")),
            ("8080", Some(all), Some("0.0.0.0:8080")),
            ("0.0.0.0:8080", Some(all), Some("0.0.0.0:8080")),
            ("0.0.0.0:8080", None, None),
            ("192.168.1.5:1", None, None),
            ("[::]:1", None, None),
            ("127.0.0.1:8080", Some(all), None),
            ("example.com:80", None, None),
            ("127.0.0.1:99999", None, None),
            ("", None, None),
        ] {
            let got = address(http, host).ok().map(|address| address.to_string());
            assert_eq!(got.as_deref(), expected, "{http} {host:?}");
        }
    }
}
