//! A project, from its settings to the record of a call.
//!
//! [`project`] opens a project and keeps it current. A [`Project`](project::Project) is four things beside its context: its
//! [settings](project::ProjectSettings), which never change, its [catalog](project::ProjectCatalog) of tools, the
//! [authority](project::ProjectAuthority) that policy stands on, and its [runs](project::ProjectRuns); a function takes the part that
//! it needs. [`registry`] gives each tool one name. [`calls`] carries a call from door to door:
//! plan, policy, confirmation, [`execution`], the record in the [`store`], the report. [`wire`] has the JSON shapes of results. [`setup`]
//! is behind `cuff init`, [`doctor`] behind `cuff doctor` and `cuff status`, and [`metrics`] counts.
//!
//! Each step of a call is told once (`calls/account.rs`), to the counts, the audit log and the journal. Its output goes to the
//! record, the reader of findings and the face through one pipeline (`calls/output_pipeline.rs`).
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
