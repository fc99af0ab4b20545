//! The settings that cuff suggests for a project: what each plugin finds, and a choice among it.

mod choice;
mod folder_survey;
mod instances;
mod nested;
mod offer;
mod ports;
mod survey;

pub use choice::{ChosenOffer, InstanceChoice};
pub(crate) use folder_survey::in_the_way;
pub(crate) use instances::{SuggestedSettings, nearest_above, suggested_settings, usual_sources};
pub(crate) use nested::working_directory;
pub use offer::{Offer, Survey};
pub(crate) use offer::{offers, rebase};
pub use ports::named_ports;
pub(crate) use survey::reason;
pub use survey::survey;
