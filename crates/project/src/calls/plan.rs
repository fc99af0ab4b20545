//! The plan of a call: its source's, with time, environment and colours.

use std::path::Path;
use std::time::Duration;

use super::long_running::is_long_running;
use super::request::CallRequest;
use crate::calls::error::RunError;
use crate::calls::{colours, runner};
use crate::model::{
    Change, Command, DEFAULT_TIMEOUT, ENV, Governance, LONGEST_TIMEOUT, Origin, Plan, Registered, Spelling,
    TIMEOUT, UpstreamCall, Values, containment,
};
use crate::project::Project;
use crate::registry::{NoSuchTool, Registry};
use crate::settings::Instance;
use crate::sources::CallInput;
use crate::sys::files;

/// The source's plan, with what the core owns: time, environment, colours.
pub(crate) fn plan(
    project: &Project,
    found: &Registered,
    values: &Values,
    request: &CallRequest,
) -> Result<Plan, RunError> {
    let name = &found.name.instance;
    let gone = || {
        let gone = NoSuchTool::Unknown { near: Vec::new() };
        let typed = found.name.to_string();
        let typed = (typed.as_str(), Spelling::Dotted);
        RunError::unknown(project, &Registry::default(), typed, &gone, None)
    };
    let source = project.source(name).ok_or_else(gone)?;
    let rooted = values.clone().rooted(&roots(&project.settings.root));
    let governance = Governance::of(request.caller);
    let input = CallInput { arguments: &request.arguments, values: &rooted, governance };
    let planned = source.plan(&found.tool, &input);
    match planned.map_err(|bad| RunError::bad_call(project.prefix(found), bad, request.caller))? {
        Plan::Process(command) => {
            let instance = project.settings.instance(name).ok_or_else(gone)?;
            let runner = runner::chosen(&project.settings, found, &rooted, request.caller)
                .map_err(|bad| RunError::bad_call(project.prefix(found), bad, request.caller))?;
            let command = completed(command, found, instance, &rooted, request);
            let rules =
                || containment(command.profile, &instance.config, |pattern| found.is_meant_by(pattern));
            let runner = runner.map(|runner| runner.clone().hiding(rules()));
            Ok(Plan::Process(command.on(runner)))
        }
        Plan::Upstream(call) => {
            let timeout = request.options.timeout.unwrap_or(call.timeout);
            Ok(Plan::Upstream(UpstreamCall { timeout, ..call }))
        }
        answer @ Plan::Answer(_) => Ok(answer),
    }
}

fn completed(
    mut command: Command,
    found: &Registered,
    instance: &Instance,
    values: &Values,
    request: &CallRequest,
) -> Command {
    if values.has(&TIMEOUT) {
        command.timeout = Duration::from_secs(values.integer(&TIMEOUT));
    } else if request.detach.long_running
        || (!request.caller.is_governed()
            && (!instance.config.has(&DEFAULT_TIMEOUT) || is_long_running(&found.tool, &request.arguments)))
    {
        // A person who started something by hand ends it by hand. The settings may limit it, but for a server
        // they do not.
        command.timeout = Duration::from_secs(LONGEST_TIMEOUT);
    }
    let mut environment = colours::colours(request);
    environment.extend(colours::notices(request));
    environment.append(&mut command.environment);
    environment
        .extend(values.pairs(&ENV).into_iter().map(|(name, value)| Change::new(name, value, Origin::Call)));
    command.environment = environment;
    command
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
