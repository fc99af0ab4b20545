//! The one form of all files of the ledger: JSON, with a number for the format before the content.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::LedgerError;

/// The number of this format; a reader of a lower one leaves the file alone.
const FORMAT: u32 = 1;

#[derive(Debug, Deserialize)]
struct LedgerVersion {
    format: u32,
}

#[derive(Debug, Serialize)]
struct Versioned<'a, Content> {
    format: u32,
    #[serde(flatten)]
    content: &'a Content,
}

/// The content of the file at this path.
///
/// # Errors
/// When a newer cuff wrote it, or it is no such file.
pub(super) fn read<Content: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<Content, LedgerError> {
    let corrupt = |_| LedgerError::Corrupt(path.to_owned());
    let LedgerVersion { format } = serde_json::from_slice(bytes).map_err(corrupt)?;
    if format > FORMAT {
        return Err(LedgerError::Newer(path.to_owned(), format));
    }
    serde_json::from_slice(bytes).map_err(corrupt)
}

/// The bytes of a file with this content.
pub(super) fn bytes(content: &impl Serialize) -> Vec<u8> {
    // Texts and numbers alone cannot fail.
    let mut bytes = serde_json::to_vec_pretty(&Versioned { format: FORMAT, content }).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
