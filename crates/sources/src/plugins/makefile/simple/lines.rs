//! The lines that make reads: several of the file where a backslash ends them.

use std::borrow::Cow;

/// The lines of a text, each with its number from 1. Backslashes and line feeds within a line are still there.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut rest = (1..).zip(text.lines());
    std::iter::from_fn(move || {
        let (number, first) = rest.next()?;
        let mut line = Cow::Borrowed(first);
        while goes_on(&line)
            && let Some((_, next)) = rest.next()
        {
            line += "\n";
            line += next;
        }
        Some((number, line))
    })
}

/// Whether an odd number of backslashes ends a text.
fn goes_on(text: &str) -> bool {
    !(text.len() - text.trim_end_matches('\\').len()).is_multiple_of(2)
}

/// The line with each backslash at an end, and the blanks around it, made one blank.
pub(super) fn joined(line: &str) -> Cow<'_, str> {
    let line = line.strip_suffix('\\').filter(|_| goes_on(line)).unwrap_or(line);
    if !line.contains('\n') {
        return line.into();
    }
    let mut out = String::with_capacity(line.len());
    for (place, piece) in line.split("\\\n").enumerate() {
        if place > 0 {
            out.truncate(out.trim_end_matches([' ', '\t']).len());
            out.push(' ');
        }
        out.push_str(if place > 0 { piece.trim_start_matches([' ', '\t']) } else { piece });
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_number_of_backslashes_joins_lines() {
        for (text, expected) in [
            ("", vec![]),
            ("a\n\nb", vec![(1, "a"), (2, ""), (3, "b")]),
            ("a \\\r\n\t b\\\\\nc\r\n", vec![(1, "a b\\\\"), (3, "c")]),
            ("a\\\n \\\n b", vec![(1, "a b")]),
            ("a \\", vec![(1, "a ")]),
        ] {
            let found: Vec<_> =
                lines(text).map(|(number, line)| (number, joined(&line).into_owned())).collect();
            let found: Vec<_> = found.iter().map(|(number, line)| (*number, line.as_str())).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
