//! Questions to a person at a terminal: their look, and the effects of Escape and Ctrl-C.

use std::cell::Cell;
use std::fmt::{self, Write};

use console::{Key, Style, Term};
use dialoguer::theme::Theme;
use dialoguer::{Confirm, Select};
use tokio::signal::unix::{SignalKind, signal};

use super::failed::Failed;
use super::pages::{self, Line};
use super::ticks::ticked;
use super::ui::Ui;
use super::waiting::runtime;
use super::wrap::{cut, wrapped};
use crate::model::visible;

/// Why there is no answer.
#[derive(Debug)]
pub enum Stop {
    /// The person's answer is that nothing is to be done: no, Escape, or `q`.
    Declined,
    /// Ctrl-C, or a terminal that is gone.
    Failed(Failed),
}

impl<Error: Into<Failed>> From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

/// An answer, or why there is none.
pub type Answer<Kind> = Result<Kind, Stop>;

/// Asks one person.
#[derive(Debug)]
pub struct Asking<'a> {
    ui: &'a Ui,
    width: usize,
    /// Whether the keys of a single choice list were shown.
    has_shown_keys: Cell<bool>,
    /// Whether there was an answer since the questions began.
    answered: Cell<bool>,
}

/// An answer by one key, in addition to yes and no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// The key.
    pub letter: char,
    /// The effect of the key, as a person reads it.
    pub hint: &'static str,
    /// The word that stays on the screen after it.
    pub word: Option<&'static str>,
}

/// The keys that every such question takes.
const YES: Reply = Reply { letter: 'y', hint: "", word: Some("yes") };
const NO: Reply = Reply { letter: 'n', hint: "", word: Some("no") };

impl<'a> Asking<'a> {
    /// The person at the terminal.
    pub fn new(ui: &'a Ui) -> Self {
        Self { ui, width: Ui::error_width(), has_shown_keys: Cell::default(), answered: Cell::default() }
    }

    /// Explains a question, in any number of lines.
    pub fn explain(&self, text: &str) {
        self.ui.note(text);
    }

    /// Yes or no.
    pub fn confirm(&self, question: &str, usual: bool) -> Answer<bool> {
        let question = self.prompt(question, " [Y/n] ");
        self.answer(|| {
            Confirm::with_theme(&Look::default()).with_prompt(question).default(usual).interact_opt()
        })
    }

    /// Asks a question: yes, no, or one of `others`, by its position; yes is the default. A line above the
    /// question names the keys of the others, and goes with it.
    pub fn key(&self, question: &str, others: &[Reply]) -> Answer<Option<usize>> {
        let letters = others.iter().flat_map(|other| ['/', other.letter]);
        let keys = format!("[Y/n{}]", letters.collect::<String>());
        let question = self.prompt(question, &keys);
        let hints = others.iter().map(|other| other.hint).chain(["escape leaves"]).collect::<Vec<_>>();
        let hints = wrapped(&hints.join(", "), self.width);
        let terminal = Term::stderr();
        let ask = || {
            for line in hints.lines() {
                terminal.write_line(&dim().apply_to(line).to_string())?;
            }
            terminal.write_str(&format!("{} {keys} ", strong().apply_to(&question)))?;
            let (reply, answer) = loop {
                match terminal.read_key()? {
                    Key::Enter | Key::Char('y' | 'Y') => break (Some(YES), Some(None)),
                    Key::Char('n' | 'N') => break (Some(NO), None),
                    Key::Escape | Key::Char('q') => break (None, None),
                    Key::Char(letter) => {
                        let letter = letter.to_ascii_lowercase();
                        if let Some(at) = others.iter().position(|other| other.letter == letter) {
                            break (others.get(at).copied(), Some(Some(at)));
                        }
                    }
                    _ => {}
                }
            };
            terminal.clear_line()?;
            terminal.clear_last_lines(hints.lines().count())?;
            if let Some(word) = reply.and_then(|reply| reply.word) {
                terminal.write_line(&format!("{} {word}", strong().apply_to(&question)))?;
            }
            Ok(answer)
        };
        self.answer(ask)
    }

    /// Shows lines in pages that a person turns.
    pub fn leaf(&self, lines: &[Line]) -> Answer<()> {
        self.answer(|| Ok(Some(pages::leaf(lines)?)))
    }

    /// The questions begin.
    pub fn begin(&self) {
        self.answered.set(false);
    }

    /// Whether there is an answer that can be changed.
    pub fn has_answers(&self) -> bool {
        self.answered.get()
    }

    /// One of several, by its place.
    pub fn one(&self, question: &str, items: &[String], usual: usize) -> Answer<usize> {
        let look = Look { keys: self.keys(), width: self.width.saturating_sub(1) };
        let question = visible(question);
        let items = self.fitting(items, 2);
        self.answer(|| {
            Select::with_theme(&look).with_prompt(&*question).items(&items).default(usual).interact_opt()
        })
    }

    /// Any number of several, by their places.
    pub fn many(&self, question: &str, items: &[String], usual: &[bool]) -> Answer<Vec<usize>> {
        let question = ended(&visible(question));
        let items: Vec<String> = items.iter().map(|item| visible(item).into_owned()).collect();
        let chosen = self.answer(|| Ok(ticked(&question, &items, usual)?))?;
        let said = match chosen.len() {
            0 => "none".to_owned(),
            all if all == items.len() => "all".to_owned(),
            some => format!("{some} of {}", items.len()),
        };
        self.explain(&format!("{question} {said}"));
        Ok(chosen)
    }

    /// The line about the keys of a list, once.
    fn keys(&self) -> Option<String> {
        let was_shown = self.has_shown_keys.replace(true);
        (!was_shown).then(|| wrapped("arrows move, enter takes it, escape or q leaves", self.width))
    }

    /// Shows the lines of a question above its last one, and returns that one. A line that wraps cannot be
    /// removed from the screen.
    fn prompt(&self, question: &str, end: &str) -> String {
        let beside = end.len() + 4;
        let question = wrapped(&visible(question), self.width.saturating_sub(beside + 1));
        let (above, last) = question.rsplit_once('\n').unwrap_or(("", &question));
        for line in above.lines() {
            self.ui.styled_note(strong().apply_to(line));
        }
        self.short(last, beside)
    }

    fn fitting(&self, items: &[String], indent: usize) -> Vec<String> {
        items.iter().map(|item| self.short(item, indent)).collect()
    }

    fn short(&self, text: &str, beside: usize) -> String {
        cut(&visible(text), self.width.saturating_sub(beside + 1).max(8))
    }

    fn answer<Kind>(&self, question: impl FnOnce() -> dialoguer::Result<Option<Kind>>) -> Answer<Kind> {
        let answer = answered(self.ui, question)?.ok_or(Stop::Declined)?;
        self.answered.set(true);
        Ok(answer)
    }
}

/// The answer to a question; `None` where a person gave none.
fn answered<Kind>(
    ui: &Ui,
    question: impl FnOnce() -> dialoguer::Result<Option<Kind>>,
) -> Result<Option<Kind>, Failed> {
    // While this stands Ctrl-C ends the question and not cuff, which must show the cursor again first.
    let runtime = runtime()?;
    let _entered = runtime.enter();
    let _handled = signal(SignalKind::interrupt())?;
    question().map_err(|dialoguer::Error::IO(error)| {
        let _ = Term::stderr().show_cursor();
        ui.say("");
        error.into()
    })
}

/// Readable without colours, and with them only more so.
#[derive(Debug, Default)]
struct Look {
    /// The line above a list, which goes with it.
    keys: Option<String>,
    /// How wide the lines of a list's question may be.
    width: usize,
}

impl Theme for Look {
    fn format_prompt(&self, out: &mut dyn Write, prompt: &str) -> fmt::Result {
        write!(out, "{}", strong().apply_to(ended(prompt)))
    }

    fn format_input_prompt_selection(&self, out: &mut dyn Write, prompt: &str, chosen: &str) -> fmt::Result {
        write!(out, "{}", wrapped(&format!("{} {chosen}", ended(prompt)), self.width))
    }

    fn format_confirm_prompt(&self, out: &mut dyn Write, prompt: &str, usual: Option<bool>) -> fmt::Result {
        let keys = if usual == Some(true) { "[Y/n]" } else { "[y/N]" };
        write!(out, "{} {keys} ", strong().apply_to(prompt))
    }

    fn format_select_prompt(&self, out: &mut dyn Write, prompt: &str) -> fmt::Result {
        for line in self.keys.iter().flat_map(|keys| keys.lines()) {
            writeln!(out, "{}", dim().apply_to(line))?;
        }
        write!(out, "{}", strong().apply_to(wrapped(&ended(prompt), self.width)))
    }

    fn format_select_prompt_item(&self, out: &mut dyn Write, text: &str, active: bool) -> fmt::Result {
        if active {
            write!(out, "{}", lively().apply_to(format!("> {text}")))
        } else {
            write!(out, "  {text}")
        }
    }
}

/// A prompt with its end.
fn ended(prompt: &str) -> String {
    if prompt.ends_with(['?', '…']) { prompt.to_owned() } else { format!("{prompt}:") }
}

fn strong() -> Style {
    Style::new().for_stderr().bold()
}

fn dim() -> Style {
    Style::new().for_stderr().dim()
}

fn lively() -> Style {
    Style::new().for_stderr().cyan()
}
