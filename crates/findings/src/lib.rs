//! Output of tools in, findings out: errors and warnings with their files and lines.
//!
//! [`redact`] takes secrets out of a stream of bytes. [`dialect`] holds the formats, a file or a row of a table each. [`diagnostics`]
//! cuts a log into lines, asks the formats that the program of a run has, and puts their findings together while the log is written.
//!
//! Invariants: nothing here does IO or knows a clock; memory is bounded, however long a log or a line is; a finding that is printed
//! twice is one. The package is compiled for speed, since every byte of a run passes through it.
//!
//! Begin with [`diagnostics::collect`](diagnostics) and the example `findings`.

use cuff_model as model;

pub mod diagnostics;
pub mod dialect;
pub mod redact;
