//! The metadata of an authorization server (RFC 8414, `OpenID` Connect Discovery 1.0).

use reqwest::Url;
use serde_json::Value;

use super::web::Web;

/// An authorization server, as it describes itself.
#[derive(Debug)]
pub(super) struct AuthorizationServer {
    /// Its issuer, exactly as it is published.
    pub(super) issuer: String,
    /// The address for a person's browser.
    pub(super) authorization: Url,
    /// The address for tokens.
    pub(super) token: Url,
    /// The address for the registration of clients, where it takes any.
    pub(super) registration: Option<Url>,
    /// The address for the revocation of tokens, where it takes any back.
    pub(super) revocation: Option<Url>,
    /// The scopes that it knows.
    pub(super) scopes: Vec<String>,
    /// How clients may authenticate; `None`: it does not say.
    pub(super) methods: Option<Vec<String>>,
    /// Whether each of its answers names the issuer (RFC 9207).
    pub(super) names_issuer: bool,
    /// Whether the id of a client may be the address of a document about it.
    pub(super) reads_documents: bool,
}

/// Finds the metadata of an issuer at its well-known places.
///
/// # Errors
/// When there is none, it is another issuer's, or it lacks what a login needs.
pub(super) async fn discover(web: &Web, issuer: &str) -> Result<AuthorizationServer, String> {
    let url = web.address(issuer, "its authorization server")?;
    let mut other = None;
    for place in well_known(&url) {
        let Some(document) = web.document(&place).await? else { continue };
        match document.get("issuer").and_then(Value::as_str) {
            Some(published) if is_same(published, issuer) => return read(web, published, &document),
            published => other = other.or(Some(published.unwrap_or_default().to_owned())),
        }
    }
    Err(match other {
        Some(other) => format!("the metadata of {issuer} is that of another issuer, {other:?}"),
        None => format!("{issuer} has no metadata of an authorization server"),
    })
}

/// Whether an issuer is the one that was looked for. Many write it with and without a slash at the end; nothing else may
/// differ.
pub(super) fn is_same(published: &str, issuer: &str) -> bool {
    published.strip_suffix('/').unwrap_or(published) == issuer.strip_suffix('/').unwrap_or(issuer)
}

/// The well-known places of an issuer's metadata, in the order of the spec.
fn well_known(issuer: &Url) -> Vec<Url> {
    const OAUTH: &str = "/.well-known/oauth-authorization-server";
    const OPENID: &str = "/.well-known/openid-configuration";
    let path = issuer.path().trim_end_matches('/');
    let mut places = vec![format!("{OAUTH}{path}"), format!("{OPENID}{path}")];
    if !path.is_empty() {
        places.push(format!("{path}{OPENID}"));
    }
    places.iter().filter_map(|place| issuer.join(place).ok()).collect()
}

fn read(web: &Web, issuer: &str, document: &Value) -> Result<AuthorizationServer, String> {
    let text = |key: &str| document.get(key).and_then(Value::as_str);
    let flag = |key: &str| document.get(key) == Some(&Value::Bool(true));
    let texts = |key: &str| -> Option<Vec<String>> {
        let values = document.get(key)?.as_array()?.iter();
        Some(values.filter_map(|value| value.as_str().map(str::to_owned)).collect())
    };
    let address = |key: &str| {
        text(key).map(|address| web.address(address, &format!("the {key} of {issuer}"))).transpose()
    };
    let needed = |key: &str| address(key)?.ok_or_else(|| format!("the metadata of {issuer} has no {key}"));
    let challenges = texts("code_challenge_methods_supported").unwrap_or_default();
    if !challenges.iter().any(|method| method == "S256") {
        return Err(format!("{issuer} does not say that it supports PKCE with S256"));
    }
    Ok(AuthorizationServer {
        issuer: issuer.to_owned(),
        authorization: needed("authorization_endpoint")?,
        token: needed("token_endpoint")?,
        registration: address("registration_endpoint")?,
        revocation: address("revocation_endpoint")?,
        scopes: texts("scopes_supported").unwrap_or_default(),
        methods: texts("token_endpoint_auth_methods_supported"),
        names_issuer: flag("authorization_response_iss_parameter_supported"),
        reads_documents: flag("client_id_metadata_document_supported"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metadata_is_looked_for_in_the_order_of_the_spec() {
        for (issuer, expected) in [
            (
                "https://a",
                &[
                    "https://a/.well-known/oauth-authorization-server",
                    "https://a/.well-known/openid-configuration",
                ][..],
            ),
            (
                "https://a/tenant1/",
                &[
                    "https://a/.well-known/oauth-authorization-server/tenant1",
                    "https://a/.well-known/openid-configuration/tenant1",
                    "https://a/tenant1/.well-known/openid-configuration",
                ],
            ),
        ] {
            let found: Vec<_> =
                well_known(&Url::parse(issuer).unwrap()).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        }
        assert!(is_same("https://a/", "https://a") && is_same("https://a/b", "https://a/b/"));
        assert!(!is_same("https://a", "https://A") && !is_same("https://a//", "https://a"));
    }

    #[tokio::test]
    async fn a_server_that_lacks_something_is_refused() {
        let web = Web::of(&Url::parse("https://8.8.8.8").unwrap()).await.unwrap();
        let whole = json!({
            "authorization_endpoint": "https://a/authorize", "token_endpoint": "https://a/token",
            "code_challenge_methods_supported": ["plain", "S256"],
        });
        assert!(read(&web, "https://a", &whole).is_ok());
        for (key, value, expected) in [
            (
                "code_challenge_methods_supported",
                json!(["plain"]),
                "https://a does not say that it supports PKCE",
            ),
            ("code_challenge_methods_supported", json!(null), "https://a does not say that it supports PKCE"),
            ("token_endpoint", json!(null), "the metadata of https://a has no token_endpoint"),
            ("token_endpoint", json!("http://a/token"), "the token_endpoint of https://a is not https"),
            (
                "authorization_endpoint",
                json!("file:///x"),
                "the authorization_endpoint of https://a is not https",
            ),
            (
                "registration_endpoint",
                json!("https://192.168.0.1/"),
                "the registration_endpoint of https://a is in a private network",
            ),
        ] {
            let mut document = whole.clone();
            document[key] = value;
            let refused = read(&web, "https://a", &document).unwrap_err();
            assert!(refused.starts_with(expected), "{refused}");
        }
    }
}
