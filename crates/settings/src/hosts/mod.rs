//! The programs that start cuff for an agent: where each keeps its MCP servers, and changing that file's text.
//!
//! Nothing here opens a file: a text goes in, and the changed text comes out with everything else in it as it was.
//! Adding a client is one entry in [`CLIENTS`].

mod clients;
mod entry;
mod json;
mod layout;
mod obstacle;
mod servers;
mod toml;

pub use clients::{AgentClient, BaseFolder, CLIENTS, ClientFolders, ClientFormat, ClientPath, ClientScope};
pub use entry::{Launch, Named};
pub use obstacle::Obstacle;
pub use servers::{ClientFileChange, ClientServers};

#[cfg(test)]
mod tests;
