//! What would be written, before it is: the whole text, or what of it is another than what is there.

use console::{Style, measure_text_width};

use crate::cli::choose::cut;
use crate::cli::difference::difference;
use crate::cli::ui::Ui;
use crate::model::visible;

/// The lines to show: of the text, or of its difference from the old one.
#[derive(Debug)]
pub(super) struct Preview(Vec<String>);

impl Preview {
    /// A comment that is new ends where the terminal does.
    pub(super) fn of(file: &str, old: Option<&str>, text: &str) -> Self {
        let dim = Style::new().for_stderr().dim();
        let width = Ui::error_width();
        let Some(old) = old else {
            let line = |line: &str| {
                let shown = format!("  {}", visible(line));
                if is_comment(line) { dim.apply_to(cut(&shown, width)).to_string() } else { shown }
            };
            return Self::titled(&format!("{file} will be:"), text.lines().map(line));
        };
        let (red, green) = (Style::new().for_stderr().red(), Style::new().for_stderr().green());
        let line = |line: String| {
            let style = match line.get(..1) {
                Some("-") => &red,
                Some("+") => &green,
                Some("@") => &dim,
                _ => &Style::new(),
            };
            let shown = format!("  {line}");
            let is_new = line.strip_prefix('+').is_some_and(is_comment);
            style.apply_to(if is_new { cut(&shown, width) } else { shown }).to_string()
        };
        Self::titled(
            &format!("{file}, as it is and as it will be:"),
            difference(old, text).into_iter().map(line),
        )
    }

    fn titled(title: &str, lines: impl Iterator<Item = String>) -> Self {
        let ends = |text: &str| [String::new(), text.to_owned(), String::new()];
        Self(ends(&visible(title)).into_iter().chain(lines).chain([String::new()]).collect())
    }

    /// Whether a window shows all of it and so many lines more.
    pub(super) fn fits(&self, more: usize) -> bool {
        let width = Ui::error_width().max(1);
        let rows = |line: &String| measure_text_width(line).div_ceil(width).max(1);
        self.0.iter().map(rows).sum::<usize>() + more < Ui::error_height()
    }

    pub(super) fn show(&self, ui: &Ui) {
        for line in &self.0 {
            ui.styled_note(line);
        }
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}
