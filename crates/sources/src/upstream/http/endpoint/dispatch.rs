//! One request over HTTP, with the login.

use reqwest::{RequestBuilder, Response, StatusCode};

use super::Endpoint;
use crate::upstream::http::failure;
use crate::upstream::oauth::Challenge;

/// The reason why a request has no response that counts.
#[derive(Debug)]
pub(super) enum NoResponse {
    /// None came, for this reason; whether there was not even a connection.
    Transport(String, bool),
    /// The server wants a login, or another one.
    Login(String),
}

impl NoResponse {
    /// The reason in words.
    pub(super) fn reason(self) -> String {
        match self {
            Self::Transport(reason, _) | Self::Login(reason) => reason,
        }
    }
}

impl Endpoint {
    /// Sends a request with the login, where there is one. It is sent once more where the login is refused and can be
    /// renewed: what was refused was not carried out.
    pub(super) async fn dispatch(
        &self,
        request: impl Fn() -> RequestBuilder,
    ) -> Result<Response, NoResponse> {
        let Some(access) = &self.access else { return sent(request()).await };
        let mut token = access.token().await.map_err(NoResponse::Login)?;
        let mut may_renew = true;
        loop {
            let response = match &token {
                Some(token) => sent(request().bearer_auth(token)).await?,
                None => sent(request()).await?,
            };
            let challenge = Challenge::of(response.headers());
            match response.status() {
                StatusCode::UNAUTHORIZED => {
                    let other = access.refused(token.as_deref(), challenge, may_renew).await;
                    let Some(other) = other.map_err(NoResponse::Login)? else {
                        return Err(NoResponse::Login(access.want_of_login()));
                    };
                    (token, may_renew) = (Some(other), false);
                }
                StatusCode::FORBIDDEN if challenge.is_about_scope => {
                    access.denied(&challenge).await;
                    return Err(NoResponse::Login(access.want_of_scope(&challenge)));
                }
                _ => return Ok(response),
            }
        }
    }
}

async fn sent(request: RequestBuilder) -> Result<Response, NoResponse> {
    let failed =
        |error: reqwest::Error| NoResponse::Transport(failure::of_transport(&error), error.is_connect());
    request.send().await.map_err(failed)
}
