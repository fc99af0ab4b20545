//! May this plan be carried out? The one gate, and the one place that makes permits.

mod authorize;
mod binding;
mod call;
mod command;
mod confirmation;
mod consent;
mod decision;
mod environment;
mod folder;
mod ground;
mod held_binding;
mod irreversible;
mod permit;
mod refusal;
mod second_look;
mod shell;
mod takes;
mod tool_text;
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
pub use ground::{Looking, PolicyContext, TextApproval};
pub use held_binding::{HeldBinding, HeldChanges};
pub use irreversible::{Irreversible, irreversible};
pub use permit::{Permit, StartPermit};
pub use refusal::Refusal;
pub use second_look::clear;
pub use shell::{ShellCommand, commands};

#[cfg(test)]
mod tests;
