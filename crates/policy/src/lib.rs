//! May this plan be carried out? The one gate, and the one place that makes permits.
//!
//! [`ledger`] keeps what people decided, outside of every repository.
//!
//! Invariants: nobody else makes a permit, and a permit names tool, plan, caller and the texts that it is bound to; run, dry run, `why`
//! and the second look ask the same function; a yes is for exact bytes.
//!
//! Begin with [`authorize()`].

use cuff_model as model;
use cuff_settings as settings;
#[cfg(test)]
use cuff_sources::plugins;
use cuff_system as sys;
pub mod ledger;

mod authorize;
mod binding;
mod call;
mod command;
mod confirmation;
mod consent;
mod decision;
mod environment;
mod folder;
mod held_binding;
mod irreversible;
mod permit;
mod policy_context;
mod recheck;
mod refusal;
mod runner;
mod script_text;
mod shell;
mod takes;
mod words;

pub use authorize::{
    authorize, authorize_probe, authorize_server, confirmation, containment, unapproved_text,
};
pub use binding::{ContentBinding, Unbound, named};
pub use call::{ConfirmReason, PolicyCall};
pub use confirmation::Unconfirmed;
pub use consent::{
    Answering, Asker, ConsentAsking, Consented, PersonAnswer, allowed_always, lets_clients_say_yes, obtain,
};
pub use decision::{Decision, PinnedPlan};
pub use held_binding::{HeldBinding, HeldChanges};
pub use irreversible::{Irreversible, irreversible};
pub use permit::{Permit, StartPermit};
pub use policy_context::{Looking, PolicyContext, TextApproval};
pub use recheck::clear;
pub use refusal::Refusal;
pub use shell::{ShellCommand, commands};

#[cfg(test)]
mod tests;
