//! The offer, once settings are written, to write cuff into the clients that are installed here.

use crate::cli::install;
use crate::project::Context;
use crate::terminal::{Answer, Asking, Ui};

/// Offers those that do not have it yet.
pub(super) fn offer(ui: &Ui, asking: &Asking<'_>, surroundings: &Context) -> Answer<()> {
    let sites = install::unconnected(surroundings);
    if sites.is_empty() {
        return Ok(());
    }
    let names: Vec<String> =
        sites.iter().map(|site| format!("{} ({})", site.client.name, site.file.display())).collect();
    for at in asking.many("Connect a client?", &names, &vec![false; names.len()])? {
        if let Some(site) = sites.get(at) {
            match site.add(surroundings, None, false) {
                Ok(said) => ui.result(said)?,
                // The settings are written all the same.
                Err(failed) => _ = failed.print(ui, false),
            }
        }
    }
    Ok(())
}
