//! A list that may be longer than the window.

use std::io;

use crate::model::Caller;
use crate::project::Project;
use crate::sys::pager;
use crate::terminal::Ui;

/// Prints a text, for a person through the pager where it is longer than the window.
pub(super) fn paged(ui: &Ui, project: &Project, text: String, no_pager: bool) -> io::Result<()> {
    let is_long = !no_pager && project.at_terminal() == Caller::Human && ui.exceeds_window(&text);
    if is_long && pager::show(&project.context.environment, &format!("{text}\n"))? {
        return Ok(());
    }
    ui.styled(text)
}
