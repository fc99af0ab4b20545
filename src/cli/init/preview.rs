//! A preview before writing: the whole text, or its difference from the text that is there.

use console::Style;

use crate::model::visible;
use crate::terminal::{StyledLine, Ui, difference, fitted};

/// The lines to show: of the text, or of its difference from the old one.
#[derive(Debug)]
pub(super) struct Preview(Vec<StyledLine>);

impl Preview {
    pub(super) fn of(file: &str, old: Option<&str>, text: &str) -> Self {
        let plain = || Style::new().for_stderr();
        let Some(old) = old else {
            let is_comment = |line: &str| line.trim_start().starts_with('#');
            let style = |line| if is_comment(line) { plain().dim() } else { plain() };
            let line = |line| (style(line), format!("  {}", visible(line)));
            return Self::titled(&format!("{file} will be:"), text.lines().map(line));
        };
        let line = |line: String| {
            let style = match line.get(..1) {
                Some("-") => plain().red(),
                Some("+") => plain().green(),
                Some("@") => plain().dim(),
                _ => plain(),
            };
            (style, format!("  {line}"))
        };
        Self::titled(
            &format!("{file}, as it is and as it will be:"),
            difference(old, text).into_iter().map(line),
        )
    }

    fn titled(title: &str, lines: impl Iterator<Item = StyledLine>) -> Self {
        let plain = |text: &str| (Style::new().for_stderr(), text.to_owned());
        let title = [plain(""), plain(&visible(title)), plain("")];
        Self(title.into_iter().chain(lines).chain([plain("")]).collect())
    }

    /// Whether a window shows all of it and so many lines more.
    pub(super) fn fits(&self, more: usize) -> bool {
        fitted(&self.0, Ui::error_width()).len() + more < Ui::error_height()
    }

    pub(super) fn show(&self, ui: &Ui) {
        for line in fitted(&self.0, Ui::error_width()) {
            ui.styled_note(line);
        }
    }

    /// The lines, to leaf through.
    pub(super) fn lines(&self) -> &[StyledLine] {
        &self.0
    }
}
