//! `cuff doctor`, `cuff status` and the health check: problems of a project.

pub(crate) mod approval;
pub(crate) mod check;
pub(crate) mod health;
mod installation;
mod lacking;
pub(crate) mod programs;
pub(crate) mod servers;
pub(crate) mod status;
pub(crate) mod trials;
#[cfg(feature = "team")]
mod unsent;
pub use crate::sources::upstream::LastFailure;
pub use approval::approval_checks;
pub use check::{Check, Grade, Repair};
pub use health::checks;
pub use health::kept_checks;
pub use health::refused;
pub use installation::{Installation, is_launcher};
pub use lacking::lacking_settings;
pub use servers::{ServerState, ServerStatus, server_checks, server_state, servers};
pub use status::health;
pub use status::kept_decisions;
pub use status::kept_runs;
pub use status::pinned_at;
pub use status::{KeptFolder, PinnedAt};
pub use trials::{Trial, TrialResult, Works, transport, trials};
#[cfg(feature = "team")]
pub use unsent::unsent_checks;
