//! Checks of what waits to be sent: runs for the records of a team, and the spans of calls.

use super::check::Check;
use crate::calls::{age, collector};
use crate::model::counted;
use crate::project::Project;
use crate::store::{Outbox, OutboxEntry, WaitingRun, WaitingTrace};

/// A minute: what waits for less is on its way.
const ON_ITS_WAY: u64 = 60_000;

/// Checks of the runs and spans of a project that wait.
pub fn unsent_checks(project: &Project) -> Vec<Check> {
    let (environment, root) = (&project.context.environment, &project.settings.root);
    let runs = Outbox::<WaitingRun>::of(environment, root);
    let runs = runs.and_then(|runs| check(project, &runs, |count| counted(count, "run")));
    let traces = Outbox::<WaitingTrace>::of(environment, root);
    let spans = |count| format!("the spans of {}", counted(count, "call"));
    let traces = traces.and_then(|traces| check(project, &traces, spans));
    let is_traced = || {
        collector(environment)?;
        Some(Check::pass("calls are traced: the variables of OpenTelemetry name a collector"))
    };
    runs.into_iter().chain(traces.or_else(is_traced)).collect()
}

fn check<Entry: OutboxEntry>(
    project: &Project,
    outbox: &Outbox<Entry>,
    name: impl Fn(u64) -> String,
) -> Option<Check> {
    const AGAIN: &str = "`cuff runs push` tries again and says why";
    let waiting = outbox.waiting().unwrap_or_default();
    let (problem, given_up) = (outbox.problem(), outbox.given_up());
    let now = project.context.clock.milliseconds();
    let is_late = |at: u64| now.saturating_sub(at) > ON_ITS_WAY;
    let oldest = waiting.first().filter(|id| problem.is_some() || is_late(id.milliseconds()));
    Some(match (oldest, problem) {
        (Some(oldest), problem) => {
            let why = problem.map_or_else(String::new, |problem| format!(": {problem}"));
            let (what, age) = (name(waiting.len() as u64), age(*oldest, now));
            Check::warn(format!("{what} not sent yet, the oldest from {age}{why}"), AGAIN)
        }
        (None, Some(problem)) => Check::warn(
            format!("the last attempt to send was refused for good: {problem}"),
            "look at its address and credentials",
        ),
        (None, None) if given_up > 0 => {
            Check::warn(format!("{} given up, since too many waited", name(given_up)), AGAIN)
        }
        (None, None) => return None,
    })
}
