//! Runs: supervision of processes, records, findings, and reports of failure.

#[cfg(target_os = "linux")]
mod at_random;
mod background;
#[cfg(target_os = "linux")]
mod contained_there;
#[cfg(target_os = "linux")]
mod copied_files;
mod diagnostics;
mod failure_reports;
mod later;
#[cfg(target_os = "linux")]
mod lost_nodes;
#[cfg(target_os = "linux")]
mod lost_tools;
mod reasons;
mod records;
#[cfg(target_os = "linux")]
mod runners;
#[cfg(feature = "team")]
mod shared;
mod supervision;
#[cfg(feature = "team")]
mod traces;
#[cfg(target_os = "linux")]
mod waiting_supervisors;
