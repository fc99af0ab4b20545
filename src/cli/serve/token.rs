//! The token of `cuff serve --http`: from a file, from the environment, or made for this server.

use super::announcer::Announcer;
use crate::cli::arguments::{Http, TOKEN_VARIABLE};
use crate::http::{BearerToken, GivenToken, TokenError, TokenFile};
use crate::sys::Environment;
use crate::terminal::Failed;

/// Which token counts.
pub(super) enum ChosenToken {
    /// The operator's.
    Given(BearerToken),
    /// One that was made, and is kept in a file.
    Made(TokenFile),
    /// None is asked for.
    Nothing,
}

impl ChosenToken {
    pub(super) fn token(&self) -> Option<BearerToken> {
        match self {
            Self::Given(token) => Some(token.clone()),
            Self::Made(file) => Some(file.token().clone()),
            Self::Nothing => None,
        }
    }
}

/// The token that the operator gave, if he gave one.
pub(super) fn given(
    environment: &Environment,
    typed: &Http,
    announcer: &Announcer<'_>,
) -> Result<Option<BearerToken>, Failed> {
    let given = match &typed.token_file {
        Some(path) => {
            let given = GivenToken::of_file(environment, path).map_err(|error| failed(&error))?;
            if given.others_read {
                let path = environment.directory().join(path);
                let path = path.display();
                announcer.note(&format!("others can read the token in {path}; `chmod 600 {path}` ends that"));
            }
            Some(given)
        }
        None if typed.no_token => None,
        None => GivenToken::of_variable(environment, TOKEN_VARIABLE),
    };
    given.map(|given| given.token().map_err(|error| failed(&error))).transpose()
}

/// The given token, or one that is made for the server on this port.
pub(super) fn choose(
    environment: &Environment,
    given: Option<BearerToken>,
    port: u16,
    no_token: bool,
) -> Result<ChosenToken, Failed> {
    match given {
        Some(token) => Ok(ChosenToken::Given(token)),
        None if no_token => Ok(ChosenToken::Nothing),
        None => TokenFile::make(environment, format!("serve-{port}.token"))
            .map(ChosenToken::Made)
            .map_err(|error| failed(&error)),
    }
}

fn failed(error: &TokenError) -> Failed {
    let failed = Failed::usage(error.to_string());
    match error {
        TokenError::Unread { .. } => failed.help("`--token-file` names a file with the token alone"),
        TokenError::Unsound { .. } => failed.help("`head -c 32 /dev/urandom | base64` makes one"),
        TokenError::NoPlace | TokenError::NotKept { .. } => {
            failed.unable().help("give one with `--token-file` or CUFF_TOKEN")
        }
    }
}
