//! How large a program may be. More is refused before anything looks at it closely.

use super::finding::CheckFinding;
use crate::model::size;

/// The longest source, in bytes.
pub const LONGEST_SOURCE: usize = 128 << 10;

/// How deep brackets may lie in one another. People write ten levels at most; the interpreter itself takes
/// some hundreds.
const DEEPEST: usize = 200;

/// Refuses a source that is too long or too deep, without reading it as a program.
pub(super) fn check(source: &str) -> Result<(), CheckFinding> {
    if source.len() > LONGEST_SOURCE {
        let message = format!(
            "the program is {} long; at most {} are read",
            size(source.len() as u64),
            size(LONGEST_SOURCE as u64)
        );
        return Err(CheckFinding::new(0..0, message).help("read large data with a tool, inside the program"));
    }
    let mut depth = 0_usize;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            0 => return Err(CheckFinding::new(at..at + 1, "the program has a NUL character in it")),
            _ => {}
        }
        if depth > DEEPEST {
            let message = format!("brackets lie more than {DEEPEST} deep in one another here");
            return Err(CheckFinding::new(at..at + 1, message)
                .help("split the program up; read deep data with a tool"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_depth_are_bounded() {
        assert_eq!(check("f(a[1], { b: `${c}` })"), Ok(()));
        assert_eq!(check(&"(".repeat(200)), Ok(()));
        assert_eq!(check(&"(".repeat(201)).unwrap_err().span, 200..201);
        assert_eq!(check(&"()".repeat(10_000)), Ok(()));
        assert_eq!(check(&"a".repeat(LONGEST_SOURCE)), Ok(()));
        assert!(check(&"a".repeat(LONGEST_SOURCE + 1)).unwrap_err().message.contains("at most 128.0 KiB"));
        assert_eq!(check("a\0").unwrap_err().span, 1..2);
    }
}
