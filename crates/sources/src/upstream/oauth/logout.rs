//! The end of a login: tokens taken back where the authorization server does that, and removed here.

use reqwest::Url;

use super::grant;
use super::kept::{LoginFile, LoginPlace, Logins};
use super::web::Web;
use crate::settings::{OAuth, ServerTransport, Upstream};

/// A login that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedOut {
    /// The authorization server.
    pub issuer: String,
    /// Whether it took the tokens back; `Err`: why it did not.
    pub revoked: Result<(), String>,
}

/// Ends the login at a server of this name and returns it. If the settings know no address of the server, all
/// logins of this name end.
///
/// # Errors
/// In words, when tokens cannot be removed.
pub async fn log_out(
    logins: &Logins,
    server: &str,
    upstream: Option<&Upstream>,
) -> Result<Vec<LoggedOut>, String> {
    let known = upstream.and_then(|upstream| match &upstream.transport {
        ServerTransport::Http { url, oauth, .. } => Some((logins.place(server, url), oauth.clone())),
        ServerTransport::Stdio { .. } => None,
    });
    let places = match known {
        Some(known) => vec![known],
        None => logins.named(server).into_iter().map(|place| (place, OAuth::default())).collect(),
    };
    let mut ended = Vec::new();
    for (place, oauth) in places {
        let locked = place.lock().await?;
        let kept = locked.read().unwrap_or_default();
        // They are removed first: even if the server refuses, they are gone here.
        locked.remove()?;
        if let Some(login) = &kept.login {
            let revoked = revoke(&place, &kept, &oauth).await;
            ended.push(LoggedOut { issuer: login.issuer.clone(), revoked });
        }
    }
    Ok(ended)
}

async fn revoke(place: &LoginPlace, kept: &LoginFile, oauth: &OAuth) -> Result<(), String> {
    let (Some(login), Some(client)) = (&kept.login, &kept.client) else { return Ok(()) };
    let Some(address) = &login.revocation_endpoint else {
        return Err("it takes no tokens back".to_owned());
    };
    let client = client.clone().with_settings(oauth);
    let url = Url::parse(place.url()).map_err(|error| error.to_string())?;
    let web = Web::of(&url).await?;
    let address = web.address(address, "its address for revocation")?;
    // With the refresh token go the tokens that it has brought, but not everywhere.
    let refresh = login.refresh_token.iter().map(|token| (token, "refresh_token"));
    for token in refresh.chain([(&login.access_token, "access_token")]) {
        grant::revoke(&web, &address, &client, token).await?;
    }
    Ok(())
}
