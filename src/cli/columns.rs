//! Texts side by side within the width of the terminal. The first column is for what people copy: it is never broken.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use console::measure_text_width;

/// A text in fewer columns than this is no pleasure to read.
const NARROWEST: usize = 24;
/// Between two columns.
const GAP: usize = 2;

/// The width of the widest of these texts.
pub(super) fn widest<'t>(texts: impl IntoIterator<Item = &'t str>) -> usize {
    texts.into_iter().map(measure_text_width).max().unwrap_or_default()
}

/// Rows without a frame, the first column as wide as it is told. Where no room is left beside it, what a row says
/// further stands below its first word. Without a width nothing is broken.
pub(super) fn columns(rows: &[Vec<String>], first: usize, width: Option<usize>) -> String {
    if width.is_some_and(|width| width < first + GAP + NARROWEST) {
        let row = |row: &Vec<String>| {
            let (name, rest) = row.split_first()?;
            let below = table(&[vec![rest.join("  ")]], None, width.map(|width| width.saturating_sub(GAP)));
            let lines = std::iter::once(name.clone()).chain(below.lines().map(|line| format!("  {line}")));
            Some(lines.collect::<Vec<_>>().join("\n"))
        };
        return rows.iter().filter_map(row).collect::<Vec<_>>().join("\n");
    }
    table(rows, Some(first), width)
}

fn table(rows: &[Vec<String>], first: Option<usize>, width: Option<usize>) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let fits = |width: usize| u16::try_from(width).unwrap_or(u16::MAX);
    if let Some(width) = width {
        // It counts a blank on either side of what is printed, which is taken off again.
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(fits(width + GAP));
    }
    for row in rows {
        table.add_row(row);
    }
    if let (Some(first), Some(column)) = (first, table.column_mut(0)) {
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(fits(first + GAP))));
    }
    let text = table.to_string();
    let lines: Vec<&str> =
        text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let row = |name: &str, about: &str| vec![name.to_owned(), about.to_owned()];
        vec![
            row("web.npm_test", "Checks each phase of the moon against the almanac of the year"),
            row("web.npm_月", "月の満ち欠けを暦と照らし合わせて確かめ、違いがあれば知らせる"),
            row("web.npm_build", ""),
        ]
    }

    fn shown(width: Option<usize>) -> String {
        let rows = rows();
        columns(&rows, widest(rows.iter().map(|row| row[0].as_str())), width)
    }

    #[test]
    fn nothing_is_wider_than_the_terminal_and_no_name_is_broken() {
        for width in [20, 30, 40, 60, 80, 200] {
            let text = shown(Some(width));
            assert!(text.lines().all(|line| measure_text_width(line) <= width), "{width}:\n{text}");
            for row in rows() {
                assert!(text.lines().any(|line| line.starts_with(&row[0])), "{width}:\n{text}");
                let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
                assert_eq!(letters(&text), rows().iter().flatten().map(|text| letters(text)).sum::<usize>());
            }
        }
    }

    #[test]
    fn a_text_stands_beside_its_name_or_below_it() {
        insta::assert_snapshot!(shown(Some(80)), @r"
        web.npm_test   Checks each phase of the moon against the almanac of the year
        web.npm_月     月の満ち欠けを暦と照らし合わせて確かめ、違いがあれば知らせる
        web.npm_build
        ");
        insta::assert_snapshot!(shown(Some(36)), @r"
        web.npm_test
          Checks each phase of the moon
          against the almanac of the year
        web.npm_月
          月の満ち欠けを暦と照らし合わせて確
          かめ、違いがあれば知らせる
        web.npm_build
        ");
        assert_eq!(shown(None).lines().count(), 3);
    }
}
