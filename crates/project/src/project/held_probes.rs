//! Probes that wait for a person, since nobody has approved the settings that name their programs.

use std::sync::{Mutex, PoisonError};

use super::secrets;
use crate::model::{ErrorCode, Probe, Probed, Values, shown};
use crate::project::context::Context;
use crate::settings::Instance;
use crate::sources::project::{Prober, Probing};

/// A program that cuff does not start before a person has seen the settings that name it.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldProbe {
    /// The program and its words, for people to read.
    pub line: String,
    /// The instance as it is, which the person would agree to.
    pub(crate) instance: Instance,
}

/// Starts nothing, and notes what would be started.
#[derive(Debug)]
pub(crate) struct HeldProbes<'c> {
    context: &'c Context,
    lines: Mutex<Vec<String>>,
}

impl<'c> HeldProbes<'c> {
    pub(crate) fn new(context: &'c Context) -> Self {
        Self { context, lines: Mutex::default() }
    }

    /// The probes that were wanted of this instance.
    pub(crate) fn held(self, instance: &Instance) -> impl Iterator<Item = HeldProbe> {
        let lines = self.lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        lines.into_iter().map(|line| HeldProbe { line, instance: instance.clone() })
    }
}

impl Prober for HeldProbes<'_> {
    fn probe<'a>(&'a self, _: &'a str, _: &'a Values, probe: &'a Probe) -> Probing<'a> {
        let command = &probe.command;
        let secrets = secrets::of_question(&self.context.environment, &command.environment);
        let line = shown(&secrets.redact(&command.line()));
        let why = format!("`{line}` is not started before a person has seen the settings that name it");
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        Box::pin(std::future::ready(Probed::Nothing { fault: ErrorCode::Unapproved, why }))
    }
}
