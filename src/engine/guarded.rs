//! What agents are kept from without a line in the settings: tools that look irreversible, and values of `.env` files.

use std::collections::BTreeMap;

use super::bound::LARGEST;
use super::{Check, Engine, secrets};
use crate::model::{Command, Given, Seen, counted, looks_irreversible};
use crate::registry::{Registered, Registry};
use crate::sys;

impl Engine {
    /// Whether what a call brings makes a tool look as if nothing took back what it does: `push` to a script `git`.
    pub(super) async fn is_made_irreversible(&self, found: &Registered, command: &Command) -> bool {
        let given = Given::of(command);
        if given.is_nothing() {
            return false;
        }
        let script = || match sys::look::file(&command.script.as_ref()?.path, LARGEST) {
            Seen::File(file) if !file.bytes.starts_with(b"\x7fELF") => {
                Some(String::from_utf8_lossy(&file.bytes).into_owned())
            }
            Seen::File(_) | Seen::Missing | Seen::Unreadable(_) => None,
        };
        // What runs with it is the plugin's to judge.
        let text = found.tool.text.clone().or_else(script);
        if text.is_some_and(|text| looks_irreversible("", &given.in_text(&text))) {
            return true;
        }
        let instance = self.instances.iter().find(|instance| instance.name == found.name.instance);
        let (Some(plugin), Some(instance)) = (self.surroundings.plugin(found.plugin), instance) else {
            return true;
        };
        let files = self.memory.lock().await.seen(self.place(), plugin, instance);
        plugin.leads_on(&instance.config, &files, &found.tool, &given)
    }

    /// Tools that look as if nothing took back what they do, where the settings say nothing of them.
    pub(super) fn guarded(&self, registry: &Registry) -> Vec<Check> {
        let guarded = |found: &&Registered| self.asks_of_agents(found) && !self.asks_first(found);
        let mut of_instances: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for found in registry.tools().iter().filter(guarded) {
            let names = of_instances.entry(&found.name.instance).or_default();
            names.push(serde_json::Value::from(found.tool.original.as_str()).to_string());
        }
        let check = |(instance, names): (&str, Vec<String>)| {
            let (them, names) = (if names.len() == 1 { "it" } else { "them" }, names.join(", "));
            let what = format!(
                "{instance}: nothing seems to take back what these do, and `confirm` does not name them: {names}; \
                 agents need your yes, you are not asked"
            );
            let remedy = format!(
                "add {them} to its `config`: `confirm: [{names}]` to be asked as well, or `open_to_agents: [{names}]`"
            );
            Check::warn(what, remedy)
        };
        of_instances.into_iter().map(check).collect()
    }

    /// How many values of `.env` files nobody is shown.
    pub(super) fn hidden_values(&self) -> Vec<Check> {
        let check = |(file, names): (String, Vec<String>)| {
            let values = counted(names.len() as u64, "value");
            Check::pass(format!("{file}: {values} never shown in output: {}", names.join(", ")))
        };
        secrets::hidden(&self.root).into_iter().map(check).collect()
    }
}
