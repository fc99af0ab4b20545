//! The client that cuff is for an authorization server: registered by hand, described by a document, or registered now.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::authorization_server::AuthorizationServer;
use super::secret::Secret;
use super::web::{Body, Web};
use crate::settings::OAuth;

/// A client of one authorization server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OAuthClient {
    /// The authorization server that knows it; nobody else is shown its secret.
    pub(super) issuer: String,
    /// Its id.
    pub(super) id: String,
    /// Its secret, where the authorization server gave one. That of the settings is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<Secret>,
    /// How it authenticates.
    pub(super) method: Method,
    /// The port of this machine that it was registered with; `None`: it was not registered here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) port: Option<u16>,
}

/// How a client authenticates at the address for tokens (RFC 6749 §2.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Method {
    /// It names its id alone.
    #[serde(rename = "none")]
    None,
    /// Its secret is in the body.
    #[serde(rename = "client_secret_post")]
    Post,
    /// Its secret is in a header.
    #[serde(rename = "client_secret_basic")]
    Basic,
}

impl OAuthClient {
    /// The client of the settings, else the client of the document that they name. Else the one that was
    /// registered with this port before, else one that is registered now.
    ///
    /// # Errors
    /// When the client of the settings is another server's, or there is no way to get one.
    pub(super) async fn find(
        web: &Web,
        server: &AuthorizationServer,
        oauth: &OAuth,
        before: Option<&Self>,
        (port, redirect, scope): (u16, &str, Option<&str>),
    ) -> Result<Self, String> {
        if let Some(id) = &oauth.client_id {
            is_of(server, oauth, before, id)?;
            let secret = oauth.client_secret.as_ref().map(Secret::new);
            return Self::new(server, id, secret, None, None);
        }
        if let Some(document) = oauth.client_metadata_url.as_ref().filter(|_| server.reads_documents) {
            return Self::new(server, document, None, None, None);
        }
        let is_known = |before: &&Self| before.issuer == server.issuer && before.port == Some(port);
        if let Some(known) = before.filter(is_known) {
            return Ok(known.clone());
        }
        match &server.registration {
            Some(address) => Self::register(web, server, address, (port, redirect, scope)).await,
            None => Err(format!(
                "{} registers no clients: register cuff there by hand, and write its `client_id` below `oauth`",
                server.issuer
            )),
        }
    }

    fn new(
        server: &AuthorizationServer,
        id: &str,
        secret: Option<Secret>,
        registered: Option<&str>,
        port: Option<u16>,
    ) -> Result<Self, String> {
        let method = method(server, secret.is_some(), registered)?;
        Ok(Self { issuer: server.issuer.clone(), id: id.to_owned(), secret, method, port })
    }

    /// Registers a client (RFC 7591).
    async fn register(
        web: &Web,
        server: &AuthorizationServer,
        address: &Url,
        (port, redirect, scope): (u16, &str, Option<&str>),
    ) -> Result<Self, String> {
        let is_supported = |method: &&str| match &server.methods {
            Some(methods) => methods.iter().any(|known| known == method),
            None => true,
        };
        let methods = ["none", "client_secret_basic", "client_secret_post"];
        let mut about = json!({
            "client_name": "cuff", "application_type": "native", "redirect_uris": [redirect],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": methods.iter().find(|method| is_supported(method)).unwrap_or(&"none"),
        });
        if let Some(scope) = scope {
            about["scope"] = json!(scope);
        }
        let (status, answer) = web.post(address, Body::Json(&about), None).await?;
        let text = |key: &str| answer.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let Some(id) = text("client_id").filter(|_| status.is_success()) else {
            let said = said(&answer).unwrap_or_else(|| format!("HTTP {status}"));
            return Err(format!("{} registered no client: {said}", server.issuer));
        };
        let secret = text("client_secret").map(Secret::new);
        Self::new(server, id, secret, text("token_endpoint_auth_method"), Some(port))
    }

    /// The same client with its secret from the settings, which is not kept.
    pub(super) fn with_settings(self, oauth: &OAuth) -> Self {
        let is_it = oauth.client_id.as_ref() == Some(&self.id);
        let secret = oauth.client_secret.as_ref().filter(|_| is_it).map(Secret::new);
        Self { secret: self.secret.or(secret), ..self }
    }

    /// The same client without a secret that settings have.
    pub(super) fn to_keep(&self) -> Self {
        let secret = self.secret.clone().filter(|_| self.port.is_some());
        Self { secret, ..self.clone() }
    }
}

/// Whether the client of the settings may be shown to this authorization server. Either the settings name the
/// server, or the client was used with it before.
fn is_of(
    server: &AuthorizationServer,
    oauth: &OAuth,
    before: Option<&OAuthClient>,
    id: &str,
) -> Result<(), String> {
    let before = before.filter(|known| known.id == id).map(|known| known.issuer.as_str());
    match oauth.issuer.as_deref().or(before) {
        Some(expected) if expected.trim_end_matches('/') != server.issuer.trim_end_matches('/') => {
            Err(format!(
                "its authorization server is {} now, and the `client_id` is of {expected}",
                server.issuer
            ))
        }
        _ => Ok(()),
    }
}

/// How a client authenticates: by the method of its registration, else the best one that the server knows.
fn method(
    server: &AuthorizationServer,
    has_secret: bool,
    registered: Option<&str>,
) -> Result<Method, String> {
    let named = |name: &str| match name {
        "none" => Some(Method::None),
        "client_secret_basic" => Some(Method::Basic),
        "client_secret_post" => Some(Method::Post),
        _ => None,
    };
    if !has_secret {
        return Ok(Method::None);
    }
    if let Some(method) = registered.and_then(named) {
        return Ok(method);
    }
    let Some(methods) = &server.methods else { return Ok(Method::Basic) };
    let is_known = |name: &&&str| methods.iter().any(|known| known == **name);
    let best = ["client_secret_basic", "client_secret_post", "none"];
    let best = best.iter().find(is_known).and_then(|name| named(name));
    best.ok_or_else(|| {
        format!("{} wants clients to authenticate in a way that cuff does not know", server.issuer)
    })
}

/// The error of an authorization server, in one line.
pub(super) fn said(answer: &Value) -> Option<String> {
    let text = |key: &str| answer.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let error = text("error")?;
    Some(text("error_description").map_or_else(|| error.to_owned(), |more| format!("{error}: {more}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(methods: Option<&[&str]>) -> AuthorizationServer {
        let url = || Url::parse("https://a/x").unwrap();
        AuthorizationServer {
            issuer: "https://a".to_owned(),
            authorization: url(),
            token: url(),
            registration: None,
            revocation: None,
            scopes: Vec::new(),
            methods: methods.map(|methods| methods.iter().map(|&method| method.to_owned()).collect()),
            names_issuer: false,
            reads_documents: true,
        }
    }

    #[test]
    fn a_client_authenticates_as_registered_or_by_the_servers_best_method() {
        let (basic, post) = ("client_secret_basic", "client_secret_post");
        for (methods, has_secret, registered, expected) in [
            (None, false, None, Some(Method::None)),
            (None, true, None, Some(Method::Basic)),
            (Some(&[post][..]), true, None, Some(Method::Post)),
            (Some(&[post, basic]), true, None, Some(Method::Basic)),
            (Some(&[post, basic]), true, Some(post), Some(Method::Post)),
            (Some(&["none"]), true, None, Some(Method::None)),
            (Some(&["private_key_jwt"]), true, None, None),
            (Some(&["private_key_jwt"]), false, None, Some(Method::None)),
        ] {
            assert_eq!(
                method(&server(methods), has_secret, registered).ok(),
                expected,
                "{methods:?} {registered:?}"
            );
        }
    }

    #[tokio::test]
    async fn the_client_of_the_settings_is_shown_to_its_own_server_alone() {
        let web = Web::of(&Url::parse("https://8.8.8.8").unwrap()).await.unwrap();
        let oauth = OAuth {
            client_id: Some("id".to_owned()),
            client_secret: Some("hush".to_owned()),
            ..OAuth::default()
        };
        let find = async |oauth: &OAuth, before: Option<&OAuthClient>| {
            OAuthClient::find(&web, &server(None), oauth, before, (1, "http://127.0.0.1:1/callback", None))
                .await
        };
        let found = find(&oauth, None).await.unwrap();
        assert_eq!((found.id.as_str(), found.method, found.to_keep().secret), ("id", Method::Basic, None));
        assert_eq!(found.to_keep().with_settings(&oauth), found);
        let other = OAuthClient { issuer: "https://b".to_owned(), ..found.clone() };
        let moved = find(&oauth, Some(&other)).await.unwrap_err();
        assert_eq!(moved, "its authorization server is https://a now, and the `client_id` is of https://b");
        let named = OAuth { issuer: Some("https://b/".to_owned()), ..oauth };
        assert!(find(&named, None).await.unwrap_err().ends_with("is of https://b/"));

        let document = Some("https://me/client.json".to_owned());
        let documented = OAuth { client_metadata_url: document, ..OAuth::default() };
        let found = find(&documented, None).await.unwrap();
        assert_eq!((found.id.as_str(), found.method), ("https://me/client.json", Method::None));
        let none = find(&OAuth::default(), None).await.unwrap_err();
        assert!(none.starts_with("https://a registers no clients: "), "{none}");
    }
}
