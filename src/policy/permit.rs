//! Proof that policy allowed one plan of one caller, once.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Call, ContentBinding, Decision, Ground, authorize};
use crate::model::{Caller, Identity, NotStarted, Plan, Registered, shown};

/// A plan that was judged, and the words that it was judged by.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) tool: Registered,
    pub(super) plan: Plan,
    pub(super) caller: Caller,
    /// Whether the call chose the folder.
    pub(super) chose_folder: bool,
    /// The folder that it was judged by, and must start in; `None` where there is none.
    pub(super) folder: Option<Identity>,
}

/// A plan that may be carried out: of this tool, for this caller, while the files that it is bound to say what they said.
///
/// Only policy makes one. Before it is carried out it is looked at a second time, by [`clear`](Self::clear).
#[derive(Debug)]
#[must_use = "a permit that is not cleared runs nothing"]
pub struct Permit {
    judged: Box<Judged>,
    /// The files that a yes or an approved text is bound to; `None` where there is neither.
    binding: Option<Arc<ContentBinding>>,
}

/// A permit that was looked at a second time, immediately before the start. Execution takes nothing else.
#[derive(Debug)]
#[must_use = "what is not executed runs nothing"]
pub struct Cleared {
    plan: Plan,
    folder: Option<Identity>,
}

impl Permit {
    pub(super) fn new(judged: Judged, binding: Option<ContentBinding>) -> Self {
        Self { judged: Box::new(judged), binding: binding.map(Arc::new) }
    }

    /// What may be carried out.
    pub fn plan(&self) -> &Plan {
        &self.judged.plan
    }

    /// The files that a yes or an approved text is bound to; `None` where there is neither.
    pub fn binding(&self) -> Option<Arc<ContentBinding>> {
        self.binding.clone()
    }

    /// Looks a second time. Who waited for a slot may have waited long, and who calls decides how long: what was bound must
    /// say the same now, and what was free must still be.
    ///
    /// # Errors
    /// With what changed, or that there is no folder to start in.
    pub async fn clear(self, waited: bool, ground: &dyn Ground) -> Result<Cleared, NotStarted> {
        let tool = &self.judged.tool;
        let changed = match &self.binding {
            Some(binding) => binding.changes(ground.bind(tool).await, &tool.tool.source.file),
            None if !waited || self.is_still_free(ground).await => Vec::new(),
            None => vec![shown(&tool.tool.source.file)],
        };
        if !changed.is_empty() {
            return Err(NotStarted::SourceChanged(super::binding::named(&changed)));
        }
        let Judged { plan, folder, .. } = *self.judged;
        if let (Plan::Process(command), None) = (&plan, &folder) {
            let missing: PathBuf = ground.root().join(&command.directory);
            return Err(NotStarted::DirectoryMissing(missing.display().to_string()));
        }
        Ok(Cleared { plan, folder })
    }

    /// Whether the gate would let the same call pass now without a yes, of the same tool. A person has what there is.
    async fn is_still_free(&self, ground: &dyn Ground) -> bool {
        let Judged { tool, plan, caller, chose_folder, .. } = &*self.judged;
        if *caller == Caller::Human {
            return true;
        }
        let Some(now) = ground.current(tool).await.filter(|now| now.tool == tool.tool) else { return false };
        let again = Call { tool: &now, plan: plan.clone(), caller: *caller, chose_folder: *chose_folder };
        matches!(authorize(again, ground), Ok(Decision::Permitted(_)))
    }
}

impl Cleared {
    /// A plan of cuff's own, which no call has added anything to.
    pub(super) fn of_probe(plan: Plan) -> Self {
        Self { plan, folder: None }
    }

    /// A plan that nobody has judged, for the tests of what comes after that.
    #[cfg(test)]
    pub(crate) fn for_test(plan: Plan) -> Self {
        Self::of_probe(plan)
    }

    /// The plan, to be carried out now, and the folder that its process must start in.
    pub fn redeem(self) -> (Plan, Option<Identity>) {
        (self.plan, self.folder)
    }
}
