//! The ledger: what people decided, kept outside of every repository, and what was decided for them.
//!
//! Files in the user's state directory, which only this user can read:
//!
//! - `approvals.json`: questions that wait for a person, and answers that were not used yet;
//! - `always.json`: the plans that a person allows always;
//! - `pins/`: the settings that a person has approved, and the definitions of MCP servers' tools;
//! - `states.key`: the key that signs questions in answers, and `states.json`: those that were answered;
//! - `audit.log`: a line for each run and its end;
//! - `audit.decisions.log`: a line for each decision of a person;
//! - `audit.refused.log`: refusals, with repeats in one line.
//!
//! All but the logs are changed under a lock and replaced as a whole, so that a crash leaves the old or the
//! new.

mod always;
mod approval;
mod client_answer;
mod consent;
mod error;
mod folder;
mod format;
mod pin;
mod refusals;
mod server_pins;
#[cfg(test)]
mod tests;

pub use always::AlwaysAllowed;
pub use approval::{Approval, ApprovalQuestion, ApprovalState};
pub use client_answer::{ClientAnswer, ClientsYes};
pub use consent::Consent;
pub use error::{LedgerError, NO_LEDGER};
pub use folder::Ledger;
pub use folder::audit::AuditDecision;
pub use folder::states::ClosedState;
pub use pin::{Pin, PinnedBy, PinnedTools};
pub use server_pins::{PinnedServer, PinnedServers, Pinning, SeenServer, Unreviewed};
