//! Runs: supervision of processes, records, findings, and reports of failure.

mod background;
mod diagnostics;
mod failure_reports;
mod records;
mod supervision;
