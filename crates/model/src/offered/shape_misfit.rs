//! The reason why a value does not fit its form.

use std::fmt;

/// The reason why a value does not fit: the path to it, and what is wrong there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ShapeMisfit {
    path: String,
    why: String,
}

impl ShapeMisfit {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { path: String::new(), why: why.into() }
    }

    /// The same one level further out.
    pub(super) fn below(self, name: &str) -> Self {
        let path = match self.path.as_str() {
            "" => name.to_owned(),
            inner if inner.starts_with('[') => format!("{name}{inner}"),
            inner => format!("{name}.{inner}"),
        };
        Self { path, ..self }
    }
}

impl fmt::Display for ShapeMisfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(out, "it {}", self.why),
            path => write!(out, "its `{path}` {}", self.why),
        }
    }
}
