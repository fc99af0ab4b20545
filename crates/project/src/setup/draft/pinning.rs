//! Pinning settings that were written for a person.

use super::{Predecessor, Replace, SettingsDraft};
use crate::ledger::{LedgerError, Pin, PinnedBy, PinnedTools};
use crate::model::Caller;
use crate::project::Context;
use crate::project::pins::{self, key};
use crate::settings::{self, SettingsOrigin, SettingsPlace};

impl SettingsDraft {
    /// Pins the written settings for agents: a person who confirms `cuff init` has seen them. Of an existing
    /// file the person has seen only the additions, so agents get them only if the rest was pinned. Returns
    /// the reason why they do not.
    ///
    /// Without a terminal only a user whose preferences let programs say yes pins. `approved` are MCP servers that this
    /// person has just named; `by` is the command.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub fn pin(
        &self,
        context: &Context,
        text: &str,
        replaced: Replace<'_>,
        approved: &[String],
        by: &str,
    ) -> Result<Option<&'static str>, LedgerError> {
        let Some(ledger) = context.ledger() else { return Ok(None) };
        let file = key(&self.file);
        let before = ledger.pin(&file)?;
        let (tools, mut servers) = match (replaced, before) {
            _ if context.said_yes().is_none() => return Ok(Some(nobody(context.at_terminal()))),
            (Replace::Nothing | Replace::Anything, _) => (PinnedTools::default(), Vec::new()),
            (Replace::This(there), Some(pin))
                if pin.text.as_deref().is_some_and(|text| {
                    pins::say_the_same(context, &self.place(there), text.as_bytes(), &there.bytes)
                }) =>
            {
                (pin.tools, pin.servers)
            }
            (Replace::This(_), _) => return Ok(Some("what stood there before is not what was approved")),
        };
        let written = settings::written_servers(text.as_bytes(), &context.abouts());
        servers.retain(|known| written.iter().any(|one| one.name == *known));
        servers.retain(|known| !approved.contains(known));
        servers.extend_from_slice(approved);
        let pin = Pin { servers, ..pins::pin(context, &file, Some(text), PinnedBy::Init, tools) };
        ledger.pin_written(&file, &pin)?;
        let rule = format!("`{by}` wrote {}", file.display());
        pins::note_pinning(context, &ledger, &self.project, Caller::Human, rule)?;
        Ok(None)
    }

    fn place(&self, there: &Predecessor) -> SettingsPlace {
        let (file, root) = (self.file.clone(), there.folder.clone());
        SettingsPlace { file, root, name: settings::FILE_NAME.to_owned(), origin: SettingsOrigin::Found }
    }
}

/// The reason why what this caller wrote is not pinned.
fn nobody(caller: Caller) -> &'static str {
    match caller {
        Caller::Agent => "an agent's shell wrote them",
        Caller::HumanRun | Caller::Run => "a run of cuff wrote them, which an agent may have started",
        _ => "nobody said yes at a terminal",
    }
}
