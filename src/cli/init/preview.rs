//! What would be written, before it is: the whole text, or what of it is another than what is there.

use console::Style;

use crate::cli::choose::cut;
use crate::cli::difference::difference;
use crate::cli::ui::Ui;
use crate::model::visible;

/// Shows the text, or the difference from the old one. A comment that is new ends where the terminal does.
pub(super) fn show(ui: &Ui, file: &str, old: Option<&str>, text: &str) {
    let dim = Style::new().for_stderr().dim();
    let Some(old) = old else {
        ui.note(format!("\n{file} will be:\n"));
        for line in text.lines() {
            let shown = format!("  {}", visible(line));
            ui.styled_note(if is_comment(line) {
                dim.apply_to(cut(&shown, Ui::error_width())).to_string()
            } else {
                shown
            });
        }
        return ui.note("");
    };
    ui.note(format!("\n{file}, as it is and as it will be:\n"));
    let (red, green) = (Style::new().for_stderr().red(), Style::new().for_stderr().green());
    for line in difference(old, text) {
        let style = match line.get(..1) {
            Some("-") => &red,
            Some("+") => &green,
            Some("@") => &dim,
            _ => &Style::new(),
        };
        let shown = format!("  {line}");
        let is_new = line.strip_prefix('+').is_some_and(is_comment);
        let shown = if is_new { cut(&shown, Ui::error_width()) } else { shown };
        ui.styled_note(style.apply_to(shown));
    }
    ui.note("");
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}
