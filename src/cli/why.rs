//! `cuff why`: what would become of a call, and why; nothing runs.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::arguments::Why;
use super::{call, list, run};
use crate::calls;
use crate::calls::{
    Addressed, CallRequest, Detach, Explanation, Planned, Readers, Relayed, Ruling, script_text,
};
use crate::cli::approve::AtTerminal;
use crate::model::{EnvironmentPolicy, LONGEST_TIMEOUT, Origin, Role, quoted_whole, visible};
use crate::project::{Project, ProjectSettings};
use crate::registry::Registered;
use crate::terminal::{Failed, Ui, exit, wait_for};

/// Explains a call; the exit code says only whether it could be explained.
pub(super) fn why(ui: &Ui, project: &Project, typed: Why) -> Result<u8, Failed> {
    let registry = wait_for(ui, async { project.list_with(project.list().await, &typed.tool).await })?;
    let found = calls::resolve(project, &registry, &typed.tool).ok();
    list::complain_of_patterns(ui, project, &registry, found);
    let arguments = call::arguments(found, &typed.tool, &typed.call, false)?;
    let options = call::options(&typed.call, false);
    let request = CallRequest {
        tool: Addressed::Loosely(typed.tool),
        arguments,
        caller: project.at_terminal(),
        colours: true,
        asker: Some(Arc::new(AtTerminal::default())),
        conversation: None,
        parent: None,
        correlation: None,
        trace: None,
        is_mcp: false,
        detach: Detach::default(),
        options,
    };
    let explained = wait_for(ui, calls::why(project, &registry, &request))?;
    let explanation = match explained {
        Ok(explanation) => explanation,
        Err(error) => return run::say_error(ui, &error, typed.json),
    };
    if typed.json {
        ui.json(&as_json(&project.settings, &explanation))?;
    } else {
        ui.labels(&as_text(project, &explanation), BELOW)?;
    }
    Ok(exit::SUCCESS)
}

/// The name in JSON for a decision that a person has yet to make.
const CONFIRMATION_REQUIRED: &str = "confirmation_required";
/// The same for a call that the person at the terminal allows always.
const ALWAYS: &str = "allowed_always";
/// Where what a label is about begins.
const BELOW: usize = 12;

fn as_text(project: &Project, explanation: &Explanation) -> Vec<String> {
    let Explanation { tool, planned, relayed, ruling, withheld, readers } = explanation;
    let mut lines = vec![format!("{}: {}", tool.name, visible(&tool.tool.description))];
    let mut say = |label: &str, text: &str| lines.push(format!("  {label:9} {}", visible(text)));
    let original = if tool.tool.original.is_empty() { &tool.name.local } else { &tool.tool.original };
    match relayed {
        Some(relayed) => relayed_lines(relayed, &mut say),
        None => say("from", &format!("{} ({original}, by the plugin {})", tool.tool.source, tool.plugin)),
    }
    for also in tool.tool.runs_also() {
        say("runs also", &also);
    }
    if let Some(planned) = planned {
        planned_lines(tool, planned, &mut say);
    }
    let (decision, rule) = decision(&project.settings, ruling);
    let said = match decision {
        CONFIRMATION_REQUIRED => "requires confirmation",
        ALWAYS => "allowed always",
        other => other,
    };
    say("decision", &format!("{said}: {rule}"));
    if let Ruling::Refused(error) = ruling {
        error.help.iter().for_each(|help| say("help", help));
        project.why_governed().iter().for_each(|why| say("rules", why));
    }
    let asks_agents = project.asks_for_agents(tool);
    say(
        "agents",
        withheld.as_deref().unwrap_or(match ruling {
            Ruling::RequiresConfirmation(_) | Ruling::AllowedAlways(_) => {
                "have it, and you are asked each time"
            }
            Ruling::Refused(_) => "are refused it as well",
            Ruling::Permitted if asks_agents.is_some() => "have it, and you are asked each time",
            Ruling::Answered | Ruling::Permitted => "have it as you do",
        }),
    );
    if let Some(have) = project.settings.agents_have().filter(|_| !project.settings.is_never_approved()) {
        say("settings", &have.to_string());
    }
    if planned.is_some() {
        say("errors", &read_by(readers));
    }
    let text = script_text(tool).or_else(|| tool.tool.text.clone());
    // A text that is the command itself stands there already.
    let text = text.filter(|text| planned.as_ref().is_none_or(|planned| planned.line != *text));
    if let Some(text) = text.as_deref().map(quoted_whole).filter(|text| !text.is_empty()) {
        lines.splice(2..2, std::iter::once("  text").chain(text.lines()).map(str::to_owned));
    }
    lines
}

/// The process of a call.
fn planned_lines(tool: &Registered, planned: &Planned, say: &mut dyn FnMut(&str, &str)) {
    say("command", &planned.line);
    match &planned.program {
        Some(program) => say("program", &program.display().to_string()),
        None if planned.runner.is_some() => say("program", "the one that the runner has"),
        None if planned.changes.iter().any(|change| change.name == "PATH") => {
            say("program", "not found on the PATH that is set below");
        }
        None => say("program", "not installed, or not on the PATH"),
    }
    say("in", &planned.directory.display().to_string());
    if let Some(runner) = &planned.runner {
        say("on", runner);
    }
    for change in &planned.changes {
        say("sets", &format!("{}={} ({})", change.name, change.value, origin(change.origin)));
    }
    if planned.inherits == EnvironmentPolicy::Clean {
        say("inherits", "everyday variables alone (environment_policy: clean)");
    }
    say("timeout", &timeout(tool, planned));
    say("contained", &contained(planned));
}

/// The rules that the kernel holds for the run, or for an agent's run of it.
fn contained(planned: &Planned) -> String {
    let rules = &planned.containment;
    let (profile, network) = (rules.profile.name(), &rules.network);
    let (yes, there) = match planned.runner {
        Some(_) => ("where the runner has this cuff", ", where the runner has this cuff,"),
        None => ("yes", ""),
    };
    match (planned.is_contained, rules.is_off()) {
        (_, true) => "never: the settings say `containment: off`".to_owned(),
        (true, false) => format!("{yes}, by the profile {profile}; network: {network}"),
        (false, false) => {
            format!(
                "not for you without --contained; for agents{there} by the profile {profile}; network: {network}"
            )
        }
    }
}

/// The server that a call is passed on to.
fn relayed_lines(relayed: &Relayed, say: &mut dyn FnMut(&str, &str)) {
    say(
        "from",
        &format!("{}, a tool of the MCP server {}, which gets the call", relayed.tool, relayed.server),
    );
    say(if relayed.is_address { "url" } else { "command" }, &relayed.reached);
    if relayed.arguments.as_object().is_some_and(|arguments| !arguments.is_empty()) {
        say("arguments", &relayed.arguments.to_string());
    }
    say("timeout", &format!("{} s", relayed.timeout.as_secs()));
}

/// How long a run may take; what a person runs may have no end of its own.
fn timeout(tool: &Registered, planned: &Planned) -> String {
    match &tool.tool.role {
        Role::Run { command, .. } if planned.timeout.as_secs() == LONGEST_TIMEOUT => {
            format!(
                "none: it goes on until you end it; an agent's call ends after {} s",
                command.timeout.as_secs()
            )
        }
        _ => format!("{} s", planned.timeout.as_secs()),
    }
}

fn decision(settings: &ProjectSettings, ruling: &Ruling) -> (&'static str, String) {
    match ruling {
        Ruling::Answered => ("answered", "it lists what its instance offers, and runs nothing".to_owned()),
        Ruling::Permitted => {
            let rule = match settings.file().filter(|_| !settings.is_suggested()) {
                Some(file) => format!("{file} offers it, and the call brings nothing that is refused"),
                None => "without settings a person runs whatever cuff finds".to_owned(),
            };
            ("permitted", rule)
        }
        Ruling::RequiresConfirmation(by) => (CONFIRMATION_REQUIRED, by.clone()),
        Ruling::AllowedAlways(by) => {
            (ALWAYS, format!("you said so until it changes; else it would ask ({by})"))
        }
        Ruling::Refused(error) => ("refused", format!("{error} [{}]", error.code)),
    }
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Fixed => "cuff",
        Origin::Settings => "settings",
        Origin::Call => "call",
    }
}

/// How errors and tests are found in what it prints.
fn read_by(readers: &Readers) -> String {
    let Readers { plugin, matchers, dialects } = readers;
    let report = plugin.iter().map(|plugin| format!("from its report, by the plugin {plugin}"));
    let own = matchers.iter().map(|owner| format!("by your problem matcher {owner}"));
    let programs: Vec<String> = dialects.iter().map(|dialect| dialect.replace('_', " ")).collect();
    let output = (!programs.is_empty()).then(|| format!("from the output of {}", programs.join(", ")));
    let named: Vec<String> = report.chain(own).chain(output).collect();
    match named.as_slice() {
        [] => "read from any output of a known form".to_owned(),
        named => format!("read {}; any other output of a known form as well", named.join(", ")),
    }
}

fn as_json(settings: &ProjectSettings, explanation: &Explanation) -> Value {
    let Explanation { tool, planned, relayed, ruling, withheld, readers } = explanation;
    let (decision, rule) = decision(settings, ruling);
    let mut shape = json!({
        "tool": tool.name.to_string(), "plugin": tool.plugin, "original": tool.tool.original,
        "description": tool.tool.description, "source": tool.tool.source.to_string(),
        "decision": decision, "rule": rule,
        "agents": { "allowed": withheld.is_none() },
        "readers": { "matchers": readers.matchers, "dialects": readers.dialects },
    });
    if let Some(plugin) = readers.plugin {
        shape["readers"]["plugin"] = json!(plugin);
    }
    if let Some(why) = withheld {
        shape["agents"]["why"] = json!(why);
    }
    if let Some(text) = &tool.tool.text {
        shape["text"] = json!(text);
    }
    if !tool.tool.along.is_empty() {
        shape["runs_also"] = json!(*tool.tool.along);
    }
    if let Some(planned) = planned {
        shape["plan"] = plan_json(planned);
    }
    if let Some(relayed) = relayed {
        shape["server"] = json!({
            "name": relayed.server, "tool": relayed.tool, "arguments": relayed.arguments,
            "timeout_s": relayed.timeout.as_secs(),
        });
        shape["server"][if relayed.is_address { "url" } else { "command" }] = json!(relayed.reached);
    }
    if let Ruling::Refused(error) = ruling {
        shape["error_code"] = json!(error.code);
        if let Some(help) = &error.help {
            shape["help"] = json!(help);
        }
    }
    shape
}

fn plan_json(planned: &Planned) -> Value {
    let changes = planned.changes.iter().map(|change| {
        let change_json = json!({"value": change.value, "from": origin(change.origin)});
        (change.name.clone(), change_json)
    });
    let mut shape = json!({
        "command": planned.words, "cwd": planned.directory.display().to_string(),
        "environment": changes.collect::<Map<String, Value>>(),
        "environment_policy": planned.inherits.name(), "timeout_s": planned.timeout.as_secs(),
    });
    shape["containment"] = json!({
        "profile": planned.containment.profile.name(),
        "network": planned.containment.network.to_string(),
        "contained": planned.is_contained,
    });
    if let Some(runner) = &planned.runner {
        shape["runner"] = json!(runner);
    }
    if let Some(program) = &planned.program {
        shape["program"] = json!(program.display().to_string());
    }
    shape
}
