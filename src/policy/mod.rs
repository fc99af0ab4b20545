//! May this plan be carried out? The one gate, and the one place that makes permits.

mod authorize;
mod binding;
mod circumstances;
mod command;
mod confirmation;
mod consent;
mod environment;
mod folder;
mod ground;
mod irreversible;
mod permit;
mod programs;
mod refusal;
mod shell;
mod tool_text;
mod words;
mod wrapped;

pub use authorize::{
    Because, Call, Decision, Pinned, authorize, authorize_probe, confirmation, unapproved_text,
};
pub use binding::{ContentBinding, named};
pub use confirmation::Unconfirmed;
pub use consent::{Answer, Answering, Asker, Asking, Consented, lets_clients_say_yes, obtain};
pub use ground::{Ground, Looking, TextApproval, Unbound};
pub use irreversible::{Irreversible, irreversible};
pub use permit::{Cleared, Permit};
pub use refusal::Refusal;
pub use shell::{ShellCommand, commands};

use circumstances::Circumstances;

#[cfg(test)]
mod tests;
