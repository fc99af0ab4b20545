//! The login at one server, as requests to it need it.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use memchr::memmem;
use reqwest::Url;

use super::authorization_server::is_same;
use super::challenge::Challenge;
use super::grant::{self, Granted, NotGranted};
use super::kept::{Locked, Login, LoginFile, LoginPlace, Logins, due};
use super::scopes;
use super::secret::Secret;
use super::web::Web;
use crate::settings::{OAuth, ServerTransport, Upstream};
use crate::sys::Clock;

/// The shortest token that is looked for in what a server says, in bytes.
const SHORTEST: usize = 8;
/// The text that replaces a token.
const HIDDEN: &[u8] = b"[redacted:LOGIN]";

/// The login at one server.
#[derive(Debug)]
pub(in crate::upstream) struct ServerAccess {
    server: String,
    oauth: OAuth,
    clock: Clock,
    /// `None`: requests go without a login.
    place: Option<LoginPlace>,
    known: Mutex<KnownLogin>,
}

#[derive(Debug, Default)]
struct KnownLogin {
    /// The server's last challenge.
    challenge: Option<Challenge>,
    /// Every token that this process has seen.
    tokens: Vec<Secret>,
}

impl ServerAccess {
    /// The login at a server; `None`: it has no address, or a header of the settings says who calls.
    pub(in crate::upstream) fn of(
        upstream: &Upstream,
        logins: Option<&Logins>,
        clock: &Clock,
    ) -> Option<Self> {
        let ServerTransport::Http { url, headers, oauth, .. } = &upstream.transport else { return None };
        if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            return None;
        }
        Some(Self {
            server: upstream.name.clone(),
            oauth: oauth.clone(),
            clock: clock.clone(),
            place: logins.map(|logins| logins.place(&upstream.name, url)),
            known: Mutex::default(),
        })
    }

    /// The server's last challenge.
    pub(super) fn challenge(&self) -> Option<Challenge> {
        self.known().challenge.clone()
    }

    /// Whether the server wants a login that there is not.
    pub(in crate::upstream) fn is_needed(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.read().is_refused)
    }

    /// Every token of the login as it is kept now.
    pub(in crate::upstream) fn tokens(&self) -> Vec<String> {
        let kept = self.place.as_ref().map(LoginPlace::read).unwrap_or_default();
        let secrets = kept.login.into_iter().flat_map(tokens);
        secrets.map(|secret| secret.reveal().to_owned()).collect()
    }

    /// The token of the next request, renewed where it is due; `None`: there is none.
    ///
    /// # Errors
    /// In words, when it is due and cannot be renewed now.
    pub(in crate::upstream) async fn token(&self) -> Result<Option<String>, String> {
        let Some(place) = &self.place else { return Ok(None) };
        let Some(login) = place.read().login.filter(|login| self.is_of_settings(login)) else {
            return Ok(None);
        };
        if login.is_due(self.clock.milliseconds()) {
            return self.renewed(place, &login.access_token).await;
        }
        self.see(&login);
        Ok(Some(login.access_token.reveal().to_owned()))
    }

    /// Whether a login is at the authorization server of the settings, where they name one.
    fn is_of_settings(&self, login: &Login) -> bool {
        self.oauth.issuer.as_deref().is_none_or(|wanted| is_same(&login.issuer, wanted))
    }

    /// Takes note that the server wants a login, or another one than that of this token. Returns another token where
    /// `may_renew`.
    ///
    /// # Errors
    /// In words, when the login cannot be renewed now.
    pub(in crate::upstream) async fn refused(
        &self,
        used: Option<&str>,
        challenge: Challenge,
        may_renew: bool,
    ) -> Result<Option<String>, String> {
        self.known().challenge = Some(challenge.clone());
        let Some(place) = &self.place else { return Ok(None) };
        if let Some(used) = used.filter(|_| may_renew)
            && let Some(renewed) = self.renewed(place, &Secret::new(used)).await?
        {
            return Ok(Some(renewed));
        }
        let before = place.read();
        let is_news = !before.is_refused || before.challenge != challenge;
        if is_news && let Ok(locked) = place.lock().await {
            let kept = locked.read().unwrap_or_default();
            // Where this cannot be kept, each process finds it out by itself.
            let _ = locked.write(&LoginFile { challenge, is_refused: true, ..kept });
        }
        Ok(None)
    }

    /// Takes note of scopes that a request needs and the login has not. The next login asks for them.
    pub(in crate::upstream) async fn denied(&self, challenge: &Challenge) {
        self.known().challenge = Some(challenge.clone());
        let Some(place) = &self.place else { return };
        let Ok(locked) = place.lock().await else { return };
        let kept = locked.read().unwrap_or_default();
        let scope = [&kept.challenge.scope, &challenge.scope];
        let scope = scopes::union(scope.into_iter().flatten().map(String::as_str));
        let resource_metadata = challenge.resource_metadata.clone().or(kept.challenge.resource_metadata);
        let challenge = Challenge { scope, resource_metadata, is_about_scope: false };
        let _ = locked.write(&LoginFile { challenge, ..kept });
    }

    /// Takes note that the server answers.
    pub(in crate::upstream) async fn accepted(&self) {
        let Some(place) = self.place.as_ref().filter(|place| place.read().is_refused) else { return };
        let Ok(locked) = place.lock().await else { return };
        let kept = locked.read().unwrap_or_default();
        let _ = locked.write(&LoginFile { is_refused: false, ..kept });
    }

    /// The reason of a request that the server refused for want of a login.
    pub(in crate::upstream) fn want_of_login(&self) -> String {
        format!("it needs a login (HTTP 401): run `cuff mcp login {}`", self.server)
    }

    /// The reason of a request that needs more scopes than the login has.
    pub(in crate::upstream) fn want_of_scope(&self, challenge: &Challenge) -> String {
        let scope = challenge.scope.as_ref().map(|scope| format!(" {scope}")).unwrap_or_default();
        format!(
            "this needs more rights than the login has (HTTP 403,{scope}): run `cuff mcp login {}` again",
            self.server
        )
    }

    /// A server's words, without its own tokens in them.
    pub(in crate::upstream) fn hide<'d>(&self, said: &'d [u8]) -> Cow<'d, [u8]> {
        let mut said = Cow::Borrowed(said);
        for token in &self.known().tokens {
            let token = token.reveal().as_bytes();
            if token.len() < SHORTEST || memmem::find(&said, token).is_none() {
                continue;
            }
            let (mut hidden, mut rest) = (Vec::with_capacity(said.len()), &*said);
            while let Some(at) = memmem::find(rest, token) {
                hidden.extend_from_slice(&rest[..at]);
                hidden.extend_from_slice(HIDDEN);
                rest = &rest[at + token.len()..];
            }
            hidden.extend_from_slice(rest);
            said = Cow::Owned(hidden);
        }
        said
    }

    /// Another token than this one: that which another process has got, else that of the refresh token. `None`: there is
    /// none, and a person has to log in.
    async fn renewed(&self, place: &LoginPlace, used: &Secret) -> Result<Option<String>, String> {
        let locked = place.lock().await?;
        let kept = locked.read()?;
        let Some(login) = kept.login.clone() else { return Ok(None) };
        if login.access_token != *used && !login.is_due(self.clock.milliseconds()) {
            self.see(&login);
            return Ok(Some(login.access_token.reveal().to_owned()));
        }
        let (Some(refresh), Some(client)) = (&login.refresh_token, &kept.client) else { return Ok(None) };
        let client = client.clone().with_settings(&self.oauth);
        let asked = async {
            let failed = NotGranted::Failed;
            let url = Url::parse(place.url()).map_err(|error| failed(error.to_string()))?;
            let web = Web::of(&url).await.map_err(failed)?;
            let address = web.address(&login.token_endpoint, "its address for tokens").map_err(failed)?;
            let pairs = [
                ("grant_type", "refresh_token"),
                ("refresh_token", refresh.reveal()),
                ("resource", login.resource.as_str()),
            ];
            grant::ask(&web, &address, &client, &pairs).await
        };
        match asked.await {
            Ok(granted) => self.keep(&locked, kept, &login, granted).map(Some),
            Err(NotGranted::Failed(reason)) => Err(format!("its login could not be renewed: {reason}")),
            Err(NotGranted::Refused(_)) => {
                locked.write(&LoginFile { login: None, is_refused: true, ..kept })?;
                Ok(None)
            }
        }
    }

    /// Keeps new tokens in the place of the old ones.
    fn keep(
        &self,
        locked: &Locked<'_>,
        kept: LoginFile,
        before: &Login,
        granted: Granted,
    ) -> Result<String, String> {
        let login = Login {
            access_token: granted.access,
            // A server that does not rotate its refresh tokens sends none.
            refresh_token: granted.refresh.or_else(|| before.refresh_token.clone()),
            expires: due(self.clock.milliseconds(), granted.lifetime),
            scope: granted.scope.or_else(|| before.scope.clone()),
            ..before.clone()
        };
        locked.write(&LoginFile { login: Some(login.clone()), ..kept })?;
        self.see(&login);
        Ok(login.access_token.reveal().to_owned())
    }

    fn see(&self, login: &Login) {
        let mut known = self.known();
        for token in tokens(login.clone()) {
            if !known.tokens.contains(&token) {
                known.tokens.push(token);
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, KnownLogin> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn tokens(login: Login) -> impl Iterator<Item = Secret> {
    std::iter::once(login.access_token).chain(login.refresh_token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Values;

    #[test]
    fn a_server_that_says_its_own_token_is_not_heard() {
        let transport = ServerTransport::Http {
            url: "https://s".to_owned(),
            headers: Vec::new(),
            is_legacy: false,
            oauth: OAuth::default(),
        };
        let upstream = Upstream::new("docs".to_owned(), true, transport, Values::default());
        let access = ServerAccess::of(&upstream, None, &Clock::of_system()).unwrap();
        access.known().tokens = ["token-of-mine", "short"].map(Secret::new).to_vec();
        let said = access.hide(b"a token-of-mine, token-of-minetoken-of-mine short");
        let expected = "a [redacted:LOGIN], [redacted:LOGIN][redacted:LOGIN] short";
        assert_eq!(String::from_utf8_lossy(&said), expected);
        assert!(matches!(access.hide(b"nothing"), Cow::Borrowed(_)));
    }
}
