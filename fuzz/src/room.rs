//! A folder in memory where a target keeps the files of one input.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of this process, empty for each input.
#[derive(Debug)]
pub struct Room {
    path: PathBuf,
}

impl Room {
    /// The empty folder of this name, in memory where the system has a place for that.
    pub fn new(name: &str) -> Self {
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let path = base.join(format!("cuff-fuzz-{name}-{}", std::process::id()));
        // A missing folder need not be removed.
        let _ = fs::remove_dir_all(&path);
        Self { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        let file = self.path.join(name);
        let folder = file.parent().expect("a path in this folder");
        fs::create_dir_all(folder).expect("a folder of ours");
        fs::write(file, bytes).expect("a file of ours");
    }

    /// The bytes of a file; none where it is not there.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.path.join(name)).ok()
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
