//! The state that all judgements of a run share, and their form.

use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::ports::Ports;
use crate::containment::Confinement;
use crate::model::{Denial, DeniedAct, visible};

/// The answer to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallRuling {
    /// It was done, with this result.
    Done(i64),
    /// It may go on: nothing that the run can still change decides about it.
    GoOn,
}

/// A judgement: the answer, or the error that the call fails with.
pub(super) type Judgement = nix::Result<CallRuling>;

/// A connection that is under way.
#[derive(Debug)]
pub(super) struct PendingConnection {
    pub(super) socket: Arc<OwnedFd>,
    /// The server that runs of this project have; `None`: it goes elsewhere, and settings open that.
    pub(super) server: Option<SocketAddr>,
    /// A descriptor of a process that has the socket, besides the judge.
    pub(super) holder: PathBuf,
}

/// What the judge knows.
#[derive(Debug)]
pub(super) struct Court {
    pub(super) rules: Confinement,
    pub(super) denials: Denials,
    pub(super) ports: Ports,
    /// Held by who lets a socket listen, or takes its address away.
    pub(super) addresses: Mutex<()>,
    /// The connections to servers of this project for which no thread of the run waits.
    pub(super) connections: Mutex<Vec<PendingConnection>>,
}

impl Court {
    /// The turn to change what addresses sockets have.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many are kept. A run that is refused more has shown what it is.
const MOST_DENIALS: usize = 32;

/// The refusals of a run, in the order of the first of each.
#[derive(Debug, Default)]
pub(super) struct Denials(Mutex<Vec<Denial>>);

impl Denials {
    pub(super) fn add(&self, act: DeniedAct, subject: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let denial = Denial { act, subject: visible(subject).into_owned() };
        if all.len() < MOST_DENIALS && !all.contains(&denial) {
            all.push(denial);
        }
    }

    pub(super) fn all(&self) -> Vec<Denial> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
