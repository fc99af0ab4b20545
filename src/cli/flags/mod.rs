//! The flags of `cuff run` for the tools of other MCP servers, from their JSON Schemas.

mod flag;
mod given;
mod help;
mod kind;
mod line;
mod reread;

pub(super) use flag::{Flag, find, flags};
pub(super) use given::{arguments, missing};
pub(super) use help::help;
pub(super) use line::line;
pub(super) use reread::{opened, reread};

#[cfg(test)]
mod tests;
