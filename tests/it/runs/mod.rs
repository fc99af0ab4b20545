//! Runs: supervision of processes, records, findings, and reports of failure.

mod diagnostics;
mod failure_reports;
pub(crate) mod records;
mod supervision;
