//! May this caller do this plan?

mod permit;

pub use permit::Permit;
