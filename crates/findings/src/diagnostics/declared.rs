//! The errors that a tool says it found, and jobs that say they failed: a count of findings that is smaller says so.

use crate::dialect::is_sum;

/// The words of such lines.
pub(super) const TRIGGERS: [&str; 9] = [
    " would be reformatted",
    "Found ",
    "FOUND ",
    " problems (",
    " problem (",
    " exited with code ",
    "Total errors found: ",
    "A TOTAL OF ",
    " errors",
];

/// How many errors a tool says that it found: `Found 12 errors in 3 files.`, `✖ 9 problems (5 errors, 4 warnings)`.
pub(super) fn declared(text: &str) -> Option<u64> {
    let text = text.trim();
    if let Some((files, rest)) = text.split_once(" would be reformatted") {
        let number = files.strip_suffix(" files").or_else(|| files.strip_suffix(" file"))?;
        return number.parse().ok().filter(|_| rest.is_empty() || rest.starts_with([',', '.']));
    }
    let sums = ["Total errors found: ", "A TOTAL OF "].iter().find_map(|before| text.strip_prefix(before));
    if let Some(sum) = sums {
        let number = sum.split(' ').next()?;
        return number.parse().ok();
    }
    if let Some(Ok(number)) = text.strip_suffix(" errors").map(str::parse) {
        return Some(number);
    }
    // So PHPStan frames its sum.
    let text = text.strip_prefix("[ERROR] ").unwrap_or(text);
    if let Some((number, rest)) = text.strip_prefix("FOUND ").and_then(|rest| rest.split_once(' ')) {
        let is_of_file = rest.starts_with("ERROR") && rest.contains(" AFFECTING ");
        return number.parse().ok().filter(|_| is_of_file);
    }
    if !(text.starts_with("Found ") || text.starts_with('✖') && is_sum(text)) {
        return None;
    }
    // Of errors that were mended at once the tool says how many remain.
    let (counted, noun) = if text.contains(" fixed, ") { (text, " remaining") } else { (text, " error") };
    // All that deno's linter finds are errors.
    let before = match counted.strip_suffix(" problems").or_else(|| counted.strip_suffix(" problem")) {
        Some(before) => before,
        None => &counted[..counted.find(noun)?],
    };
    let number = before.rsplit(|c: char| !c.is_ascii_digit()).next()?;
    number.parse().ok()
}

/// Whether a job says that it failed: `eslint src exited with code 1`.
pub(super) fn has_failed(text: &str) -> bool {
    let code = text.rsplit_once(" exited with code ").map(|(_, code)| code.trim());
    code.is_some_and(|code| code.parse::<u32>().is_ok_and(|code| code > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_say_how_many_errors_they_found() {
        for (text, expected) in [
            ("Found 12 errors in 3 files.", Some(12)),
            ("Found 1 error in src/a.ts:3", Some(1)),
            ("Found 2 warnings and 0 errors.", Some(0)),
            ("Found 3 errors (1 fixed, 2 remaining).", Some(2)),
            ("✖ 9 problems (5 errors, 4 warnings)", Some(5)),
            ("FOUND 14 ERRORS AND 1 WARNING AFFECTING 4 LINES", Some(14)),
            ("FOUND 0 ERRORS", None),
            ("3 files would be reformatted, 1 file already formatted", Some(3)),
            ("1 file would be reformatted.", Some(1)),
            ("It would be reformatted", None),
            ("[ERROR] Found 2 errors", Some(2)),
            ("Found 8 problems", Some(8)),
            ("Total errors found: 9", Some(9)),
            ("A TOTAL OF 74 ERRORS AND 2 WARNINGS WERE FOUND IN 6 FILES", Some(74)),
            ("6 errors", Some(6)),
            ("has 6 errors", None),
            ("Found 5 files", None),
            ("we Found 3 errors", None),
            ("problem (3 errors)", None),
        ] {
            assert_eq!(declared(text), expected, "{text}");
        }
        assert!(has_failed("eslint src exited with code 1"));
        assert!(!has_failed("eslint src exited with code 0") && !has_failed("exited with code SIGTERM"));
    }
}
