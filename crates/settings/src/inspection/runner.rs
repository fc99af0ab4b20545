//! One entry under `runners:`.

use super::instance::located;
use super::{DeclaredEntry, Inspection, unknown};
use crate::model::{InputError, InputErrorKind, LOCAL, Runner, Severity, ValueStep, is_instance_name, shown};
use crate::problem::ProblemDraft;
use crate::runners::{self, CODE_PREFIX, KEYS, runner_entry};
use crate::tree::TreeEntry;
use crate::written::check_written;

impl Inspection<'_> {
    /// The runners of the entry `runners`, with a problem for everything that is wrong with one.
    pub(super) fn runners(&mut self, entry: Option<&TreeEntry>) -> Vec<DeclaredEntry> {
        let Some(entries) = entry.and_then(|entry| self.mapping(entry, None)) else { return Vec::new() };
        entries.iter().filter_map(|entry| self.runner(entry).map(DeclaredEntry::Runner)).collect()
    }

    fn runner(&mut self, entry: &TreeEntry) -> Option<Runner> {
        let name = runner_entry(&entry.key);
        if !is_instance_name(&entry.key) || entry.key == LOCAL {
            let draft =
                ProblemDraft::error(format!("`{}` cannot be the name of a runner", shown(&entry.key))).help(
                    format!(
                        "use letters, digits, `_` and `-`, and start with a letter; `{LOCAL}` is this machine"
                    ),
                );
            self.add(entry.number, draft.of(&name).label("this name"));
            return None;
        }
        let map = self.mapping(entry, Some(&name))?;
        let (values, mistakes) = check_written(&KEYS, self.known_values(map, &KEYS));
        let known: Vec<&str> = KEYS.iter().map(|field| field.name).collect();
        // A key that is misspelt could be one that holds agents back.
        for entry in map.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let draft = ProblemDraft { severity: Severity::Error, ..unknown(&entry.key, &known) };
            self.add(entry.number, draft.of(&name));
        }
        let mistakes = mistakes
            .into_iter()
            .filter(|mistake: &InputError| !matches!(mistake.wrong, InputErrorKind::Unknown(_)))
            .collect();
        if !self.mistakes(mistakes, map, (&name, CODE_PREFIX), entry.number, &KEYS) {
            return None;
        }
        match runners::runner(&entry.key, &values) {
            Ok(runner) => Some(runner),
            Err(wrong) => {
                let (_, number) = located(&[ValueStep::Key(wrong.key.to_owned())], map, entry.number);
                let draft = ProblemDraft::error(wrong.message).label("this runner").help(wrong.help);
                self.add(number, draft.of(&name));
                None
            }
        }
    }
}
