//! Texts within the width of a terminal, broken between words: a name, a path or a command that is copied stays whole.

use console::{measure_text_width, truncate_str};

/// A line in as many as a terminal of this width needs; the rest stands below its text.
pub fn wrapped(line: &str, width: usize) -> String {
    hanging(line, width, indent(line) + 2)
}

/// The same with the rest so many columns in, or less where that would leave it little room.
pub fn hanging(line: &str, width: usize, below: usize) -> String {
    let indent = indent(line);
    let below = below.min(width / 3).max(indent);
    let mut text = line[..indent].to_owned();
    let mut column = indent;
    for (at, word) in line[indent..].split(' ').enumerate() {
        let length = measure_text_width(word);
        if at > 0 && column + 1 + length > width && column > below {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(&" ".repeat(below));
            column = below;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// Each line of a text, wrapped.
pub(super) fn all_wrapped(text: &str, width: usize) -> String {
    text.split('\n').map(|line| wrapped(line, width)).collect::<Vec<_>>().join("\n")
}

/// A line in as many as it takes, none of them wider: a word that is too long for one is broken as well.
pub fn broken(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in wrapped(line, width).split('\n') {
        let (mut part, mut columns) = (String::new(), 0);
        for letter in line.chars() {
            let wide = measure_text_width(letter.encode_utf8(&mut [0; 4]));
            if columns + wide > width && !part.is_empty() {
                lines.push(std::mem::take(&mut part));
                columns = 0;
            }
            part.push(letter);
            columns += wide;
        }
        lines.push(part);
    }
    lines
}

/// A text within the width. A list takes bytes for columns where it clears lines, so neither may be more.
pub(super) fn cut(text: &str, width: usize) -> String {
    let (mut most, mut line) = (width, text.to_owned());
    while line.len() > width && most > 0 {
        line = truncate_str(text, most, "…").into_owned();
        most = most.min(measure_text_width(&line)).saturating_sub(1);
    }
    line
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use console::Style;

    use super::*;

    #[test]
    fn a_line_breaks_between_words_and_never_beyond_the_edge_unless_a_word_is_longer() {
        let line = "  [+] a: Found much, and an-extraordinarily-long-word in it";
        assert_eq!(wrapped(line, usize::MAX), line);
        let expected = "  [+] a: Found\n    much, and\n    an-extraordinarily-long-word\n    in it";
        assert_eq!(wrapped(line, 16), expected);
        let coloured = format!("      {} x y", Style::new().force_styling(true).red().apply_to("SECURITY:"));
        assert_eq!(wrapped(&coloured, 19), coloured, "colours take no room");
        assert_eq!(wrapped("", 10), "");
    }

    #[test]
    fn continued_lines_of_a_label_are_indented_to_its_text() {
        let line = "settings   approved by a person";
        assert_eq!(hanging(line, 33, 11), line);
        assert_eq!(hanging(line, 30, 11), "settings   approved by a\n          person");
        assert_eq!(hanging(line, 18, 11), "settings\n      approved by\n      a person");
        assert_eq!(all_wrapped("one two\n  three fours", 12), "one two\n  three\n    fours");
    }

    #[test]
    fn a_line_has_neither_more_columns_nor_more_bytes_than_fit() {
        for (text, width, expected) in [
            ("make_all  Builds", 20, "make_all  Builds"),
            ("make_all  Builds everything", 20, "make_all  Builds …"),
            ("月月月月月月", 10, "月月…"),
            ("make_all", 3, "…"),
        ] {
            let line = cut(text, width);
            assert!(line.len() <= width && measure_text_width(&line) <= width, "{line:?}");
            assert_eq!(line, expected, "{text}");
        }
    }
}
