//! Servers and tools that programs do not get, and why.

use serde::{Deserialize, Serialize};

use super::names::camel_case;

/// A server or tool that programs do not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithheldName {
    /// As settings or its source call it.
    pub name: String,
    /// The reason, and what a person can do about it.
    pub why: String,
}

impl WithheldName {
    /// The one that a program means by this name.
    pub(super) fn named<'w>(all: &'w [Self], key: &str) -> Option<&'w Self> {
        all.iter().find(|one| one.name == key || camel_case(&one.name) == key)
    }
}
