//! The gateway of a session, as its commands reach it.

use std::net::SocketAddr;
use std::time::Duration;

use hyper::StatusCode;
use serde_json::Value;

use super::access::may_reach;
use super::files::SessionFiles;
use super::folder::SessionFolder;
use super::judge::{GatewayState, judge};
use super::record::GatewayRecord;
use super::requests::encoded;
use crate::http::{HttpQuestion, ask};
use crate::model::shown;
use crate::project::Context;

/// The variable that names the gateway of the session.
pub const URL_VARIABLE: &str = "TOOLSCRIPT_GATEWAY_URL";

/// A gateway that runs.
#[derive(Debug, Clone)]
pub struct GatewayConnection {
    address: SocketAddr,
    /// Its own record.
    pub record: GatewayRecord,
}

/// An answer of the gateway.
#[derive(Debug, Clone)]
pub struct GatewayReply {
    /// Whether it is a success.
    pub is_success: bool,
    /// The status of HTTP.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// A gateway that cannot be used. It is never started again by itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the gateway of this session is unhealthy: {kind}")]
pub struct Unhealthy {
    /// Its address.
    pub url: String,
    /// The session's id, where it is known.
    pub session: Option<String>,
    /// The problem.
    pub kind: UnhealthyKind,
}

/// The problem with a gateway.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnhealthyKind {
    /// Its process is gone, and its files are there.
    #[error("it crashed or was killed")]
    Crashed,
    /// No session has it any more.
    #[error("no session of yours has the address {0}")]
    Unknown(String),
    /// The gateway is another session's.
    #[error("the address is that of another session, which this one does not reach")]
    Foreign,
    /// It is not ready yet.
    #[error("it is still starting")]
    Starting,
    /// It does not answer.
    #[error("it does not answer at {0}: {1}")]
    Silent(String, String),
}

impl Unhealthy {
    /// The next step.
    pub fn help(&self) -> String {
        let session =
            self.session.as_ref().map_or_else(String::new, |id| format!(" --session {}", shlex_word(id)));
        match self.kind {
            UnhealthyKind::Starting => "try again in a second".to_owned(),
            UnhealthyKind::Foreign => format!(
                "set {URL_VARIABLE} to this session's own address, or leave it unset: commands then start what they need"
            ),
            UnhealthyKind::Silent(..) => format!(
                "`toolscript gateway stop{session}` ends it, and `toolscript gateway start --detach{session}` starts it"
            ),
            UnhealthyKind::Crashed | UnhealthyKind::Unknown(_) => format!(
                "`toolscript gateway start --detach{session}` starts it; then set {URL_VARIABLE} to the address that it \
                 prints"
            ),
        }
    }
}

fn shlex_word(id: &str) -> String {
    shlex::try_quote(id).map_or_else(|_| shown(id), std::borrow::Cow::into_owned)
}

impl GatewayConnection {
    /// The gateway that the environment names; `None` where it names none. That of another session is out of reach.
    pub fn named(context: &Context) -> Option<Result<Self, Unhealthy>> {
        let environment = &context.environment;
        let url = environment.get(URL_VARIABLE)?.to_string_lossy().trim_end_matches('/').to_owned();
        let sessions = SessionFolder::all(environment).into_iter().flat_map(|folder| folder.sessions());
        // The token is sent to the address that its own file has, and to no other.
        let files = sessions.into_iter().find(|files| files.record().is_some_and(|record| record.url == url));
        let Some(files) = files else {
            let kind = UnhealthyKind::Unknown(shown(&url));
            return Some(Err(Unhealthy { url, session: None, kind }));
        };
        Some(Self::reached(context, &files))
    }

    /// The gateway of a session, as far as a command here may reach it.
    ///
    /// # Errors
    /// When it does not run, or is another session's.
    pub fn reached(context: &Context, files: &SessionFiles) -> Result<Self, Unhealthy> {
        match files.record().filter(|record| !may_reach(context, record)) {
            Some(GatewayRecord { url, .. }) => {
                Err(Unhealthy { url, session: None, kind: UnhealthyKind::Foreign })
            }
            None => Self::of(files),
        }
    }

    /// The gateway of a session.
    ///
    /// # Errors
    /// When it does not run.
    pub fn of(files: &SessionFiles) -> Result<Self, Unhealthy> {
        let unhealthy = |record: Option<GatewayRecord>, kind| Unhealthy {
            url: record.as_ref().map(|record| record.url.clone()).unwrap_or_default(),
            session: record.map(|record| record.session),
            kind,
        };
        match judge(files) {
            GatewayState::Running(record) => {
                let address = record.url.strip_prefix("http://").and_then(|rest| rest.parse().ok());
                let unknown = UnhealthyKind::Unknown(shown(&record.url));
                let record = *record;
                match address {
                    Some(address) => Ok(Self { address, record }),
                    None => Err(unhealthy(Some(record), unknown)),
                }
            }
            GatewayState::Crashed(record) => Err(unhealthy(Some(*record), UnhealthyKind::Crashed)),
            GatewayState::Starting(_) => Err(unhealthy(None, UnhealthyKind::Starting)),
            GatewayState::Absent => Err(unhealthy(None, UnhealthyKind::Unknown(files.stem().to_owned()))),
        }
    }

    /// Gets a path. Within a tokio runtime.
    ///
    /// # Errors
    /// When it does not answer in time.
    pub async fn get(&self, path: &str, patience: Duration) -> Result<GatewayReply, Unhealthy> {
        self.send(path, None, patience).await
    }

    /// Posts JSON to a path. Within a tokio runtime.
    ///
    /// # Errors
    /// When it does not answer in time.
    pub async fn post(
        &self,
        path: &str,
        body: &Value,
        patience: Duration,
    ) -> Result<GatewayReply, Unhealthy> {
        self.send(path, Some(body.to_string()), patience).await
    }

    /// Gets JSON from a path, for a command that waits for nothing else. Outside of a tokio runtime.
    ///
    /// # Errors
    /// When it does not answer in time, or something else.
    pub fn get_json(&self, path: &str, patience: Duration) -> Result<Value, Unhealthy> {
        let reply = self.wait(self.get(path, patience))?;
        serde_json::from_slice(&reply.body).map_err(|error| self.silent(&error))
    }

    /// Waits for an answer. Outside of a tokio runtime.
    ///
    /// # Errors
    /// When it does not answer in time.
    pub fn wait(
        &self,
        asking: impl Future<Output = Result<GatewayReply, Unhealthy>>,
    ) -> Result<GatewayReply, Unhealthy> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(|error| self.silent(&error))?.block_on(asking)
    }

    fn silent(&self, error: &dyn std::fmt::Display) -> Unhealthy {
        let GatewayRecord { url, session, .. } = &self.record;
        let kind = UnhealthyKind::Silent(url.clone(), error.to_string());
        Unhealthy { url: url.clone(), session: Some(session.clone()), kind }
    }

    /// A path with an option.
    pub fn path(path: &str, option: &str, value: &str) -> String {
        format!("{path}?{option}={}", encoded(value))
    }

    async fn send(
        &self,
        path: &str,
        body: Option<String>,
        patience: Duration,
    ) -> Result<GatewayReply, Unhealthy> {
        let Self { address, record } = self;
        let question = HttpQuestion { address: *address, token: &record.token, path, body, patience };
        match ask(question).await {
            Ok((status, body)) => Ok(GatewayReply {
                is_success: status == StatusCode::OK,
                status: status.as_u16(),
                body: body.to_vec(),
            }),
            Err(error) => Err(self.silent(&error)),
        }
    }
}
