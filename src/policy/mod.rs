//! May this plan be carried out? The one place that mints permits.

mod circumstances;
mod confirmation;
mod decision;
mod environment;
mod irreversible;
mod permit;
mod programs;
mod refusal;
mod shell;
mod words;
mod wrapped;

pub use circumstances::{Circumstances, Judges, NoJudges};
pub use confirmation::Unconfirmed;
pub use decision::{Decision, decide};
pub use irreversible::{Irreversible, irreversible};
pub use permit::Permit;
pub use refusal::Refusal;
pub use shell::{ShellCommand, commands};
