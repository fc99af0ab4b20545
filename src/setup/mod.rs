//! `cuff init`: its survey, and the files that it writes.

pub(crate) mod choice;
pub(crate) mod draft;
mod in_the_way;
pub(crate) mod offer;
pub(crate) mod servers;
pub(crate) mod survey;
pub use choice::{Choice, Chosen};
pub use draft::{Draft, Predecessor, Replace, WriteError};
pub use offer::{Offer, Survey};
pub use servers::{Replaced, entry as server_entry, imported, without_secrets};
pub use survey::survey;
