//! Containment of a run by the kernel (Linux): files by Landlock, system calls by seccomp, and a judge for those calls that neither can
//! decide about alone.
//!
//! The supervisor makes the rules before it starts the program, the child takes them on between fork and exec, and everything that
//! the run starts inherits them. Calls that need judging come to a thread of the supervisor as notifications. Another
//! thread of the run may change its memory after a look, so that one does a call itself, with a copy. Only `bind` to a file goes on
//! alone, since Landlock holds that.

mod confinement;
#[cfg(target_os = "linux")]
mod enter;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod here;
#[cfg(target_os = "linux")]
mod judge;
#[cfg(target_os = "linux")]
mod kept_rules;
#[cfg(target_os = "linux")]
mod looks;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(not(target_os = "linux"))]
mod nobody;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg(target_os = "linux")]
mod siblings;
#[cfg(target_os = "linux")]
mod support;
#[cfg(target_os = "linux")]
mod system_calls;

pub use confinement::Confinement;
#[cfg(target_os = "linux")]
pub(crate) use enter::{Entered, Entrance};
#[cfg(target_os = "linux")]
pub use here::holds_here;
#[cfg(target_os = "linux")]
pub(crate) use judge::Judge;
#[cfg(target_os = "linux")]
pub(crate) use kept_rules::KeptRules;
#[cfg(not(target_os = "linux"))]
pub(crate) use nobody::{AbsentJudge as Judge, NoRules as KeptRules};
#[cfg(target_os = "linux")]
pub use support::{ContainmentSupport, is_supported, support};

/// Whether this process is inside a contained run: never, where nothing is contained.
#[cfg(not(target_os = "linux"))]
pub fn holds_here(_: &std::path::Path) -> bool {
    false
}

/// Whether this system holds runs at all: it does not.
#[cfg(not(target_os = "linux"))]
pub fn is_supported() -> bool {
    false
}
