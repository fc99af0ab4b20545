//! The ledger: what people decided, kept outside of every repository, and what was decided for them.
//!
//! Files in the user's state directory, which only this user can read. `approvals.json` has the questions that wait for
//! a person and the answers that were not used yet, `pins/` the settings that a person has seen and the definitions of MCP
//! servers' tools, `states.key` what signs
//! questions that are put in answers and `states.json` which of them were answered; they are changed under a lock and
//! replaced as a whole, so that a crash leaves the old or the new. `audit.log` has a line for each run and its end,
//! `audit.decisions.log` for each decision of a person, `audit.refused.log` for what was refused, repeats in one line.

mod approval;
mod client_answer;
mod consent;
mod error;
mod folder;
mod format;
mod pin;
mod pin_file;
mod refusals;
mod server_pins;
#[cfg(test)]
mod tests;

pub use approval::{Approval, ApprovalState, Question};
pub use client_answer::{ClientAnswer, ClientsYes};
pub use consent::Consent;
pub use error::{LedgerError, NO_LEDGER};
pub use folder::Ledger;
pub use folder::audit::Decided;
pub use folder::states::Closed;
pub use pin::{Pin, PinnedBy, PinnedTools};
pub use server_pins::{PinnedServer, PinnedServers, Pinning, SeenServer, Unreviewed};
