//! Open, watch and reload a project: settings, pins, sources, the current registry.

pub(crate) mod approvals;
pub(crate) mod ground;
pub(crate) mod list;
pub(crate) mod live;
pub(crate) mod open;
pub(crate) mod opened;
pub(crate) mod pending_summary;
pub(crate) mod pins;
pub(crate) mod probe;
pub(crate) mod secrets;
pub(crate) mod standing;
pub(crate) mod unapproved;
pub(crate) mod unmatched_patterns;
pub(crate) mod watching;
