//! A permit in, an outcome out: supervise, time out, cancel, kill the tree.

mod containing;
mod inheritance;
mod prepare;
mod relay;
mod run;
mod serve;
mod server_input;
mod sink;
mod slots;
mod watch;

pub use containing::probe as containment_probe;
pub use relay::relay;
pub use run::{Host, ReadyRun, queue, without_process};
pub use serve::{Server, ServerProcess, serve};
pub use server_input::ServerInput;
pub use sink::{Keys, Sink};
pub use slots::Slots;
