//! The entry `records:`.

use super::instance::located;
use super::{DeclaredEntry, Inspection};
use crate::model::ValueStep;
use crate::problem::ProblemDraft;
use crate::records::{self, KEYS, RECORDS_ENTRY, STORE};
use crate::tree::TreeEntry;

impl Inspection<'_> {
    /// The records of the team, with a problem for everything that is wrong with them.
    pub(super) fn records(&mut self, entry: Option<&TreeEntry>) -> Option<DeclaredEntry> {
        let entry = entry?;
        let map = self.mapping(entry, Some(RECORDS_ENTRY))?;
        let values = self.own_values((map, &KEYS), RECORDS_ENTRY, entry.number)?;
        match records::records(&values) {
            Ok(records) => Some(DeclaredEntry::Records(records)),
            Err((message, help)) => {
                let (_, number) = located(&[ValueStep::Key(STORE.name.to_owned())], map, entry.number);
                self.add(
                    number,
                    ProblemDraft::error(message).label("this store").help(help).of(RECORDS_ENTRY),
                );
                None
            }
        }
    }
}
