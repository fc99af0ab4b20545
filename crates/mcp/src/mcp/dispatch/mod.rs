//! One tool for all: `cuff` lists, describes and runs the others, and prints what a run printed.
//!
//! `call_plugin_tool` and `list_plugins` do the same for clients of the program that cuff takes after. All three can be
//! called however the tools are offered, and every tool by its own name besides; `tools/list` alone differs.

mod answers;
mod log;
mod open;

pub(super) use open::{CALL, OpenedCall, kin, open, tool};
