//! Open, watch and reload a project: settings, pins, sources, the current registry.

pub(crate) mod approval_status;
pub(crate) mod approvals;
pub(crate) mod approved_and_current;
mod audit_lines;
pub(crate) mod build_server;
pub(crate) mod context;
mod first_approval;
pub(crate) mod held_probes;
pub(crate) mod journal;
pub(crate) mod live;
#[cfg(feature = "http")]
mod logins;
pub(crate) mod open_error;
pub(crate) mod opened;
mod packages;
pub(crate) mod pending_changes;
pub(crate) mod pending_summary;
pub(crate) mod pending_tools;
pub(crate) mod pins;
pub(crate) mod probe;
pub(crate) mod project_authority;
pub(crate) mod project_catalog;
pub(crate) mod project_scope;
pub(crate) mod project_settings;
pub(crate) mod secrets;
pub(crate) mod server_files;
pub(crate) mod servers;
mod starter;
pub(crate) mod suggested;
pub(crate) mod watching;

pub use crate::sources::upstream::Connect;
#[cfg(feature = "http")]
pub use crate::sources::upstream::oauth::{Begun, LoggedIn, LoggedOut};
pub use approval_status::AgentsHave;
pub use approvals::{AnsweredQuestion, Approvals};
pub use context::Context;
pub use first_approval::approve_over_client;
pub use held_probes::HeldProbe;
pub use live::{Live, News};
#[cfg(feature = "http")]
pub use logins::{begin_login, log_out};
pub use open_error::{NOTHING, OpenError};
pub use opened::{Project, ProjectRuns};
pub use pending_changes::approve;
pub use pending_changes::{FileDifference, PendingText, Unapproved};
pub use pending_changes::{unapproved, unapproved_as_agreed};
pub use pending_summary::Summary;
pub use pending_summary::summary;
pub use pending_tools::{FirstList, PendingTool, approve_list, first_lists, hold_list};
pub use project_authority::ProjectAuthority;
pub use project_catalog::ProjectCatalog;
pub use project_settings::ProjectSettings;
pub use starter::HostStarter;
pub use suggested::{ChosenOffer, InstanceChoice, Offer, Survey, named_ports, survey};
pub use watching::Watching;
