//! The open project: changes while cuff serves it, and names that resolve to its tools.

mod name_resolution;
mod reload;
