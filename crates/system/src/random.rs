//! Randomness, for names that are unique.

/// Returns unpredictable bytes.
///
/// # Errors
/// When the operating system has none to give.
pub fn secret<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes)
}
