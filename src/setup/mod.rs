//! `cuff init`: what it finds, and what it writes.

pub(crate) mod choice;
pub(crate) mod draft;
pub(crate) mod survey;
pub use survey::survey;
