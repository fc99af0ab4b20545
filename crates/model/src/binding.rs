//! The files that an approval or a pinned text depends on: a closed list that each plugin declares for its
//! tools.

use super::{Pathname, Want};

/// The files of one tool's plan, as far as they are known.
#[derive(Debug, Clone, Default)]
pub struct Binding {
    /// Every file that the tool reads to know what to run, there or not. They are read immediately before the start, and
    /// after the end.
    pub files: Vec<BoundFile>,
    /// Further wants that must be answered before the list is known.
    pub wants: Vec<Want>,
}

/// One file of a binding.
#[derive(Debug, Clone)]
pub struct BoundFile {
    /// Its path.
    pub path: Pathname,
    /// The part of it that must be the same after the end.
    pub after: StatePart,
}

/// The part of a file that must be the same after the end of a run.
#[derive(Debug, Clone, Copy)]
pub enum StatePart {
    /// All of it.
    Same,
    /// A part: the result of this function for the bytes. The tool writes the rest.
    Part(fn(&[u8]) -> Vec<u8>),
    /// Nothing: the tool itself writes it.
    Written,
}

impl Binding {
    /// A binding of files that must be the same after the end.
    pub fn same(paths: impl IntoIterator<Item = Pathname>) -> Self {
        let mut binding = Self::default();
        binding.add(StatePart::Same, paths);
        binding
    }

    /// Adds files. A path that is there already stays as it is.
    pub fn add(&mut self, after: StatePart, paths: impl IntoIterator<Item = Pathname>) {
        for path in paths {
            if self.files.iter().all(|file| file.path != path) {
                self.files.push(BoundFile { path, after });
            }
        }
    }

    /// All wants: the files, and the wants that complete the list.
    pub fn all_wants(&self) -> Vec<Want> {
        let files = self.files.iter().map(|file| Want::File(file.path.clone()));
        files.chain(self.wants.iter().cloned()).collect()
    }
}
