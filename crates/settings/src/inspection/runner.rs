//! One entry under `runners:`.

use serde_json::Value;

use super::instance::located;
use super::{DeclaredEntry, Inspection, unknown};
use crate::model::{
    Field, InputError, InputErrorKind, LOCAL, ON, Runner, Severity, ValueStep, Values, is_instance_name,
    nearest, shown,
};
use crate::problem::ProblemDraft;
use crate::runners::{self, CODE_PREFIX, KEYS, runner_entry};
use crate::tree::{Content, Map, Node, TreeEntry};
use crate::written::check_written;

impl Inspection<'_> {
    /// The runners of the entry `runners`, with a problem for everything that is wrong with one.
    pub(super) fn runners(&mut self, entry: Option<&TreeEntry>) -> Vec<DeclaredEntry> {
        let Some(entries) = entry.and_then(|entry| self.mapping(entry, None)) else { return Vec::new() };
        self.runners = entries.iter().map(|entry| entry.key.clone()).collect();
        entries.iter().filter_map(|entry| self.runner(entry).map(DeclaredEntry::Runner)).collect()
    }

    /// The values of an entry that cuff itself reads, and no plugin; `None` where one is wrong. Each unknown key is an error: it could
    /// be one that holds agents back.
    pub(super) fn own_values(
        &mut self,
        (map, keys): (&Map, &[&'static Field]),
        name: &str,
        number: usize,
    ) -> Option<Values> {
        let (values, mistakes) = check_written(keys, self.known_values(map, keys));
        let known: Vec<&str> = keys.iter().map(|field| field.name).collect();
        for entry in map.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let draft = ProblemDraft { severity: Severity::Error, ..unknown(&entry.key, &known) };
            self.add(entry.number, draft.of(name));
        }
        let mistakes = mistakes
            .into_iter()
            .filter(|mistake: &InputError| !matches!(mistake.wrong, InputErrorKind::Unknown(_)))
            .collect();
        self.mistakes(mistakes, map, (name, CODE_PREFIX), number, keys).then_some(values)
    }

    /// Whether each runner that a config names with `on` is an entry under `runners:`.
    pub(super) fn knows_runners(&mut self, config: &Map, (instance, prefix): (&str, &'static str)) -> bool {
        let Some(on) = config.get(ON.name) else { return true };
        let named: Vec<&Node> = match &on.value.content {
            Content::Map(tools) => tools.iter().map(|entry| &entry.value).collect(),
            Content::Scalar(_) | Content::List(_) => vec![&on.value],
        };
        let mut right = true;
        for node in named {
            let Content::Scalar(Value::String(name)) = &node.content else { continue };
            let is_open = !self.is_final && name.contains("${");
            if is_open || name == LOCAL || self.runners.contains(name) {
                continue;
            }
            let known: Vec<&str> = self.runners.iter().map(String::as_str).chain([LOCAL]).collect();
            let help = match nearest(name, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if self.runners.is_empty() => {
                    format!("add it below `runners:`; `{LOCAL}` is this machine")
                }
                None => format!("known here are {}", known.join(", ")),
            };
            let written = self.expanded.written(node.number).unwrap_or(name);
            let draft = ProblemDraft::error(format!("no runner is called `{}`", shown(written)));
            let draft = draft.of(instance).label("no entry under `runners:`").help(help);
            self.add(node.number, ProblemDraft { prefix, ..draft });
            right = false;
        }
        right
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
        let values = self.own_values((map, &KEYS), &name, entry.number)?;
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
