//! One name per tool: the registry, in the order of settings and then of each source.

mod names;
mod near;
mod snapshot;

pub use crate::model::{Registered, around, foremost};
pub use snapshot::lookup::NoSuchTool;
pub use snapshot::workspaces::{AgentTool, NoPackage, PACKAGE};
pub use snapshot::{Noted, Registry, ReportedProblem};
