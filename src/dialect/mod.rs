//! Formats of output that findings are read from, a file each; this one is nothing but the list.
//!
//! A dialect is handed the lines of one stream and says what it found. It knows nothing of files, processes or other
//! dialects: [`diagnostics`](crate::diagnostics) cuts logs into lines, asks whom a line may concern, and puts
//! together what was found.

mod cargo_test;
mod cmake;
mod draft;
mod gcc;
mod go;
mod java;
mod make;
mod panic;
mod place;
mod reading;
mod rustc;
#[cfg(test)]
pub(crate) mod trial;
mod tsc;

pub use reading::{Consequence, Dialect, Format, Found, Line, Next, Part, plain};

/// Every dialect. Where two read the same thing, the first one's word counts.
pub const ALL: &[Format] = &[
    tsc::FORMAT,
    cargo_test::FORMAT,
    rustc::FORMAT,
    panic::FORMAT,
    gcc::FORMAT,
    make::FORMAT,
    cmake::FORMAT,
    go::test::FORMAT,
    go::panic::FORMAT,
    go::FORMAT,
    java::FORMAT,
    java::exception::FORMAT,
    java::maven::FORMAT,
];
