//! Files that are held while a process reads them: a write to one, or another file at its path, is noticed even if it
//! is undone.
//!
//! A read lease notices writers, those with a mapping included. A watch of folders notices another file at a path.

mod hold;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg(target_os = "linux")]
mod lease;
#[cfg(target_os = "linux")]
mod route;

pub use hold::{FileToHold, Hold, Keeps, Write};

/// Files that are held until this is dropped. A writer never waits for longer than a thread needs to wake up.
#[derive(Debug)]
pub struct HeldFiles(#[cfg(target_os = "linux")] keeper::HolderFiles, #[cfg(not(target_os = "linux"))] usize);

impl HeldFiles {
    /// Holds files from now on.
    pub fn hold(files: Vec<FileToHold>) -> Self {
        #[cfg(target_os = "linux")]
        return Self(keeper::HolderFiles::new(files));
        #[cfg(not(target_os = "linux"))]
        Self(files.len())
    }

    /// The state of each file, in the order in which they came.
    pub fn states(&self) -> Vec<Hold> {
        #[cfg(target_os = "linux")]
        return self.0.states();
        #[cfg(not(target_os = "linux"))]
        vec![Hold { gap: Some("this system has no read leases".into()), ..Hold::default() }; self.0]
    }
}
