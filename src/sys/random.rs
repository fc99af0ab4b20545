//! Randomness, for names that nobody else may have.

/// Bytes that nobody can foresee, or none.
///
/// # Errors
/// When the operating system has none to give.
pub fn secret<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes)
}

/// Bytes that nobody can foresee; should the operating system have none to give, those of this moment and process.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if getrandom::fill(&mut bytes).is_err() {
        let seed =
            blake3::hash(format!("{:?} {}", std::thread::current().id(), std::process::id()).as_bytes());
        let given = seed.as_bytes().iter().cycle();
        bytes.iter_mut().zip(given).for_each(|(byte, from)| *byte = *from);
    }
    bytes
}
