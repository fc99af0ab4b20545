//! The reasons why instances cannot be put into a file.

/// Why instances cannot be put into a file, in words.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub struct NotMerged {
    why: String,
    mend: Option<String>,
}

impl NotMerged {
    /// The reason in words.
    pub fn because(why: impl Into<String>) -> Self {
        Self { why: why.into(), mend: None }
    }

    /// The reason that lies in the whole file, which must be mended before anything can be put into it.
    pub fn broken(why: impl Into<String>, mend: Option<&str>) -> Self {
        Self { why: why.into(), mend: Some(mend.unwrap_or("mend that first").to_owned()) }
    }

    /// The repair that the file needs first; `None` if it is whole, and lines can be written into it by hand.
    pub fn mend(&self) -> Option<&str> {
        self.mend.as_deref()
    }
}
