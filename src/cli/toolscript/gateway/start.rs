//! `toolscript gateway start`: in the foreground until it is stopped, or in the background.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::chosen::chosen;
use crate::cli::arguments::GatewayStart;
use crate::cli::serve::DEBUG;
use crate::gateway::{
    self, GatewayRecord, GatewaySettings, SessionId, SessionOwner, StartError, start_detached,
};
use crate::project::{Connect, Context, News};
use crate::sys::journal::{Journal, Level, LineFormat};
use crate::sys::process::ExpectedRuns;
use crate::sys::{KnownProcess, daemon};
use crate::terminal::{Failed, StopReason, Ui, exit, on_signals, runtime};

/// How long a gateway in the background lives without a request where nobody owns it.
const LEASE: Duration = Duration::from_hours(24);

/// Starts a gateway.
pub(super) fn start(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &GatewayStart,
) -> Result<u8, Failed> {
    if typed.expected {
        // This comes before anything is opened: the starting process may wait for the end of inherited
        // streams.
        daemon::close_inherited();
    }
    let owner = typed.watch_pid.map(owner).transpose()?.or_else(|| gateway::owner_here(context));
    let session = match &typed.session {
        Some(id) => {
            // The gateway of another session is nobody's to take the place of.
            chosen(context, Some(id))?;
            SessionId::new(id)
        }
        None => SessionId::random()?,
    };
    if !typed.host.is_loopback() {
        let message =
            format!("{} can be reached from other machines, and a gateway is for this one", typed.host);
        return Err(
            Failed::usage(message).help("leave out `--host`; `cuff serve --http --host` serves others")
        );
    }
    if typed.detach {
        let words = words(typed, &session, (owner, config));
        let started = start_detached(context, &session, words).map_err(|error| failed(&error))?;
        if started.is_reused {
            ui.note("note: the session had this gateway already");
        }
        subject(ui, &started.record)?;
        return Ok(exit::SUCCESS);
    }
    let address = SocketAddr::new(typed.host, typed.port);
    let lease = typed.lease.map(Duration::from_secs);
    let settings = GatewaySettings {
        session,
        address,
        owner,
        lease,
        explicit: config.map(Path::to_owned),
        is_expected: typed.expected,
    };
    serve(ui, context, settings)
}

/// The words that start the gateway of a session in the background, behind the program's name. `--lease` or `--watch-pid`
/// says how it ends.
pub(in crate::cli::toolscript) fn start_words(
    session: &SessionId,
    owner: Option<KnownProcess>,
    lease: Option<u64>,
) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        ["gateway", "start", "--expected"].into_iter().map(OsString::from).collect();
    // One word, for an id may begin with a dash.
    words.push(format!("--session={}", session.text()).into());
    match owner {
        Some(owner) => words.push(format!("--watch-pid={}", owner.pid).into()),
        None => words.push(format!("--lease={}", lease.unwrap_or(LEASE.as_secs())).into()),
    }
    words
}

fn words(
    typed: &GatewayStart,
    session: &SessionId,
    (owner, config): (Option<SessionOwner>, Option<&Path>),
) -> Vec<OsString> {
    let mut words = start_words(session, owner.map(|owner| owner.0), typed.lease);
    words.push(format!("--port={}", typed.port).into());
    words.push(format!("--host={}", typed.host).into());
    if let Some(config) = config {
        words.push("--config".into());
        words.push(config.into());
    }
    words
}

/// Prints the address, and the session that it belongs to.
///
/// # Errors
/// When standard output is closed.
fn subject(ui: &Ui, record: &GatewayRecord) -> std::io::Result<()> {
    ui.result(&record.url)?;
    ui.note(format!("note: commands use it with `export {}={}`", gateway::URL_VARIABLE, record.url));
    ui.note(format!("note: `toolscript gateway stop --session {}` ends it", record.session));
    Ok(())
}

fn serve(ui: &Ui, context: &Context, settings: GatewaySettings) -> Result<u8, Failed> {
    let is_expected = settings.is_expected;
    let level = match context.environment.get(DEBUG) {
        Some(_) => Level::Debug,
        // The session's log has a line for each use.
        None if is_expected => Level::Info,
        None => Level::Warn,
    };
    let journal = Journal::to_standard_error(LineFormat::Text, level, context.clock.clone());
    let context = Context { journal, connect: Connect::AtOnce, ..context.clone() };
    let announce = |record: &GatewayRecord| {
        // Where nobody reads it any more, nobody waits.
        let _ = if is_expected { ui.result(gateway::greeting(Ok(()))) } else { subject(ui, record) };
        if is_expected {
            daemon::leave_starter();
        }
    };
    let hear = |news: News| tell(news);
    context.supervisor.prepare(ExpectedRuns::ManyRuns);
    let (stop, reason) = (CancellationToken::new(), StopReason::default());
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = gateway::serve(context, settings, &announce, &hear, stop.clone()) => served,
            () = on_signals(stop.clone(), reason.clone(), None) => Ok(()),
        }
    });
    runtime.shutdown_background();
    match served {
        Ok(()) => Ok(reason.code().unwrap_or(exit::SUCCESS)),
        Err(error) => {
            if is_expected {
                let _ = ui.result(gateway::greeting(Err(&error)));
            }
            Err(failed(&error))
        }
    }
}

/// Tells the log of changed settings.
fn tell(news: News) {
    let ui = Ui::plain();
    match news {
        News::Taken(project) => crate::cli::problems::complain(&ui, &project),
        News::Kept(error) => {
            let _ = Failed::from(error).print(&ui, false);
        }
        // Without settings there are no tools, and that is fine.
        News::Nothing(_) | News::Unwatched(_) => {}
    }
}

fn owner(pid: u32) -> Result<SessionOwner, Failed> {
    KnownProcess::of(pid).map(SessionOwner).ok_or_else(|| {
        Failed::usage(format!("--watch-pid {pid}: there is no such process"))
            .help("name the process that the session belongs to")
    })
}

fn failed(error: &StartError) -> Failed {
    Failed::usage(error.to_string()).unable().help(error.help())
}
