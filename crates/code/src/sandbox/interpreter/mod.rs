//! The interpreter, as it runs in the child: a program in, calls and what it prints out, a result at the end.
//!
//! Everything here may be in the hands of the program. The parent and the kernel hold what must hold; the
//! limits of this module make for good messages.

mod engine;
mod modules;
mod natives;
mod parent;
mod run;

pub use parent::{Parent, Received};
pub use run::run;

#[cfg(test)]
mod tests;
