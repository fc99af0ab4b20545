//! Texts side by side within the width of the terminal. Texts to copy are never broken.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use console::{Alignment, measure_text_width, pad_str};

/// A text in fewer columns than this is no pleasure to read.
pub const NARROWEST: usize = 24;
/// Between two columns.
const GAP: usize = 2;

/// How many columns a text takes.
pub fn width_of(text: &str) -> usize {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain { text.len() } else { measure_text_width(text) }
}

/// The width of the widest of these texts.
pub fn widest<'t>(texts: impl IntoIterator<Item = &'t str>) -> usize {
    texts.into_iter().map(width_of).max().unwrap_or_default()
}

/// The widths of the first so many columns of these rows.
pub fn widths(rows: &[Vec<String>], count: usize) -> Vec<usize> {
    let column = |at: usize| rows.iter().filter_map(move |row| row.get(at)).map(String::as_str);
    (0..count).map(|at| widest(column(at))).collect()
}

/// The columns that [`columns`] has for the last text of a row.
pub fn room(wide: &[usize], least: usize, width: usize) -> usize {
    let beside = width.saturating_sub(across(wide) + GAP);
    if beside < least { width.saturating_sub(GAP) } else { beside }
}

/// Rows without a frame. The first columns are as `wide` as given and never broken; the last one is broken
/// between words. If that would leave the last one fewer than `least` columns, its text goes below the first
/// ones that fit. Without a width nothing is broken.
pub fn columns(rows: &[Vec<String>], wide: &[usize], least: usize, width: Option<usize>) -> String {
    if let Some(width) = width.filter(|width| *width < across(wide) + GAP + least) {
        let fitting = (1..=wide.len()).rev().find(|count| across(&wide[..*count]) <= width).unwrap_or(1);
        let row = |row: &Vec<String>| {
            let (above, rest) = row.split_at_checked(fitting)?;
            let above =
                above.iter().zip(wide).map(|(cell, wide)| pad_str(cell, *wide, Alignment::Left, None));
            let above = above.collect::<Vec<_>>().join("  ").trim_end().to_owned();
            let below = table(&[vec![rest.join("  ")]], &[], Some(width.saturating_sub(GAP)));
            let lines = std::iter::once(above).chain(below.lines().map(|line| format!("  {line}")));
            Some(lines.collect::<Vec<_>>().join("\n"))
        };
        return rows.iter().filter_map(row).collect::<Vec<_>>().join("\n");
    }
    table(rows, wide, width)
}

/// The width of columns side by side.
fn across(wide: &[usize]) -> usize {
    wide.iter().map(|wide| wide + GAP).sum::<usize>().saturating_sub(GAP)
}

fn table(rows: &[Vec<String>], wide: &[usize], width: Option<usize>) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let fits = |width: usize| u16::try_from(width).unwrap_or(u16::MAX);
    if let Some(width) = width {
        // It counts a blank on either side of a cell, which is removed again.
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(fits(width + GAP));
    }
    for row in rows {
        table.add_row(row);
    }
    for (at, wide) in wide.iter().enumerate() {
        if let Some(column) = table.column_mut(at) {
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(fits(wide + GAP))));
        }
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
        columns(&rows, &widths(&rows, 1), NARROWEST, width)
    }

    #[test]
    fn of_several_columns_only_the_last_is_broken() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = [
            row([
                "04:51:08",
                "waits for a yes",
                "packagejson.npm_clean",
                "a person must say yes to it each time",
            ]),
            row(["04:51:09", "permitted", "makefile.make_build", "offered by the settings"]),
        ];
        let shown = |least, width| columns(&rows, &widths(&rows, 3), least, Some(width));
        insta::assert_snapshot!(shown(NARROWEST, 78), @r"
        04:51:08  waits for a yes  packagejson.npm_clean  a person must say yes to it
                                                          each time
        04:51:09  permitted        makefile.make_build    offered by the settings
        ");
        insta::assert_snapshot!(shown(NARROWEST, 60), @r"
        04:51:08  waits for a yes  packagejson.npm_clean
          a person must say yes to it each time
        04:51:09  permitted        makefile.make_build
          offered by the settings
        ");
        insta::assert_snapshot!(shown(NARROWEST, 30), @r"
        04:51:08  waits for a yes
          packagejson.npm_clean  a
          person must say yes to it
          each time
        04:51:09  permitted
          makefile.make_build  offered
          by the settings
        ");
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
