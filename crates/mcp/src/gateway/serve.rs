//! A gateway, from its start to its end.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::files::SessionFiles;
use super::folder::SessionFolder;
use super::judge::{GatewayState, judge};
use super::lease::SessionLease;
use super::owner::SessionOwner;
use super::record::GatewayRecord;
use super::routes::GatewayPaths;
use super::session_id::SessionId;
use super::start_error::StartError;
use super::types::Types;
use crate::http::{AccessRules, BearerToken, Bodies, HttpListener, Opening, serve as serve_http};
use crate::mcp::http::Paths;
use crate::mcp::{Expose, Exposure};
use crate::model::Spelling;
use crate::project::{Context, Live, News};
use crate::sys::private::Lock;
use crate::sys::{KnownProcess, random};

/// How long another start or end of the same session is waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How long the end may take, of what is under way and of the servers. Those that take longer are ended after that, by
/// their supervisors.
const LONGEST_END: Duration = Duration::from_millis(600);

/// The circumstances of a gateway.
#[derive(Debug, Clone)]
pub struct GatewaySettings {
    /// The session.
    pub session: SessionId,
    /// The address to listen on; port 0 is any that is free.
    pub address: SocketAddr,
    /// The process that it ends with.
    pub owner: Option<SessionOwner>,
    /// How long it lives without a request, where nobody owns it.
    pub lease: Option<Duration>,
    /// The settings that `--config` names.
    pub explicit: Option<PathBuf>,
    /// Whether the starting process holds the lock for starts.
    pub is_expected: bool,
}

/// Told once it is ready.
pub type Announce<'a> = &'a dyn Fn(&GatewayRecord);

/// Serves a session until `stop` is cancelled, its owner has ended or its lease is over. Its files are there
/// while it can be reached, and are removed at its end. `hear` gets each change of the settings. Within a
/// tokio runtime.
///
/// # Errors
/// When it cannot start, or its listener cannot be used.
pub async fn serve(
    context: Context,
    settings: GatewaySettings,
    announce: Announce<'_>,
    hear: &(dyn Fn(News) + Sync),
    stop: CancellationToken,
) -> Result<(), StartError> {
    let folder = SessionFolder::make(&context.environment)?;
    let files = folder.session(&settings.session);
    let changing = if settings.is_expected { None } else { files.change(LONGEST_WAIT)? };
    let before = judge(&files);
    let Some(lock) = files.hold()? else {
        let url = match before {
            GatewayState::Running(record) => record.url,
            _ => "it is still starting".to_owned(),
        };
        return Err(StartError::Running(url));
    };
    let served = hold_and_serve(context, settings, (&files, before, changing), (announce, hear), stop).await;
    files.remove();
    drop(lock);
    served
}

/// A gateway that is ready to serve.
struct Ready {
    opening: Opening,
    paths: GatewayPaths,
    live: Arc<Live>,
    types: Arc<Types>,
    owner: Option<SessionOwner>,
    lease: Option<Arc<SessionLease>>,
}

async fn hold_and_serve(
    context: Context,
    settings: GatewaySettings,
    (files, before, changing): (&SessionFiles, GatewayState, Option<Lock>),
    (announce, hear): (Announce<'_>, &(dyn Fn(News) + Sync)),
    stop: CancellationToken,
) -> Result<(), StartError> {
    let listener = listener(settings.address, &before)?;
    let (live, mut news) = Live::open(context.clone(), settings.explicit.clone())?;
    let live = Arc::new(live);
    let types = Arc::new(Types::new(Arc::clone(&live)));
    tokio::select! {
        () = types.begin() => {}
        () = stop.cancelled() => return Ok(()),
    }
    while let Ok(first) = news.try_recv() {
        hear(first);
    }
    let ready = ready(&context, &settings, listener, (live, types))?;
    files.publish(&ready.paths.record)?;
    drop(changing);
    announce(&ready.paths.record);
    let reporting = async {
        while let Some(next) = news.recv().await {
            hear(next);
        }
        std::future::pending::<()>().await;
    };
    run(ready, reporting, stop).await
}

/// Puts together what is served.
fn ready(
    context: &Context,
    settings: &GatewaySettings,
    listener: HttpListener,
    (live, types): (Arc<Live>, Arc<Types>),
) -> Result<Ready, StartError> {
    let clock = context.clock.clone();
    let secret = blake3::Hash::from_bytes(random::secret::<32>()?).to_hex();
    let this = KnownProcess::this();
    let record = GatewayRecord {
        session: settings.session.text().to_owned(),
        url: format!("http://{}", listener.address()),
        token: secret.to_string(),
        pid: this.pid,
        started: this.started,
        ready_ms: clock.milliseconds(),
        owner: settings.owner.map(|SessionOwner(process)| process.into()),
        directory: context.environment.directory().display().to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let token = BearerToken::new(&record.token).map_err(std::io::Error::other)?;
    let lease = settings.lease.map(|length| Arc::new(SessionLease::new(length, clock.clone())));
    let exposure = Exposure { expose: Expose::Auto, spelling: Spelling::Portable };
    let mcp = Paths::new(Arc::clone(&live), exposure, Arc::clone(&context.metrics));
    mcp.get_ready();
    let paths = GatewayPaths {
        mcp,
        live: Arc::clone(&live),
        types: Arc::clone(&types),
        lease: lease.clone(),
        record,
        journal: context.journal.clone(),
        clock,
        bodies: Bodies::default(),
        calls: CancellationToken::new(),
    };
    let opening = Opening { listener, access: AccessRules::with(Some(token)) };
    Ok(Ready { opening, paths, live, types, owner: settings.owner, lease })
}

/// Serves until nobody needs it any more, and ends what is under way and the servers.
async fn run(
    Ready { opening, paths, live, types, owner, lease }: Ready,
    reporting: impl Future<Output = ()>,
    stop: CancellationToken,
) -> Result<(), StartError> {
    let mut serving = Box::pin(serve_http(opening, paths, stop.clone()));
    let served = tokio::select! {
        served = &mut serving => Some(served),
        () = stop.cancelled() => None,
        () = over(owner, lease.as_deref()) => None,
        () = types.follow() => None,
        () = reporting => None,
    };
    stop.cancel();
    let project = live.project().ok();
    let closed = async {
        if let Some(project) = project {
            project.catalog.close().await;
        }
    };
    let _ = timeout(LONGEST_END, async { tokio::join!(closed, serving_on(served.is_none(), serving)) }).await;
    served.transpose()?;
    Ok(())
}

/// Waits for the end of the service, unless it ended.
async fn serving_on(is_serving: bool, serving: impl Future<Output = std::io::Result<()>>) {
    if is_serving {
        // An error at the end is of no interest.
        let _ = serving.await;
    }
}

/// The listener at this address. The port of a gateway that crashed is taken again if it is free. So clients
/// with the session's address find the new one there.
fn listener(address: SocketAddr, before: &GatewayState) -> Result<HttpListener, StartError> {
    let known = match before {
        GatewayState::Crashed(record) if address.port() == 0 => record.url.strip_prefix("http://"),
        _ => None,
    };
    let known: Option<SocketAddr> = known.and_then(|known| known.parse().ok());
    let again =
        known.filter(|known| known.ip() == address.ip()).and_then(|known| HttpListener::bind(known).ok());
    match again {
        Some(listener) => Ok(listener),
        None => HttpListener::bind(address)
            .map_err(|error| StartError::NotBound { address: address.to_string(), error }),
    }
}

/// Resolves when nobody needs the gateway any more.
async fn over(owner: Option<SessionOwner>, lease: Option<&SessionLease>) {
    match (owner, lease) {
        (Some(owner), _) => owner.ended().await,
        (None, Some(lease)) => lease.over().await,
        (None, None) => std::future::pending().await,
    }
}
