//! Formats of output that findings are read from, a file each; this one is nothing but the list.
//!
//! A dialect is handed the lines of one stream and says what it found. It knows nothing of files, processes or other
//! dialects: [`diagnostics`](crate::diagnostics) cuts logs into lines, asks whom a line may concern, and puts
//! together what was found.

mod bun_test;
mod crash;
mod draft;
mod failure;
mod frame;
mod jest;
mod matcher;
mod mocha;
mod node;
mod node_test;
mod place;
mod reading;
mod tally;
mod tap;
#[cfg(test)]
pub(crate) mod trial;
mod tsc;
mod vitest;

pub use matcher::Matched;
pub use reading::{Dialect, Format, Found, Line, Next, Part, plain};

/// Every dialect. Where two read the same thing, the first one's word counts.
pub const ALL: &[Format] = &[
    jest::FORMAT,
    vitest::FORMAT,
    mocha::FORMAT,
    bun_test::FORMAT,
    node_test::FORMAT,
    tap::FORMAT,
    tsc::FORMAT,
    node::FORMAT,
];
