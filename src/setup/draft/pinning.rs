//! Pinning settings that were written for a person.

use super::{Draft, Predecessor, Replace};
use crate::ledger::{Ledger, LedgerError, Pin, PinnedBy, PinnedTools};
use crate::model::Caller;
use crate::project::Context;
use crate::project::pins::{self, Pinned, key};
use crate::settings::{self, Origin, Place};

impl Draft {
    /// Pins the written settings for agents: a person who confirms `cuff init` has seen them. Of an existing
    /// file the person has seen only the additions, so agents get them only if the rest was pinned. Returns
    /// the reason why they do not.
    ///
    /// If nothing was ever pinned, no confirmation is needed: it counts as a first use. A process of a run
    /// pins nothing. `approved` are MCP servers that this person has just named; `by` is the command.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub fn pin(
        &self,
        surroundings: &Context,
        text: &str,
        replaced: Replace<'_>,
        approved: &[String],
        by: &str,
    ) -> Result<Option<&'static str>, LedgerError> {
        let Some(ledger) = surroundings.ledger() else { return Ok(None) };
        let file = key(&self.file);
        let before = ledger.pin(&file)?;
        let is_first = before.is_none() && self.was_never_pinned(surroundings, &ledger)?;
        let caller = surroundings.at_terminal();
        let by_nobody = caller != Caller::Human;
        let says_yes = surroundings.said_yes().is_some();
        let (tools, mut servers) = match (replaced, before) {
            // Its first use will be seen as one.
            (Replace::This(_), None) if is_first && (approved.is_empty() || !says_yes) => return Ok(None),
            // No person has seen settings that a run or an agent wrote.
            _ if is_first && by_nobody => {
                pins::pin_absence(surroundings, None, None);
                return Ok(Some(if caller == Caller::Agent {
                    "an agent's shell wrote them"
                } else {
                    "a run of cuff wrote them"
                }));
            }
            _ if matches!(caller, Caller::HumanRun | Caller::Run) => {
                return Ok(Some("a run of cuff wrote them, which an agent may have started"));
            }
            _ if by_nobody => return Ok(Some("an agent's shell wrote them")),
            _ if !is_first && !says_yes => {
                return Ok(Some("nobody said yes at a terminal"));
            }
            (Replace::Nothing | Replace::Anything, _) => (PinnedTools::default(), Vec::new()),
            (Replace::This(there), None) if is_first => (self.tools(surroundings, there), Vec::new()),
            (Replace::This(there), Some(pin))
                if pin.text.as_deref().is_some_and(|text| {
                    pins::say_the_same(surroundings, &self.place(there), text.as_bytes(), &there.bytes)
                }) =>
            {
                (pin.tools, pin.servers)
            }
            (Replace::This(_), _) => return Ok(Some("what stood there before is not what was approved")),
        };
        let written = settings::written_servers(text.as_bytes(), &surroundings.abouts());
        servers.retain(|known| written.iter().any(|one| one.name == *known));
        if says_yes {
            servers.retain(|known| !approved.contains(known));
            servers.extend_from_slice(approved);
        }
        let pin = Pin { servers, ..pins::pin(surroundings, &file, Some(text), PinnedBy::Init, tools) };
        ledger.pin_written(&file, &pin)?;
        let rule = format!("`{by}` wrote {}", file.display());
        pins::note_pinning(surroundings, &ledger, &self.project, Caller::Human, rule)?;
        Ok(None)
    }

    /// The texts of the tools of a file that was never used before.
    fn tools(&self, surroundings: &Context, there: &Predecessor) -> PinnedTools {
        let (place, environment) = (self.place(there), &surroundings.environment);
        let settings = settings::read(&place, &there.bytes, &surroundings.abouts(), environment).settings;
        pins::texts(surroundings, &place.root, &settings.instances)
    }

    fn place(&self, there: &Predecessor) -> Place {
        let (file, root) = (self.file.clone(), there.folder.clone());
        Place { file, root, name: settings::FILE_NAME.to_owned(), origin: Origin::Found }
    }

    /// Whether nothing holds where this file would count, which has no pin itself.
    fn was_never_pinned(&self, context: &Context, ledger: &Ledger) -> Result<bool, LedgerError> {
        let is_found = self.file.file_name().is_some_and(|name| name == settings::FILE_NAME);
        let folder = settings::root_of(&self.file).filter(|_| is_found);
        Ok(match folder {
            Some(folder) => Pinned::of(ledger, (folder, &context.environment), None)? == Pinned::Nothing,
            // Only a user who names it uses it, and then its own pin holds.
            None => true,
        })
    }
}
