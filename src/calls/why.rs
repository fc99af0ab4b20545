//! What would become of a call, told beforehand: all that happens before a permit, and nothing that happens with one.

use std::path::PathBuf;
use std::time::Duration;

use super::error::Reason;
use super::run::checked;
use super::server::{Relayed, relayed};
use crate::calls::error::RunError;
use crate::calls::plan;
use crate::calls::request::Request;
use crate::calls::resolve;
use crate::calls::run;
use crate::diagnostics;
use crate::model::{Caller, Change, Command, EnvironmentPolicy, Plan, Values};
use crate::policy::{self, Because, Decision};
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::sys::programs;

/// What would become of a call.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The tool that is meant.
    pub tool: Registered,
    /// What would be executed; `None` where nothing would: a list tool answers, a refused call has no plan.
    pub planned: Option<Planned>,
    /// The call of another MCP server's tool that would be made.
    pub relayed: Option<Relayed>,
    /// What policy says.
    pub ruling: Ruling,
    /// Why an agent would be refused what a person is not; `None`: it would not be.
    pub withheld: Option<String>,
    /// Who reads what it prints.
    pub readers: Readers,
}

/// What would be executed, secrets taken out.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The command line as a shell would be told it.
    pub line: String,
    /// Program and words.
    pub words: Vec<String>,
    /// The file that the program is; `None` where there is none.
    pub program: Option<PathBuf>,
    /// Where it would run, relative to the project's root where it can be.
    pub directory: PathBuf,
    /// What would be set in its environment.
    pub changes: Vec<Change>,
    /// What it would inherit.
    pub inherits: EnvironmentPolicy,
    /// How long it might run.
    pub timeout: Duration,
}

/// What policy says to a call.
#[derive(Debug, Clone)]
pub enum Ruling {
    /// Nothing would run: the answer is known.
    Answered,
    /// It would run.
    Permitted,
    /// A person is asked first, each time, and why.
    NeedsYes(&'static str),
    /// It would not run.
    Refused(RunError),
}

/// Who reads findings out of what a tool prints.
#[derive(Debug, Clone, Default)]
pub struct Readers {
    /// The plugin, where it understands the tool's report.
    pub plugin: Option<&'static str>,
    /// The owners of the problem matchers that the settings have.
    pub matchers: Vec<String>,
    /// The dialects of the programs that the tool names. All others are recognised by what is printed.
    pub dialects: Vec<&'static str>,
}

/// Explains a call. Nothing is started, asked, used up or written.
///
/// # Errors
/// When there is no such tool, or an argument cannot be understood.
pub async fn why(project: &Project, registry: &Registry, request: &Request) -> Result<Explanation, RunError> {
    let found = resolve::find(project, registry, &request.tool).await?;
    // Without arguments it is the tool that is asked about, and a server's tool may need some.
    let values = if found.tool.input.schema().is_some() && request.arguments.is_empty() {
        Values::default()
    } else {
        checked(project.prefix(found), found, &request.arguments).map_err(|error| error.of(found))?
    };
    let withheld =
        project.withheld_from_agents(found).or_else(|| refused_to_agents(project, found, &values, request));
    let (tool, readers) = (found.clone(), Readers::default());
    let plan = match plan::plan(project, found, &values, request) {
        Ok(plan) => plan,
        Err(error) if error.reason == Reason::Refused => {
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
    let planned = plan.command().map(|command| planned(project, command));
    let relayed = match &plan {
        Plan::Upstream(call) => relayed(project, call),
        Plan::Process(_) | Plan::Answer(_) => None,
    };
    let ruling = match policy::authorize(request.call(found, plan), project) {
        Ok(Decision::Permitted(_) | Decision::Pinned(_)) => Ruling::Permitted,
        Ok(Decision::Unconfirmed(unconfirmed)) => Ruling::NeedsYes(match unconfirmed.because() {
            Because::Changes => "it changes files or what is installed",
            Because::Settings => "`confirm` in the settings of its instance names it",
        }),
        Err(refusal) => {
            let error = RunError::refused(project.prefix(found), refusal, request.caller);
            Ruling::Refused(error.of(found))
        }
    };
    Ok(Explanation { tool, planned, relayed, ruling, withheld, readers })
}

/// Why an agent would be refused what a person asks for: rules about words and variables do not hold for people.
fn refused_to_agents(
    project: &Project,
    found: &Registered,
    values: &Values,
    request: &Request,
) -> Option<String> {
    if request.caller != Caller::Human {
        return None;
    }
    let judged = |caller| {
        let request = Request { caller, ..request.clone() };
        let plan = plan::plan(project, found, values, &request).map_err(|error| error.message)?;
        policy::authorize(request.call(found, plan), project).map_err(|refusal| refusal.message)
    };
    // A call that a person is refused as well is no agent's matter alone.
    judged(Caller::Agent).err().filter(|_| judged(Caller::Human).is_ok())
}

fn planned(project: &Project, command: &Command) -> Planned {
    let environment = &project.surroundings.environment;
    let secrets = project.secrets_of(&command.environment);
    let hidden = |text: &str| secrets.redact(text).into_owned();
    let change = |change: &Change| Change::new(&change.name, secrets.redact(&change.value), change.origin);
    let directory = project.root.join(&command.directory);
    let search_path = programs::search_path(command, environment);
    Planned {
        line: hidden(&command.line()),
        words: command.words().into_iter().map(hidden).collect(),
        program: programs::find(&command.program.text, search_path, &directory),
        directory: command.directory.clone(),
        changes: command.environment.iter().map(change).collect(),
        inherits: command.environment_policy,
        timeout: command.timeout,
    }
}

fn readers_of(project: &Project, found: &Registered, command: &Command) -> Readers {
    let plugin =
        project.surroundings.plugin(found.plugin).filter(|plugin| plugin.reading(&found.tool).is_some());
    let text = found.tool.text.as_deref().unwrap_or_default();
    Readers {
        plugin: plugin.map(|plugin| plugin.about().id),
        matchers: run::matchers(project, found).iter().map(|matcher| matcher.owner.clone()).collect(),
        dialects: diagnostics::dialects_of(&format!("{} {text}", command.line())),
    }
}
