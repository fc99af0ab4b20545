//! A process that has nothing but two pipes: no files, no network, no other processes, no environment.
//!
//! cuff starts its own binary again as `cuff __interpret`. The process reads its task while it may still do
//! anything. Then it gives everything up, for good, and only then does it touch a stranger's text. Three
//! layers keep it. The kernel refuses all system calls but a few (seccomp). It refuses files, sockets and
//! signals by name (Landlock). And there is an end to its memory, its processor time and its descriptors.
//! Each layer alone does its own part. None would against root, so the process is not root any more, and has
//! no capabilities.
//!
//! Only Linux has the first two. Elsewhere the third is all there is, and that is said.

#[cfg(target_os = "linux")]
mod files;
mod inside;
mod lock;
#[cfg(target_os = "linux")]
mod privileges;
mod resources;
mod start;
#[cfg(target_os = "linux")]
mod system_calls;

pub use super::run_markers::INTERPRET as ARGUMENT;
pub use inside::{PipeLine, PipeRead};
pub use lock::{Layers, lock_down};
pub use resources::Bounds;
pub use start::{Exit, Isolated, start};

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
