//! The settings that cuff suggests for a project: what each plugin finds, and a choice among it.

mod choice;
mod in_the_way;
mod instances;
mod offer;
mod ports;
mod survey;

pub use choice::{ChosenOffer, InstanceChoice};
pub(crate) use in_the_way::in_the_way;
pub use instances::usual_sources;
pub(crate) use instances::{SuggestedSettings, suggested_settings};
pub(crate) use offer::offers;
pub use offer::{Offer, Survey};
pub use ports::named_ports;
pub(crate) use survey::reason;
pub use survey::survey;
