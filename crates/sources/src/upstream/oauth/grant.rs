//! Requests at the address for tokens: a code for tokens, a refresh token for new ones, and tokens taken back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::{StatusCode, Url};
use serde_json::Value;

use super::client::{Method, OAuthClient, said};
use super::secret::Secret;
use super::web::{Body, Web, form, origin};

/// Tokens that were granted.
#[derive(Debug, PartialEq)]
pub(super) struct Granted {
    pub(super) access: Secret,
    pub(super) refresh: Option<Secret>,
    /// How many seconds the access token counts.
    pub(super) lifetime: Option<u64>,
    pub(super) scope: Option<String>,
}

/// The reason why nothing was granted.
#[derive(Debug, PartialEq)]
pub(super) enum NotGranted {
    /// The authorization server said no.
    Refused(String),
    /// It could not be asked, or failed itself.
    Failed(String),
}

/// Asks for tokens.
///
/// # Errors
/// With the reason when none are granted.
pub(super) async fn ask(
    web: &Web,
    address: &Url,
    client: &OAuthClient,
    pairs: &[(&str, &str)],
) -> Result<Granted, NotGranted> {
    let (status, answer) = post(web, address, client, pairs).await.map_err(NotGranted::Failed)?;
    granted(&origin(address), status, &answer)
}

/// Takes a token back (RFC 7009).
///
/// # Errors
/// With the reason when the server does not do so.
pub(super) async fn revoke(
    web: &Web,
    address: &Url,
    client: &OAuthClient,
    (token, kind): (&Secret, &str),
) -> Result<(), String> {
    let pairs = [("token", token.reveal()), ("token_type_hint", kind)];
    let (status, answer) = post(web, address, client, &pairs).await?;
    if status.is_success() {
        return Ok(());
    }
    let said = said(&answer).unwrap_or_else(|| format!("HTTP {status}"));
    Err(format!("{} did not take it back: {said}", origin(address)))
}

async fn post(
    web: &Web,
    address: &Url,
    client: &OAuthClient,
    pairs: &[(&str, &str)],
) -> Result<(StatusCode, Value), String> {
    let mut pairs = pairs.to_vec();
    let secret = client.secret.as_ref().map(Secret::reveal).unwrap_or_default();
    let header = match client.method {
        Method::Basic => Some(basic(&client.id, secret)),
        Method::Post => {
            pairs.extend([("client_id", client.id.as_str()), ("client_secret", secret)]);
            None
        }
        Method::None => {
            pairs.push(("client_id", &client.id));
            None
        }
    };
    web.post(address, Body::Form(&pairs), header.as_ref()).await
}

/// The header of a client with a secret: both are encoded as in a form before they are joined (RFC 6749 §2.3.1).
fn basic(id: &str, secret: &str) -> Secret {
    let encoded = |text: &str| form(&[("", text)])[1..].to_owned();
    Secret::new(format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)))))
}

fn granted(server: &str, status: StatusCode, answer: &Value) -> Result<Granted, NotGranted> {
    let text = |key: &str| answer.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    // Some servers answer an error with the status of success.
    if let Some(said) = said(answer) {
        return Err(NotGranted::Refused(format!("{server} says {said}")));
    }
    if !status.is_success() {
        return Err(NotGranted::Failed(format!("{server} answered HTTP {status}")));
    }
    let Some(access) = text("access_token").filter(|token| is_token(token)) else {
        return Err(NotGranted::Refused(format!("{server} gave no token")));
    };
    let kind = text("token_type").unwrap_or("bearer");
    if !kind.eq_ignore_ascii_case("bearer") {
        return Err(NotGranted::Refused(format!("{server} gave a token of the kind {kind:?}, not bearer")));
    }
    let lifetime = answer.get("expires_in");
    Ok(Granted {
        access: Secret::new(access),
        refresh: text("refresh_token").map(Secret::new),
        lifetime: lifetime.and_then(|time| time.as_u64().or_else(|| time.as_str()?.parse().ok())),
        scope: text("scope").map(str::to_owned),
    })
}

/// Whether a text can be sent as a token.
fn is_token(text: &str) -> bool {
    text.bytes().all(|byte| (b'!'..=b'~').contains(&byte))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_are_tokens_or_reasons() {
        let read =
            |status: u16, answer: Value| granted("https://a", StatusCode::from_u16(status).unwrap(), &answer);
        let whole = read(
            200,
            json!({"access_token": "at", "token_type": "BEARER", "expires_in": "60", "refresh_token": "rt", "scope": "a b"}),
        );
        let expected = Granted {
            access: Secret::new("at"),
            refresh: Some(Secret::new("rt")),
            lifetime: Some(60),
            scope: Some("a b".to_owned()),
        };
        assert_eq!(whole, Ok(expected));
        for (status, answer, expected) in [
            (
                400,
                json!({"error": "invalid_grant"}),
                NotGranted::Refused("https://a says invalid_grant".to_owned()),
            ),
            (
                200,
                json!({"error": "bad", "error_description": "old"}),
                NotGranted::Refused("https://a says bad: old".to_owned()),
            ),
            (
                503,
                json!(null),
                NotGranted::Failed("https://a answered HTTP 503 Service Unavailable".to_owned()),
            ),
            (200, json!({}), NotGranted::Refused("https://a gave no token".to_owned())),
            (200, json!({"access_token": "a b"}), NotGranted::Refused("https://a gave no token".to_owned())),
            (
                200,
                json!({"access_token": "a", "token_type": "DPoP"}),
                NotGranted::Refused("https://a gave a token of the kind \"DPoP\", not bearer".to_owned()),
            ),
        ] {
            assert_eq!(read(status, answer), Err(expected));
        }
        assert_eq!(basic("a:b", "c d").reveal(), "Basic YSUzQWI6Yytk");
        assert_eq!(format!("{:?}", Secret::new("at")), "[redacted]");
    }
}
