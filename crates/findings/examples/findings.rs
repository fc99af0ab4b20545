//! Reads what any program printed, and prints the findings: `make 2>&1 | cargo run --example findings`.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "an example has no other way to its input and output"
)]

use std::io::{Read as _, stdin};
use std::path::Path;

use cuff_findings::diagnostics::Reader;
use cuff_model::{Chunk, Stream};

fn main() -> std::io::Result<()> {
    let mut printed = Vec::new();
    stdin().read_to_end(&mut printed)?;
    let root = std::env::current_dir()?;
    let mut reader = Reader::new(&root, Path::new("."), Vec::new()).seeing(Path::exists);
    reader.push(Chunk::new(Stream::Both, &printed));
    for found in reader.finish().diagnostics {
        let place = found.place.map(|place| place.to_string()).unwrap_or_default();
        println!("{} {place} {} {}", found.severity.name(), found.code.unwrap_or_default(), found.message);
    }
    Ok(())
}
