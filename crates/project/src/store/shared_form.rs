//! Runs and findings as the store writes them, for records that leave this machine.

use super::findings;
use super::format::{self, BadMeta};
use crate::model::{Findings, Recorded};

/// A run as in `meta.json`, one document.
pub fn run_as_bytes(run: &Recorded) -> Vec<u8> {
    format::write(run)
}

/// The run in such a document.
///
/// # Errors
/// When it is none, or one of a newer cuff.
pub fn run_of_bytes(bytes: &[u8]) -> Result<Recorded, BadMeta> {
    format::read(bytes)
}

/// Findings as in `diagnostics.json`.
pub fn findings_as_bytes(findings: &Findings) -> Vec<u8> {
    findings::write(findings)
}

/// The findings in such a document; `None` where it is none, or one of a newer cuff.
pub fn findings_of_bytes(bytes: &[u8]) -> Option<Findings> {
    findings::read(bytes)
}
