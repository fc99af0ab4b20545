//! tests

mod supervision;
