//! The MCP servers that files of clients name, offered for settings.yml.

use serde_json::Value;

use super::plan::Plan;
use super::session::InitSession;
use crate::cli::install::{self, Site};
use crate::hosts::{AgentClient, ClientScope, ClientServers};
use crate::model::{Problem, is_instance_name, listed, shown};
use crate::project::Offer;
use crate::settings::{self, ServerEntry, SettingsOrigin};
use crate::setup;
use crate::terminal::{Failed, TerminalAnswer};

/// The clients whose project files are looked at.
const CLIENTS: [&str; 3] = ["claude-code", "cursor", "vscode"];
/// How many names a line has.
const MOST_NAMES: usize = 8;

/// A server that could be written.
#[derive(Debug, Clone)]
pub(super) struct FoundServer {
    entry: ServerEntry,
    /// The file that names it.
    file: String,
    /// Facts about its entry that a person should know.
    notes: Vec<String>,
}

/// The servers of the project's files, each name once. A message names those that cannot be written.
pub(super) fn find(session: &InitSession<'_>) -> Result<Vec<FoundServer>, Failed> {
    let InitSession { ui, context, draft, .. } = session;
    let there = draft.predecessor(context).ok().flatten().filter(|_| !session.typed.existing.force);
    let is_there = |name: &str| there.as_ref().is_some_and(|there| there.has(name));
    let own = server_file(session)?;
    let warn = |file: &str, name: &str, why: &str| {
        let what = format!("{file}: the MCP server `{}` is left out: {why}", shown(name));
        ui.problem(None, None, &Problem::warning(what));
    };
    let mut found: Vec<FoundServer> = Vec::new();
    let root = install::root(context);
    for client in CLIENTS.into_iter().filter_map(AgentClient::of) {
        let Some(site) = Site::at(&context.environment, &root, client, ClientScope::Project) else {
            continue;
        };
        let file = site.file.strip_prefix(&root).unwrap_or(&site.file).display().to_string();
        let text = match site.text() {
            Ok(None) => continue,
            Ok(Some(text)) => text,
            Err(failed) => {
                ui.problem(None, None, &Problem::warning(failed.message));
                continue;
            }
        };
        let others = match (ClientServers { client, text: Some(&text) }).others() {
            Ok(others) => others,
            Err(obstacle) => {
                ui.problem(None, None, &Problem::warning(format!("{file}: {obstacle}")));
                continue;
            }
        };
        for (name, entry) in others {
            if is_there(&name) || own.contains(&name) || found.iter().any(|one| one.entry.name == name) {
                continue;
            }
            let Value::Object(keys) = entry else { continue };
            match setup::imported(&name, &keys) {
                _ if !is_instance_name(&name) => {
                    warn(&file, &name, "rename it: letters, digits, `_` and `-`, at most 32, a letter first");
                }
                Ok((entry, notes)) => found.push(FoundServer { entry, file: file.clone(), notes }),
                Err(why) => warn(&file, &name, why),
            }
        }
    }
    Ok(found)
}

/// Says which servers a `.toolscript.json` has, which is read as it is.
fn server_file(session: &InitSession<'_>) -> Result<Vec<String>, Failed> {
    let environment = &session.context.environment;
    let mut places = settings::server_files(environment).into_iter();
    let Some(place) = places.find(|place| place.origin != SettingsOrigin::Users) else {
        return Ok(Vec::new());
    };
    let file = settings::load_servers(&place, environment);
    let names: Vec<String> = file.names().map(str::to_owned).collect();
    if !names.is_empty() {
        let shown = listed(&names.iter().map(|name| shown(name)).collect::<Vec<_>>(), MOST_NAMES);
        session.say(&format!("  {} names MCP servers, and cuff reads it as it is: {shown}", place.name))?;
    }
    Ok(names)
}

/// The servers that a person chooses. Where nobody is asked, none is written.
pub(super) fn choose(
    session: &InitSession<'_>,
    found: &[FoundServer],
    offers: &[Offer],
) -> TerminalAnswer<Vec<ServerEntry>> {
    let is_free = |one: &&FoundServer| offers.iter().all(|offer| offer.name != one.entry.name);
    let found: Vec<&FoundServer> = found.iter().filter(is_free).collect();
    if found.is_empty() {
        return Ok(Vec::new());
    }
    if !session.asks {
        let names: Vec<String> =
            found.iter().map(|one| format!("{} ({})", one.entry.name, one.file)).collect();
        let names = listed(&names, MOST_NAMES);
        session.say(&format!("MCP servers that are not added, since nobody was asked: {names}"))?;
        return Ok(Vec::new());
    }
    let longest = found.iter().map(|one| one.entry.name.len()).max().unwrap_or_default();
    let item =
        |one: &&FoundServer| format!("{:longest$}  {}: {}", one.entry.name, one.file, target(&one.entry));
    let items: Vec<String> = found.iter().map(item).collect();
    let chosen = session.asking.many("Which MCP servers?", &items, &vec![false; items.len()])?;
    let chosen: Vec<&FoundServer> = chosen.into_iter().filter_map(|at| found.get(at).copied()).collect();
    for one in &chosen {
        for note in &one.notes {
            session.asking.explain(&format!("{}: {note}", one.entry.name));
        }
    }
    Ok(chosen.into_iter().map(|one| one.entry.clone()).collect())
}

/// The command line that the entry starts, or the address that it connects to.
fn target(entry: &ServerEntry) -> String {
    let text = |key: &str| entry.keys.get(key).and_then(Value::as_str);
    let words =
        entry.keys.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let words = text("command").or_else(|| text("url")).into_iter().chain(words);
    shown(&words.collect::<Vec<_>>().join(" "))
}

/// The text with these servers in it.
pub(super) fn added(
    session: &InitSession<'_>,
    text: String,
    servers: &[ServerEntry],
) -> Result<String, settings::NotMerged> {
    if servers.is_empty() {
        return Ok(text);
    }
    settings::add_servers(text.as_bytes(), servers, &session.context.abouts())
}

/// The line for the summary.
pub(super) fn line(servers: &[ServerEntry]) -> Option<String> {
    let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("  MCP servers  {}", listed(&names, MOST_NAMES)))
}

/// Says how a client gets its tools from cuff alone.
pub(super) fn afterwards(session: &InitSession<'_>, plan: &Plan, servers: &[ServerEntry]) {
    if servers.is_empty() {
        return;
    }
    let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
    let names = listed(&names, MOST_NAMES);
    let to = if let Plan::Added(_) = plan { "Added to" } else { "In" };
    session.ui.note(format!("{to} {}: the MCP servers {names}", session.output));
    session.ui.note(
        "A client gets their tools from cuff alone once `cuff install --client NAME` has added cuff and you remove \
         the other entries from its file",
    );
}
