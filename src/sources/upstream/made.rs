//! A server's list as a discovery.

use std::sync::{Arc, Mutex, PoisonError};

use super::listing::{ForeignTool, Listing};
use crate::model::{Discovery, Location, Patterns, Problem, Tool, Values};
use crate::settings::{EXCLUDE_TOOLS, INCLUDE_TOOLS};

/// The longest description that lists have, in characters; the server's whole text is in its definition.
const LONGEST_DESCRIPTION: usize = 300;

/// The discovery that was made last, and of what.
#[derive(Debug, Default)]
pub(super) struct Made(Mutex<Option<Last>>);

/// A list, the problems beside it, and the discovery that was made of both.
type Last = (Option<Arc<Listing>>, Vec<Problem>, Arc<Discovery>);

impl Made {
    /// The discovery of this list: the very same one while list and problems are the same.
    pub(super) fn of(
        &self,
        listing: Option<Arc<Listing>>,
        problems: Vec<Problem>,
        config: &Values,
    ) -> Arc<Discovery> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, with, discovery)) = &*made
            && *with == problems
            && of.as_ref().map(Arc::as_ptr) == listing.as_ref().map(Arc::as_ptr)
        {
            return Arc::clone(discovery);
        }
        let (include, _) = Patterns::new(config.texts(&INCLUDE_TOOLS));
        let (exclude, _) = Patterns::new(config.texts(&EXCLUDE_TOOLS));
        let tools = listing.iter().flat_map(|listing| &listing.tools);
        let chosen = tools.filter(|tool| include.matches(&tool.name) && !exclude.matches(&tool.name));
        let tools = chosen.map(tool).collect();
        let discovery = Arc::new(Discovery { tools, problems: problems.clone(), ..Discovery::default() });
        *made = Some((listing, problems, Arc::clone(&discovery)));
        discovery
    }
}

fn tool(foreign: &ForeignTool) -> Tool {
    let (schema, definition) = (Arc::clone(&foreign.schema), Arc::clone(&foreign.raw));
    let own = foreign.raw.get("description").and_then(serde_json::Value::as_str).and_then(in_one_line);
    let place = Location::at("", None, None);
    let tool = Tool::relayed(&foreign.name, &foreign.name, place, schema, definition);
    tool.described_or(own, foreign.name.clone())
}

/// The beginning of a description, in one line; `None` where it says nothing.
fn in_one_line(description: &str) -> Option<String> {
    let words = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = words.char_indices().nth(LONGEST_DESCRIPTION).map(|(at, _)| at);
    let line = cut.map_or_else(|| words.clone(), |at| format!("{}…", &words[..at]));
    Some(line).filter(|line| !line.is_empty())
}
