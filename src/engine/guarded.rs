//! What agents are kept from without a line in the settings: tools that look irreversible, and values of `.env` files.

use std::collections::BTreeMap;

use super::{Check, Engine, secrets};
use crate::model::counted;
use crate::registry::{Registered, Registry};

impl Engine {
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
