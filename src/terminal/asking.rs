//! Questions to a person at a terminal: their look, and the effects of Escape and Ctrl-C.

use std::cell::Cell;
use std::io;

use console::{Key, Style, Term};
use tokio::signal::unix::{SignalKind, signal};

use super::failed::Failed;
use super::multi_select::{GOES_BACK, Picked, chosen, ticked};
use super::pages::{self, StyledLine};
use super::trail::{Given, NextQuestion, Trail};
use super::ui::Ui;
use super::waiting::runtime;
use super::wrap::{all_wrapped, cut, wrapped};
use crate::model::{visible, visible_lines};

/// Why there is no answer.
#[derive(Debug)]
pub enum Stop {
    /// The person's answer is that nothing is to be done: no, Escape, or `q`.
    Declined,
    /// The person wants to answer the question before again.
    Back,
    /// Ctrl-C, or a terminal that is gone.
    Failed(Failed),
}

impl<Error: Into<Failed>> From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

/// An answer, or why there is none.
pub type TerminalAnswer<Kind> = Result<Kind, Stop>;

/// Asks one person.
#[derive(Debug)]
pub struct Asking<'a> {
    ui: &'a Ui,
    width: usize,
    /// The answers of a person who may go back.
    trail: Trail,
    /// The number of lines on the screen since the last answer.
    lines: Cell<usize>,
    /// Whether there was an answer since the questions began.
    answered: Cell<bool>,
}

/// An answer by one key, in addition to yes and no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtraReply {
    /// The key.
    pub letter: char,
    /// The effect of the key, as a person reads it.
    pub hint: &'static str,
    /// The word that stays on the screen after it.
    pub word: Option<&'static str>,
}

/// The word that stays on the screen, and the answer, if there is one.
type Replied<Kind> = (Option<&'static str>, Option<Kind>);

/// The words for the keys that every such question takes.
const YES: &str = "yes";
const NO: &str = "no";

impl<'a> Asking<'a> {
    /// The person at the terminal.
    pub fn new(ui: &'a Ui) -> Self {
        Self {
            ui,
            width: Ui::error_width(),
            trail: Trail::default(),
            lines: Cell::default(),
            answered: Cell::default(),
        }
    }

    /// Explains a question, in any number of lines.
    pub fn explain(&self, text: &str) {
        if !self.trail.is_behind() {
            self.ui.note(text);
            self.count_notes(all_wrapped(&visible_lines(text), self.width).lines().count());
        }
    }

    /// Asks questions of which a person may take back the last answer, as often as there is one. They are asked anew then, and
    /// those before answer themselves.
    pub fn going_back<Kind>(&self, questions: impl Fn() -> TerminalAnswer<Kind>) -> TerminalAnswer<Kind> {
        self.answered.set(false);
        self.trail.begin();
        self.lines.set(0);
        let answer = loop {
            self.trail.rewind();
            match questions() {
                // The question that was taken back, and its answer, leave the screen.
                Err(Stop::Back) => {
                    Term::stderr().clear_last_lines(self.lines.take() + self.trail.back())?;
                }
                answer => break answer,
            }
        };
        self.trail.end();
        answer
    }

    /// Yes or no.
    pub fn confirm(&self, question: &str, usual: bool) -> TerminalAnswer<bool> {
        let given = self.step((question, 2), Given::Yes(usual), |usual, goes_back| {
            let usual = usual == Given::Yes(true);
            let keys = if usual { "[Y/n]" } else { "[y/N]" };
            let hints = if goes_back { format!("{GOES_BACK}, escape leaves") } else { String::new() };
            let said = |yes: bool| Some((Some(if yes { YES } else { NO }), Some(Some(yes))));
            let answer = self.letter(question, keys, &hints, |key| match key {
                Key::Enter => said(usual),
                Key::Char('y' | 'Y') => said(true),
                Key::Char('n' | 'N') => said(false),
                Key::Escape | Key::Char('q') => Some((None, None)),
                Key::Backspace if goes_back => Some((None, Some(None))),
                _ => None,
            })?;
            answer.map(Given::Yes).ok_or(Stop::Back)
        })?;
        Ok(given == Given::Yes(true))
    }

    /// Asks a question: yes, no, or one of `others`, by its position; yes is the default. A line above the
    /// question names the keys of the others, and goes with it.
    pub fn key(&self, question: &str, others: &[ExtraReply]) -> TerminalAnswer<Option<usize>> {
        let letters = others.iter().flat_map(|other| ['/', other.letter]);
        let keys = format!("[Y/n{}]", letters.collect::<String>());
        let hints = others.iter().map(|other| other.hint).chain(["escape leaves"]).collect::<Vec<_>>();
        self.letter(question, &keys, &hints.join(", "), |key| match key {
            Key::Enter | Key::Char('y' | 'Y') => Some((Some(YES), Some(None))),
            Key::Char('n' | 'N') => Some((Some(NO), None)),
            Key::Escape | Key::Char('q') => Some((None, None)),
            Key::Char(letter) => {
                let at = others.iter().position(|other| other.letter == letter.to_ascii_lowercase())?;
                Some((others[at].word, Some(Some(at))))
            }
            _ => None,
        })
    }

    /// Asks a question that one key answers: with the word that stays on the screen, and the answer, if there is one. A line
    /// about the keys stands above the question, and goes with it.
    fn letter<Kind>(
        &self,
        question: &str,
        keys: &str,
        hints: &str,
        reply: impl Fn(Key) -> Option<Replied<Kind>>,
    ) -> TerminalAnswer<Kind> {
        let question = self.prompt(question, keys);
        let hints = if hints.is_empty() { String::new() } else { wrapped(hints, self.width) };
        let terminal = Term::stderr();
        self.answer(|| {
            for line in hints.lines() {
                terminal.write_line(&dim().apply_to(line).to_string())?;
            }
            terminal.write_str(&format!("{} {keys} ", strong().apply_to(&question)))?;
            terminal.hide_cursor()?;
            let (word, answer) = loop {
                if let Some(replied) = reply(terminal.read_key()?) {
                    break replied;
                }
            };
            terminal.show_cursor()?;
            terminal.clear_line()?;
            terminal.clear_last_lines(hints.lines().count())?;
            if let Some(word) = word {
                self.count(1);
                terminal.write_line(&format!("{} {word}", strong().apply_to(&question)))?;
            }
            Ok(answer)
        })
    }

    /// Shows lines in pages that a person turns.
    pub fn leaf(&self, lines: &[StyledLine]) -> TerminalAnswer<()> {
        self.answer(|| Ok(Some(pages::leaf(lines)?)))
    }

    /// Whether there is an answer that can be changed.
    pub fn has_answers(&self) -> bool {
        self.answered.get()
    }

    /// One of several, by its place.
    pub fn one(&self, question: &str, items: &[String], usual: usize) -> TerminalAnswer<usize> {
        let asked = (question, items.len());
        let given = self.step(asked, Given::One(usual), |usual, goes_back| {
            let Given::One(usual) = usual else { return Ok(usual) };
            let (question, items) = (ended(&visible(question)), seen(items));
            let list = || chosen(&question, &items, usual, goes_back);
            let at = self.picked(list, |at| self.trail.keep(asked, Given::One(at)))?;
            self.explain(&format!("{question} {}", items.get(at).map_or("", String::as_str)));
            Ok(Given::One(at))
        })?;
        Ok(if let Given::One(at) = given { at } else { usual })
    }

    /// Any number of several, by their places.
    pub fn many(&self, question: &str, items: &[String], usual: &[bool]) -> TerminalAnswer<Vec<usize>> {
        let on = usual.iter().enumerate().filter(|(_, on)| **on).map(|(at, _)| at).collect();
        let asked = (question, items.len());
        let given = self.step(asked, Given::Many(on), |usual, goes_back| {
            let Given::Many(on) = usual else { return Ok(usual) };
            let (question, items) = (ended(&visible(question)), seen(items));
            let on: Vec<bool> = (0..items.len()).map(|at| on.contains(&at)).collect();
            let list = || ticked(&question, &items, &on, goes_back);
            let places = self.picked(list, |places| self.trail.keep(asked, Given::Many(places)))?;
            let said = match places.len() {
                0 => "none".to_owned(),
                all if all == items.len() => "all".to_owned(),
                some => format!("{some} of {}", items.len()),
            };
            self.explain(&format!("{question} {said}"));
            Ok(Given::Many(places))
        })?;
        Ok(if let Given::Many(places) = given { places } else { Vec::new() })
    }

    /// Asks a question, unless its answer stands. The default is the earlier answer, where there was one.
    fn step(
        &self,
        (question, choices): (&str, usize),
        usual: Given,
        ask: impl FnOnce(Given, bool) -> TerminalAnswer<Given>,
    ) -> TerminalAnswer<Given> {
        let (before, goes_back) = match self.trail.next(question, choices) {
            NextQuestion::Stands(given) => return Ok(given),
            NextQuestion::Asked(before, goes_back) => (before, goes_back),
        };
        let given = ask(before.unwrap_or(usual), goes_back)?;
        self.trail.answer((question, choices), &given, self.lines.take());
        Ok(given)
    }

    /// The answer in a list. `keep` gets what was chosen when the person goes back.
    fn picked<Kind>(
        &self,
        list: impl FnOnce() -> io::Result<Picked<Kind>>,
        keep: impl FnOnce(Kind),
    ) -> TerminalAnswer<Kind> {
        match self.answer(|| Ok(Some(list()?)))? {
            Picked::Chosen(kind) => Ok(kind),
            Picked::Left => Err(Stop::Declined),
            Picked::Back(kind) => {
                keep(kind);
                Err(Stop::Back)
            }
        }
    }

    /// Shows the lines of a question above its last one, and returns that one. A line that wraps cannot be
    /// removed from the screen.
    fn prompt(&self, question: &str, end: &str) -> String {
        let beside = end.len() + 4;
        let question = wrapped(&visible(question), self.width.saturating_sub(beside + 1));
        let (above, last) = question.rsplit_once('\n').unwrap_or(("", &question));
        for line in above.lines() {
            self.ui.styled_note(strong().apply_to(line));
            self.count_notes(1);
        }
        self.short(last, beside)
    }

    /// Counts further lines on the screen.
    fn count(&self, lines: usize) {
        self.lines.set(self.lines.get() + lines);
    }

    /// The same for lines that are silent with `--quiet`.
    fn count_notes(&self, lines: usize) {
        self.count(if self.ui.quiet() { 0 } else { lines });
    }

    fn short(&self, text: &str, beside: usize) -> String {
        cut(&visible(text), self.width.saturating_sub(beside + 1).max(8))
    }

    fn answer<Kind>(&self, question: impl FnOnce() -> io::Result<Option<Kind>>) -> TerminalAnswer<Kind> {
        let answer = answered(self.ui, question)?.ok_or(Stop::Declined)?;
        self.answered.set(true);
        Ok(answer)
    }
}

/// The answer to a question; `None` where a person gave none.
fn answered<Kind>(
    ui: &Ui,
    question: impl FnOnce() -> io::Result<Option<Kind>>,
) -> Result<Option<Kind>, Failed> {
    // While this stands Ctrl-C ends the question and not cuff, which must show the cursor again first.
    let runtime = runtime()?;
    let _entered = runtime.enter();
    let _handled = signal(SignalKind::interrupt())?;
    question().map_err(|error| {
        let _ = Term::stderr().show_cursor();
        ui.say("");
        error.into()
    })
}

/// Items as they can be shown.
fn seen(items: &[String]) -> Vec<String> {
    items.iter().map(|item| visible(item).into_owned()).collect()
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
