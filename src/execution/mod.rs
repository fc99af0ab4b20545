//! A permit in, an outcome out: supervise, time out, cancel, kill the tree.

mod inheritance;
mod prepare;
mod relay;
mod run;
mod sink;
mod slots;
mod watch;

pub use relay::relay;
pub use run::{Host, Place, queue, without_process};
pub use sink::{Keys, Sink};
pub use slots::Slots;
