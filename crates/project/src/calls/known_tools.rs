//! The tools that are offered, for the answer to a name that is none of theirs.

use crate::model::{Severity, Spelling, distance};
use crate::project::ProjectSettings;
use crate::registry::{Registered, Registry};
use crate::settings::Instance;

/// How many tools a message lists.
const MOST_NAMES: usize = 50;
/// How many names a person sees after naming no plugin and no instance.
const FEW_NAMES: usize = 5;
/// The most tools that are sorted by their distance from the name.
const MOST_SORTED: usize = 5_000;

/// The tools that are offered, the nearest to what was typed first.
pub(crate) fn available(
    settings: &ProjectSettings,
    registry: &Registry,
    (only, is_addressed): (Option<&Instance>, bool),
    (typed, spelling): (&str, Spelling),
) -> String {
    let instance = only.map(|instance| instance.name.as_str());
    let mut tools: Vec<&Registered> = registry
        .tools()
        .iter()
        .filter(|tool| instance.is_none_or(|instance| tool.name.instance == instance))
        .filter(|tool| !tool.tool.role.is_list())
        .collect();
    if tools.len() <= MOST_SORTED {
        let within = instance.and_then(|instance| typed.strip_prefix(instance));
        let local = within.and_then(|rest| rest.strip_prefix(spelling.separator())).unwrap_or(typed);
        let names =
            |tool: &Registered| [distance(local, &tool.name.local), distance(local, &tool.tool.original)];
        tools.sort_by_cached_key(|tool| names(tool).into_iter().min());
    }
    let is_person = !settings.caller.is_governed();
    let name = |tool: &&Registered| if is_person { tool.shown.clone() } else { tool.name.spelled(spelling) };
    let names: Vec<String> = tools.iter().map(name).collect();
    let reason = || {
        let mut errors = registry.problems().iter().filter(|found| found.problem.severity == Severity::Error);
        errors.find(|found| instance.is_none_or(|instance| found.instance == instance))
    };
    match names.len() {
        0 => match (reason(), &settings.file, only) {
            (Some(found), ..) => format!("nothing is offered here: {}", found.problem.in_one_line()),
            (None, None, Some(Instance { plugin, .. })) => {
                format!("nothing is offered here; `cuff {plugin} list` says why")
            }
            _ => "nothing is offered here; `cuff list` says why".into(),
        },
        // A person has the list at hand; an agent may not.
        count if !is_addressed && is_person && count > FEW_NAMES => {
            let of = instance.map_or_else(String::new, |instance| format!(" --plugin {instance}"));
            format!("`cuff list{of}` shows all {count} tools")
        }
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
