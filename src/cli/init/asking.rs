//! Questions to a person at a terminal: how they look, and what becomes of Escape and Ctrl-C.

use std::cell::Cell;
use std::fmt::{self, Write};

use console::{Key, Style, Term};
use dialoguer::theme::Theme;
use dialoguer::{Confirm, Select};
use tokio::signal::unix::{SignalKind, signal};

use super::ticks::ticked;
use crate::cli::choose::cut;
use crate::cli::ui::Ui;
use crate::cli::wrap::wrapped;
use crate::cli::{Failed, runtime};
use crate::model::visible;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Stop {
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
pub(super) type Answer<Kind> = Result<Kind, Stop>;

/// Asks one person.
#[derive(Debug)]
pub(super) struct Asking<'a> {
    ui: &'a Ui,
    width: usize,
    /// Whether the keys of a list to take one of were told.
    told: Cell<bool>,
}

impl<'a> Asking<'a> {
    pub(super) fn new(ui: &'a Ui) -> Self {
        Self { ui, width: Ui::error_width(), told: Cell::default() }
    }

    /// What a question is about, in as many lines as it takes.
    pub(super) fn explain(&self, text: &str) {
        self.ui.note(text);
    }

    /// Yes or no.
    pub(super) fn confirm(&self, question: &str, usual: bool) -> Answer<bool> {
        let question = self.prompt(question, " [Y/n] ");
        self.answer(|| {
            Confirm::with_theme(&Look::default()).with_prompt(question).default(usual).interact_opt()
        })
    }

    /// Yes or no, usually yes; `None` where the person wants to see more before the answer.
    pub(super) fn confirm_or_show(&self, question: &str) -> Answer<Option<bool>> {
        const KEYS: &str = "[Y/n, s: show]";
        let question = self.prompt(question, KEYS);
        let terminal = Term::stderr();
        let ask = || {
            terminal.write_str(&format!("{} {KEYS} ", strong().apply_to(&question)))?;
            let answer = loop {
                match terminal.read_key()? {
                    Key::Enter | Key::Char('y' | 'Y') => break Some(("yes", Some(true))),
                    Key::Char('n' | 'N') => break Some(("no", Some(false))),
                    Key::Char('s' | 'S') => break Some(("shown", None)),
                    Key::Escape | Key::Char('q') => break None,
                    _ => {}
                }
            };
            terminal.clear_line()?;
            if let Some((word, _)) = answer {
                terminal.write_line(&format!("{} {word}", strong().apply_to(&question)))?;
            }
            Ok(answer.map(|(_, answer)| answer))
        };
        self.answer(ask)
    }

    /// One of several, by its place.
    pub(super) fn one(&self, question: &str, items: &[String], usual: usize) -> Answer<usize> {
        let look = Look { keys: self.keys() };
        let question = self.prompt(question, ":");
        let items = self.fitting(items, 2);
        self.answer(|| {
            Select::with_theme(&look).with_prompt(question).items(&items).default(usual).interact_opt()
        })
    }

    /// Any number of several, by their places.
    pub(super) fn many(&self, question: &str, items: &[String], usual: &[bool]) -> Answer<Vec<usize>> {
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

    /// What the keys of a list do, once.
    fn keys(&self) -> Option<String> {
        let is_told = self.told.replace(true);
        (!is_told).then(|| wrapped("arrows move, enter takes it, escape or q leaves", self.width))
    }

    /// A prompt in one line: what wraps cannot be taken back from the screen.
    fn prompt(&self, question: &str, end: &str) -> String {
        self.short(question, end.len() + 4)
    }

    fn fitting(&self, items: &[String], indent: usize) -> Vec<String> {
        items.iter().map(|item| self.short(item, indent)).collect()
    }

    fn short(&self, text: &str, beside: usize) -> String {
        cut(&visible(text), self.width.saturating_sub(beside + 1).max(8))
    }

    fn answer<Kind>(&self, question: impl FnOnce() -> dialoguer::Result<Option<Kind>>) -> Answer<Kind> {
        answered(self.ui, question)?.ok_or(Stop::Declined)
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
    /// What stands above a list, and goes with it.
    keys: Option<String>,
}

impl Theme for Look {
    fn format_prompt(&self, out: &mut dyn Write, prompt: &str) -> fmt::Result {
        write!(out, "{}", strong().apply_to(ended(prompt)))
    }

    fn format_input_prompt_selection(&self, out: &mut dyn Write, prompt: &str, chosen: &str) -> fmt::Result {
        write!(out, "{} {chosen}", ended(prompt))
    }

    fn format_confirm_prompt(&self, out: &mut dyn Write, prompt: &str, usual: Option<bool>) -> fmt::Result {
        let keys = if usual == Some(true) { "[Y/n]" } else { "[y/N]" };
        write!(out, "{} {keys} ", strong().apply_to(prompt))
    }

    fn format_select_prompt(&self, out: &mut dyn Write, prompt: &str) -> fmt::Result {
        let dim = Style::new().for_stderr().dim();
        for line in self.keys.iter().flat_map(|keys| keys.lines()) {
            writeln!(out, "{}", dim.apply_to(line))?;
        }
        self.format_prompt(out, prompt)
    }

    fn format_select_prompt_item(&self, out: &mut dyn Write, text: &str, active: bool) -> fmt::Result {
        if active {
            write!(out, "{}", lively().apply_to(format!("> {text}")))
        } else {
            write!(out, "  {text}")
        }
    }
}

/// A prompt with what it ends in.
fn ended(prompt: &str) -> String {
    if prompt.ends_with(['?', '…']) { prompt.to_owned() } else { format!("{prompt}:") }
}

fn strong() -> Style {
    Style::new().for_stderr().bold()
}

fn lively() -> Style {
    Style::new().for_stderr().cyan()
}
