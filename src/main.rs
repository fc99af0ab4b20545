//! The `cuff` binary.

fn main() {}
