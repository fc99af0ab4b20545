//! A directory and plugins in, tools and problems out: shows plugins what they want to see, and remembers.

mod afresh;
mod consult;
mod fingerprint;
mod look;
mod memory;
mod place;
mod probes;
mod record;
mod sights;
#[cfg(test)]
mod tests;

pub use afresh::{discover, scout};
pub use consult::{checks, install_hint};
pub use memory::Memory;
pub use place::{Place, Prober, Probing};
