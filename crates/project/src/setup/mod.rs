//! `cuff init`: its survey, and the files that it writes.

pub(crate) mod draft;
pub(crate) mod servers;
pub use draft::{Predecessor, Replace, SettingsDraft, WriteError, renew_schema};
pub use servers::{Replaced, entry as server_entry, imported, without_secrets};
