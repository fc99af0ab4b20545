//! The file of a pin.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::format::{self, BadFile};
use super::pin::{Pin, PinnedBy, PinnedTools};

/// The number of this format; a reader of a lower one leaves the file alone.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct PinFileShape {
    format: u32,
    file: String,
    at: u64,
    by: By,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tools: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    texts: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    servers: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum By {
    Init,
    Approved,
    FirstUse,
}

/// Reads the file.
pub(super) fn read(bytes: &[u8]) -> Result<Pin, BadFile> {
    let PinFileShape { file, at, by, text, tools, texts, servers, .. } = format::parse(bytes, FORMAT)?;
    let by = match by {
        By::Init => PinnedBy::Init,
        By::Approved => PinnedBy::Approved,
        By::FirstUse => PinnedBy::FirstUse,
    };
    Ok(Pin { file, text, at, by, tools: PinnedTools { digests: tools, texts }, servers })
}

/// The bytes of the file.
pub(super) fn write(pin: &Pin) -> Vec<u8> {
    let Pin { file, text, at, by, tools, servers } = pin.clone();
    let by = match by {
        PinnedBy::Init => By::Init,
        PinnedBy::Approved => By::Approved,
        PinnedBy::FirstUse => By::FirstUse,
    };
    let PinnedTools { digests: tools, texts } = tools;
    format::bytes(&PinFileShape { format: FORMAT, file, at, by, text, tools, texts, servers })
}
