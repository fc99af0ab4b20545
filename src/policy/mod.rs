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
pub use call::{Because, Call};
pub use confirmation::Unconfirmed;
pub use consent::{
    Answer, Answering, Asker, Asking, Consented, allowed_always, lets_clients_say_yes, obtain,
};
pub use decision::{Decision, Pinned};
pub use ground::{Ground, Looking, TextApproval};
pub use held_binding::{HeldBinding, HeldChanges};
pub use irreversible::{Irreversible, irreversible};
pub use permit::{Cleared, Permit};
pub use refusal::Refusal;
pub use second_look::clear;
pub use shell::{ShellCommand, commands};

#[cfg(test)]
mod tests;
