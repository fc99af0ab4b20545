//! The values of held files: the request to hold one, and its state.

use std::fmt;
use std::path::PathBuf;

/// A file to hold, there or not.
pub struct FileToHold {
    /// Its absolute path.
    pub path: PathBuf,
    /// Says whether the part of it that must stay is there. `None`: every byte must stay.
    pub keeps: Option<Keeps>,
}

/// Says whether a file still has the part that must stay.
pub type Keeps = Box<dyn Fn() -> bool + Send>;

impl fmt::Debug for FileToHold {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("FileToHold").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Whether a file was written, or replaced, while it was held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Write {
    /// It was not.
    #[default]
    None,
    /// It was, and may be what it was before.
    Written,
    /// It was, and the part that must stay was another for some time.
    Differed,
}

/// The state of one held file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hold {
    /// Whether it was written.
    pub write: Write,
    /// Whether a process has it open or mapped for writing, so that it cannot be held.
    pub is_busy: bool,
    /// Why a write may go unnoticed, in words; `None`: it cannot.
    pub gap: Option<String>,
}
