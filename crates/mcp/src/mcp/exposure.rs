//! The tools that `tools/list` shows: all of them, or one through which all are called. The same tools can be
//! called in either case.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::Tool;

use super::list_entry::ToolEntry;
use super::offered::OfferedTools;
use super::{dispatch, runs, sanitize, tool_list};
use crate::model::Spelling;
use crate::project::{Live, Project};
use crate::registry::Registry;

/// The most tools that are listed one by one when it is left to cuff. Hosts take 40 to 50, and those of other
/// servers are among them.
pub const MOST_TOOLS: usize = 40;

/// How the tools are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expose {
    /// Each as a tool of its own, and the two for clients of the program that cuff takes after.
    Tools,
    /// All behind the tool `cuff`.
    Dispatch,
    /// Each, up to [`MOST_TOOLS`]; more of them behind `cuff`.
    Auto,
    /// All as functions of programs: three tools find, describe and call them.
    #[cfg(feature = "code")]
    Code,
}

/// How the tools are offered, and how they are called.
#[derive(Debug, Clone, Copy)]
pub struct Exposure {
    /// How they are offered.
    pub expose: Expose,
    /// How the names of tools are written, in both ways to offer them.
    pub spelling: Spelling,
}

/// The tools as `tools/list` shows them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ShownTools {
    pub(super) entries: Vec<ToolEntry>,
    /// Whether the one tool is the dispatcher.
    pub(super) dispatches: bool,
}

impl Exposure {
    /// The way in which they are offered, where the last list had the dispatcher alone or not.
    pub(super) const fn offered(self, dispatches: bool) -> OfferedTools {
        match self.expose {
            #[cfg(feature = "code")]
            Expose::Code => OfferedTools::Code,
            _ if dispatches => OfferedTools::Dispatcher,
            _ => OfferedTools::Tools,
        }
    }

    /// The list where there is nothing to offer.
    fn nothing(self) -> ShownTools {
        ShownTools { dispatches: self.expose == Expose::Dispatch, ..ShownTools::default() }
    }

    /// The list of these tools.
    fn tools(self, project: &Project, registry: &Registry) -> ShownTools {
        #[cfg(feature = "code")]
        if self.expose == Expose::Code {
            return ShownTools { entries: own(super::code::tools()).collect(), ..ShownTools::default() };
        }
        let dispatches = match self.expose {
            #[cfg(feature = "code")]
            Expose::Code => false,
            Expose::Tools => false,
            Expose::Dispatch => true,
            Expose::Auto => registry.for_agents().len() > MOST_TOOLS,
        };
        if dispatches {
            return ShownTools {
                entries: ToolEntry::of(&dispatch::tool()).into_iter().collect(),
                dispatches,
            };
        }
        let mut entries = tool_list::entries(project, registry, self.spelling);
        entries.extend(own(runs::tools(project, self.spelling)));
        if self.expose == Expose::Tools {
            entries.extend(own(dispatch::kin()));
        }
        ShownTools { entries, dispatches }
    }
}

/// The entries of cuff's own tools.
fn own(tools: impl IntoIterator<Item = Tool>) -> impl Iterator<Item = ToolEntry> {
    tools.into_iter().filter_map(|tool| ToolEntry::of(&sanitize::tool(tool)))
}

/// The list as it was last made: the same registry has the same list.
#[derive(Debug)]
pub(super) struct LastShown {
    pub(super) exposure: Exposure,
    last: Mutex<Option<(Arc<Registry>, Arc<ShownTools>)>>,
}

impl LastShown {
    /// No list was made yet.
    pub(super) fn new(exposure: Exposure) -> Self {
        Self { exposure, last: Mutex::default() }
    }

    /// The list now, made anew where the registry is another one; it is empty where there is nothing to offer.
    pub(super) async fn now(&self, source: &Live) -> Arc<ShownTools> {
        match source.project() {
            Ok(project) => self.of(&project, project.list().await),
            Err(_) => Arc::new(self.exposure.nothing()),
        }
    }

    /// The list of a registry.
    pub(super) fn of(&self, project: &Project, registry: Arc<Registry>) -> Arc<ShownTools> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((of, shown)) if Arc::ptr_eq(of, &registry) => Arc::clone(shown),
            _ => {
                let shown = Arc::new(self.exposure.tools(project, &registry));
                *last = Some((registry, Arc::clone(&shown)));
                shown
            }
        }
    }
}
