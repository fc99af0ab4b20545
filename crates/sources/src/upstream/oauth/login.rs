//! A login: a person says yes in a browser, and cuff gets tokens.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde_json::json;
use tokio::time::timeout;

use super::access::ServerAccess;
use super::authorization_server::{self, AuthorizationServer, is_same};
use super::challenge::Challenge;
use super::client::OAuthClient;
use super::grant::{self, Granted, NotGranted};
use super::kept::{Login, LoginFile, LoginPlace, Logins, due};
use super::pkce;
use super::redirect::{RedirectListener, RedirectParameters};
use super::resource::{self, Resource};
use super::scopes;
use super::secret::Secret;
use super::web::Web;
use crate::model::shown;
use crate::settings::{OAuth, ServerTransport, Upstream};
use crate::sys::Clock;
use crate::upstream::http::{self, HttpKind};

/// How long a person may take.
const PATIENCE: Duration = Duration::from_mins(5);
/// How long the server may take to say what it wants.
const PROBE: Duration = Duration::from_secs(30);
/// The scope by which most servers give refresh tokens.
const OFFLINE: &str = "offline_access";

/// A login that waits for a person.
#[derive(Debug)]
pub struct Begun {
    /// The address to open in a browser.
    pub address: String,
    /// The port of this machine that the browser is sent back to.
    pub port: u16,
    /// The authorization server.
    pub issuer: String,
    listener: RedirectListener,
    attempt: Attempt,
}

/// All that an answer is judged by.
#[derive(Debug)]
struct Attempt {
    place: LoginPlace,
    web: Web,
    server: AuthorizationServer,
    client: OAuthClient,
    resource: String,
    scope: Option<String>,
    redirect: String,
    verifier: Secret,
    state: Secret,
    clock: Clock,
}

/// A login that a person has said yes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedIn {
    /// The authorization server.
    pub issuer: String,
    /// The scopes of the login, where they are known.
    pub scope: Option<String>,
    /// Whether cuff can renew it without a person.
    pub is_renewable: bool,
}

/// Begins a login at a server. `scope` is asked for as well.
///
/// # Errors
/// In words, when the server or its authorization server has not what a login needs.
pub async fn begin(
    upstream: &Upstream,
    logins: &Logins,
    clock: &Clock,
    scope: Option<&str>,
) -> Result<Begun, String> {
    let ServerTransport::Http { url, oauth, .. } = &upstream.transport else {
        return Err("it is started here, and has no address to log in at".to_owned());
    };
    let Some(access) = ServerAccess::of(upstream, None, clock) else {
        return Err("its `headers` have an `Authorization` already".to_owned());
    };
    let url = Url::parse(url).map_err(|error| format!("its address cannot be used: {error}"))?;
    let web = Web::of(&url).await?;
    let place = logins.place(&upstream.name, url_of(upstream));
    let kept = place.read();
    let heard = asked_for(upstream, access).await?;
    let challenge = heard.clone().unwrap_or_else(|| kept.challenge.clone());
    let resource = resource::discover(&web, &url, &challenge).await?;
    let issuer = issuer(&resource, oauth)?;
    let server = authorization_server::discover(&web, issuer).await.map_err(|reason| {
        if !resource.is_guessed {
            return reason;
        }
        match heard {
            Some(_) => format!("it names no authorization server, so set its `headers` instead ({reason})"),
            None => "it asks for no login".to_owned(),
        }
    })?;
    let scope = wanted(&kept, &challenge, &resource, oauth, scope);
    let scope = with_offline(scope, &server);
    let listener = listener(oauth, &kept).await?;
    let redirect = listener.address();
    let of_client = (listener.port(), redirect.as_str(), scope.as_deref());
    let client = OAuthClient::find(&web, &server, oauth, kept.client.as_ref(), of_client).await?;
    let random = || pkce::random_text().map_err(|error| format!("there is nothing random: {error}"));
    let attempt = Attempt {
        place,
        web,
        server,
        client,
        resource: resource.identifier,
        scope,
        redirect,
        verifier: random()?,
        state: random()?,
        clock: clock.clone(),
    };
    let (issuer, address) = (attempt.server.issuer.clone(), attempt.address());
    Ok(Begun { address, port: listener.port(), issuer, listener, attempt })
}

impl Begun {
    /// Waits for the person, and keeps the tokens.
    ///
    /// # Errors
    /// In words, when the person or the authorization server says no, or nobody says anything for five minutes.
    pub async fn finish(self) -> Result<LoggedIn, String> {
        let state = self.attempt.state.clone();
        let is_meant = move |answer: &RedirectParameters| value(answer, "state") == Some(state.reveal());
        let answer = timeout(PATIENCE, self.listener.answer(is_meant)).await;
        let answer = answer.map_err(|_| "nobody answered within 5 minutes".to_owned())?;
        self.attempt.take(&answer).await
    }
}

impl Attempt {
    /// The address for the browser.
    fn address(&self) -> String {
        let mut address = self.server.authorization.clone();
        let challenge = pkce::challenge(&self.verifier);
        {
            let mut pairs = address.query_pairs_mut();
            pairs.extend_pairs([
                ("response_type", "code"),
                ("client_id", &self.client.id),
                ("redirect_uri", &self.redirect),
                ("code_challenge", &challenge),
                ("code_challenge_method", "S256"),
                ("state", self.state.reveal()),
                ("resource", &self.resource),
            ]);
            if let Some(scope) = &self.scope {
                pairs.append_pair("scope", scope);
                if scope.split(' ').any(|scope| scope == OFFLINE) {
                    // OpenID Connect gives a refresh token to nobody else.
                    pairs.append_pair("prompt", "consent");
                }
            }
        }
        address.into()
    }

    async fn take(&self, answer: &RedirectParameters) -> Result<LoggedIn, String> {
        self.check_issuer(answer)?;
        if let Some(error) = value(answer, "error") {
            let more = value(answer, "error_description").map(|more| format!(": {}", shown(more)));
            let server = &self.server.issuer;
            return Err(format!("{server} says {}{}", shown(error), more.unwrap_or_default()));
        }
        let Some(code) = value(answer, "code") else {
            return Err(format!("{} gave no code", self.server.issuer));
        };
        let pairs = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", self.redirect.as_str()),
            ("code_verifier", self.verifier.reveal()),
            ("resource", self.resource.as_str()),
        ];
        let granted = grant::ask(&self.web, &self.server.token, &self.client, &pairs).await;
        let granted = granted.map_err(|error| match error {
            NotGranted::Refused(reason) | NotGranted::Failed(reason) => reason,
        })?;
        self.keep(granted).await
    }

    /// Holds the issuer of an answer against the one that was asked (RFC 9207), letter by letter. Nothing else of the
    /// answer counts before.
    fn check_issuer(&self, answer: &RedirectParameters) -> Result<(), String> {
        let expected = &self.server.issuer;
        let mut named = answer.iter().filter(|(name, _)| name == "iss").map(|(_, value)| value).peekable();
        if named.peek().is_none() && self.server.names_issuer {
            return Err(format!("the answer does not name {expected} as it should, so it does not count"));
        }
        if named.any(|named| named != expected) {
            return Err(format!("the answer is of another issuer than {expected}, so it does not count"));
        }
        Ok(())
    }

    async fn keep(&self, granted: Granted) -> Result<LoggedIn, String> {
        let login = Login {
            issuer: self.server.issuer.clone(),
            resource: self.resource.clone(),
            token_endpoint: self.server.token.to_string(),
            revocation_endpoint: self.server.revocation.as_ref().map(Url::to_string),
            scope: granted.scope.or_else(|| self.scope.clone()),
            access_token: granted.access,
            refresh_token: granted.refresh,
            expires: due(self.clock.milliseconds(), granted.lifetime),
        };
        let logged_in = LoggedIn {
            issuer: login.issuer.clone(),
            scope: login.scope.clone(),
            is_renewable: login.refresh_token.is_some(),
        };
        let client = Some(self.client.to_keep());
        let kept = LoginFile { client, login: Some(login), ..LoginFile::default() };
        self.place.lock().await?.write(&kept)?;
        Ok(logged_in)
    }
}

/// Hears what a server asks for where nobody is logged in; `None`: nothing, so far.
///
/// # Errors
/// In words, when it cannot be reached.
async fn asked_for(upstream: &Upstream, access: ServerAccess) -> Result<Option<Challenge>, String> {
    let ServerTransport::Http { url, headers, is_legacy, .. } = &upstream.transport else { return Ok(None) };
    let access = Arc::new(access);
    let kind = if *is_legacy { HttpKind::Events } else { HttpKind::Streamable };
    let mut connection = http::open(url, headers, kind, Arc::default(), Some(Arc::clone(&access)))?;
    let tried = timeout(PROBE, async {
        connection.greet().await?;
        connection.peer.ask("tools/list", json!({})).await.map(drop)
    });
    let tried = tried.await.unwrap_or_else(|_| Err("it did not answer in time".to_owned()));
    connection.close().await;
    match (access.challenge(), tried) {
        (Some(challenge), _) => Ok(Some(challenge)),
        (None, Ok(())) => Ok(None),
        (None, Err(reason)) => Err(reason),
    }
}

/// The authorization server to use: the one of the settings, else the first that the server names.
///
/// # Errors
/// In words, when the server names others than the one of the settings.
fn issuer<'a>(resource: &'a Resource, oauth: &'a OAuth) -> Result<&'a str, String> {
    let Some(wanted) = oauth.issuer.as_deref() else {
        return Ok(resource.issuers.first().map(String::as_str).unwrap_or_default());
    };
    // A server that names none leaves the choice to the settings.
    if resource.is_guessed || resource.issuers.iter().any(|issuer| is_same(issuer, wanted)) {
        return Ok(wanted);
    }
    let named = resource.issuers.join(", ");
    Err(format!("its authorization server is {named}, and `issuer` in the settings allows {wanted} alone"))
}

/// The scopes to ask for: those of the settings, else of the challenge, else all of the metadata. Scopes that
/// were asked for before, that a call has needed since, or that the person names are added.
fn wanted(
    kept: &LoginFile,
    challenge: &Challenge,
    resource: &Resource,
    oauth: &OAuth,
    named: Option<&str>,
) -> Option<String> {
    let first = oauth.scope.as_ref().or(challenge.scope.as_ref()).or(resource.scopes.as_ref());
    let before = kept.login.as_ref().filter(|login| resource.issuers.contains(&login.issuer));
    let before = before.and_then(|login| login.scope.as_ref());
    let all = [first, before, kept.challenge.scope.as_ref()];
    scopes::union(all.into_iter().flatten().map(String::as_str).chain(named))
}

/// The same scopes with that of refresh tokens, where the authorization server knows it.
fn with_offline(scope: Option<String>, server: &AuthorizationServer) -> Option<String> {
    let is_known = server.scopes.iter().any(|scope| scope == OFFLINE);
    scope
        .map(|scope| if is_known { scopes::union([scope.as_str(), OFFLINE]).unwrap_or(scope) } else { scope })
}

/// A listener on the port of the settings, else on that of the client that is registered, else on a free one.
async fn listener(oauth: &OAuth, kept: &LoginFile) -> Result<RedirectListener, String> {
    if let Some(port) = oauth.redirect_port {
        let listener = RedirectListener::on(Some(port)).await;
        return listener
            .map_err(|error| format!("the port {port} of `redirect_port` cannot be used: {error}"));
    }
    let known = kept.client.as_ref().and_then(|client| client.port);
    if let Some(port) = known
        && let Ok(listener) = RedirectListener::on(Some(port)).await
    {
        return Ok(listener);
    }
    RedirectListener::on(None).await.map_err(|error| format!("no port of this machine can be used: {error}"))
}

fn url_of(upstream: &Upstream) -> &str {
    match &upstream.transport {
        ServerTransport::Http { url, .. } => url,
        ServerTransport::Stdio { .. } => "",
    }
}

/// The one value of this name; `None` where there is none, or more than one.
fn value<'a>(answer: &'a RedirectParameters, name: &str) -> Option<&'a str> {
    let mut values = answer.iter().filter(|(known, _)| known == name);
    match (values.next(), values.next()) {
        (Some((_, value)), None) => Some(value),
        _ => None,
    }
}
