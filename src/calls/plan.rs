//! The plan of a call: the plugin's command, with time, environment and colours.

use std::path::Path;
use std::time::Duration;

use super::lasting::is_lasting;
use super::run::Request;
use crate::engine::{Engine, RunError};
use crate::model::{
    Caller, Change, Command, DEFAULT_TIMEOUT, ENV, Governance, LONGEST_TIMEOUT, Origin, Registered, Spelling,
    TIMEOUT, Values,
};
use crate::registry::{NoSuchTool, Registry};
use crate::sys::files;

impl Engine {
    /// The plugin's plan, with what the core owns: time, environment, colours.
    pub(crate) fn plan(
        &self,
        found: &Registered,
        command: Command,
        values: &Values,
        request: &Request,
    ) -> Result<Command, RunError> {
        let instance = self.instances.iter().find(|instance| instance.name == found.name.instance);
        let (Some(plugin), Some(instance)) = (self.surroundings.plugin(found.plugin), instance) else {
            let gone = NoSuchTool::Unknown { near: Vec::new() };
            let name = found.name.to_string();
            return Err(RunError::unknown(
                self,
                &Registry::default(),
                (&name, Spelling::Dotted),
                &gone,
                None,
            ));
        };
        let bad = |bad| RunError::bad_call(self.prefix(found), bad, request.caller);
        let governance = Governance::of(request.caller);
        let values = &values.clone().rooted(&roots(&self.root));
        let planned = plugin.plan(&instance.config, &found.tool, command, values, governance);
        let mut command = planned.map_err(bad)?;
        if values.has(&TIMEOUT) {
            command.timeout = Duration::from_secs(values.integer(&TIMEOUT));
        } else if request.aside.lasting
            || (request.caller == Caller::Human
                && (!instance.config.has(&DEFAULT_TIMEOUT) || is_lasting(&found.tool, &request.arguments)))
        {
            // Who started something by hand ends it by hand, a server whatever the settings say.
            command.timeout = Duration::from_secs(LONGEST_TIMEOUT);
        }
        let mut environment = self.colours(request);
        environment.append(&mut command.environment);
        environment.extend(
            values.pairs(&ENV).into_iter().map(|(name, value)| Change::new(name, value, Origin::Call)),
        );
        command.environment = environment;
        Ok(command)
    }
}

/// The project's root as absolute paths may begin with it.
fn roots(root: &Path) -> Vec<String> {
    let real = files::canonical(root);
    let mut roots: Vec<String> =
        [root, &real].into_iter().filter_map(Path::to_str).map(str::to_owned).collect();
    roots.retain(|root| root.starts_with('/') && root.len() > 1);
    roots.dedup();
    roots
}
