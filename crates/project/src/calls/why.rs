//! Explains a call without making it: all that happens before a permit, and nothing that happens with one.

use std::path::PathBuf;
use std::time::Duration;

use super::confirm::question;
use super::error::ErrorReason;
use super::run::checked;
use super::server::{Relayed, relayed};
use crate::calls::error::RunError;
use crate::calls::package::settle_package;
use crate::calls::plan;
use crate::calls::request::CallRequest;
use crate::calls::resolve;
use crate::calls::run;
use crate::calls::started;
use crate::diagnostics;
use crate::model::{Caller, Change, Command, Containment, EnvironmentPolicy, Plan, Values};
use crate::policy::{self, Decision, PolicyContext as _, Unconfirmed};
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::sys::programs;

/// How a call would be handled.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The tool that is meant.
    pub tool: Registered,
    /// The process that would be started; `None` if none would: a list tool answers, a refused call has no
    /// plan.
    pub planned: Option<Planned>,
    /// The call of another MCP server's tool that would be made.
    pub relayed: Option<Relayed>,
    /// The decision of policy.
    pub ruling: Ruling,
    /// Why an agent would be refused what a person is not; `None`: it would not be.
    pub withheld: Option<String>,
    /// The readers of findings in the output.
    pub readers: Readers,
}

/// The process that would be started, secrets taken out.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The command line as it would be typed into a shell.
    pub line: String,
    /// Program and words.
    pub words: Vec<String>,
    /// The file that the program is; `None` where there is none.
    pub program: Option<PathBuf>,
    /// Where it would run, relative to the project's root where it can be.
    pub directory: PathBuf,
    /// The runner that it would run on; `None`: this machine.
    pub runner: Option<String>,
    /// Variables that would be set in its environment.
    pub changes: Vec<Change>,
    /// Whether it would inherit the environment of cuff.
    pub inherits: EnvironmentPolicy,
    /// How long it might run.
    pub timeout: Duration,
    /// The rules that the kernel holds for an agent's run of it.
    pub containment: Containment,
    /// Whether it holds them for this call.
    pub is_contained: bool,
}

/// The decision of policy about a call.
#[derive(Debug, Clone)]
pub enum Ruling {
    /// Nothing would run: the answer is known.
    Answered,
    /// It would run.
    Permitted,
    /// It requires confirmation, by this line of the settings or by its plugin.
    RequiresConfirmation(String),
    /// It requires confirmation by this line, and the person at the terminal allows it always.
    AllowedAlways(String),
    /// It would not run.
    Refused(RunError),
}

/// The readers that find problems in the output of a tool.
#[derive(Debug, Clone, Default)]
pub struct Readers {
    /// The plugin, where it understands the tool's report.
    pub plugin: Option<&'static str>,
    /// The owners of the problem matchers that the settings have.
    pub matchers: Vec<String>,
    /// The dialects of the programs that the tool's own text starts. All others are recognised by what is printed.
    pub dialects: Vec<&'static str>,
}

/// Explains a call. Nothing is started, asked, used up or written.
///
/// # Errors
/// When there is no such tool, or an argument cannot be understood.
pub async fn why(
    project: &Project,
    registry: &Registry,
    request: &CallRequest,
) -> Result<Explanation, RunError> {
    let mut request = request.clone();
    settle_package(project, registry, &mut request)?;
    let request = &request;
    let found = resolve::find(project, registry, &request.tool).await?;
    // Without arguments it is the tool that is asked about, and a server's tool may need some.
    let values = if found.tool.input.schema().is_some() && request.arguments.is_empty() {
        Values::default()
    } else {
        checked(project.prefix(found), found, (&request.arguments, request.caller))
            .map_err(|error| error.of(found))?
    };
    let withheld =
        project.withheld_from_agents(found).or_else(|| refused_to_agents(project, found, &values, request));
    let (tool, readers) = (found.clone(), Readers::default());
    let plan = match plan::plan(project, found, &values, request) {
        Ok(plan) => plan,
        Err(error) if error.reason == ErrorReason::Refused => {
            let ruling = Ruling::Refused(error.of(found));
            return Ok(Explanation { tool, planned: None, relayed: None, ruling, withheld, readers });
        }
        Err(error) => return Err(error.of(found)),
    };
    if matches!(plan, Plan::Answer(_)) {
        let ruling = Ruling::Answered;
        return Ok(Explanation { tool, planned: None, relayed: None, ruling, withheld, readers });
    }
    let readers = plan.command().map_or(readers, |command| readers_of(project, found, command));
    let is_contained = request.caller.is_governed() || request.options.is_contained;
    let planned = plan.command().map(|command| {
        let containment = project.containment(found, command.profile);
        let is_contained = is_contained && !containment.is_off() && command.runner.is_none();
        planned(project, command, (containment, is_contained))
    });
    let relayed = match &plan {
        Plan::Upstream(call) => relayed(project, call),
        Plan::Process(_) | Plan::Answer(_) => None,
    };
    let ruling = match policy::authorize(request.call(found, plan), project) {
        Ok(Decision::Permitted(_) | Decision::Pinned(_)) => Ruling::Permitted,
        Ok(Decision::Unconfirmed(unconfirmed)) => {
            let by = project.confirmed_by(found, unconfirmed.because());
            if is_allowed_always(project, &unconfirmed, request).await {
                Ruling::AllowedAlways(by)
            } else {
                Ruling::RequiresConfirmation(by)
            }
        }
        Err(refusal) => {
            let error = RunError::refused(project.prefix(found), refusal, request.caller);
            Ruling::Refused(error.of(found))
        }
    };
    Ok(Explanation { tool, planned, relayed, ruling, withheld, readers })
}

/// Whether the person at the terminal allows this very call always.
async fn is_allowed_always(project: &Project, unconfirmed: &Unconfirmed, request: &CallRequest) -> bool {
    let asker = request.asker.as_deref();
    let Ok(binding) = project.bind(unconfirmed.tool()).await else { return false };
    let question = question(project, unconfirmed, &binding, request.caller);
    policy::allowed_always(unconfirmed, &question, asker, project.authority.ledger.as_ref()).is_some()
}

/// Why an agent would be refused what a person asks for: rules about words and variables do not hold for people.
fn refused_to_agents(
    project: &Project,
    found: &Registered,
    values: &Values,
    request: &CallRequest,
) -> Option<String> {
    if request.caller.is_governed() {
        return None;
    }
    let judged = |caller| {
        let request = CallRequest { caller, ..request.clone() };
        let plan = plan::plan(project, found, values, &request).map_err(|error| error.message)?;
        policy::authorize(request.call(found, plan), project).map_err(|refusal| refusal.message)
    };
    // A call that a person is refused as well is no agent's matter alone.
    judged(Caller::Agent).err().filter(|_| judged(Caller::Human).is_ok())
}

fn planned(
    project: &Project,
    command: &Command,
    (containment, is_contained): (Containment, bool),
) -> Planned {
    let environment = &project.context.environment;
    let secrets = project.secrets_of(&command.environment);
    let hidden = |text: &str| secrets.redact(text).into_owned();
    let change = |change: &Change| Change::new(&change.name, secrets.redact(&change.value), change.origin);
    let directory = project.settings.root.join(&command.directory);
    let search_path = programs::search_path(command, environment);
    Planned {
        line: hidden(&command.line()),
        words: command.words().into_iter().map(hidden).collect(),
        // Another machine has another search path.
        program: programs::find(&command.program.text, search_path, &directory)
            .filter(|_| command.runner.is_none()),
        directory: command.directory.clone(),
        runner: command.runner.as_ref().map(|runner| runner.name.clone()),
        changes: command.environment.iter().map(change).collect(),
        inherits: command.environment_policy,
        timeout: command.timeout,
        containment,
        is_contained,
    }
}

fn readers_of(project: &Project, found: &Registered, command: &Command) -> Readers {
    let plugin = project.context.plugin(found.plugin).filter(|plugin| plugin.reading(&found.tool).is_some());
    let programs = started::programs(found, command, &project.context.files);
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    Readers {
        plugin: plugin.map(|plugin| plugin.about().id),
        matchers: run::matchers(&project.settings, found)
            .iter()
            .map(|matcher| matcher.owner.clone())
            .collect(),
        dialects: diagnostics::dialects_of(&programs),
    }
}
