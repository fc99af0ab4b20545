//! How the gateway of a session is, by its files alone.

use super::files::SessionFiles;
use super::record::GatewayRecord;
use crate::sys::KnownProcess;

/// How the gateway of a session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatewayState {
    /// It runs.
    Running(Box<GatewayRecord>),
    /// It has its lock, and has not said yet where it is.
    Starting(Option<KnownProcess>),
    /// It ended without removing its files, so it was killed or it crashed.
    Crashed(Box<GatewayRecord>),
    /// There is none.
    Absent,
}

/// How the gateway of a session is. The lock says whether it lives: it ends with its process, however that ends, and
/// another process with the same number does not have it.
pub fn judge(files: &SessionFiles) -> GatewayState {
    let (holder, record) = (files.holder(), files.record().map(Box::new));
    // A killed process keeps its lock until its last thread has ended.
    let is_held = files.is_held() && holder.is_none_or(|holder| holder.is_alive());
    match (is_held, record) {
        // A record of the one before is replaced when the new one is ready.
        (true, Some(record)) if holder == Some(record.process()) => GatewayState::Running(record),
        (true, _) => GatewayState::Starting(holder),
        (false, Some(record)) => GatewayState::Crashed(record),
        (false, None) => GatewayState::Absent,
    }
}
