//! A folder for a moment, which this user alone can look into.

use std::fs;
use std::io;
use std::path::Path;

/// A folder that is removed when it is dropped.
#[derive(Debug)]
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// Makes one, with these files in it.
    ///
    /// # Errors
    /// The operating system's.
    #[expect(clippy::disallowed_methods, reason = "this is sys")]
    pub fn with(files: &[(&str, &str)]) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        for (name, text) in files {
            fs::write(folder.path().join(name), text)?;
        }
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
