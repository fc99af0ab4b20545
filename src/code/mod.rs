//! Code mode: the trusted parent of a program's interpreter, and the interpreter's process itself.

mod interpreter;
mod script;

pub use crate::sys::isolation::ARGUMENT;
pub use interpreter::main as interpret;
pub use script::{Interpreter, Script};
