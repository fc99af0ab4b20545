//! The definitions of MCP servers' tools: what agents get of them, and pinning those that are seen first.
//!
//! A server is not started before a person approved it, so nobody knows its tools at that moment. Its first list after
//! that is pinned as it comes, and so is the first list of the user's own servers. From then on a tool that a server
//! changes or adds is withheld from agents until a person has approved it.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use crate::ledger::{AuditDecision, Ledger, NO_LEDGER, PinnedTools, Pinning, SeenServer, Unreviewed};
use crate::model::{Caller, Definition, Problem, counted, listed, shown};
use crate::project::opened::Project;
use crate::project::project_authority::Pins;
use crate::project::project_settings::approval::{APPROVE, MOST_NAMES};
use crate::registry::{Registered, Registry, ReportedProblem};

impl Project {
    /// Why agents do not get a tool of an MCP server: nobody has reviewed its definition as it is. `None`: they do, or it
    /// is no such tool.
    pub fn unreviewed(&self, found: &Registered) -> Option<Unreviewed> {
        let definition = found.tool.role.definition()?;
        let server = &found.name.instance;
        let pins = self.pins_of(server).map_err(|_| Unreviewed::Unpinned);
        let review = pins.and_then(|pins| pins.review(server, definition.name(), definition.digest()));
        review.err().filter(|why| *why != Unreviewed::New || !self.settings.takes_new(server))
    }

    /// Whether tools of a server were pinned.
    pub(crate) fn is_pinned(&self, server: &str) -> bool {
        self.pins_of(server).is_ok_and(|pins| pins.server(server).is_some())
    }

    /// The pins in the file that names a server.
    pub(crate) fn pins_of(&self, server: &str) -> Pins {
        self.authority.server_pins.of(server, || {
            let ledger = self.authority.ledger.as_ref().ok_or(NO_LEDGER)?;
            let file = self.settings.naming_file(server).ok_or("no file names the server")?;
            ledger.pinned_servers(&file).map(Arc::new).map_err(|error| error.to_string())
        })
    }

    /// The registry as its caller gets it: agents get no definition that nobody has reviewed.
    pub(super) fn for_caller(&self, registry: Registry) -> Registry {
        if !self.settings.caller.is_governed() {
            return registry;
        }
        registry.withholding(|found| self.unreviewed(found).is_some())
    }

    /// Pins the tools of servers that have listed them in this process and have no pins yet. New tools of
    /// other servers are pinned if the settings accept them. A list from the disk pins nothing: anybody might
    /// have written it.
    pub(super) fn pin_seen_definitions(&self) {
        let mut seen: BTreeMap<PathBuf, Vec<SeenServer>> = BTreeMap::new();
        for source in self.sources() {
            // Some servers have no tools yet when they are first asked: nothing of that is worth a pin.
            let Some(definitions) = source.definitions().filter(|definitions| !definitions.is_empty()) else {
                continue;
            };
            let server = source.instance();
            let takes_new = self.settings.takes_new(server);
            let is_settled = self.pins_of(server).is_err() || !takes_new && self.is_pinned(server);
            if let (false, Some(file)) = (is_settled, self.settings.naming_file(server)) {
                let tools = self.pinned_tools(server, &definitions);
                seen.entry(file).or_default().push(SeenServer {
                    server: server.to_owned(),
                    tools,
                    takes_new,
                });
            }
        }
        let Some(ledger) = &self.authority.ledger else { return };
        for (file, seen) in seen {
            let pinned = ledger.pin_seen(&file, &seen, self.now());
            let pins = match pinned {
                Ok((pins, pinned)) => {
                    for pinning in &pinned {
                        self.note_pinning(ledger, pinning);
                    }
                    Ok(Arc::new(pins))
                }
                Err(error) => Err(error.to_string()),
            };
            for one in &seen {
                self.authority.server_pins.set(&one.server, pins.clone());
            }
        }
    }

    /// Definitions as they are pinned. Their texts are kept to be shown, without the server's secrets.
    pub(crate) fn pinned_tools(&self, server: &str, definitions: &[Definition]) -> PinnedTools {
        let secrets = self.secrets_of_server(server);
        let text = |one: &Definition| secrets.redact(&one.text()).into_owned();
        let texts: Vec<String> = definitions.iter().map(text).collect();
        let tools = definitions.iter().zip(&texts);
        PinnedTools::of_definitions(tools.map(|(one, text)| (one.name(), &**one.digest(), text.as_str())))
    }

    fn note_pinning(&self, ledger: &Ledger, Pinning { server, tools, is_first }: &Pinning) {
        let tools = counted(*tools as u64, "tool");
        let rule = if *is_first {
            format!("first list of the MCP server: {tools}, pinned as they came")
        } else {
            format!("`new_tools: allow`: {tools} that the MCP server added, pinned as they came")
        };
        // Where the log cannot be written, the next call of a tool says so.
        let _ = ledger.note(&self.pinning(self.settings.caller, server, rule));
    }

    /// The line of the audit log that tools of a server were pinned.
    pub(crate) fn pinning(&self, caller: Caller, server: &str, rule: String) -> AuditDecision {
        AuditDecision {
            at: self.now(),
            caller: caller.name().to_owned(),
            tool: server.to_owned(),
            project: self.settings.root.display().to_string(),
            arguments: Vec::new(),
            decision: "pinned",
            rule,
        }
    }

    /// A problem for each server with tools that agents do not get.
    pub(super) fn unreviewed_problems(&self, registry: &Registry) -> Vec<ReportedProblem> {
        let mut problems = Vec::new();
        let mut of_servers: HashMap<&str, Vec<(&Registered, Unreviewed)>> = HashMap::new();
        for found in everything(registry) {
            if let Some(why) = self.unreviewed(found) {
                of_servers.entry(&found.name.instance).or_default().push((found, why));
            }
        }
        for source in self.sources() {
            let server = source.instance();
            let Some(unreviewed) = of_servers.get(server) else { continue };
            let problem = match unreviewed.first() {
                None => continue,
                Some((_, Unreviewed::Unpinned)) => self.unpinned(server),
                Some(_) => {
                    let what = format!("withheld from agents: {}", self.named(unreviewed));
                    Problem::warning(what).help("`cuff approve settings` shows the difference")
                }
            };
            let plugin = source.plugin();
            problems.push(ReportedProblem { instance: server.to_owned(), plugin, problem });
        }
        problems
    }

    /// Tools that are withheld, each with the reason. For agents the new ones are counted: a server could put a text of
    /// its own into their names.
    fn named(&self, unreviewed: &[(&Registered, Unreviewed)]) -> String {
        let is_counted = |why: Unreviewed| why == Unreviewed::New && self.settings.caller.is_governed();
        let counted_alone = unreviewed.iter().filter(|(_, why)| is_counted(*why)).count();
        let count = (counted_alone > 0).then(|| counted(counted_alone as u64, "new tool"));
        let others = unreviewed.iter().filter(|(_, why)| !is_counted(*why));
        let names = others.map(|(found, why)| marked(&found.name.to_string(), *why));
        listed(&count.into_iter().chain(names).collect::<Vec<_>>(), MOST_NAMES)
    }

    /// The problem that nothing is pinned of a server.
    fn unpinned(&self, server: &str) -> Problem {
        if let Err(why) = self.pins_of(server) {
            let what = format!("its tools are withheld from agents: what was pinned is not known: {why}");
            return Problem::warning(what).help("`cuff approve settings` pins them anew");
        }
        let what = "its tools are withheld from agents: they are pinned when cuff connects to it";
        Problem::warning(what).help("`cuff serve` connects, and so does a call")
    }

    /// The loss where agents do not get tools of servers as they are.
    pub(super) fn lost_definitions(&self, registry: &Registry) -> Option<String> {
        let unreviewed = everything(registry).filter_map(|found| {
            let why = self.unreviewed(found).filter(|why| *why != Unreviewed::Unpinned)?;
            Some((found, why))
        });
        let unreviewed: Vec<_> = unreviewed.collect();
        let names = (!unreviewed.is_empty()).then(|| self.named(&unreviewed))?;
        Some(format!("withheld, since no person has approved them as they are: {names}; {APPROVE}"))
    }
}

/// The tools of a registry, and those that it withholds.
fn everything(registry: &Registry) -> impl Iterator<Item = &Registered> {
    registry.tools().iter().chain(registry.withheld())
}

/// The name of a tool, and why it is withheld.
fn marked(name: &str, why: Unreviewed) -> String {
    let why = match why {
        Unreviewed::Changed => "changed",
        Unreviewed::New => "new",
        Unreviewed::Unpinned => "not pinned",
    };
    format!("{} ({why})", shown(name))
}
