//! A tool's own text, such as a script of package.json or a recipe of make, split into the commands that a shell starts.

mod command;
mod fallback;
mod recipe;
mod through;
mod walk;
mod words;

pub use command::ShellCommand;
pub use walk::commands;
pub(super) use words::unquoted;

#[cfg(test)]
mod tests;
