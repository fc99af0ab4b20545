//! The reader of files that run later.

use std::path::Path;

use crate::kept_files::KeptFiles;
use crate::model::Seen;
use crate::read_file;

/// The largest file whose content is compared, in bytes; of a larger one the stamps are.
const LARGEST: u64 = 256 * 1024;

/// The reader of these files.
#[derive(Debug, Clone, Copy)]
pub struct FileReader<'a> {
    /// The files as they were read.
    pub known: &'a KeptFiles,
    /// Whether each is read again, and not only where its stamps have moved: a write through a memory map moves none.
    pub is_afresh: bool,
}

impl FileReader<'_> {
    pub(super) fn file(self, path: &Path) -> Seen {
        if self.is_afresh { read_file::file(path, LARGEST) } else { self.known.file(path, LARGEST) }
    }
}
