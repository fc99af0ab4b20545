//! The offer, once settings are written, to write cuff into the clients that are installed here.

use crate::cli::install::{self, Site};
use crate::project::Context;
use crate::terminal::{Asking, Failed, TerminalAnswer, Ui};

/// Offers those that do not have it yet.
pub(super) fn offer(ui: &Ui, asking: &Asking<'_>, context: &Context) -> TerminalAnswer<()> {
    let sites = install::unconnected(context);
    if sites.is_empty() {
        return Ok(());
    }
    let names: Vec<String> =
        sites.iter().map(|site| format!("{} ({})", site.client.name, site.file.display())).collect();
    for at in asking.many("Connect a client?", &names, &vec![false; names.len()])? {
        if let Some(site) = sites.get(at) {
            connect(ui, context, site);
        }
    }
    Ok(())
}

/// Connects one client. The settings are written whatever becomes of it.
pub(super) fn connect(ui: &Ui, context: &Context, site: &Site) {
    let done = site.add(context, None, false, false).and_then(|said| ui.result(said).map_err(Failed::from));
    if let Err(failed) = done {
        let _ = failed.print(ui, false);
    }
}

/// The names of clients, as a question has them: `Claude Code, Codex`.
pub(super) fn named(sites: &[Site]) -> String {
    sites.iter().map(|site| site.client.name).collect::<Vec<_>>().join(", ")
}
