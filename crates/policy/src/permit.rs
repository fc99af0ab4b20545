//! Proof that policy allowed one plan of one caller, once.

use super::ContentBinding;
use crate::model::{Caller, Containment, Identity, Plan, Registered};

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
    /// The rules that the kernel holds; `None` for a run without.
    pub(super) containment: Option<Containment>,
}

/// A plan that may be carried out: of this tool, for this caller, while the files that it is bound to are
/// unchanged.
///
/// Only policy makes one. Before it is carried out, [`clear`](super::clear) checks it a second time.
#[derive(Debug)]
#[must_use = "a permit that is not cleared runs nothing"]
pub struct Permit {
    pub(super) judged: Box<Judged>,
    /// The files that an approval or an approved text is bound to; `None` without either.
    pub(super) binding: Option<ContentBinding>,
}

/// A permit that was looked at a second time, immediately before the start. Execution takes nothing else.
#[derive(Debug)]
#[must_use = "what is not executed runs nothing"]
pub struct StartPermit {
    plan: Plan,
    folder: Option<Identity>,
    caller: Caller,
    containment: Option<Containment>,
}

impl Permit {
    pub(super) fn new(judged: Judged, binding: Option<ContentBinding>) -> Self {
        Self { judged: Box::new(judged), binding }
    }

    /// The plan that may be carried out.
    pub fn plan(&self) -> &Plan {
        &self.judged.plan
    }

    /// The rules that the kernel holds for its run; `None` for a run without.
    pub fn containment(&self) -> Option<&Containment> {
        self.judged.containment.as_ref()
    }
}

impl StartPermit {
    pub(super) fn new(
        plan: Plan,
        folder: Option<Identity>,
        caller: Caller,
        containment: Option<Containment>,
    ) -> Self {
        Self { plan, folder, caller, containment }
    }

    /// A plan that nobody has judged, for the tests of later steps. No build has it but that of tests.
    #[cfg(feature = "testing")]
    pub fn for_test(plan: Plan) -> Self {
        Self::new(plan, None, Caller::Agent, None)
    }

    /// Whether a person asked for it, or a run of one: then a person's rules hold inside of it.
    pub fn is_persons(&self) -> bool {
        !self.caller.is_governed()
    }

    /// The plan, to be carried out now, the folder that its process must start in, and the rules that the kernel holds for it.
    pub fn redeem(self) -> (Plan, Option<Identity>, Option<Containment>) {
        (self.plan, self.folder, self.containment)
    }
}
