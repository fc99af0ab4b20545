//! A directory and plugins in, tools and problems out: shows plugins what they want to see, and remembers.

mod ask_plugin;
mod cache;
mod fingerprint;
mod instance;
mod look;
mod place;
mod probes;
mod record;
mod rediscover;
mod stamps;
#[cfg(test)]
mod tests;
mod view;
mod watched_paths;

pub use ask_plugin::{checks, install_hint};
pub use cache::Memory;
pub use instance::{ProjectSource, SourceContext, selects_more};
pub use place::{Prober, Probing, ProjectPlace};
pub use rediscover::{discover, scout, workspace};
pub use view::{ProjectView, SharedViews};
pub use watched_paths::of_stamps as watched_places;
