//! A whole document that a command line names.

#![expect(clippy::disallowed_methods, reason = "a person names the file, wherever it is")]

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// The operating system's; `InvalidData` for more than `limit` bytes, or text that is not UTF-8.
pub fn document(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().lock().take(limit + 1).read_to_string(&mut text)?
    } else {
        File::open(path)?.take(limit + 1).read_to_string(&mut text)?
    };
    if u64::try_from(read).is_ok_and(|read| read <= limit) {
        Ok(text)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, format!("it is larger than {limit} bytes")))
    }
}
