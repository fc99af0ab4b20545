//! The parts of a long difference, as far as a person reads them at once.

use crate::model::counted;

/// How many lines of the difference are shown at once, and of these how many of the settings and of each text.
const MOST_LINES: usize = 200;
const MOST_OF_SETTINGS: usize = 120;
const MOST_OF_TEXT: usize = 20;
/// The parts as far as a person reads them at once, with how much is left out. The first ones are those of `files`.
pub(super) fn bounded(parts: &[Vec<String>], files: usize) -> Vec<String> {
    let (mut room, mut hidden) = (MOST_LINES, 0);
    let mut lines = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let most = if at < files { MOST_OF_SETTINGS } else { MOST_OF_TEXT }.min(room);
        // One line more takes no more room than the line that says so.
        let most = if part.len() == most + 1 { part.len() } else { most };
        lines.extend(part.iter().take(most).cloned());
        room = room.saturating_sub(most.min(part.len()));
        let left_out = part.len().saturating_sub(most);
        hidden += left_out;
        if left_out > 0 && most > 0 {
            lines.push(format!("  … {} more here", counted(left_out as u64, "line")));
        }
    }
    if hidden > 0 {
        let all: usize = parts.iter().map(Vec::len).sum();
        lines.push(format!(
            "  NOT SHOWN: {hidden} of {} of the difference. `cuff approve settings --full` shows all.",
            counted(all as u64, "line")
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_difference_is_bounded_and_says_how_much_is_left_out() {
        let part = |lines: usize| (0..lines).map(|line| format!("+ {line}")).collect::<Vec<_>>();
        assert_eq!(bounded(&[part(3), part(5)], 1).len(), 8, "what is short is whole");
        let shown = bounded(&[part(500), part(21), part(60), part(200), part(200), part(200)], 1);
        assert_eq!(bounded(&[part(3), part(100)], 2).len(), 103, "two files");
        assert_eq!(shown.iter().filter(|line| line.starts_with("+ ")).count(), 120 + 21 + 20 + 20 + 19);
        assert_eq!(shown[120], "  … 380 lines more here");
        let all = 500 + 21 + 60 + 600;
        let hidden = all - 200;
        let notice = format!(
            "  NOT SHOWN: {hidden} of {all} lines of the difference. `cuff approve settings --full` shows all."
        );
        assert_eq!(shown.last(), Some(&notice));
    }
}
