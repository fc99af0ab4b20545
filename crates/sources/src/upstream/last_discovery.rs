//! A server's list as a discovery.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use super::listing::{ForeignTool, ServerListing};
use crate::model::{Discovery, Effects, Location, Patterns, Problem, Tool, bounded, shown};
use crate::settings::{EXCLUDE_TOOLS, INCLUDE_TOOLS, Upstream};

/// The longest description that lists have, in characters; the server's whole text is in its definition.
const LONGEST_DESCRIPTION: usize = 300;

/// The discovery that was made last, and of what.
#[derive(Debug, Default)]
pub(super) struct LastDiscovery(Mutex<Option<Last>>);

/// A list and whether the server itself gave it to this process, the problems beside it, and the discovery that was made of
/// both.
type Last = (Option<Arc<ServerListing>>, bool, Vec<Problem>, Arc<Discovery>);

impl LastDiscovery {
    /// The discovery of this list: the very same one while list and problems are the same.
    pub(super) fn of(
        &self,
        (listing, is_live): (Option<Arc<ServerListing>>, bool),
        problems: Vec<Problem>,
        upstream: &Upstream,
    ) -> Arc<Discovery> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, was_live, with, discovery)) = &*made
            && (*was_live, with) == (is_live, &problems)
            && of.as_ref().map(Arc::as_ptr) == listing.as_ref().map(Arc::as_ptr)
        {
            return Arc::clone(discovery);
        }
        let config = &upstream.config;
        let (include, _) = Patterns::new(config.texts(&INCLUDE_TOOLS));
        let (exclude, _) = Patterns::new(config.texts(&EXCLUDE_TOOLS));
        let tools = listing.iter().flat_map(|listing| &listing.tools);
        let chosen = tools.filter(|tool| include.matches(&tool.name) && !exclude.matches(&tool.name));
        let (mut tools, mut steering) = (Vec::new(), Vec::new());
        for foreign in chosen {
            steering.extend(warning(foreign));
            let tool = tool(foreign);
            // A server says of its own tools what it likes.
            let effects = upstream.trusts_annotations().then(|| Effects::annotated(foreign.definition.raw()));
            tools.push(tool.effects(effects.unwrap_or(Effects::UNKNOWN)));
        }
        let mut all = problems.clone();
        bounded(steering, &mut all);
        let discovery = Arc::new(Discovery { tools, problems: all, ..Discovery::default() });
        *made = Some((listing, is_live, problems, Arc::clone(&discovery)));
        discovery
    }
}

fn tool(foreign: &ForeignTool) -> Tool {
    let (schema, definition) = (Arc::clone(&foreign.schema), foreign.definition.clone());
    let own = definition.raw().get("description").and_then(serde_json::Value::as_str).and_then(in_one_line);
    let place = Location::at("", None, None);
    let tool = Tool::relayed(&foreign.name, &foreign.name, place, schema, definition);
    tool.described_or(own.map(Cow::from), || foreign.name.clone())
}

/// The problem that a definition has text which may steer a model. It is a report, and decides nothing.
fn warning(foreign: &ForeignTool) -> Option<Problem> {
    let steering = foreign.steering.as_ref()?;
    let message = format!("{} has text that may steer a model: {steering}", shown(&foreign.name));
    Some(Problem::warning(message).help("read it before agents do; `exclude_tools` leaves the tool out"))
}

/// The beginning of a description, in one line; `None` where it says nothing.
fn in_one_line(description: &str) -> Option<String> {
    let words = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = words.char_indices().nth(LONGEST_DESCRIPTION).map(|(at, _)| at);
    let line = cut.map_or_else(|| words.clone(), |at| format!("{}…", &words[..at]));
    Some(line).filter(|line| !line.is_empty())
}
