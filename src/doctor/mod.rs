//! `cuff doctor`, `cuff status` and the health check: what is in the way.

pub(crate) mod dependencies;
pub(crate) mod health;
pub(crate) mod irreversible;
pub(crate) mod programs;
pub(crate) mod sources;
pub(crate) mod status;
