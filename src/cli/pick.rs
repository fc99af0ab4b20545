//! A list on the terminal that narrows with each key, within its width: what wraps cannot be taken back from the screen.

use std::io;

use console::{Key, Style, measure_text_width, truncate_str};

use super::sheet::Sheet;

/// What the keys do, where there is room to say it.
const KEYS: &str = " (type to narrow, Esc leaves)";
/// Ctrl-N and Ctrl-P, which go on and back as in other lists.
const NEXT: char = '\u{e}';
const PREVIOUS: char = '\u{10}';
/// Ctrl-U and Ctrl-W, which take back all that was typed or its last word, as a shell does.
const KILL_LINE: char = '\u{15}';
const KILL_WORD: char = '\u{17}';
/// What stands before each line.
const MARK: usize = 2;

/// The line that a person chose, by its place; `None` for Escape and Ctrl-C. Nothing of the list is left on the screen.
///
/// # Errors
/// When the terminal cannot be read or written.
pub(super) fn pick(question: &str, lines: &[String]) -> io::Result<Option<usize>> {
    let mut list = List { question, lines, typed: String::new(), at: 0 };
    Sheet::new().ask(|sheet| list.choose(sheet))
}

/// How many columns a line may have.
pub(super) fn room(width: usize) -> usize {
    width.saturating_sub(MARK + 1)
}

#[derive(Debug)]
struct List<'a> {
    question: &'a str,
    lines: &'a [String],
    typed: String,
    /// Which of those that match.
    at: usize,
}

impl List<'_> {
    fn choose(&mut self, sheet: &mut Sheet) -> io::Result<Option<usize>> {
        loop {
            let matching = matching(self.lines, &self.typed);
            self.draw(sheet, &matching)?;
            match sheet.key()? {
                Key::Escape | Key::CtrlC => return Ok(None),
                Key::Enter => {
                    if let Some(chosen) = matching.get(self.at) {
                        return Ok(Some(*chosen));
                    }
                }
                Key::ArrowUp | Key::BackTab | Key::Char(PREVIOUS) => {
                    self.at = self.at.checked_sub(1).unwrap_or(matching.len().saturating_sub(1));
                }
                Key::ArrowDown | Key::Tab | Key::Char(NEXT) => {
                    self.at = if self.at + 1 < matching.len() { self.at + 1 } else { 0 };
                }
                Key::Backspace => {
                    self.typed.pop();
                    self.at = 0;
                }
                Key::Char(KILL_LINE) => {
                    self.typed.clear();
                    self.at = 0;
                }
                Key::Char(KILL_WORD) => {
                    let kept = self.typed.trim_end();
                    let kept = kept.rfind(char::is_whitespace).map_or(0, |space| space + 1);
                    self.typed.truncate(kept);
                    self.at = 0;
                }
                Key::Char(letter) if !letter.is_control() => {
                    self.typed.push(letter);
                    self.at = 0;
                }
                _ => {}
            }
        }
    }

    fn draw(&self, sheet: &mut Sheet, matching: &[usize]) -> io::Result<()> {
        let (rows, width) = sheet.room();
        // Without the question, and without the line that says how many more there are.
        let room = rows.saturating_sub(1).max(1);
        let most = if matching.len() > room { room.saturating_sub(1).max(1) } else { room };
        let first = (self.at + 1).saturating_sub(most);
        let mut text = vec![prompt(self.question, &self.typed, width)];
        let strong = Style::new().for_stderr().cyan();
        for (place, line) in matching.iter().enumerate().skip(first).take(most) {
            let Some(line) = self.lines.get(*line) else { continue };
            let line = truncate_str(line, width.saturating_sub(MARK), "…");
            text.push(if place == self.at {
                strong.apply_to(format!("> {line}")).to_string()
            } else {
                format!("  {line}")
            });
        }
        if room > 1 && matching.len() > most {
            let last = (first + most).min(matching.len());
            let more = format!("  {}-{last} of {}: arrows show more", first + 1, matching.len());
            let dim = Style::new().for_stderr().dim();
            text.push(dim.apply_to(truncate_str(&more, width, "…")).to_string());
        }
        if matching.is_empty() {
            text.push(truncate_str("  nothing matches", width, "…").into_owned());
        }
        sheet.show(&text)
    }
}

/// The question and what was typed, in one line: the keys go first where there is no room, then the question, then the
/// beginning of what was typed.
fn prompt(question: &str, typed: &str, width: usize) -> String {
    for question in [format!("{question}{KEYS}"), question.to_owned()] {
        let line = format!("{question} {typed}|");
        if measure_text_width(&line) <= width {
            return line;
        }
    }
    let mut end = typed;
    while measure_text_width(end) + 1 > width {
        let mut letters = end.chars();
        if letters.next().is_none() {
            break;
        }
        end = letters.as_str();
    }
    let room = width.saturating_sub(measure_text_width(end) + 2);
    if room < 2 {
        return format!("{end}|");
    }
    format!("{} {end}|", truncate_str(question, room, "…")).trim_start().to_owned()
}

/// The places of the lines that have every word; where none has, of those that have the letters in this order.
fn matching(lines: &[String], typed: &str) -> Vec<usize> {
    let typed = typed.to_lowercase();
    let those = |is_meant: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let meant = |(place, line): (usize, &String)| is_meant(&line.to_lowercase()).then_some(place);
        lines.iter().enumerate().filter_map(meant).collect()
    };
    let found = those(&|line| typed.split_whitespace().all(|word| line.contains(word)));
    if !found.is_empty() {
        return found;
    }
    those(&|line| {
        let mut letters = line.chars();
        typed.chars().filter(|c| !c.is_whitespace()).all(|wanted| letters.any(|letter| letter == wanted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_one_line_however_narrow_the_terminal_and_long_the_words() {
        for width in [8, 20, 39, 79] {
            for typed in ["", "echo", "a very long word that nobody types and 月月月月月月月月月月月"]
            {
                let line = prompt("Run which tool?", typed, width);
                assert!(measure_text_width(&line) <= width, "{width}: {line}");
                assert!(line.ends_with('|'), "{line}");
            }
        }
        assert_eq!(prompt("Run which tool?", "x", 79), "Run which tool? (type to narrow, Esc leaves) x|");
        assert_eq!(prompt("Run which tool?", "echo", 39), "Run which tool? echo|");
    }

    #[test]
    fn words_are_looked_for_before_letters() {
        let lines = ["make_test  Tests", "npm_test  Tests it", "make_lint  Lints"].map(str::to_owned);
        assert_eq!(matching(&lines, ""), [0, 1, 2]);
        assert_eq!(matching(&lines, "test npm"), [1]);
        assert_eq!(matching(&lines, "MLT"), [2]);
        assert_eq!(matching(&lines, "zzz"), [0_usize; 0]);
    }
}
