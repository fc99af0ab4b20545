//! A list on the terminal that narrows with each key, within its width: a line that wraps cannot be removed
//! from the screen.

use std::io;

use console::{Key, Style, measure_text_width, truncate_str};

use super::redraw_area::Sheet;

/// The text about the keys, if there is room.
const KEYS: &str = " (type to narrow, Esc leaves)";
/// Ctrl-N and Ctrl-P, which go on and back as in other lists.
const NEXT: char = '\u{e}';
const PREVIOUS: char = '\u{10}';
/// Ctrl-U and Ctrl-W, which delete the whole text or its last word, as in a shell.
const KILL_LINE: char = '\u{15}';
const KILL_WORD: char = '\u{17}';
/// The width of the mark before each line.
const MARK: usize = 2;

/// The line that a person chose, by its place; `None` for Escape and Ctrl-C. Nothing of the list is left on the screen.
///
/// # Errors
/// When the terminal cannot be read or written.
pub fn pick(question: &str, lines: &[Item]) -> io::Result<Option<usize>> {
    let mut list = PickList { question, lines, typed: String::new(), at: 0 };
    Sheet::new().ask(|sheet| list.choose(sheet))
}

/// How many columns a line may have.
pub fn item_room(width: usize) -> usize {
    width.saturating_sub(MARK + 1)
}

/// One of those to choose from.
#[derive(Debug)]
pub struct Item {
    /// The text in the list.
    pub shown: String,
    /// All its names. A typed name of an item goes before other matches of the word.
    pub names: Vec<String>,
}

#[derive(Debug)]
struct PickList<'a> {
    question: &'a str,
    lines: &'a [Item],
    typed: String,
    /// Which of those that match.
    at: usize,
}

impl PickList<'_> {
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
            let line = truncate_str(&line.shown, width.saturating_sub(MARK), "…");
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

/// The question and the typed text in one line. Without room the keys go first, then the question, then the
/// beginning of the typed text.
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

/// The positions of the lines that contain every word, those with such a name first. If there is none, of
/// those with the letters in this order. Equal matches stay in their order.
fn matching(lines: &[Item], typed: &str) -> Vec<usize> {
    let typed = typed.to_lowercase();
    let words: Vec<&str> = typed.split_whitespace().collect();
    let all = |line: &Item| words.iter().map(|word| fit(line, |text| has(text, word))).sum();
    let found = ranked(lines, all);
    if found.is_empty() { ranked(lines, |line| fit(line, |text| has_letters(text, &words))) } else { found }
}

/// The places of the lines that fit at all, the best first.
fn ranked(lines: &[Item], fit: impl Fn(&Item) -> Option<usize>) -> Vec<usize> {
    let mut found: Vec<(usize, usize)> =
        lines.iter().enumerate().filter_map(|(place, line)| Some((fit(line)?, place))).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, place)| place).collect()
}

/// The rank of a line's match, 0 being best: the best of its names, or else of its text.
fn fit(line: &Item, fits: impl Fn(&str) -> Option<usize>) -> Option<usize> {
    let named = line.names.iter().filter_map(|name| fits(&name.to_lowercase())).min();
    named.or_else(|| fits(&line.shown.to_lowercase()).map(|_| ELSEWHERE))
}

/// Behind all that a name can be: the word itself, one that begins so, one that has it.
const ELSEWHERE: usize = 3;

fn has(text: &str, word: &str) -> Option<usize> {
    text.find(word).map(|at| if text == word { 0 } else { 1 + usize::from(at > 0) })
}

fn has_letters(text: &str, words: &[&str]) -> Option<usize> {
    let mut letters = text.chars();
    let mut wanted = words.iter().flat_map(|word| word.chars());
    wanted.all(|wanted| letters.any(|letter| letter == wanted)).then_some(0)
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

    fn line(names: &[&str], shown: &str) -> Item {
        Item { shown: shown.to_owned(), names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn words_are_looked_for_before_letters() {
        let lines =
            ["make_test  Tests", "npm_test  Tests it", "make_lint  Lints"].map(|text| line(&[], text));
        assert_eq!(matching(&lines, ""), [0, 1, 2]);
        assert_eq!(matching(&lines, "test npm"), [1]);
        assert_eq!(matching(&lines, "MLT"), [2]);
        assert_eq!(matching(&lines, "zzz"), [0_usize; 0]);
    }

    #[test]
    fn equal_names_go_before_beginnings_parts_and_descriptions() {
        let lines = [
            line(&["make_slate", "slate"], "make_slate  Gives a clean slate"),
            line(&["make_mrclean", "mrclean"], "make_mrclean  Takes all away"),
            line(&["npm_clean", "clean"], "npm_clean  rimraf dist"),
            line(&["make_cleanup", "cleanup"], "make_cleanup  Takes most away"),
            line(&["make_clean", "Clean"], "make_clean  Takes some away"),
        ];
        assert_eq!(matching(&lines, ""), [0, 1, 2, 3, 4]);
        assert_eq!(matching(&lines, "clean"), [2, 4, 3, 1, 0], "equals stay in their order");
        assert_eq!(matching(&lines, "make_cl"), [3, 4]);
        assert_eq!(matching(&lines, "away clean"), [4, 3, 1]);
        assert_eq!(matching(&lines, "mca"), [1, 2, 3, 4, 0], "letters, too, are a name's first");
        assert_eq!(matching(&lines, "cl sl"), [0]);
    }
}
