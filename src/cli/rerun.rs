//! `cuff run -`: what a person ran last in this project, once more.

use serde_json::{Map, Value};

use super::arguments::RunArguments;
use crate::calls;
use crate::project::Project;
use crate::terminal::Failed;

/// The word that stands for the last run where a tool's name is expected.
pub(super) const LAST: &str = "-";

/// The tool of the last run and its arguments. `of` is the one plugin to search.
///
/// Runs of agents do not count: nobody at this terminal has seen their words. No words are added to the old
/// ones, since another word could go before or in place of one of them. The printed line can be typed with
/// other words.
pub(super) fn last(
    project: &Project,
    typed: &RunArguments,
    of: Option<&str>,
) -> Result<(String, Map<String, Value>), Failed> {
    let call = &typed.how.call;
    if !call.words.is_empty()
        || !call.env.is_empty()
        || call.cwd.is_some()
        || call.timeout.is_some()
        || call.json_input.is_some()
    {
        let message = "`-` repeats the last run as it was: it takes no words, --env, --cwd or --timeout";
        return Err(Failed::usage(message).help("`cuff run -` alone prints the line that it repeats"));
    }
    let instances = of.map(|plugin| project.settings.instances_of(plugin));
    let is_of = |tool: &str| {
        let instance = tool.split_once('.').map_or(tool, |(instance, _)| instance);
        instances.as_ref().is_none_or(|instances| instances.contains(&instance))
    };
    let runs = calls::own_runs(project);
    let last = runs.as_ref().and_then(|runs| runs.by_people().find(|run| is_of(&run.tool)));
    let Some(last) = last else {
        let failed =
            Failed::usage("there is no run to repeat: nobody ran a tool of this project by hand yet");
        return Err(failed
            .unable()
            .before_a_run()
            .help("`cuff list` shows what can be run; runs of agents are not repeated"));
    };
    let line = shlex::try_join(last.command.iter().map(String::as_str)).unwrap_or_default();
    if last.is_several {
        let failed = Failed::usage("the last run was of several tools, which `-` does not repeat");
        return Err(failed.unable().before_a_run().help(format!("type it again: `{line}`")));
    }
    let Some(arguments) = last.arguments else {
        let failed = Failed::usage(format!(
            "the last run, of {}, cannot be repeated: what it was given is not recorded",
            last.tool
        ));
        let help = format!("what holds a secret or is very long is not kept; it was `{line}`: type it again");
        return Err(failed.unable().before_a_run().help(help));
    };
    Ok((last.tool, arguments))
}
