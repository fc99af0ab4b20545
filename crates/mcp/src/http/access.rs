//! Access to the server: by the name that the client called it, by the page that sent the request, and by a
//! token.

use std::net::IpAddr;

use hyper::header::{self, AUTHORIZATION, HOST, ORIGIN};
use hyper::http::uri::Authority;
use hyper::http::{HeaderName, Uri};
use hyper::{HeaderMap, StatusCode};

use super::answer::{HttpAnswer, say, with};
use super::token::BearerToken;

/// The rules of access. Names of this machine alone are always allowed; others are added.
#[derive(Debug, Default)]
pub struct AccessRules {
    hosts: Vec<(String, Option<u16>)>,
    origins: Vec<String>,
    token: Option<BearerToken>,
}

/// It is no name or address of a host, with or without a port.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no host")]
pub struct BadHost(String);

/// It is no origin.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no origin")]
pub struct BadOrigin(String);

/// Why a request is not let in, as an HTTP status and a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusedRequest(u16, &'static str);

impl RefusedRequest {
    /// The answer that says so.
    pub fn answer(self) -> HttpAnswer {
        let Self(status, why) = self;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::FORBIDDEN);
        let answer = say(status, format!("{why}\n"));
        if status == StatusCode::UNAUTHORIZED {
            with(answer, header::WWW_AUTHENTICATE, "Bearer")
        } else {
            answer
        }
    }
}

impl AccessRules {
    /// Access for clients with this token; `None`: for every client that can reach the server.
    pub fn with(token: Option<BearerToken>) -> Self {
        Self { token, ..Self::default() }
    }

    /// Also allows clients that call this server `name`, or `name:port`.
    ///
    /// # Errors
    /// When it is no host.
    pub fn allow_host(&mut self, host: &str) -> Result<(), BadHost> {
        // An address of version 6 stands bare on command lines and in brackets elsewhere.
        let bracketed = host.parse::<IpAddr>().ok().filter(IpAddr::is_ipv6).map(|ip| format!("[{ip}]"));
        let host = bracketed.as_deref().unwrap_or(host);
        self.hosts.push(named(host).ok_or_else(|| BadHost(host.to_owned()))?);
        Ok(())
    }

    /// Also lets in the pages of this origin: `https://app.example.com`.
    ///
    /// # Errors
    /// When it is no origin: a scheme, a host and, where it is not the scheme's own, a port.
    pub fn allow_origin(&mut self, origin: &str) -> Result<(), BadOrigin> {
        let lower = origin.trim_end_matches('/').to_ascii_lowercase();
        let sound = lower
            .split_once("://")
            .is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.contains('/') && named(rest).is_some());
        if !sound {
            return Err(BadOrigin(origin.to_owned()));
        }
        self.origins.push(lower);
        Ok(())
    }

    /// Checks that the request names this server, and comes from no foreign page. Returns the page's origin,
    /// if there is one.
    pub(super) fn origin<'h>(
        &self,
        uri: &Uri,
        headers: &'h HeaderMap,
    ) -> Result<Option<&'h str>, RefusedRequest> {
        let host =
            sole(headers, &HOST).and_then(named).ok_or(RefusedRequest(400, "it takes one Host header"))?;
        let target = uri.authority().map(|authority| named(authority.as_str()));
        if !self.knows(&host) || target.is_some_and(|target| target.is_none_or(|host| !self.knows(&host))) {
            return Err(RefusedRequest(403, "this server has another name; `--allow-host` adds one"));
        }
        if !headers.contains_key(ORIGIN) {
            return Ok(None);
        }
        // A page that this server itself gave, by the very name that the request calls it.
        let is_own = |origin: &str| origin.strip_prefix("http://").and_then(named).as_ref() == Some(&host);
        let is_known = |origin: &&str| is_own(origin) || self.origins.iter().any(|known| known == origin);
        let origin = sole(headers, &ORIGIN).filter(is_known);
        origin
            .map(Some)
            .ok_or(RefusedRequest(403, "pages of this origin are not let in; `--allow-origin` adds one"))
    }

    /// Checks the token of the request.
    pub(super) fn token(&self, headers: &HeaderMap) -> Result<(), RefusedRequest> {
        let Some(token) = &self.token else { return Ok(()) };
        let given = sole(headers, &AUTHORIZATION).and_then(|value| value.split_once(' '));
        let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        match given {
            Some((_, given)) if token.is(given.trim()) => Ok(()),
            _ => Err(RefusedRequest(401, "it takes `Authorization: Bearer` and the token of this server")),
        }
    }

    fn knows(&self, (host, port): &(String, Option<u16>)) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let loopback = host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        let is = |(known, at): &(String, Option<u16>)| known == host && (at.is_none() || at == port);
        loopback || self.hosts.iter().any(is)
    }
}

/// A host in lower case, and its port; `None` if the rest behind the host is no port.
fn named(text: &str) -> Option<(String, Option<u16>)> {
    let authority = Authority::try_from(text).ok()?;
    let (host, rest) = (authority.host(), text.strip_prefix(authority.host())?);
    let port = match rest.strip_prefix(':') {
        Some(port) => Some(port.parse().ok()?),
        None => rest.is_empty().then_some(None)?,
    };
    (!host.is_empty()).then(|| (host.to_ascii_lowercase(), port))
}

/// A header that is there once, and text.
fn sole<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next()?, values.next());
    if second.is_none() { first.to_str().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn access() -> AccessRules {
        let mut access = AccessRules::with(Some(BearerToken::new("0123456789abcdef").unwrap()));
        access.allow_host("Build.example.com").unwrap();
        access.allow_host("other.example.com:8443").unwrap();
        access.allow_host("fd00::1").unwrap();
        access.allow_origin("https://App.example.com/").unwrap();
        access
    }

    #[test]
    fn only_the_names_of_this_server_are_answered() {
        let status = |host: &str| {
            let headers = headers(&[(HOST, host)]);
            let origin = access().origin(&Uri::from_static("/mcp"), &headers).map(|origin| origin.is_some());
            origin.map_err(|refused| refused.0)
        };
        for host in [
            "localhost",
            "LOCALHOST:1",
            "127.0.0.1:80",
            "127.9.9.9",
            "[::1]:80",
            "build.example.com:99",
            "other.example.com:8443",
            "[fd00::1]:80",
        ] {
            assert_eq!(status(host), Ok(false), "{host}");
        }
        for host in [
            "evil.example.com",
            "127.0.0.1.evil.example.com",
            "localhost.evil.example.com",
            "other.example.com",
            "other.example.com:1",
            "[fd00::2]",
            "10.0.0.1",
        ] {
            assert_eq!(status(host), Err(403), "{host}");
        }
        for host in
            ["", "evil@localhost", "localhost@", "localhost:", "localhost:x", "localhost:99999", "a b"]
        {
            assert_eq!(status(host), Err(400), "{host}");
        }
        let twice = headers(&[(HOST, "localhost"), (HOST, "localhost")]);
        assert_eq!(
            access().origin(&Uri::from_static("/mcp"), &twice),
            Err(RefusedRequest(400, "it takes one Host header"))
        );
        let elsewhere = Uri::from_static("http://evil.example.com/mcp");
        assert!(access().origin(&elsewhere, &headers(&[(HOST, "localhost")])).is_err());
    }

    #[test]
    fn pages_are_let_in_by_their_whole_origin() {
        let status = |origin: &str| {
            let headers = headers(&[(HOST, "localhost"), (ORIGIN, origin)]);
            access()
                .origin(&Uri::from_static("/mcp"), &headers)
                .map(|origin| origin.is_some())
                .map_err(|refused| refused.0)
        };
        assert_eq!(status("https://app.example.com"), Ok(true));
        assert_eq!(status("http://localhost"), Ok(true), "its own");
        for origin in [
            "null",
            "",
            "http://app.example.com",
            "https://app.example.com:444",
            "http://localhost:3000",
            "https://localhost",
            "http://127.0.0.1",
            "*",
        ] {
            assert_eq!(status(origin), Err(403), "{origin}");
        }
        for bad in ["app.example.com", "https://", "https://a/b", "://a", "null"] {
            assert!(access().allow_origin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_the_token_opens() {
        let opens = |pairs: &[(HeaderName, &str)]| access().token(&headers(pairs)).is_ok();
        assert!(opens(&[(AUTHORIZATION, "Bearer 0123456789abcdef")]));
        assert!(opens(&[(AUTHORIZATION, "bearer 0123456789abcdef")]));
        assert!(AccessRules::with(None).token(&headers(&[])).is_ok());
        for pairs in [
            &[][..],
            &[(AUTHORIZATION, "0123456789abcdef")],
            &[(AUTHORIZATION, "Basic 0123456789abcdef")],
            &[(AUTHORIZATION, "Bearer 0123456789abcde")],
            &[(AUTHORIZATION, "Bearer 0123456789abcdefg")],
            &[(AUTHORIZATION, "Bearer")],
            &[(AUTHORIZATION, "Bearer 0123456789abcdef"), (AUTHORIZATION, "Bearer x")],
        ] {
            assert!(!opens(pairs), "{pairs:?}");
        }
    }
}
