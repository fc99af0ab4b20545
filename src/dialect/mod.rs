//! Formats of output that findings are read from, a file each; this one is nothing but the list.
//!
//! A dialect is handed the lines of one stream and says what it found. It knows nothing of files, processes or other
//! dialects: [`diagnostics`](crate::diagnostics) cuts logs into lines, asks whom a line may concern, and puts
//! together what was found.

mod dotnet_test;
mod draft;
mod msbuild;
mod mypy;
mod place;
mod pylint;
mod pyright;
mod pytest;
mod python;
mod reading;
mod ruff;
mod traceback;
#[cfg(test)]
pub(crate) mod trial;
mod tsc;
mod unittest;

pub use reading::{Dialect, Format, Found, Line, Next, Part, plain};

/// Every dialect. Where two read the same thing, the first one's word counts.
pub const ALL: &[Format] = &[
    tsc::FORMAT,
    pytest::FORMAT,
    unittest::FORMAT,
    python::FORMAT,
    mypy::FORMAT,
    pyright::FORMAT,
    ruff::FORMAT,
    pylint::FORMAT,
    dotnet_test::FORMAT,
    msbuild::FORMAT,
];
