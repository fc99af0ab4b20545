//! What would be written, before it is: the whole text, or what of it is another than what is there.

use console::Style;

use super::sights::wrapped;
use crate::cli::difference::difference;
use crate::cli::ui::Ui;
use crate::model::visible;

/// Shows the text, or the difference from the old one.
pub(super) fn show(ui: &Ui, file: &str, old: Option<&str>, text: &str) {
    ui.note("");
    let width = Ui::error_width();
    let dim = Style::new().for_stderr().dim();
    let Some(old) = old else {
        ui.note(format!("{file} will be:\n"));
        for line in text.lines() {
            let is_comment = line.trim_start().starts_with('#');
            let shown = wrapped(&format!("  {}", visible(line)), width);
            ui.styled_note(if is_comment { dim.apply_to(shown).to_string() } else { shown });
        }
        return ui.note("");
    };
    ui.note(format!("{file}, as it is and as it will be:\n"));
    let (red, green) = (Style::new().for_stderr().red(), Style::new().for_stderr().green());
    for line in difference(old, text) {
        let style = match line.get(..1) {
            Some("-") => &red,
            Some("+") => &green,
            Some("@") => &dim,
            _ => &Style::new(),
        };
        ui.styled_note(style.apply_to(wrapped(&format!("  {line}"), width)));
    }
    ui.note("");
}
