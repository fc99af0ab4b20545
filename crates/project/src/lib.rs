//! A project, from its settings to the record of a call.
//!
//! [`project`] opens a project and keeps it current. [`registry`] gives each tool one name. [`calls`] carries a call from door to door:
//! plan, policy, confirmation, [`execution`], the record in the [`store`], the report. [`wire`] has the JSON shapes of results. [`setup`]
//! is behind `cuff init`, [`doctor`] behind `cuff doctor` and `cuff status`, and [`metrics`] counts.
//!
//! Invariants: every call takes the same way, whoever makes it; nothing starts without a permit of the policy; what a run printed is on
//! disk before anybody is told of it.
//!
//! Begin with [`calls::run()`].

use cuff_findings::diagnostics;
use cuff_findings::dialect;
use cuff_findings::redact;
use cuff_model as model;
use cuff_policy as policy;
use cuff_policy::ledger;
use cuff_settings as settings;
use cuff_sources as sources;
use cuff_sources::plugin;
use cuff_system as sys;

pub mod calls;
pub mod doctor;
pub mod execution;
pub mod metrics;
pub mod project;
pub mod registry;
pub mod setup;
pub mod store;
pub mod wire;
