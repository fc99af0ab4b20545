//! Where the Makefile is, and how make is called for it.

use crate::model::Word;

/// One Makefile, and the folder that make runs in.
#[derive(Debug)]
pub(super) struct Project {
    /// The Makefile: relative to the project's root, or absolute.
    pub(super) file: String,
    /// The folder that make runs in, and that includes are relative to: the same.
    pub(super) folder: String,
    /// The program and its first words: `make`, `make -f other.mk`.
    pub(super) words: Vec<Word>,
}
