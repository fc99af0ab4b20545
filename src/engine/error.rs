//! Why a call started nothing.

use super::Engine;
use super::report::capitalised;
use crate::discovery;
use crate::model::{BadCall, Complaint, FailureKind, Fault, Mistake, Problem, Role, Severity};
use crate::policy::Refusal;
use crate::registry::{NoSuchTool, Registered, Registry, Reported};
use crate::settings::Instance;

/// How many names a message lists before it stops.
const MOST_NAMES: usize = 20;

/// A call that started nothing, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RunError {
    /// Which kind of reason; exit codes follow from it.
    pub reason: Reason,
    /// The error code: `PKGJSON_304`.
    pub code: String,
    /// What happened, in one sentence without a full stop.
    pub message: String,
    /// What to do next.
    pub help: Option<String>,
}

/// The kinds of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nothing, or more than one thing, is called so.
    NoSuchTool,
    /// An argument cannot be understood.
    BadArguments,
    /// An argument or variable is not allowed.
    Refused,
    /// The settings of the tool's instance, or the files its tools are read from, are wrong.
    Unusable,
}

impl Reason {
    /// The kind at the top that this belongs to.
    pub const fn kind(self) -> FailureKind {
        match self {
            Self::NoSuchTool | Self::BadArguments => FailureKind::Usage,
            Self::Refused => FailureKind::Refused,
            Self::Unusable => FailureKind::Internal,
        }
    }
}

impl RunError {
    pub(super) fn refused(prefix: &str, refusal: Refusal) -> Self {
        let code = Fault::BadArgument.code(prefix);
        Self { reason: Reason::Refused, code, message: refusal.message, help: Some(refusal.help) }
    }

    pub(super) fn bad_call(prefix: &str, bad: BadCall) -> Self {
        let reason = match bad.complaint {
            Complaint::Invalid => Reason::BadArguments,
            Complaint::Refused => Reason::Refused,
        };
        Self { reason, code: Fault::BadArgument.code(prefix), message: bad.message, help: bad.help }
    }

    pub(super) fn bad_arguments(prefix: &str, found: &Registered, mistakes: &[Mistake]) -> Self {
        let sentences: Vec<String> = mistakes.iter().map(Mistake::sentence).collect();
        let taken: Vec<&str> = super::parameters(&found.tool).iter().map(|field| field.name).collect();
        let help = mistakes.iter().find_map(|mistake| mistake.wrong.help());
        Self {
            reason: Reason::BadArguments,
            code: Fault::BadArgument.code(prefix),
            message: sentences.join("; "),
            help: help.or_else(|| Some(format!("{} takes {}", found.name, taken.join(", ")))),
        }
    }

    /// What is wrong with the sources, as the answer to a call that it concerns.
    fn of_problem(reason: Reason, prefix: &str, problem: Problem) -> Self {
        let code = problem.fault.unwrap_or(Fault::NotFound).code(prefix);
        Self { reason, code, message: problem.to_string(), help: problem.help }
    }

    pub(super) fn unknown(engine: &Engine, registry: &Registry, typed: &str, why: &NoSuchTool) -> Self {
        let instance = engine
            .instances
            .iter()
            .find(|instance| typed.strip_prefix(&instance.name).is_some_and(|rest| rest.starts_with('.')));
        let only = match (instance, engine.instances.as_slice()) {
            (None, [one]) => Some(one),
            (found, _) => found,
        };
        let about = only.and_then(|instance| engine.about_of(instance.plugin));
        let (prefix, noun) = about.map_or(("CUFF", "tool"), |about| (about.code_prefix, about.noun));
        let code = Fault::NotFound.code(prefix);
        let reason = Reason::NoSuchTool;
        if let NoSuchTool::Ambiguous { candidates } = why {
            let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            let help = Some(format!("say which: {}", names.join(", ")));
            return Self {
                reason,
                code,
                message: format!("`{typed}` could be any of {}", names.len()),
                help,
            };
        }
        if let Some(broken) = engine.broken_instance(typed) {
            return Self {
                reason: Reason::Unusable,
                code: Fault::InvalidConfig.code("CUFF"),
                message: format!("`{broken}` is not offered: its settings are wrong"),
                help: Some("`cuff list` shows what is wrong with them, and what still works".into()),
            };
        }
        if let Some((prefix, problem)) = engine.withheld(registry, typed) {
            return Self::of_problem(reason, prefix, problem);
        }
        let barren = registry.problems().iter().find(|reported| {
            reported.problem.severity == Severity::Error
                && only.is_none_or(|only| only.name == reported.instance)
                && registry.of_instance(&reported.instance).next().is_none()
        });
        if let (Some(Reported { problem, .. }), Some(_)) = (barren, only) {
            return Self::of_problem(Reason::Unusable, prefix, problem.clone());
        }
        let help = match (why, barren) {
            (NoSuchTool::Unknown { meant: Some(meant) }, _) => format!("did you mean `{meant}`?"),
            (_, Some(Reported { instance, problem, .. })) => {
                format!("{instance} offers nothing: {problem}; `cuff list` shows the rest")
            }
            _ => available(engine, registry, only),
        };
        let message = format!("{} not found: {typed}", capitalised(noun));
        Self { reason, code, message, help: Some(help) }
    }
}

impl Engine {
    /// What keeps a name of the sources from being offered, and the front of its code.
    fn withheld(&self, registry: &Registry, typed: &str) -> Option<(&'static str, Problem)> {
        let within = |instance: &Instance| {
            typed.strip_prefix(&instance.name).and_then(|rest| rest.strip_prefix('.')).map(str::to_owned)
        };
        let enabled = || self.instances.iter().filter(|instance| instance.enabled);
        let addressed = enabled().find_map(|instance| Some((instance, within(instance)?)));
        let asked: Vec<(&Instance, String)> = match addressed {
            Some(one) => vec![one],
            None => enabled().map(|instance| (instance, typed.to_owned())).collect(),
        };
        asked.iter().find_map(|(instance, name)| {
            let plugin = self.surroundings.plugin(instance.plugin)?;
            let told = registry.problems().iter().find(|reported| {
                reported.instance == instance.name && reported.problem.withheld.contains(name)
            });
            let problem = told.map(|reported| reported.problem.clone());
            let problem =
                problem.or_else(|| discovery::absence(self.place(), plugin, &instance.config, name))?;
            Some((plugin.about().code_prefix, problem))
        })
    }
}

fn available(engine: &Engine, registry: &Registry, only: Option<&Instance>) -> String {
    let instance = only.map(|instance| instance.name.as_str());
    let names: Vec<String> = registry
        .tools()
        .iter()
        .filter(|tool| instance.is_none_or(|instance| tool.name.instance == instance))
        .filter(|tool| matches!(tool.tool.role, Role::Run { .. }))
        .map(|tool| tool.name.to_string())
        .collect();
    match names.len() {
        0 => match (&engine.file, only) {
            (None, Some(Instance { plugin, .. })) => {
                format!("nothing is offered here; `cuff {plugin} list` says why")
            }
            _ => "nothing is offered here; `cuff list` says why".into(),
        },
        count if count > MOST_NAMES => {
            format!(
                "available: {}, and {} more (`cuff list`)",
                names[..MOST_NAMES].join(", "),
                count - MOST_NAMES
            )
        }
        _ => format!("available: {}", names.join(", ")),
    }
}
