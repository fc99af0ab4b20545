//! A text that a window may have no room for, a page at a time; nothing of it is left on the screen.

use std::io;

use console::{Key, Style, truncate_str};

use super::redraw_area::Sheet;
use super::wrap::{broken, wrapped};

/// The line about the keys.
const KEYS: &str = "space or right turns, left turns back, enter or escape ends";

/// A line and how it looks.
pub type StyledLine = (Style, String);

/// Shows the lines, as wide as the window is, until a key ends it.
///
/// # Errors
/// When the terminal cannot be read or written, and [`io::ErrorKind::Interrupted`] for Ctrl-C.
pub(super) fn leaf(lines: &[StyledLine]) -> io::Result<()> {
    Sheet::new().ask(|sheet| {
        let mut first = 0;
        loop {
            let (rows, columns) = sheet.room();
            let fitted = fitted(lines, columns);
            let (page, keys) = page(fitted.len(), first, (rows, columns));
            let dim = Style::new().for_stderr().dim();
            let keys = keys.iter().map(|line| dim.apply_to(line).to_string());
            let shown = fitted.iter().skip(first).take(page).cloned();
            sheet.show(&shown.chain(keys).take(rows.max(1)).collect::<Vec<_>>())?;
            match sheet.key()? {
                Key::CtrlC => return Err(io::ErrorKind::Interrupted.into()),
                Key::Escape | Key::Enter | Key::Char('q' | 's') => return Ok(()),
                Key::Char(' ' | 'l' | 'j') | Key::ArrowRight | Key::ArrowDown | Key::PageDown
                    if first + page < fitted.len() =>
                {
                    first += page;
                }
                Key::Char('h' | 'k') | Key::Backspace | Key::ArrowLeft | Key::ArrowUp | Key::PageUp => {
                    first = first.saturating_sub(page);
                }
                _ => {}
            }
        }
    })
}

/// The lines in as many as a width takes, nothing cut.
pub fn fitted(lines: &[StyledLine], columns: usize) -> Vec<String> {
    let fit = |(style, line): &StyledLine| -> Vec<String> {
        broken(line, columns).iter().map(|line| style.apply_to(line).to_string()).collect()
    };
    lines.iter().flat_map(fit).collect()
}

/// The number of lines of a page, and the lines below it.
fn page(count: usize, first: usize, (rows, columns): (usize, usize)) -> (usize, Vec<String>) {
    let below = |first: usize, last: usize| -> Vec<String> {
        let text = format!("{first}-{last} of {count}: {KEYS}");
        wrapped(&text, columns).lines().map(|line| truncate_str(line, columns, "…").into_owned()).collect()
    };
    // The longest that it can become, so that all pages are as long.
    let page = rows.saturating_sub(below(count, count).len()).max(1);
    (page, below(first + 1, (first + page).min(count)))
}

#[cfg(test)]
mod tests {
    use console::measure_text_width;

    use super::*;

    #[test]
    fn every_word_is_on_some_page_however_small_the_window_is() {
        let word = |at: usize| format!("word{at}");
        let lines: Vec<StyledLine> = (0..60)
            .map(|at| (Style::new(), format!("    # {} and a text that is longer than a line", word(at))))
            .chain([(Style::new(), format!("x{}y", "月".repeat(90)))])
            .collect();
        for (rows, columns) in [(13, 39), (23, 79), (5, 20), (2, 9)] {
            let fitted = fitted(&lines, columns);
            assert!(fitted.iter().all(|line| measure_text_width(line) <= columns), "{fitted:?}");
            let joined = fitted.concat().replace(' ', "");
            assert!((0..60).all(|at| joined.contains(&word(at))) && joined.contains('y'), "{fitted:?}");
            assert!(joined.matches('月').count() == 90 && !joined.contains('…'));
            let (page, keys) = page(fitted.len(), 0, (rows, columns));
            assert!(page > 0 && (rows < 5 || page + keys.len() <= rows), "{rows}x{columns}: {keys:?}");
        }
    }
}
