//! A list to tick or to choose from, in a terminal of any size: the question wraps, typing narrows the list, it turns in
//! pages, and the keys stay visible.

use std::io;

use console::{Key, Style, truncate_str};

use super::redraw_area::Sheet;
use super::wrap::wrapped;

/// Ctrl-N and Ctrl-P, which go on and back, and Ctrl-U, which deletes the typed text.
const NEXT: char = '\u{e}';
const PREVIOUS: char = '\u{10}';
const KILL_LINE: char = '\u{15}';
/// A list of more items says that typing narrows it.
const FEW: usize = 5;

/// The end of a list.
#[derive(Debug)]
pub(super) enum Picked<Kind> {
    /// An answer.
    Chosen(Kind),
    /// Escape.
    Left,
    /// A step back to the question before, with what is chosen now.
    Back(Kind),
}

/// The places of those that are ticked in the end. Nothing of the list is left on the screen.
///
/// # Errors
/// When the terminal cannot be read or written, and [`io::ErrorKind::Interrupted`] for Ctrl-C.
pub(super) fn ticked(
    question: &str,
    items: &[String],
    usual: &[bool],
    goes_back: bool,
) -> io::Result<Picked<Vec<usize>>> {
    let mut ticks = usual.to_vec();
    ticks.resize(items.len(), false);
    let mut list = TickList { question, items, ticks: Some(ticks), typed: String::new(), at: 0, goes_back };
    let picked = Sheet::new().ask(|sheet| list.ask(sheet))?;
    let ticked = list.ticks.unwrap_or_default();
    let places = ticked.into_iter().enumerate().filter(|(_, ticked)| *ticked).map(|(at, _)| at);
    Ok(picked.with(places.collect()))
}

/// The place of the one that is chosen. Nothing of the list is left on the screen.
///
/// # Errors
/// As [`ticked`].
pub(super) fn chosen(
    question: &str,
    items: &[String],
    usual: usize,
    goes_back: bool,
) -> io::Result<Picked<usize>> {
    let mut list = TickList { question, items, ticks: None, typed: String::new(), at: usual, goes_back };
    let picked = Sheet::new().ask(|sheet| list.ask(sheet))?;
    let place = list.shown().get(list.at).copied().unwrap_or_default();
    Ok(picked.with(place))
}

impl Picked<()> {
    fn with<Kind>(self, chosen: Kind) -> Picked<Kind> {
        match self {
            Self::Chosen(()) => Picked::Chosen(chosen),
            Self::Left => Picked::Left,
            Self::Back(()) => Picked::Back(chosen),
        }
    }
}

#[derive(Debug)]
struct TickList<'a> {
    question: &'a str,
    items: &'a [String],
    /// Whether each item is ticked; `None` where one is to be chosen.
    ticks: Option<Vec<bool>>,
    /// The text that the shown items contain.
    typed: String,
    /// The place among the shown items.
    at: usize,
    goes_back: bool,
}

impl TickList<'_> {
    fn ask(&mut self, sheet: &mut Sheet) -> io::Result<Picked<()>> {
        loop {
            let shown = self.shown();
            let last = shown.len().saturating_sub(1);
            let (lines, page) = self.lines(&shown, sheet.room());
            sheet.show(&lines)?;
            match sheet.key()? {
                Key::CtrlC => return Err(io::ErrorKind::Interrupted.into()),
                Key::Escape if self.typed.is_empty() => return Ok(Picked::Left),
                Key::Backspace if self.typed.is_empty() && self.goes_back => return Ok(Picked::Back(())),
                Key::Enter if self.ticks.is_some() || !shown.is_empty() => return Ok(Picked::Chosen(())),
                Key::ArrowDown | Key::Tab | Key::Char(NEXT) => {
                    self.at = if self.at < last { self.at + 1 } else { 0 };
                }
                Key::ArrowUp | Key::BackTab | Key::Char(PREVIOUS) => {
                    self.at = self.at.checked_sub(1).unwrap_or(last);
                }
                Key::ArrowRight | Key::PageDown => {
                    let next = (self.at / page + 1) * page;
                    self.at = if next <= last { next } else { 0 };
                }
                Key::ArrowLeft | Key::PageUp => {
                    self.at = (self.at / page).checked_sub(1).unwrap_or(last / page) * page;
                }
                Key::Char(' ') => self.turn(shown.get(self.at).into_iter().copied()),
                Key::Char('*') if self.ticks.is_some() => self.turn(shown.into_iter()),
                key => self.narrow(&key),
            }
        }
    }

    /// The items that contain the typed text, by their places.
    fn shown(&self) -> Vec<usize> {
        let typed = self.typed.to_lowercase();
        let places = self.items.iter().enumerate();
        places.filter(|(_, item)| item.to_lowercase().contains(&typed)).map(|(at, _)| at).collect()
    }

    /// Ticks these; if all of them are ticked, none.
    fn turn(&mut self, places: impl Iterator<Item = usize> + Clone) {
        let Some(ticks) = &mut self.ticks else { return };
        let all = places.clone().all(|at| ticks.get(at).copied().unwrap_or_default());
        for at in places {
            if let Some(tick) = ticks.get_mut(at) {
                *tick = !all;
            }
        }
    }

    /// Changes the text that the shown items contain. The cursor stays on its item while that is shown.
    fn narrow(&mut self, key: &Key) {
        let stood = self.shown().get(self.at).copied();
        match key {
            Key::Escape | Key::Char(KILL_LINE) => self.typed.clear(),
            Key::Backspace => _ = self.typed.pop(),
            Key::Char(letter) if !letter.is_control() => self.typed.push(*letter),
            _ => return,
        }
        self.at = self.shown().iter().position(|at| Some(*at) == stood).unwrap_or_default();
    }

    /// The visible lines within so many rows and columns, and the number of items in a page.
    fn lines(&self, places: &[usize], (rows, columns): (usize, usize)) -> (Vec<String>, usize) {
        let split = |text: &str| -> Vec<String> {
            let short = |line: &str| truncate_str(line, columns, "…").into_owned();
            wrapped(text, columns).lines().map(short).collect()
        };
        let typed = if self.typed.is_empty() { String::new() } else { format!(" {}|", self.typed) };
        let question = split(&format!("{}{typed}", self.question));
        let room = |keys: &str| rows.saturating_sub(question.len() + split(keys).len()).max(1);
        let count = places.len();
        let mut page = room(&self.keys(None));
        let mut keys = split(&self.keys(None));
        if count > page {
            // The longest that it can become, so that a page has as many items as the next one.
            page = room(&self.keys(Some((count, count, count))));
            let first = self.at / page * page;
            keys = split(&self.keys(Some((first + 1, (first + page).min(count), count))));
        }
        let strong = Style::new().for_stderr().bold();
        let mut lines: Vec<String> = question.iter().map(|line| strong.apply_to(line).to_string()).collect();
        let shown = places.iter().enumerate().skip(self.at / page * page).take(page);
        lines.extend(shown.map(|(at, place)| self.line(at, *place, columns)));
        let dim = Style::new().for_stderr().dim();
        if places.is_empty() {
            lines.push(truncate_str("  nothing matches", columns, "…").into_owned());
        }
        lines.extend(keys.iter().map(|line| dim.apply_to(line).to_string()));
        // If not even this fits, the keys go first.
        lines.truncate(rows.max(1));
        (lines, page)
    }

    fn line(&self, at: usize, place: usize, columns: usize) -> String {
        let cursor = if at == self.at { ">" } else { " " };
        let mark = match self.ticks.as_ref().map(|ticks| ticks.get(place).copied().unwrap_or_default()) {
            None => "",
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
        };
        let item = self.items.get(place).map_or("", String::as_str);
        let line = format!("{cursor} {mark}{item}");
        let style = Style::new().for_stderr();
        let style = if at == self.at { style.cyan() } else { style };
        style.apply_to(truncate_str(&line, columns, "…")).to_string()
    }

    /// The line about the keys; of a list in several pages with the numbers of its visible items.
    fn keys(&self, turning: Option<(usize, usize, usize)>) -> String {
        let turns = turning.map(|(first, last, of)| format!("{first}-{last} of {of}: "));
        let narrows = self.items.len() > FEW || !self.typed.is_empty();
        let keys = [
            narrows.then_some("type to narrow"),
            Some("arrows move"),
            turning.map(|_| "left/right turn"),
            self.ticks.as_ref().map(|_| "space ticks, * turns all"),
            Some(if self.ticks.is_some() { "enter goes on" } else { "enter takes it" }),
            (self.goes_back && self.typed.is_empty()).then_some(GOES_BACK),
            Some(if self.typed.is_empty() { "escape leaves" } else { "escape shows all" }),
        ];
        turns.unwrap_or_default() + &keys.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The key for a step back, as a person reads it.
pub(super) const GOES_BACK: &str = "backspace goes back";

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
                let list = TickList {
                    question,
                    items: &items,
                    ticks: Some(vec![true; items.len()]),
                    typed: String::new(),
                    at,
                    goes_back: true,
                };
                let (lines, page) = list.lines(&list.shown(), (rows, columns));
                assert!(page > 0 && lines.len() <= rows.max(1), "{rows}x{columns}: {lines:?}");
                assert!(lines.iter().all(|line| measure_text_width(line) <= columns), "{lines:?}");
                if rows > 12 {
                    let said = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
                    assert!(lines.iter().any(|line| line.starts_with("> [x] ")), "{lines:?}");
                    for word in ["type", "space", " * ", "enter", "arrows", "backspace", "they run?"] {
                        assert!(said.contains(word), "{word}: {said}");
                    }
                    assert_eq!(said.contains("of 24"), page < 24, "{said}");
                }
            }
        }
    }

    #[test]
    fn typing_narrows_the_list_and_ticks_stay() {
        let items = ["build", "test:unit", "test:e2e", "Lint"].map(String::from);
        let ticks = Some(vec![true, false, false, false]);
        let mut list = TickList {
            question: "Which?",
            items: &items,
            ticks,
            typed: String::new(),
            at: 2,
            goes_back: false,
        };
        let picture = |list: &TickList<'_>| list.lines(&list.shown(), (20, 60)).0.join("\n");
        for letter in "TES".chars() {
            list.narrow(&Key::Char(letter));
        }
        insta::assert_snapshot!(picture(&list), @"
        Which? TES|
          [ ] test:unit
        > [ ] test:e2e
        type to narrow, arrows move, space ticks, * turns all, enter
          goes on, escape shows all
        ");
        list.turn(list.shown().into_iter());
        list.narrow(&Key::Char('x'));
        insta::assert_snapshot!(picture(&list), @"
        Which? TESx|
          nothing matches
        type to narrow, arrows move, space ticks, * turns all, enter
          goes on, escape shows all
        ");
        list.narrow(&Key::Escape);
        insta::assert_snapshot!(picture(&list), @"
        Which?
        > [x] build
          [x] test:unit
          [x] test:e2e
          [ ] Lint
        arrows move, space ticks, * turns all, enter goes on, escape
          leaves
        ");
    }
}
