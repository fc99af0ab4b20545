//! A directory and plugins in, tools and problems out: shows plugins what they want to see, and remembers.

mod afresh;
mod consult;
mod fingerprint;
mod instance;
mod look;
mod memory;
mod place;
mod probes;
mod record;
mod stamps;
#[cfg(test)]
mod tests;
mod view;
mod watched_paths;

pub use afresh::{discover, scout, workspace};
pub use consult::{checks, install_hint};
pub use instance::{ProjectSource, SourceContext, selects_more};
pub use memory::Memory;
pub use place::{Prober, Probing, ProjectPlace};
pub use view::ProjectView;
pub use watched_paths::of_stamps as watched_places;
