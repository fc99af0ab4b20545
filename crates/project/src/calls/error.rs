//! Why a call started nothing.

mod caller_messages;
mod server_tools;

use super::known_tools::available;
use super::parameters::{mended, names};
use crate::model::schema::SchemaError;
use crate::model::{
    Caller, ErrorCode, InputError, InputErrorKind, Problem, Severity, Spelling, ToolName, ValueStep, listed,
    nearest, shown, visible,
};
use crate::project::open_error::{NotReady, SWITCH_ON};
use crate::project::opened::approval::not_there;
use crate::project::{Project, ProjectSettings};
use crate::registry::{NoSuchTool, Registered, Registry, ReportedProblem};
use crate::settings::{Difference, Instance, UPSTREAM_CODE_PREFIX, Withheld};

/// How many candidates of an ambiguous name a message lists.
const MOST_CANDIDATES: usize = 20;

/// A call that started nothing, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RunError {
    /// Which kind of reason; exit codes follow from it alone.
    pub reason: ErrorReason,
    /// The error code: `PKGJSON_304`.
    pub code: String,
    /// One sentence without a full stop that says what happened.
    pub message: String,
    /// The next step for the caller.
    pub help: Option<String>,
    /// The tool that was meant, where there is one.
    pub tool: Option<Box<ToolName>>,
    /// The one tool that was probably meant, if there is one.
    pub near: Option<Box<ToolName>>,
    /// The id of the question that waits for a person, if the same call succeeds after their yes.
    pub approval: Option<String>,
}

/// The kinds of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorReason {
    /// Nothing, or more than one thing, is called so.
    NoSuchTool,
    /// An argument cannot be understood.
    BadArguments,
    /// An argument or variable is not allowed.
    Refused,
    /// The settings of the tool's instance, or the files its tools are read from, are wrong.
    Unusable,
}

impl RunError {
    /// An error that names no tool and waits for nobody.
    pub fn new(reason: ErrorReason, code: String, message: impl Into<String>, help: Option<String>) -> Self {
        Self { reason, code, message: message.into(), help, tool: None, near: None, approval: None }
    }

    /// The settings that would offer it were not approved.
    pub(crate) fn unapproved_settings(message: String) -> Self {
        let help = "ask the user to run `cuff approve settings` in a terminal, then make the same call again";
        let code = ErrorCode::Unapproved.code("CUFF");
        Self::new(ErrorReason::Refused, code, message, Some(help.into()))
    }

    /// A person is asked, and has not answered.
    pub(crate) fn unanswered(prefix: &str, found: &Registered, caller: Caller) -> Self {
        let message =
            format!("{} requires confirmation by a person, who has not answered", found.name_for(caller));
        let code = ErrorCode::Unconfirmed.code(prefix);
        Self::new(ErrorReason::Refused, code, message, Some("nothing was run".into()))
    }

    /// Too much goes on already.
    pub(crate) fn crowded(message: String) -> Self {
        let help = Some("stop one of them with the tool `runs.stop`; `runs.list` shows them".into());
        Self::new(ErrorReason::Refused, ErrorCode::NotReady.code("CUFF"), message, help)
    }

    /// cuff itself failed.
    pub fn broken(why: &str) -> Self {
        let message = format!("cuff could not carry it out: {why}");
        Self::new(
            ErrorReason::Unusable,
            ErrorCode::NotStarted.code("CUFF"),
            message,
            Some("`cuff doctor` looks for what is in the way".into()),
        )
    }

    pub(crate) fn no_ledger(prefix: &str, why: &str) -> Self {
        let message = format!("A person must say yes to it first, and that cannot be asked for: {why}");
        let help = Some("nothing was run; `cuff run` at a terminal asks there".into());
        Self::new(ErrorReason::Refused, ErrorCode::Unconfirmed.code(prefix), message, help)
    }

    pub(crate) fn of(self, found: &Registered) -> Self {
        Self { tool: Some(Box::new(found.name.clone())), ..self }
    }

    pub(crate) fn bad_arguments(
        prefix: &str,
        found: &Registered,
        caller: Caller,
        mistakes: &[InputError],
    ) -> Self {
        let names = names(&found.tool);
        Self::mistaken(prefix, &found.name_for(caller), names.iter().map(String::as_str), mistakes)
    }

    /// Arguments of another MCP server's tool that do not fit its schema.
    pub(crate) fn misfits(prefix: &str, found: &Registered, caller: Caller, misfits: &[SchemaError]) -> Self {
        let help = misfits.iter().find_map(|misfit| misfit.help.clone());
        let properties = found.tool.input.schema().and_then(|schema| schema.get("properties")?.as_object());
        let names = properties.into_iter().flat_map(|properties| properties.keys());
        let taken: Vec<String> = names.map(|name| shown(name)).collect();
        let saying = || format!("{} takes {}", found.name_for(caller), listed(&taken, MOST_CANDIDATES));
        Self::new(
            ErrorReason::BadArguments,
            ErrorCode::BadArgument.code(prefix),
            SchemaError::summary(misfits),
            help.or_else(|| (!taken.is_empty()).then(saying)),
        )
    }

    /// Arguments of a tool that do not fit its parameters.
    pub fn mistaken<'n>(
        prefix: &str,
        tool: &str,
        parameters: impl Iterator<Item = &'n str>,
        mistakes: &[InputError],
    ) -> Self {
        let taken: Vec<&str> = parameters.collect();
        let meant = |mistake: &InputError| match (&mistake.wrong, &mistake.path[..]) {
            (InputErrorKind::Unknown(None), [ValueStep::Key(key)]) => nearest(key, taken.iter().copied()),
            _ => None,
        };
        let meant = || mistakes.iter().find_map(meant).map(|name| format!("did you mean `{}`?", shown(name)));
        let help = mistakes.iter().find_map(mended).or_else(meant);
        Self::new(
            ErrorReason::BadArguments,
            ErrorCode::BadArgument.code(prefix),
            InputError::summary(mistakes),
            help.or_else(|| {
                Some(format!(
                    "{tool} takes {}",
                    taken.iter().map(|name| shown(name)).collect::<Vec<_>>().join(", ")
                ))
            }),
        )
    }

    /// Answers a call with the problem of the sources that concerns it.
    fn of_problem(reason: ErrorReason, prefix: &str, problem: Problem) -> Self {
        // A way out of the folder is refused; what the settings leave out is merely not there.
        let reason = match problem.fault {
            Some(ErrorCode::BadArgument | ErrorCode::Changed) => ErrorReason::Refused,
            _ => reason,
        };
        let code = problem.fault.unwrap_or(ErrorCode::NotFound).code(prefix);
        Self::new(reason, code, problem.to_string(), problem.help)
    }

    /// The settings of the instance that a name belongs to are wrong.
    fn broken_settings(project: &Project, (typed, spelling): (&str, Spelling)) -> Option<Self> {
        let complaint = project.settings.broken_instance(|instance| belongs(typed, instance, spelling))?;
        let broken = complaint.instance.as_deref().unwrap_or_default();
        let code = complaint.code.clone().unwrap_or_else(|| ErrorCode::InvalidConfig.code("CUFF"));
        let message = format!("`{broken}` is not offered: its settings are wrong");
        Some(Self::new(ErrorReason::Unusable, code, message, Some(Problem::from(complaint).in_one_line())))
    }

    fn withheld_server(project: &Project, (typed, spelling): (&str, Spelling)) -> Option<Self> {
        let server = project.settings.withheld_servers().find(|server| belongs(typed, server, spelling))?;
        let message = format!("the MCP server {} waits for approval; it is not started", shown(server));
        let help = "`cuff approve settings` shows it, and asks".to_owned();
        Some(Self::new(
            ErrorReason::NoSuchTool,
            ErrorCode::Unapproved.code(UPSTREAM_CODE_PREFIX),
            message,
            Some(help),
        ))
    }

    /// The tools of the server that a name belongs to are not known, since it has not answered.
    fn of_unknown_tools(
        project: &Project,
        registry: &Registry,
        (typed, spelling): (&str, Spelling),
    ) -> Option<Self> {
        let server = project.settings.servers().find(|server| belongs(typed, server, spelling))?;
        if registry.of_instance(server).next().is_some() {
            return None;
        }
        let mut problems = registry.problems().iter().filter(|reported| reported.instance == server);
        let told = problems.find(|reported| reported.problem.severity == Severity::Error);
        let told = told.map(|reported| reported.problem.in_one_line());
        let why = told.or_else(|| project.why_unknown(server))?;
        let server = shown(server);
        let message = format!("the tools of the MCP server {server} are not known: {}", visible(&why));
        let help = format!("other tools work meanwhile; `cuff mcp test {server}` tries it, and says more");
        Some(Self::new(
            ErrorReason::NoSuchTool,
            ErrorCode::NotReady.code(UPSTREAM_CODE_PREFIX),
            message,
            Some(help),
        ))
    }

    fn ambiguous(
        project: &Project,
        registry: &Registry,
        (typed, spelling): (&str, Spelling),
        candidates: &[ToolName],
        code: String,
    ) -> Self {
        let names = names_for(&project.settings, registry, candidates, spelling);
        let help = format!("say which: {}; each call runs one", listed(&names, MOST_CANDIDATES));
        let message = format!("`{}` could be any of {}", shown(typed), candidates.len());
        Self::new(ErrorReason::NoSuchTool, code, message, Some(help))
    }

    /// The error for a name that no tool has. For callers that get the approved settings it says whether a change waits: the
    /// name may be one of that.
    pub(crate) fn unknown(
        project: &Project,
        registry: &Registry,
        named: (&str, Spelling),
        why: &NoSuchTool,
        withheld: Option<(&'static str, Problem)>,
    ) -> Self {
        let mut error = Self::unknown_to_all(project, registry, named, why, withheld);
        let is_missing = error.code.ends_with(&format!("_{}", ErrorCode::NotFound.number()));
        if let Some(have) =
            project.settings.agents_have().filter(|_| is_missing && project.settings.caller.is_governed())
        {
            let before = error.help.take().map_or_else(String::new, |help| format!("{help}; "));
            error.help = Some(format!("{before}{have}"));
        }
        error
    }

    fn unknown_to_all(
        project: &Project,
        registry: &Registry,
        (typed, spelling): (&str, Spelling),
        why: &NoSuchTool,
        withheld: Option<(&'static str, Problem)>,
    ) -> Self {
        let instance =
            project.settings.instances.iter().find(|instance| belongs(typed, &instance.name, spelling));
        let only = match (instance, project.settings.instances.as_slice()) {
            // One of several, when the others' settings are wrong, says nothing for all.
            (None, [one]) if project.settings.broken_instance(|_| true).is_none() => Some(one),
            (found, _) => found,
        };
        // The words are those of the plugin that the name or the command names.
        let plugin = instance.map(|instance| instance.plugin).or(project.settings.named_plugin);
        let about = plugin.and_then(|plugin| project.about_of(plugin));
        let (prefix, unknown) =
            about.map_or(("CUFF", "Tool not found"), |about| (about.code_prefix, about.unknown));
        let code = ErrorCode::NotFound.code(prefix);
        let reason = ErrorReason::NoSuchTool;
        if let NoSuchTool::Ambiguous { candidates } = why {
            return Self::ambiguous(project, registry, (typed, spelling), candidates, code);
        }
        if let Some(unapproved) =
            unapproved(&project.settings, registry, |instance| belongs(typed, instance, spelling))
        {
            return unapproved;
        }
        if let Some(broken) = Self::broken_settings(project, (typed, spelling)) {
            return broken;
        }
        if let Some(waiting) = Self::withheld_server(project, (typed, spelling)) {
            return waiting;
        }
        if let Some((prefix, problem)) = withheld {
            return Self::of_problem(reason, prefix, problem);
        }
        if let Some(unanswered) = Self::of_unknown_tools(project, registry, (typed, spelling)) {
            return unanswered;
        }
        let barren = registry.problems().iter().find(|reported| {
            reported.problem.severity == Severity::Error
                && only.is_none_or(|only| only.name == reported.instance)
                && registry.is_barren(&reported.instance)
        });
        if let (Some(ReportedProblem { problem, plugin, .. }), Some(_)) = (barren, only) {
            let prefix = project.about_of(plugin).map_or(prefix, |about| about.code_prefix);
            return Self::of_problem(ErrorReason::Unusable, prefix, problem.clone());
        }
        let offered = || available(&project.settings, registry, (only, about.is_some()), (typed, spelling));
        let help = match (why, barren) {
            _ if only.is_some_and(|only| !only.enabled) => format!("the settings switch it off; {SWITCH_ON}"),
            (NoSuchTool::Unknown { near }, _) if !near.is_empty() && about.is_none() => {
                did_you_mean(&names_for(&project.settings, registry, near, spelling))
            }
            (NoSuchTool::Unknown { near }, _) if !near.is_empty() => {
                format!(
                    "{} {}",
                    did_you_mean(&names_for(&project.settings, registry, near, spelling)),
                    offered()
                )
            }
            (_, Some(ReportedProblem { instance, problem, .. })) => {
                format!("{instance} offers nothing: {}; `cuff list` shows the rest", problem.in_one_line())
            }
            _ => {
                let broken = project.settings.broken_instance(|_| true).filter(|_| only.is_none());
                let broken = broken.and_then(|complaint| complaint.instance.as_deref());
                let broken =
                    broken.map(|broken| format!("; `{broken}` is not offered: its settings are wrong"));
                offered() + &broken.unwrap_or_default()
            }
        };
        let message = format!("{unknown}: {}", shown(typed));
        Self { near: only_near(why), ..Self::new(reason, code, message, Some(help)) }
    }
}

/// The only tool that is near, if one is.
fn only_near(why: &NoSuchTool) -> Option<Box<ToolName>> {
    match why {
        NoSuchTool::Unknown { near } => match near.as_slice() {
            [one] => Some(Box::new(one.clone())),
            _ => None,
        },
        NoSuchTool::Ambiguous { .. } => None,
    }
}

/// The names of tools as their caller types them: a person those of the sources, all others the qualified ones.
pub(super) fn names_for(
    settings: &ProjectSettings,
    registry: &Registry,
    names: &[ToolName],
    spelling: Spelling,
) -> Vec<String> {
    let is_governed = settings.caller.is_governed();
    names.iter().map(|name| if is_governed { name.spelled(spelling) } else { registry.shown(name) }).collect()
}

/// One name in the sentence, or several, a line each.
fn did_you_mean(names: &[String]) -> String {
    match names {
        [one] => format!("did you mean `{one}`?"),
        several => format!("did you mean one of these?\n  {}", several.join("\n  ")),
    }
}

/// Whether a name is spelled as one of this instance's.
fn belongs(typed: &str, instance: &str, spelling: Spelling) -> bool {
    typed.strip_prefix(instance).is_some_and(|rest| rest.starts_with(spelling.separator()))
}

/// Returns the problem that keeps a name of the sources from being offered, and the prefix of its code.
pub(crate) async fn withheld(
    project: &Project,
    registry: &Registry,
    typed: &str,
    spelling: Spelling,
) -> Option<(&'static str, Problem)> {
    let within = |instance: &Instance| {
        let rest = typed.strip_prefix(&instance.name)?;
        rest.strip_prefix(spelling.separator()).map(str::to_owned)
    };
    let enabled = || project.settings.instances.iter().filter(|instance| instance.enabled);
    let addressed = enabled().find_map(|instance| Some((instance, within(instance)?)));
    let asked: Vec<(&Instance, String)> = match addressed {
        Some(one) => vec![one],
        None => enabled().map(|instance| (instance, typed.to_owned())).collect(),
    };
    let view = project.context.view(&project.settings.root);
    for (instance, name) in asked {
        let Some(plugin) = project.context.plugin(instance.plugin) else { continue };
        let known = registry
            .problems()
            .iter()
            .find(|reported| reported.instance == instance.name && reported.problem.withheld.contains(&name));
        let problem = match known {
            Some(reported) => Some(reported.problem.clone()),
            None => match project.source(&instance.name) {
                Some(source) => source.absence(&name, &view).await,
                None => None,
            },
        };
        if let Some(problem) = problem {
            return Some((plugin.about().code_prefix, problem));
        }
    }
    server_tools::withheld(project, typed, spelling).await.map(|problem| (UPSTREAM_CODE_PREFIX, problem))
}

/// The error for a call of a tool that is not there, if its instance waits for a person's approval.
///
/// An instance that offers nothing since its sources are broken says that itproject.
pub(crate) fn unapproved(
    settings: &ProjectSettings,
    registry: &Registry,
    belongs: impl Fn(&str) -> bool,
) -> Option<RunError> {
    if !settings.caller.is_governed() {
        return None;
    }
    if let Some((message, help)) = settings.never_approved() {
        let help = Some(format!("{help}; then make the same call again"));
        return Some(RunError { help, ..RunError::unapproved_settings(message) });
    }
    let waits = settings.approval_status.withheld.iter().find(|one| belongs(&one.instance));
    let Withheld { instance, difference } = waits?;
    if *difference == Difference::Changed && registry.is_barren(instance) {
        return None;
    }
    Some(RunError::unapproved_settings(not_there(&shown(instance), *difference)))
}

/// A call before there is anything to call.
impl From<NotReady> for RunError {
    fn from(NotReady { message, help, .. }: NotReady) -> Self {
        Self::new(ErrorReason::Unusable, ErrorCode::NotReady.code("CUFF"), message, help)
    }
}
