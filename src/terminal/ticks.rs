//! A list to tick, in a terminal of any size: the question wraps, the list turns in pages, and the keys stay
//! visible.

use std::io;

use console::{Key, Style, truncate_str};

use super::sheet::Sheet;
use super::wrap::wrapped;

/// The line about the keys of a list in one page.
const KEYS: &str = "arrows move, space ticks, a turns all, enter goes on, escape or q leaves";

/// The places of those that are ticked in the end; `None` for Escape and `q`. Nothing of the list is left on the screen.
///
/// # Errors
/// When the terminal cannot be read or written, and [`io::ErrorKind::Interrupted`] for Ctrl-C.
pub(super) fn ticked(question: &str, items: &[String], usual: &[bool]) -> io::Result<Option<Vec<usize>>> {
    let mut list = Ticks { question, items, ticked: usual.to_vec(), at: 0 };
    list.ticked.resize(items.len(), false);
    let goes_on = Sheet::new().ask(|sheet| list.ask(sheet))?;
    let ticked = list.ticked.iter().enumerate().filter(|(_, ticked)| **ticked).map(|(at, _)| at);
    Ok(goes_on.then(|| ticked.collect()))
}

#[derive(Debug)]
struct Ticks<'a> {
    question: &'a str,
    items: &'a [String],
    ticked: Vec<bool>,
    at: usize,
}

impl Ticks<'_> {
    /// Whether the answer counts.
    fn ask(&mut self, sheet: &mut Sheet) -> io::Result<bool> {
        let last = self.items.len().saturating_sub(1);
        loop {
            let (lines, page) = self.lines(sheet.room());
            sheet.show(&lines)?;
            match sheet.key()? {
                Key::CtrlC => return Err(io::ErrorKind::Interrupted.into()),
                Key::Escape | Key::Char('q') => return Ok(false),
                Key::Enter => return Ok(true),
                Key::ArrowDown | Key::Tab | Key::Char('j') => {
                    self.at = if self.at < last { self.at + 1 } else { 0 };
                }
                Key::ArrowUp | Key::BackTab | Key::Char('k') => {
                    self.at = self.at.checked_sub(1).unwrap_or(last);
                }
                Key::ArrowRight | Key::PageDown | Key::Char('l') => {
                    let next = (self.at / page + 1) * page;
                    self.at = if next <= last { next } else { 0 };
                }
                Key::ArrowLeft | Key::PageUp | Key::Char('h') => {
                    self.at = (self.at / page).checked_sub(1).unwrap_or(last / page) * page;
                }
                Key::Char(' ') => {
                    if let Some(ticked) = self.ticked.get_mut(self.at) {
                        *ticked = !*ticked;
                    }
                }
                Key::Char('a') => {
                    let all = self.ticked.iter().all(|ticked| *ticked);
                    self.ticked.fill(!all);
                }
                _ => {}
            }
        }
    }

    /// The visible lines within so many rows and columns, and the number of items in a page.
    fn lines(&self, (rows, columns): (usize, usize)) -> (Vec<String>, usize) {
        let split = |text: &str| -> Vec<String> {
            let short = |line: &str| truncate_str(line, columns, "…").into_owned();
            wrapped(text, columns).lines().map(short).collect()
        };
        let question = split(self.question);
        let page = rows.saturating_sub(question.len() + split(KEYS).len()).max(1);
        let (page, keys) = if self.items.len() <= page {
            (page, split(KEYS))
        } else {
            // The longest that it can become, so that a page has as many items as the next one.
            let count = self.items.len();
            let page =
                rows.saturating_sub(question.len() + split(&turning(count, count, count)).len()).max(1);
            let first = self.at / page * page;
            (page, split(&turning(first + 1, (first + page).min(count), count)))
        };
        let strong = Style::new().for_stderr().bold();
        let mut lines: Vec<String> = question.iter().map(|line| strong.apply_to(line).to_string()).collect();
        let shown = self.items.iter().zip(&self.ticked).enumerate().skip(self.at / page * page).take(page);
        lines.extend(shown.map(|(at, (item, ticked))| self.line(at, item, *ticked, columns)));
        let dim = Style::new().for_stderr().dim();
        lines.extend(keys.iter().map(|line| dim.apply_to(line).to_string()));
        // If not even this fits, the keys go first.
        lines.truncate(rows.max(1));
        (lines, page)
    }

    fn line(&self, at: usize, item: &str, ticked: bool, columns: usize) -> String {
        let cursor = if at == self.at { ">" } else { " " };
        let mark = if ticked { "[x]" } else { "[ ]" };
        let line = format!("{cursor} {mark} {item}");
        let style = Style::new().for_stderr();
        let style = if at == self.at { style.cyan() } else { style };
        style.apply_to(truncate_str(&line, columns, "…")).to_string()
    }
}

/// The line about the keys of a list in several pages, with the numbers of its visible items.
fn turning(first: usize, last: usize, of: usize) -> String {
    format!(
        "{first}-{last} of {of}: arrows move, left/right turn, space ticks, a all, enter ends, escape leaves"
    )
}

#[cfg(test)]
mod tests {
    use console::measure_text_width;

    use super::*;

    #[test]
    fn in_a_terminal_of_any_size_nothing_wraps_and_cursor_and_keys_are_visible() {
        let items: Vec<String> =
            (1..=24).map(|at| format!("packagejson: a_long_name_of_tool_{at}")).collect();
        for (rows, columns) in [(13, 39), (23, 79), (40, 79), (6, 20), (1, 8), (2, 5)] {
            for at in 0..items.len() {
                let question = "Which need your yes, each time they run?";
                let list = Ticks { question, items: &items, ticked: vec![true; items.len()], at };
                let (lines, page) = list.lines((rows, columns));
                assert!(page > 0 && lines.len() <= rows.max(1), "{rows}x{columns}: {lines:?}");
                assert!(lines.iter().all(|line| measure_text_width(line) <= columns), "{lines:?}");
                if rows > 12 {
                    let said = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
                    assert!(lines.iter().any(|line| line.starts_with("> [x] ")), "{lines:?}");
                    for word in ["space", " a ", "enter", "arrows", "they run?"] {
                        assert!(said.contains(word), "{word}: {said}");
                    }
                    assert_eq!(said.contains("of 24"), page < 24, "{said}");
                }
            }
        }
    }
}
