//! The last lines of a log that no dialect read: the findings above them need not be the reason of a failure.

use crate::dialect::{is_epilogue, is_sum};
use crate::model::{Clipped, Findings};

/// The most last lines that are shown below findings.
const LINES: usize = 5;
/// How many bytes of them.
const BYTES: usize = 600;

/// The last lines of the log behind every error, and below the last lines of standard error, but for those that only
/// sum up what was found. The findings may have another cause than the failure, such as an earlier step that was
/// allowed to fail. A program that buffers its standard output may also print an early result last.
pub fn log_end(output: &Clipped, findings: &Findings) -> Option<String> {
    let cut = format!("[… {} of ", output.omitted);
    let (before, text) = match (output.lines, output.text.rsplit_once(&cut)) {
        (Some((_, omitted)), Some((_, marked))) => {
            (omitted, marked.split_once('\n').map_or("", |(_, tail)| tail))
        }
        _ => (0, &*output.text),
    };
    let found = &findings.diagnostics;
    let worst = found.iter().map(|found| found.severity).max()?;
    let end = found.iter().filter(|found| found.severity == worst).map(|found| found.log.end_line).max()?;
    let is_read =
        |line: u64| found.iter().any(|found| (found.log.start_line..=found.log.end_line).contains(&line));
    let numbered = text.lines().zip(before + 1..).filter(|(_, number)| *number > end && !is_read(*number));
    let is_told = |line: &str| is_epilogue(line) || findings.tests.is_some() && is_tally(line);
    // Above the last sum a tool prints what it has found, once more.
    let numbered: Vec<(&str, u64)> = numbered.collect();
    let sum = numbered.iter().rposition(|(line, _)| is_sum(line)).map_or(0, |sum| sum + 1);
    let behind = numbered[sum..].iter().map(|(line, _)| *line).filter(|line| !is_told(line));
    let unread = &findings.unread;
    let above =
        unread.iter().filter(|(number, line)| *number <= end && !is_told(line)).map(|(_, text)| &**text);
    match (last_of(above), last_of(behind)) {
        (Some(above), Some(last)) => Some(format!("{above}\n{last}")),
        (above, last) => above.or(last),
    }
}

/// Whether a line is one of a runner's own counts, `# fail 1` or `ℹ duration_ms 4.2`: the results of tests
/// are shown separately.
fn is_tally(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let mut next = || words.next().unwrap_or_default();
    let (mark, name, number, rest) = (next(), next(), next(), next());
    let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    ["#", "ℹ"].contains(&mark) && is_name && number.parse::<f64>().is_ok() && rest.is_empty()
}

/// The last of these lines, a few.
fn last_of<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let lines: Vec<&str> = lines.collect();
    let mut room = BYTES;
    let fits = |line: &&&str| {
        let fits = line.len() < room;
        room = room.saturating_sub(line.len());
        fits
    };
    let count = lines.iter().rev().take(LINES).take_while(fits).count();
    let last = lines.get(lines.len() - count..).unwrap_or_default();
    match (last, lines.last()) {
        ([], Some(long)) => Some(long.chars().take(BYTES / 2).chain(['…']).collect()),
        ([], None) => None,
        _ => Some(last.join("\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runners_counts_are_told_from_other_lines() {
        for line in ["# fail 1", "ℹ duration_ms 492.738129", "# todo 0"] {
            assert!(is_tally(line), "{line}");
        }
        for line in
            ["# Subtest: adds", "fail 1", "# port 80 is taken", "# Server 1", "ℹ", "cannot reach the harbour"]
        {
            assert!(!is_tally(line), "{line}");
        }
    }
}
