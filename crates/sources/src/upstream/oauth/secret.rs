//! A secret text that no message and no log shows.

use std::fmt::{self, Debug, Formatter};

use serde::{Deserialize, Serialize};

/// A token, or the secret of a client.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Secret(String);

impl Secret {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, to send it.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl Debug for Secret {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("[redacted]")
    }
}
